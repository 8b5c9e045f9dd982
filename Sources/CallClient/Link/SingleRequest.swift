package import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
package import CallProtocol

/// A blocking session for one request, for the tool.
package struct SingleRequest {
    private static let helloID = RequestID.integer(1)
    private static let requestID = RequestID.integer(2)
    /// The most frames that are read after a notification; a broker sends two.
    private static let linesMax = 100

    package let path: String
    package let deadline: MonotonicTime

    package init(path: String, deadline: MonotonicTime) {
        self.path = path
        self.deadline = deadline
    }

    /// Sends a request, and returns the frame of the reply. Hello and request are sent in one
    /// write. If the hello fails its error is returned.
    ///
    /// - Parameter params: the text of a JSON object.
    package func run(
        _ method: String, params: [UInt8], roles: RoleSet
    ) throws(SocketError) -> [UInt8] {
        let socket = try open(method, id: Self.requestID, params, roles)
        while let line = try socket.receiveLine(deadline: deadline) {
            if Self.isReply(line) { return line }
        }
        throw SocketError(.closed)
    }

    /// Sends a notification, and returns all frames that the broker sent until it closed the
    /// connection: the reply to the hello, and possibly a warning.
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
            hello.value(ClientHello(roles: roles))
            writer.frame(MethodName.hello.rawValue, id: Self.helloID, params: hello.bytes)
        }
        writer.frame(method, id: id, params: params)
        try socket.send(writer.bytes, deadline: deadline)
        return socket
    }

    /// Returns whether a frame ends the request: its reply, or an error of the hello or of a frame
    /// that the broker could not read.
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
    /// The limits for documents of the broker.
    package static let document = JSONLimits(depth: 64, values: 1_000_000)
}
