internal import ArgumentParser
internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallClient
internal import CallProtocol

/// What every command that talks to a broker takes.
struct ClientOptions: ParsableArguments {
    @Option(help: "Path of the broker's socket.")
    var socket: String?

    @Option(help: "How long to wait for an answer, in seconds.")
    var timeout: Double = 10

    @Flag(help: "JSON on one line, also on a terminal.")
    var json = false

    @Flag(help: "One line per value: path=value.")
    var flat = false

    @Flag(help: "The reply's frame as it came.")
    var raw = false

    func validate() throws {
        guard timeout > 0, timeout <= 86_400 else {
            throw ValidationError("--timeout must be more than 0 and at most 86400 seconds")
        }
        guard [json, flat, raw].count(where: { $0 }) <= 1 else {
            throw ValidationError("choose one of --json, --flat and --raw")
        }
    }

    /// Makes one request and shows what came back: `layout` is for a terminal, `lines` for pipes.
    func show(
        _ method: String, params: [UInt8], roles: RoleSet,
        lines: (JSONValue) -> String = Self.oneLine, _ layout: (JSONValue) -> String
    ) throws {
        let frame = try withBroker { request throws(SocketError) in
            try request.run(method, params: params, roles: roles)
        }
        let document = try parse(frame)
        guard let result = document.root["result"] else {
            throw failure(document.root["error"] ?? document.root)
        }
        print(text(of: result, frame, lines, layout))
    }

    /// Sends one notification. It is never answered; only a broker that says no to the hello, or
    /// warns of the notification, has something to show.
    func notify(_ method: String, params: [UInt8], roles: RoleSet) throws {
        let frames = try withBroker { request throws(SocketError) in
            try request.notify(method, params: params, roles: roles)
        }
        for frame in frames {
            let document = try parse(frame)
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
        if raw { return String(decoding: frame, as: UTF8.self) }
        if flat { return FlatText(result).description }
        return json || !Terminal.isOutput ? lines(result) : layout(result)
    }

    private func withBroker<Answer>(
        _ ask: (OneRequest) throws(SocketError) -> Answer
    ) throws -> Answer {
        let place = SocketPath(
            option: socket, environment: Environment.current, uid: HostProcess.userID)
        let deadline = MonotonicTime.now().advanced(milliseconds: Int(timeout * 1_000))
        do throws(SocketError) {
            return try ask(OneRequest(path: place.path, deadline: deadline))
        } catch {
            switch error.kind {
            case .timedOut: throw ToolFailure(code: .deadline, message: "callbroker: \(error)")
            case .noListener: throw noBroker(place, error)
            case .inUse, .unusable, .system:
                throw ToolFailure(code: .noConnection, message: "callbroker: \(error)")
            }
        }
    }

    private func noBroker(_ place: SocketPath, _ error: SocketError) -> ToolFailure {
        let option = socket == nil ? "" : " --socket \(place.path)"
        return ToolFailure(
            code: .noConnection,
            message: """
                callbroker: \(error)
                Start one in another terminal:   callbroker serve\(option)
                or, where it is installed:       systemctl --user start callbroker.socket
                """)
    }

    private func parse(_ frame: [UInt8]) throws -> JSONDocument {
        do throws(JSONFault) {
            return try JSONDocument(parsing: frame, limits: .document)
        } catch {
            throw ToolFailure(
                code: .errorReply, message: "callbroker: the reply is no JSON: \(error.message)")
        }
    }

    /// An error reply as people want to read it: what, why, where, and what to do.
    private func failure(_ error: JSONValue) -> ToolFailure {
        let code = error["code"]?.integer.flatMap { ErrorCode(rawValue: Int($0)) }
        if json || raw || flat {
            return ToolFailure(code: exitCode(code), message: Self.oneLine(error))
        }
        let number = error["code"]?.integer.map(String.init) ?? "?"
        let name = code.map { " \($0.name)" } ?? ""
        var lines = ["error \(number)\(name): \(error["message"]?.string?.printable ?? "")"]
        if let data = error["data"] { lines.append(contentsOf: details(of: data)) }
        return ToolFailure(code: exitCode(code), message: lines.joined(separator: "\n"))
    }

    private func details(of data: JSONValue) -> [String] {
        var lines: [String] = []
        data.forEachMember { name, value in
            let path = String(decoding: name, as: UTF8.self)
            if path != "retryable" { lines.append("  \(path): \(FlatText.inline(value))") }
        }
        return lines
    }

    private func exitCode(_ code: ErrorCode?) -> ToolFailure.Code {
        switch code {
        case .permissionDenied: .denied
        case .deadlineExceeded: .deadline
        default: .errorReply
        }
    }
}
