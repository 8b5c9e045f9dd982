import Testing

/// A client of the daemon over a raw socket. It checks everything it reads (`FrameCheck`).
final class TestClient {
    private let socket: LineSocket
    private let daemon: TestDaemon?
    private var check = FrameCheck()
    private var lastID = 0

    /// - Parameter daemon: lives at least as long as this client.
    init(_ path: String, of daemon: TestDaemon? = nil) throws {
        socket = try LineSocket(path)
        self.daemon = daemon
    }

    /// Takes over a connected descriptor.
    init(_ descriptor: Int32) {
        socket = LineSocket(descriptor)
        daemon = nil
    }

    // MARK: - Sending

    /// Sends one line; the LF is added.
    func send(_ line: String) throws {
        try send(bytes: Array(line.utf8) + [0x0A])
    }

    func send(bytes: [UInt8]) throws {
        check.sent(bytes)
        try socket.send(bytes)
    }

    /// Sends what goes without waiting, and says how much that was.
    func sendSome(_ bytes: ArraySlice<UInt8>) throws -> Int {
        let count = try socket.sendSome(bytes)
        check.sent(bytes.prefix(count))
        return count
    }

    func shutdownWriting() {
        check.sentEnd()
        socket.shutdownWriting()
    }

    // MARK: - Receiving

    /// The next line; nil at the end of the stream.
    func line(sourceLocation: SourceLocation = #_sourceLocation) throws -> String? {
        let line = try socket.line()
        if let line { check.received(line, sourceLocation: sourceLocation) }
        return line
    }

    func frame(sourceLocation: SourceLocation = #_sourceLocation) throws -> Frame {
        guard let line = try line(sourceLocation: sourceLocation) else {
            throw CeilingReached(waitedFor: "a frame, and found the end of the stream")
        }
        return Frame((try? JSON(line)) ?? .null)
    }

    /// The verdicts of the next frames, see `Frame.verdict`.
    func verdicts(
        _ count: Int, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [String] {
        try (0..<count).map { _ in try frame(sourceLocation: sourceLocation).verdict }
    }

    /// All that comes until the broker closes the connection.
    func verdictsToEnd(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        var verdicts: [String] = []
        while let line = try line(sourceLocation: sourceLocation) {
            verdicts.append(Frame((try? JSON(line)) ?? .null).verdict)
        }
        return verdicts
    }

    /// Ends the input and reads all that still comes. Every request has an answer then (R10).
    func finish(sourceLocation: SourceLocation = #_sourceLocation) throws -> [String] {
        shutdownWriting()
        let verdicts = try verdictsToEnd(sourceLocation: sourceLocation)
        #expect(!check.hasUnanswered, "R10", sourceLocation: sourceLocation)
        return verdicts
    }

    var isSilent: Bool { socket.isSilent }

    /// Takes what is there, up to a limit, and leaves it for `line`.
    func readSome(atMost limit: Int) {
        socket.readSome(atMost: limit)
    }

    // MARK: - Requests

    /// Sends a request with an id of its own and waits for the reply.
    /// - Parameter isAlone: nothing else may come before the reply.
    func request(
        _ method: String, _ params: String? = nil, isAlone: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Frame {
        lastID += 1
        let members = params.map { #","params":\#($0)"# } ?? ""
        try send(#"{"jsonrpc":"2.0","id":"r\#(lastID)","method":"\#(method)"\#(members)}"#)
        while true {
            let frame = try frame(sourceLocation: sourceLocation)
            if frame.id == .string("r\(lastID)") { return frame }
            if !isAlone, frame.json["method"] != nil { continue }
            Issue.record("expected a reply: \(frame.json)", sourceLocation: sourceLocation)
        }
    }

    /// Proves that the broker has handled everything sent so far, and said nothing to it.
    func expectNothing(sourceLocation: SourceLocation = #_sourceLocation) throws {
        let reply = try request("broker.ping", sourceLocation: sourceLocation)
        #expect(reply.result == .object([]), sourceLocation: sourceLocation)
    }

    @discardableResult
    func hello(
        _ members: String = "", sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> Frame {
        try request("broker.hello", TestClient.hello(members), sourceLocation: sourceLocation)
    }

    /// The params of a hello, with further members, such as `"roles":["admin"]`.
    static func hello(_ members: String = "") -> String {
        let more = members.isEmpty ? "" : "," + members
        return #"{"protocol":{"min":1,"max":1},"client":{"name":"test","version":"1"}\#(more)}"#
    }
}

extension String {
    /// The line of a ping.
    static func ping(_ id: Int, payload: String? = nil) -> String {
        let params = payload.map { #","params":{"payload":\#($0)}"# } ?? ""
        return #"{"jsonrpc":"2.0","id":\#(id),"method":"broker.ping"\#(params)}"#
    }
}
