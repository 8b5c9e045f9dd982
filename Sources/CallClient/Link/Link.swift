package import BrokerJSON
internal import BrokerSocket
package import CallProtocol
internal import Synchronization

/// A session with the broker, on a thread of its own, that is opened again whenever it is lost.
///
/// A link may be used from any thread. The one thread that owns the connection performs all
/// requests in the order in which they were made. So callers never wait for the socket, and replies
/// and notifications are processed in the order in which the broker sent them. Requests that were
/// not sent when the session was lost fail.
package final class Link: Sendable {
    package typealias Completion = @Sendable (Result<JSONValue, CallError>) -> Void

    private let inbox: Inbox
    private let lastTicket = Atomic<Int64>(0)

    /// Starts opening the session. The role receives the outcome.
    /// - Parameter role: makes the role, on the link's thread.
    package init(
        _ options: ClientOptions, roles: RoleSet, identity: String? = nil,
        role: @escaping @Sendable () -> any LinkRole
    ) throws(CallError) {
        let inbox: Inbox
        do throws(SocketError) {
            inbox = Inbox(wakeup: try Wakeup())
            try HostThread.start {
                var hello = ClientHello(roles: roles)
                (hello.name, hello.version) = (options.name, options.version)
                (hello.identity, hello.credential) = (identity, options.credential)
                if !options.followsExternalCalls {
                    hello.features.removeAll { $0 == .externalCalls }
                }
                if options.followsPresentation { hello.features.append(.presentation) }
                LinkLoop.run(options, hello, role(), inbox)
            }
        } catch {
            throw CallError(error)
        }
        self.inbox = inbox
    }

    deinit {
        close()
    }

    /// Sends a goodbye after all earlier requests, and ends the session.
    package func close() {
        _ = inbox.post { $0.close() }
    }

    /// Runs `work` on the link's thread. Returns false if the link has ended.
    @discardableResult
    package func post(_ work: @escaping @Sendable (LinkLoop) -> Void) -> Bool {
        inbox.post(work)
    }

    /// Makes a request. `then` is called exactly once, on the link's thread, before any later frame
    /// is processed. Its value is valid only during the call.
    package func request(
        _ method: MethodName, _ members: (inout JSONWriter) -> Void = { _ in },
        then: @escaping Completion
    ) {
        request(method.rawValue, ticket: newTicket(), members, then: then)
    }

    /// Returns the number that identifies a request, also for cancelling it.
    private func newTicket() -> Int64 {
        lastTicket.add(1, ordering: .relaxed).newValue
    }

    private func request(
        _ method: String, ticket: Int64, _ members: (inout JSONWriter) -> Void,
        then: @escaping Completion
    ) {
        var writer = JSONWriter()
        writer.object(members)
        let params = writer.bytes
        let isOpen = inbox.post { $0.request(method, params: params, ticket: ticket, then: then) }
        if !isOpen { then(.failure(.closed)) }
    }

    /// Makes a request and waits for its reply. Cancelling the task cancels the request.
    /// - Parameter read: converts the result; nil if it cannot.
    package func request<Value: Sendable>(
        _ method: MethodName, _ members: (inout JSONWriter) -> Void = { _ in },
        read: @escaping @Sendable (JSONValue) -> Value?
    ) async throws(CallError) -> Value {
        let ticket = newTicket()
        let reply = Promise<Result<Value, CallError>>()
        request(method.rawValue, ticket: ticket, members) { result in
            reply.settle(result.read(as: method.rawValue, read))
        }
        return try await withTaskCancellationHandler {
            await reply.value()
        } onCancel: {
            cancel(ticket)
        }.get()
    }

    private func cancel(_ ticket: Int64) {
        inbox.post { $0.cancel(ticket) }
    }
}

extension Result<JSONValue, CallError> {
    /// Converts the value of a success.
    /// - Parameter what: the message that the value belongs to, for the error.
    func read<Value>(
        as what: String, _ read: (JSONValue) -> Value?
    ) -> Result<Value, CallError> {
        flatMap { value in read(value).map { .success($0) } ?? .failure(.unreadable(what)) }
    }
}

/// The work that other threads have posted to a link's thread. It is closed when the thread ends.
final class Inbox: Sendable {
    typealias Work = @Sendable (LinkLoop) -> Void

    let wakeup: Wakeup
    private let work = Mutex<[Work]?>([])

    init(wakeup: Wakeup) {
        self.wakeup = wakeup
    }

    @discardableResult
    func post(_ item: @escaping Work) -> Bool {
        let isOpen = work.withLock { work in
            work?.append(item)
            return work != nil
        }
        if isOpen { wakeup.signal() }
        return isOpen
    }

    /// Removes and returns the posted work.
    func drain() -> [Work] {
        work.withLock { work in
            guard let waiting = work else { return [] }
            work = []
            return waiting
        }
    }

    /// Closes the inbox, and returns the remaining work.
    func close() -> [Work] {
        work.withLock { work in
            defer { work = nil }
            return work ?? []
        }
    }
}

/// The behavior of one kind of client in its session. All methods are called on the link's thread.
package protocol LinkRole: AnyObject {
    /// Called when the hello succeeded. The role makes the requests that its kind of session needs,
    /// with `isOpening`, and then calls `loop.opened()` or `loop.cannotOpen(error)`.
    func open(_ loop: LinkLoop)
    /// Called with a request of the broker, which the role answers with `loop.answer`.
    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop)
    /// Called with a notification of the broker.
    func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop)
    /// Called when the session is open. Requests made meanwhile are sent afterwards.
    func opened(_ loop: LinkLoop)
    /// Called when a session could not be opened. Another attempt follows.
    func failedToOpen(_ error: CallError, _ loop: LinkLoop)
    /// Called when an open session was lost.
    func lost(_ loop: LinkLoop)
    /// Called last: the link was closed, or another attempt cannot help.
    func ended(_ error: CallError?)
}
