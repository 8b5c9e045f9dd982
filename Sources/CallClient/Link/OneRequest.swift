package import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
package import CallProtocol

/// Opens a session, makes one request, and returns its reply: what a tool does.
package struct OneRequest {
    private static let helloID = RequestID.integer(1)
    private static let requestID = RequestID.integer(2)
    /// A broker has two things to say to a notification.
    private static let linesMax = 100

    package let path: String
    package let deadline: MonotonicTime

    package init(path: String, deadline: MonotonicTime) {
        self.path = path
        self.deadline = deadline
    }

    /// Sends `method` with `params` (the text of a JSON object) and returns the frame of the reply.
    /// Hello and request leave in one write. A hello that fails is the reply.
    package func run(
        _ method: String, params: [UInt8], roles: RoleSet
    ) throws(SocketError) -> [UInt8] {
        let socket = try open(method, id: Self.requestID, params, roles)
        while let line = try socket.receiveLine(deadline: deadline) {
            if Self.isReply(line) { return line }
        }
        throw SocketError(.system, "the broker closed the connection without an answer")
    }

    /// Sends `method` as a notification and returns everything the broker had to say until it
    /// closed: the reply to the hello, perhaps a warning.
    package func notify(
        _ method: String, params: [UInt8], roles: RoleSet
    ) throws(SocketError) -> [[UInt8]] {
        let socket = try open(method, id: nil, params, roles)
        socket.endOutput()
        var lines: [[UInt8]] = []
        while lines.count < Self.linesMax, let line = try socket.receiveLine(deadline: deadline) {
            lines.append(line)
        }
        return lines
    }

    private func open(
        _ method: String, id: RequestID?, _ params: [UInt8], _ roles: RoleSet
    ) throws(SocketError) -> BlockingSocket {
        let socket = try BlockingSocket(path: path, deadline: deadline)
        var writer = JSONWriter()
        if method != MethodName.hello.rawValue {
            var hello = JSONWriter()
            hello.hello(Greeting(roles: roles))
            writer.frame(MethodName.hello.rawValue, id: Self.helloID, params: hello.bytes)
        }
        writer.frame(method, id: id, params: params)
        try socket.send(writer.bytes, deadline: deadline)
        return socket
    }

    /// The reply to the request, or an error that ends it: of the hello, or without an id because
    /// the frame could not be read.
    private static func isReply(_ line: [UInt8]) -> Bool {
        guard let document = try? JSONDocument(parsing: line, limits: .document) else {
            return false
        }
        let root = document.root
        let id = root["id"].flatMap { RequestID($0, bytesMax: 64) }
        return id == requestID || root["error"] != nil
    }
}

extension JSONLimits {
    /// What the broker's own documents may hold.
    package static let document = JSONLimits(depth: 64, values: 1_000_000)
}
