internal import ArgumentParser
internal import BrokerJSON
internal import CallClient

/// The form of the output.
struct OutputOptions: ParsableArguments {
    enum Form {
        /// A layout for people.
        case table
        /// One document per line.
        case json
        /// One line per value.
        case flat
        /// The frame as received.
        case raw
    }

    @Flag(help: "Print JSON, one document per line.")
    var json = false

    @Flag(help: "Print one line per value: path=value.")
    var flat = false

    @Flag(help: "Print the reply's frame as received.")
    var raw = false

    @Flag(name: .customLong("no-pager"), help: "Show long lists on a terminal without a pager.")
    var noPager = false

    func validate() throws {
        guard [json, flat, raw].count(where: { $0 }) <= 1 else {
            throw ValidationError("choose one of --json, --flat and --raw")
        }
    }

    /// The form that an option requests.
    var chosen: Form? {
        if json { return .json }
        if flat { return .flat }
        return raw ? .raw : nil
    }

    var form: Form {
        chosen ?? .table
    }

    /// Shows text for people, in a pager if the terminal is too small for it.
    func page(_ text: String) {
        if noPager || !Pager.show(text) { StandardOutput.line(text) }
    }

    /// Shows a document that the tool has made.
    func show(_ document: [UInt8], _ layout: (JSONValue) -> String) throws {
        let parsed = try Frame.parse(document)
        switch form {
        case .table: page(layout(parsed.root))
        case .json, .raw: StandardOutput.line(String(decoding: document, as: UTF8.self))
        case .flat: StandardOutput.line(FlatText(parsed.root).description)
        }
    }
}

/// Frames received from the broker.
enum Frame {
    static func parse(_ frame: [UInt8]) throws(ToolFailure) -> JSONDocument {
        do throws(JSONFault) {
            return try JSONDocument(parsing: frame, limits: .document)
        } catch {
            throw ToolFailure(.incompatible, Messages.connectionNotJson(reason: error.message))
        }
    }
}
