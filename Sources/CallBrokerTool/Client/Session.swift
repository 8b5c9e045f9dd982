internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallClient
internal import CallProtocol

/// A successful reply.
struct Reply: ~Copyable {
    let frame: [UInt8]
    private let document: JSONDocument

    fileprivate init(_ frame: [UInt8], _ document: consuming JSONDocument) {
        self.frame = frame
        self.document = document
    }

    /// The result, valid while the reply exists.
    var result: JSONValue {
        document.root["result"] ?? document.root
    }
}

/// A session with the broker: several requests within one deadline.
final class Session {
    /// The reply to the hello.
    let helloReply: [UInt8]
    /// The broker's time at the hello: Unix time in milliseconds.
    let nowMS: Int64
    private let release: String
    let output: OutputOptions
    let options: ConnectionOptions
    private let connection: PersistentConnection
    let deadline: MonotonicTime

    init(
        _ options: ConnectionOptions, _ output: OutputOptions, _ roles: RoleSet,
        deadline: MonotonicTime
    ) throws(ToolFailure) {
        self.options = options
        self.output = output
        self.deadline = deadline
        (connection, helloReply) = try options.describingErrors { () throws(SocketError) in
            let connection = try PersistentConnection(path: options.place.path, deadline: deadline)
            return (connection, try connection.hello(roles, deadline: deadline))
        }
        let document = try Frame.parse(helloReply)
        let hello = document.root["result"]
        nowMS = hello?["clock"]?["now_at_ms"]?.integer ?? LoopClock.monotonic.unixMS
        release = hello?["broker"]?["version"]?.string?.printable ?? "?"
        if let error = document.root["error"] {
            throw ErrorText(error, output.chosen) { _ in nil }.failure
        }
    }

    /// Sends a request. Throws an error reply, with the calls in its way.
    func request(
        _ method: MethodName, _ members: (inout JSONWriter) -> Void = { _ in }
    ) throws(ToolFailure) -> Reply {
        var writer = JSONWriter()
        writer.object(members)
        return try request(method, params: writer.bytes)
    }

    /// Sends a request whose params are JSON text.
    func request(_ method: MethodName, params: [UInt8]) throws(ToolFailure) -> Reply {
        let frame = try frame(method, params)
        let document = try Frame.parse(frame)
        if let error = document.root["error"] {
            if error["code"]?.integer == Int64(ErrorCode.methodNotFound.rawValue) {
                throw unknown(method)
            }
            throw ErrorText(error, output.chosen) { findCall($0) }.failure
        }
        return Reply(frame, document)
    }

    /// Returns the failure for a method that an older broker does not have.
    private func unknown(_ method: MethodName) -> ToolFailure {
        ToolFailure(
            .incompatible, Messages.connectionOldBroker(release: release, method: method.rawValue))
    }

    private func frame(_ method: MethodName, _ params: [UInt8]) throws(ToolFailure) -> [UInt8] {
        try options.describingErrors { () throws(SocketError) in
            try connection.request(method.rawValue, params: params, deadline: deadline)
        }
    }

    /// Sends a request that may fail: nil for an error reply.
    func requestIfPossible(
        _ method: MethodName, _ members: (inout JSONWriter) -> Void = { _ in }
    ) -> Reply? {
        var writer = JSONWriter()
        writer.object(members)
        guard let frame = try? frame(method, writer.bytes), let document = try? Frame.parse(frame),
            document.root["result"] != nil
        else { return nil }
        return Reply(frame, document)
    }

    /// Looks up one call.
    func findCall(_ call: String) -> CallSummary? {
        guard let reply = requestIfPossible(.getCall, { $0.member("call", call) }) else {
            return nil
        }
        return CallSummary(reply.result)
    }

    /// Requests the pages of a list: all, or as long as more is wanted.
    ///
    /// - Returns: whether there are more pages.
    @discardableResult
    func forEachPage(
        _ method: MethodName, _ members: (inout JSONWriter) -> Void = { _ in },
        while isWanted: () -> Bool = { true }, _ take: (borrowing Reply) throws -> Void
    ) throws -> Bool {
        var after: String?
        repeat {
            let reply = try request(method) { writer in
                members(&writer)
                writer.member("after", ifSet: after)
            }
            try take(reply)
            after = reply.result["next"]?.string
        } while after != nil && isWanted()
        return after != nil
    }

    /// The ended calls that the broker still lists, latest first.
    func endedCalls() throws -> [CallSummary] {
        var calls: [CallSummary] = []
        try forEachPage(.listCalls, CallListFilter(state: "ended").write) { page in
            calls += CallSummary.list(page.result)
        }
        return calls.sorted { $0.endedAtMS > $1.endedAtMS }
    }
}
