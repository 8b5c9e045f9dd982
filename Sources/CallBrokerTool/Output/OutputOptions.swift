internal import ArgumentParser
internal import BrokerJSON
internal import CallClient

/// How an answer is shown.
struct OutputOptions: ParsableArguments {
    enum Form {
        /// Laid out for people.
        case table
        /// One document per line.
        case json
        /// One line per value.
        case flat
        /// The frame as it came.
        case raw
    }

    @Flag(help: "JSON on one line, also on a terminal.")
    var json = false

    @Flag(help: "One line per value: path=value.")
    var flat = false

    @Flag(help: "The reply's frame as it came.")
    var raw = false

    func validate() throws {
        guard [json, flat, raw].count(where: { $0 }) <= 1 else {
            throw ValidationError("choose one of --json, --flat and --raw")
        }
    }

    /// The form that was asked for by an option.
    var chosen: Form? {
        if json { return .json }
        if flat { return .flat }
        return raw ? .raw : nil
    }

    var form: Form {
        chosen ?? (Terminal.isOutput ? .table : .json)
    }

    /// Shows one document that was made here.
    func show(_ document: [UInt8], _ layout: (JSONValue) -> String) throws {
        let parsed = try Frame.parse(document)
        switch form {
        case .table: StandardOutput.line(layout(parsed.root))
        case .json, .raw: StandardOutput.line(String(decoding: document, as: UTF8.self))
        case .flat: StandardOutput.line(FlatText(parsed.root).description)
        }
    }
}

/// What came over the wire.
enum Frame {
    static func parse(_ frame: [UInt8]) throws(ToolFailure) -> JSONDocument {
        do throws(JSONFault) {
            return try JSONDocument(parsing: frame, limits: .document)
        } catch {
            throw ToolFailure(
                code: .errorReply, message: "callbroker: the reply is no JSON: \(error.message)")
        }
    }
}
