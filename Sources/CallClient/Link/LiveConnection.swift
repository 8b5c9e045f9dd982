internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
package import CallProtocol

/// A session that stays open: one request at a time, and whatever the broker tells in between.
package final class LiveConnection {
    private let socket: BlockingSocket
    private var lastID: Int64 = 0
    /// What came while a reply was waited for.
    private var unread: ArraySlice<[UInt8]> = []
    private var unreadBytes = 0

    /// More than a broker says between a request and its reply.
    private static let unreadBytesMax = 1 << 26

    /// Connects; the first request is to be `hello`.
    package init(path: String, deadline: MonotonicTime) throws(SocketError) {
        socket = try BlockingSocket(path: path, deadline: deadline)
    }

    /// Opens the session. The frame of the reply, which may be an error.
    package func hello(_ roles: RoleSet, deadline: MonotonicTime) throws(SocketError) -> [UInt8] {
        var writer = JSONWriter()
        writer.hello(Greeting(roles: roles))
        return try request(MethodName.hello.rawValue, params: writer.bytes, deadline: deadline)
    }

    /// Makes a request and waits for the frame of its reply.
    package func request(
        _ method: String, params: [UInt8], deadline: MonotonicTime
    ) throws(SocketError) -> [UInt8] {
        lastID += 1
        var writer = JSONWriter()
        writer.frame(method, id: .integer(lastID), params: params)
        try socket.send(writer.bytes, deadline: deadline)
        while let line = try socket.receiveLine(deadline: deadline) {
            switch Self.kind(of: line) {
            case .reply(let id): if id == nil || id == lastID { return line }
            case .request: try answer(line, deadline)
            case .notification: try keep(line)
            }
        }
        throw SocketError(.system, "the broker closed the connection without an answer")
    }

    private func keep(_ line: [UInt8]) throws(SocketError) {
        unreadBytes += line.count
        guard unreadBytes <= Self.unreadBytesMax else {
            throw SocketError(.system, "the broker sends more events than can be kept")
        }
        unread.append(line)
    }

    /// The next notification; nil when the broker has closed.
    package func next(deadline: MonotonicTime) throws(SocketError) -> [UInt8]? {
        if let line = unread.popFirst() {
            unreadBytes -= line.count
            return line
        }
        while let line = try socket.receiveLine(deadline: deadline) {
            switch Self.kind(of: line) {
            case .reply: break
            case .request: try answer(line, deadline)
            case .notification: return line
            }
        }
        return nil
    }

    // MARK: - Frames

    private enum Kind {
        /// Without an id: about a frame that could not be read.
        case reply(Int64?)
        case request, notification
    }

    private static func kind(of line: [UInt8]) -> Kind {
        guard let document = try? JSONDocument(parsing: line, limits: .document) else {
            return .reply(0)
        }
        let root = document.root
        guard root["method"] == nil else { return root["id"] == nil ? .notification : .request }
        return .reply(root["id"]?.integer)
    }

    /// The broker asks whether we live; it asks us nothing else.
    private func answer(_ line: [UInt8], _ deadline: MonotonicTime) throws(SocketError) {
        guard let document = try? JSONDocument(parsing: line, limits: .document) else { return }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0" as StaticString)
            if let id = document.root["id"] {
                writer.name("id")
                writer.value(id)
            }
            writer.name("result")
            writer.object { writer in
                guard let payload = document.root["params"]?["payload"] else { return }
                writer.name("payload")
                writer.value(payload)
            }
        }
        writer.endLine()
        try socket.send(writer.bytes, deadline: deadline)
    }
}
