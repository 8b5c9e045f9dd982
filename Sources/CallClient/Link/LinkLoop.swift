package import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
package import CallProtocol

/// The thread of a `Link`: it connects, opens the session, sends, receives, and reconnects.
package final class LinkLoop {
    /// The stage of the session.
    private enum Stage: Equatable {
        /// Not connected; the time is that of the next attempt.
        case away(MonotonicTime)
        /// Connected; the hello and the role's requests must be answered by that time.
        case opening(MonotonicTime)
        case open
        /// The goodbye was sent; it has until that time to reach the broker.
        case leaving(MonotonicTime)
        case over
    }

    private struct PendingRequest {
        let method: String
        let then: (Result<JSONValue, CallError>) -> Void
    }

    /// The longest frame that is read. Only the reply to `rpc.discover` comes near it.
    private static let frameBytesMax = 1 << 20
    private static let openingMS = 10_000

    private let options: ClientOptions
    private var hello: ClientHello
    package let role: any LinkRole
    private let inbox: Inbox
    private let loop: EventLoop
    private var stage = Stage.away(.zero)
    private var connection: Connection?
    private var framer = MessageFramer(frameBytes: frameBytesMax)
    /// Requests without a reply, by ticket.
    private var pending: [Int64: PendingRequest] = [:]
    /// Work that waits until the session is open.
    private var backlog: [() -> Void] = []
    /// The tickets of the loop's own requests count down, those of other threads count up.
    private var lastOwnTicket: Int64 = 0
    /// The features of the broker of this session.
    private var features: [String] = []
    private var failedAttempts = 0
    private var retryAfterMS = 0

    private init(
        _ options: ClientOptions, _ hello: ClientHello, _ role: any LinkRole, _ inbox: Inbox
    ) throws(SocketError) {
        self.options = options
        self.hello = hello
        self.role = role
        self.inbox = inbox
        loop = try EventLoop()
        try loop.watch(inbox.wakeup)
    }

    static func run(
        _ options: ClientOptions, _ hello: ClientHello, _ role: any LinkRole, _ inbox: Inbox
    ) {
        do throws(SocketError) {
            try LinkLoop(options, hello, role, inbox).run()
        } catch {
            _ = inbox.close()
            role.ended(CallError(error))
        }
    }

    private func run() {
        while stage != .over {
            if case .away(let due) = stage, due <= .now() { connect() }
            loop.settle(handle)
            loop.wait(until: nextDeadline)
            loop.dispatch(handle)
            checkDeadline()
        }
        for work in inbox.close() { work(self) }
        loop.settle(handle)
    }

    private var nextDeadline: MonotonicTime? {
        switch stage {
        case .away(let due), .opening(let due), .leaving(let due): due
        case .open: nil
        case .over: .zero
        }
    }

    private func checkDeadline() {
        switch stage {
        case .opening(let due) where due <= .now():
            cannotOpen(
                CallError(
                    .deadlineExceeded, reason: "no_hello",
                    "the broker at \(options.path) did not open a session within "
                        + "\(Self.openingMS / 1_000) s"))
        case .leaving(let due) where due <= .now(): finish(nil)
        default: break
        }
    }

    private func handle(_ event: EventLoop.Event) {
        switch event {
        case .received(let connection, let bytes):
            guard connection === self.connection else { return }
            framer.receive(bytes) { frame in
                if case .line(let line) = frame, connection === self.connection { receive(line) }
                return .proceed
            }
        case .inputEnded(let connection), .closed(let connection):
            if connection === self.connection { disconnected(.disconnected) }
        case .woken: for work in inbox.drain() { work(self) }
        case .opened, .blocked, .drained, .signal, .exited, .logged, .changed,
            .descriptorsExhausted:
            break
        }
    }

    // MARK: - The session

    private func connect() {
        retryAfterMS = 0
        let deadline = MonotonicTime.now().advanced(milliseconds: Self.openingMS)
        do throws(SocketError) {
            let descriptor = try BlockingSocket.connected(to: options.path, deadline: deadline)
            guard let connection = loop.adopt(descriptor) else {
                throw SocketError(.system, "the broker at \(options.path) closed the connection")
            }
            self.connection = connection
        } catch {
            return disconnected(CallError(error))
        }
        framer = MessageFramer(frameBytes: Self.frameBytesMax)
        stage = .opening(deadline)
        request(.hello, isOpening: true, { $0.members(of: self.hello) }) { result in
            switch result {
            case .failure(let error): self.cannotOpen(error)
            case .success(let reply): self.helloAccepted(reply)
            }
        }
    }

    private func helloAccepted(_ reply: JSONValue) {
        let session = reply["session"]
        if let id = session?["session"]?.string, let secret = session?["secret"]?.string {
            hello.resume =
                hello.roles.contains(.provider) ? SessionKey(session: id, secret: secret) : nil
        }
        features = []
        reply["features"]?.forEachMember { name, _ in
            features.append(String(decoding: name, as: UTF8.self))
        }
        let granted = reply["granted_roles"].map { $0.elements.compactMap(\.string) } ?? []
        guard hello.roles.roles.allSatisfy({ granted.contains($0.rawValue) }) else {
            return cannotOpen(
                CallError(
                    .permissionDenied, reason: "role_not_granted",
                    "the broker does not grant all roles that this client requested; granted: "
                        + (granted.isEmpty ? "none" : granted.joined(separator: ", "))))
        }
        role.open(self)
    }

    /// Returns whether the broker of this session has a feature.
    package func brokerKnows(_ feature: HelloParams.Feature) -> Bool {
        features.contains(feature.rawValue)
    }

    /// Ends the opening: the role's requests have succeeded.
    package func opened() {
        guard case .opening = stage else { return }
        stage = .open
        failedAttempts = 0
        role.opened(self)
        let ready = backlog
        backlog = []
        for work in ready { work() }
    }

    /// Abandons the opening, and retries unless that cannot help.
    package func cannotOpen(_ error: CallError) {
        let retryable: Set<CallError.Code> = [
            .disconnected, .deadlineExceeded, .alreadyExists, .overloaded, .stopping,
        ]
        if retryable.contains(error.code) || error.isRetryable {
            disconnected(error)
        } else {
            finish(error)
        }
    }

    /// Handles a lost connection in any stage: pending requests fail, and the next attempt is
    /// scheduled.
    private func disconnected(_ error: CallError) {
        let wasOpen = stage == .open
        dropConnection()
        switch stage {
        case .over: return
        case .leaving: return finish(nil)
        case .away, .opening, .open: break
        }
        let backoff = min(options.firstRetryMS << min(failedAttempts, 16), options.longestRetryMS)
        let delay = max(backoff * Int.random(in: 80...120) / 100, retryAfterMS)
        failedAttempts += 1
        stage = .away(.now().advanced(milliseconds: delay))
        if wasOpen { role.lost(self) } else { role.failedToOpen(error, self) }
        fail(.disconnected)
    }

    private func dropConnection() {
        let connection = self.connection
        self.connection = nil
        connection?.abort()
    }

    private func fail(_ error: CallError) {
        let lost = pending.sorted { $0.key < $1.key }
        pending = [:]
        for entry in lost { entry.value.then(.failure(error)) }
        let ready = backlog
        backlog = []
        for work in ready { work() }
    }

    /// Sends a goodbye and ends the session.
    package func close() {
        switch stage {
        case .away: finish(nil)
        case .leaving, .over: break
        case .opening, .open:
            stage = .leaving(.now().advanced(milliseconds: options.goodbyeMS))
            notify(.goodbye) { writer in
                writer.member("reason", "closed" as StaticString)
                writer.member("resumable", false)
            }
        }
    }

    private func finish(_ error: CallError?) {
        guard stage != .over else { return }
        stage = .over
        dropConnection()
        fail(error ?? .closed)
        role.ended(error)
    }

    // MARK: - Frames

    /// Makes a request for the role itself. While a session is being opened only requests with
    /// `isOpening` are sent; others wait.
    package func request(
        _ method: MethodName, isOpening: Bool = false, _ members: (inout JSONWriter) -> Void,
        then: @escaping (Result<JSONValue, CallError>) -> Void
    ) {
        lastOwnTicket -= 1
        var writer = JSONWriter()
        writer.object(members)
        request(
            method.rawValue, params: writer.bytes, ticket: lastOwnTicket, isOpening: isOpening,
            then: then)
    }

    func request(
        _ method: String, params: [UInt8], ticket: Int64, isOpening: Bool = false,
        then: @escaping (Result<JSONValue, CallError>) -> Void
    ) {
        if let error = CallError.encodingError(for: method, params) { return then(.failure(error)) }
        if case .opening = stage, !isOpening {
            pending[ticket] = PendingRequest(method: method, then: then)
            return backlog.append { self.sendPending(method, params, ticket) }
        }
        guard let connection, stage != .over else {
            return then(.failure(stage == .over ? .closed : .disconnected))
        }
        pending[ticket] = PendingRequest(method: method, then: then)
        send(method, params, ticket, connection)
    }

    /// Sends a request that waited for the session, unless it was cancelled.
    private func sendPending(_ method: String, _ params: [UInt8], _ ticket: Int64) {
        guard let connection, pending[ticket] != nil else { return }
        send(method, params, ticket, connection)
    }

    private func send(
        _ method: String, _ params: [UInt8], _ ticket: Int64, _ connection: Connection
    ) {
        var writer = JSONWriter()
        writer.frame(method, id: .integer(ticket), params: params)
        connection.send(writer.bytes)
    }

    func cancel(_ ticket: Int64) {
        guard let request = pending.removeValue(forKey: ticket) else { return }
        notify(.cancel) { $0.member("request", ticket) }
        request.then(.failure(.cancelled))
    }

    /// Sends a notification, or drops it if there is no connection.
    package func notify(_ method: MethodName, _ members: (inout JSONWriter) -> Void) {
        var params = JSONWriter()
        params.object(members)
        var writer = JSONWriter()
        writer.frame(method.rawValue, id: nil, params: params.bytes)
        connection?.send(writer.bytes)
    }

    /// Answers a request of the broker with a result.
    package func answer(_ id: Int64, _ members: (inout JSONWriter) -> Void) {
        respond(id) { writer in
            writer.name("result")
            writer.object(members)
        }
    }

    /// Answers a request of the broker with an error.
    ///
    /// - Parameter appCode: The code of the app's protocol or network.
    package func answer(
        _ id: Int64, error code: CallError.Code, reason: String, _ message: String,
        appCode: String? = nil
    ) {
        respond(id) { writer in
            writer.name("error")
            writer.object { writer in
                writer.member("code", code.rawValue)
                writer.member("message", message)
                writer.name("data")
                writer.object { writer in
                    writer.member("reason", reason)
                    writer.member("app_code", ifSet: appCode)
                }
            }
        }
    }

    private func respond(_ id: Int64, _ outcome: (inout JSONWriter) -> Void) {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("jsonrpc", "2.0" as StaticString)
            writer.member("id", id)
            outcome(&writer)
        }
        writer.endLine()
        connection?.send(writer.bytes)
    }

    private func receive(_ line: UnsafeBufferPointer<UInt8>) {
        guard let document = try? JSONDocument(parsing: line, limits: .document) else { return }
        let frame = document.root
        let params = frame["params"]
        guard let method = frame["method"]?.string else {
            return receiveReply(frame)
        }
        guard let id = frame["id"]?.integer else { return receiveNotification(method, params) }
        if method == MethodName.ping.rawValue {
            answer(id) { writer in
                guard let payload = params?["payload"] else { return }
                writer.name("payload")
                writer.value(payload)
            }
        } else {
            role.receive(method, id: id, params, self)
        }
    }

    private func receiveReply(_ frame: JSONValue) {
        guard let id = frame["id"]?.integer, let request = pending.removeValue(forKey: id) else {
            return
        }
        if let error = frame["error"] {
            request.then(.failure(CallError(error)))
        } else if let result = frame["result"] {
            request.then(.success(result))
        } else {
            request.then(.failure(.unreadable(request.method)))
        }
    }

    private func receiveNotification(_ method: String, _ params: JSONValue?) {
        if method == MethodName.goodbye.rawValue {
            retryAfterMS = params?["reconnect_after_ms"]?.integer.map(Int.init) ?? 0
            // Another session of this client replaced this one, or the broker ended it for good.
            let reason = params?["reason"]?.string ?? ""
            if ["superseded", "stop"].contains(reason) {
                finish(
                    CallError(
                        .closed, reason: reason,
                        "the broker closed this session for good (\(reason))"))
            }
        }
        role.receive(notification: method, params, self)
    }
}
