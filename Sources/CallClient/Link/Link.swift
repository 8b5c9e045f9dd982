package import BrokerJSON
internal import BrokerSocket
package import CallProtocol
internal import Synchronization

/// A session with the broker that is opened again whenever it is lost, on a thread of its own.
///
/// Everything that is asked of a link, from whichever thread, is done in the order it was asked for
/// by the one thread that owns the connection; so nobody ever waits for the socket, and replies and
/// notifications are seen in the order the broker sent them. What is not sent yet when the session
/// is lost fails.
package final class Link: Sendable {
    package typealias Then = @Sendable (Result<JSONValue, CallError>) -> Void

    private let inbox: Inbox
    private let lastTicket = Atomic<Int64>(0)

    /// Begins to open the session. What comes of it the role will hear.
    /// - Parameter role: makes what lives on the thread; called there.
    package init(
        _ options: ClientOptions, roles: RoleSet, identity: String? = nil,
        role: @escaping @Sendable () -> any LinkRole
    ) throws(CallError) {
        let inbox: Inbox
        do throws(SocketError) {
            inbox = Inbox(wakeup: try Wakeup())
            try HostThread.start {
                var greeting = Greeting(roles: roles)
                (greeting.name, greeting.version) = (options.name, options.version)
                (greeting.identity, greeting.credential) = (identity, options.credential)
                if options.followsPresentation { greeting.features = [.presentation] }
                LinkLoop.run(options, greeting, role(), inbox)
            }
        } catch {
            throw CallError(error)
        }
        self.inbox = inbox
    }

    deinit {
        close()
    }

    /// Says goodbye and ends, once what was asked before has been sent.
    package func close() {
        _ = inbox.post { $0.close() }
    }

    /// Runs `work` on the link's thread; false once the link has ended.
    @discardableResult
    package func post(_ work: @escaping @Sendable (LinkLoop) -> Void) -> Bool {
        inbox.post(work)
    }

    /// Makes a request. `then` is called exactly once, on the link's thread, before any later frame
    /// is looked at; the value is valid during the call only.
    package func request(
        _ method: MethodName, _ members: (inout JSONWriter) -> Void = { _ in }, then: @escaping Then
    ) {
        request(method.rawValue, ticket: newTicket(), members, then: then)
    }

    /// What names a request, and cancels it.
    private func newTicket() -> Int64 {
        lastTicket.add(1, ordering: .relaxed).newValue
    }

    private func request(
        _ method: String, ticket: Int64, _ members: (inout JSONWriter) -> Void,
        then: @escaping Then
    ) {
        var writer = JSONWriter()
        writer.object(members)
        let params = writer.bytes
        let isOpen = inbox.post { $0.request(method, params: params, ticket: ticket, then: then) }
        if !isOpen { then(.failure(.closed)) }
    }

    /// Makes a request and waits for its reply. A task that is cancelled takes it back.
    /// - Parameter read: makes something of the result; nil if it cannot.
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
    /// - Parameter what: what could not be read, for the error.
    func read<Value>(
        as what: String, _ read: (JSONValue) -> Value?
    ) -> Result<Value, CallError> {
        flatMap { value in read(value).map { .success($0) } ?? .failure(.unreadable(what)) }
    }
}

/// What other threads want done. Nil once nobody will do it any more.
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

    func take() -> [Work] {
        work.withLock { work in
            guard let waiting = work else { return [] }
            work = []
            return waiting
        }
    }

    /// Takes what is left; nothing more is accepted.
    func close() -> [Work] {
        work.withLock { work in
            defer { work = nil }
            return work ?? []
        }
    }
}

/// What a kind of client does with its session. It lives on the link's thread.
package protocol LinkRole: AnyObject {
    /// The hello was answered. It makes what requests it takes, with `isOpening`, and then says
    /// `loop.opened()`, or `loop.cannotOpen(error)`.
    func open(_ loop: LinkLoop)
    /// A request of the broker, to be answered with `loop.answer`.
    func receive(_ method: String, id: Int64, _ params: JSONValue?, _ loop: LinkLoop)
    func receive(notification method: String, _ params: JSONValue?, _ loop: LinkLoop)
    /// The session is open: what was asked for meanwhile goes out now.
    func opened(_ loop: LinkLoop)
    /// No session could be opened; it is tried again.
    func failedToOpen(_ error: CallError, _ loop: LinkLoop)
    /// An open session was lost.
    func lost(_ loop: LinkLoop)
    /// Nothing will come any more: it was closed, or it is of no use to try again.
    func ended(_ error: CallError?)
}
