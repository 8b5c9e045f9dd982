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

    /// Sends one request and shows the result: `layout` is for people, `lines` for
    /// programs.
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
        switch output.form {
        case .table: output.page(layout(result))
        case .json: StandardOutput.line(lines(result))
        case .flat: StandardOutput.line(FlatText(result).description)
        case .raw: StandardOutput.line(String(decoding: frame, as: UTF8.self))
        }
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
                throw ToolFailure(.errorReply, message.printable)
            }
        }
    }

    /// A value as compact JSON.
    static func oneLine(_ value: JSONValue) -> String {
        var writer = JSONWriter()
        writer.value(value)
        return writer.text
    }

    /// Returns the failure for an error reply. A second session looks up the calls in the way.
    private func failure(_ error: JSONValue) -> ToolFailure {
        let isBlocked = error["data"]?["blocking"] != nil && output.chosen == nil
        let session = isBlocked ? try? open(.observer) : nil
        return ErrorText(error, output.chosen) { session?.findCall($0) }.failure
    }
}
