internal import BrokerSocket
internal import CallProtocol

/// An asynchronous sequence of the changes of the host's calls. The first element is a snapshot.
///
/// After a lost connection the broker sends the events that were missed. If it cannot, all calls
/// are read again, and another snapshot follows. A consumer that falls behind by more than 4,096
/// events receives a snapshot, too. There must be one iteration at a time.
public final class CallObserver: AsyncSequence, Sendable {
    /// A change, or a snapshot.
    public typealias Element = CallEvent

    private let link: Link
    private let events: EventQueue
    private let tasks = RequestTasks()

    /// Opens a session and subscribes.
    ///
    /// - Parameters:
    ///   - options: the broker's socket, and how lost sessions are opened again.
    ///   - topics: exact names, `noun.*` or `*`.
    ///   - onConnection: called with true whenever a session is open, and with false when it is lost.
    ///   - identity: a stable reverse-domain name such as `org.example.recorder`, by which the policy
    ///     names clients in `handover.observers`.
    ///   - handover: called before an app gets the audio of a call, if the policy names this client.
    ///     The app gets it when the closure returns, after 2 s at the latest. The task is cancelled
    ///     when the broker does not wait for it any more.
    /// - Throws: `CallError` if no broker answers or the broker refuses the session.
    public init(
        _ options: ClientOptions = ClientOptions(), topics: [String] = ["call.*"],
        onConnection: @escaping @Sendable (_ isConnected: Bool) -> Void = { _ in },
        identity: String? = nil, handover: (@Sendable (AudioHandover) async -> Void)? = nil
    ) async throws(CallError) {
        let opening = Opening()
        let events = EventQueue()
        self.events = events
        let (handovers, queue) = AsyncStream.makeStream(of: HandoverEvent.self)
        link = try Link(options, roles: .observer, identity: identity) {
            ObserverRole(
                topics: topics, handovers: handover.map { _ in queue }, onConnection: onConnection
            ) { event in
                events.add(event)
                opening.settle(.success(()))
            } failed: {
                opening.settle(.failure($0))
            } end: {
                opening.settle(.failure($0 ?? .closed))
                events.end()
                queue.finish()
            }
        }
        if let handover {
            handovers.handle { [weak self] in self?.receive($0, handover) }
        }
        try await opening.value().get()
    }

    deinit {
        link.close()
    }

    /// Ends the session. The iteration ends after the remaining events.
    public func close() {
        link.close()
    }

    private func receive(
        _ event: HandoverEvent, _ prepare: @escaping @Sendable (AudioHandover) async -> Void
    ) {
        switch event {
        case .prepare(let handover, let request):
            tasks.begin(request) { [link] in
                await prepare(handover)
                link.post { ($0.role as? ObserverRole)?.complete(request, $0) }
            }
        case .withdrawn(let request): tasks.cancel(request)
        }
    }

    /// Returns an iterator. All iterators take from one queue, so use one at a time.
    public func makeAsyncIterator() -> Iterator {
        Iterator(observer: self)
    }

    /// The iterator of an observer's events.
    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let observer: CallObserver

        /// Waits for the next event; nil after `close()`, or if the task is cancelled.
        public mutating func next() async -> CallEvent? {
            await observer.events.next()
        }
    }
}

/// The events that were not consumed yet. Too many of them are replaced by a snapshot.
struct EventQueue: Sendable {
    /// The most events, which is the number that the broker keeps.
    static let eventsMax = 4_096

    private struct State {
        var events: [CallEvent] = []
        /// The calls after the last event.
        var calls: [Call] = []
        var hasEnded = false

        /// Removes the first event. The outer nil stands for none yet, the inner one for the end.
        mutating func popFirst() -> CallEvent?? {
            if !events.isEmpty { return .some(events.removeFirst()) }
            return hasEnded || Task.isCancelled ? .some(nil) : nil
        }
    }

    private let monitor = Monitor(State())

    func add(_ event: CallEvent) {
        monitor.change { state in
            state.calls.apply(event)
            state.events.append(event)
            if state.events.count > Self.eventsMax { state.events = [.snapshot(state.calls)] }
        }
    }

    func end() {
        monitor.change { $0.hasEnded = true }
    }

    func next() async -> CallEvent? {
        await withTaskCancellationHandler {
            await monitor.wait { $0.popFirst() }
        } onCancel: {
            monitor.change { _ in }
        }
    }
}

extension [Call] {
    /// Applies an event to the calls.
    fileprivate mutating func apply(_ event: CallEvent) {
        switch event {
        case .snapshot(let calls): self = calls
        case .added(let call, _): append(call)
        case .changed(let call, _, _):
            if let index = firstIndex(where: { $0.id == call.id }) { self[index] = call }
        case .removed(let call): removeAll { $0.id == call }
        case .other: break
        }
    }
}
