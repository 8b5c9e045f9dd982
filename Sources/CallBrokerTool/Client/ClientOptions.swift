internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallClient
internal import CallProtocol

/// The options of every command that connects to a broker.
struct ClientOptions: ParsableArguments {
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var output: OutputOptions

    /// Opens a session for several requests.
    func open(_ roles: RoleSet, waiting seconds: Double = 10) throws(ToolFailure) -> Session {
        try Session(
            connection, output, roles, deadline: connection.deadline(defaultSeconds: seconds))
    }

    /// Sends one request and shows the result: `layout` is for a terminal, `lines` for pipes.
    func show(
        _ method: String, params: [UInt8], roles: RoleSet,
        lines: (JSONValue) -> String = Self.oneLine, _ layout: (JSONValue) -> String
    ) throws {
        let deadline = connection.deadline()
        let frame = try connection.describingErrors { () throws(SocketError) in
            try SingleRequest(path: connection.place.path, deadline: deadline)
                .run(method, params: params, roles: roles)
        }
        let document = try Frame.parse(frame)
        guard let result = document.root["result"] else {
            throw failure(document.root["error"] ?? document.root)
        }
        StandardOutput.line(text(of: result, frame, lines, layout))
    }

    /// Sends one notification. The broker does not answer it; only an error reply to the hello, or
    /// a warning about the notification, is shown.
    func notify(_ method: String, params: [UInt8], roles: RoleSet) throws {
        let deadline = connection.deadline()
        let frames = try connection.describingErrors { () throws(SocketError) in
            try SingleRequest(path: connection.place.path, deadline: deadline)
                .notify(method, params: params, roles: roles)
        }
        for frame in frames {
            let document = try Frame.parse(frame)
            if let error = document.root["error"] { throw failure(error) }
            if document.root["method"]?.string == MethodName.warning.rawValue {
                let message = document.root["params"]?["message"]?.string ?? ""
                throw ToolFailure(code: .errorReply, message: "callbroker: \(message.printable)")
            }
        }
    }

    /// A value as compact JSON.
    static func oneLine(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return writer.text
    }

    private func text(
        of result: JSONValue, _ frame: [UInt8], _ lines: (JSONValue) -> String,
        _ layout: (JSONValue) -> String
    ) -> String {
        switch output.form {
        case .table: layout(result)
        case .json: lines(result)
        case .flat: FlatText(result).description
        case .raw: String(decoding: frame, as: UTF8.self)
        }
    }

    /// Returns the failure for an error reply. A second session looks up the calls in the way.
    private func failure(_ error: JSONValue) -> ToolFailure {
        let isBlocked = error["data"]?["blocking"] != nil && output.chosen == nil
        let session = isBlocked ? try? open(.observer) : nil
        return ErrorText(error, output.chosen) { session?.findCall($0) }.failure
    }
}
