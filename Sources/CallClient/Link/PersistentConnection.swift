package import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
package import CallProtocol

/// A blocking session that stays open, for the tool: one request at a time, and the notifications
/// that the broker sends between them.
package final class PersistentConnection {
    private let socket: BlockingSocket
    private var lastID: Int64 = 0
    /// Notifications that arrived before a reply.
    private var unread: ArraySlice<[UInt8]> = []
    private var unreadBytes = 0
    /// Receives the method and the params of each request of the broker; the reply is an empty
    /// result, which fulfills an action.
    package var onRequest: ((_ method: String, _ params: JSONValue) -> Void)?

    /// The most bytes of unread notifications; more than a broker sends between a request and its
    /// reply.
    private static let unreadBytesMax = 1 << 26

    /// Connects. The first request must be the hello.
    package init(path: String, deadline: MonotonicTime) throws(SocketError) {
        socket = try BlockingSocket(path: path, deadline: deadline)
    }

    /// Opens the session, and returns the frame of the reply, which may be an error.
    package func hello(_ roles: RoleSet, deadline: MonotonicTime) throws(SocketError) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(ClientHello(roles: roles))
        return try request(MethodName.hello.rawValue, params: writer.bytes, deadline: deadline)
    }

    /// Opens the session of a provider that follows the broker's presentation, and returns the
    /// frame of the reply.
    package func helloAsProvider(
        _ identity: String, deadline: MonotonicTime
    ) throws(SocketError) -> [UInt8] {
        var hello = ClientHello(roles: [.provider, .observer])
        (hello.identity, hello.features) = (identity, HelloParams.Feature.allCases)
        var writer = JSONWriter()
        writer.value(hello)
        return try request(MethodName.hello.rawValue, params: writer.bytes, deadline: deadline)
    }

    /// Makes a request, and returns the frame of its reply.
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
            case .notification: try store(line)
            }
        }
        throw SocketError(.closed)
    }

    private func store(_ line: [UInt8]) throws(SocketError) {
        unreadBytes += line.count
        guard unreadBytes <= Self.unreadBytesMax else {
            throw SocketError(.tooManyEvents)
        }
        unread.append(line)
    }

    /// Returns the next notification; nil if the broker has closed the connection.
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
        /// A reply; one without an id is about a frame that the broker could not read.
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

    /// Answers a request: a ping, or to a provider an action.
    private func answer(_ line: [UInt8], _ deadline: MonotonicTime) throws(SocketError) {
        guard let document = try? JSONDocument(parsing: line, limits: .document) else { return }
        onRequest?(document.root["method"]?.string ?? "", document.root["params"] ?? document.root)
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
