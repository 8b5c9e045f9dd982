internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// Watches the calls of the host: iterate it, and the first thing it tells is a snapshot.
///
/// After a lost connection the broker tells what was missed; where it cannot, all is read anew and
/// there is another snapshot. So is there for a consumer who is much slower than the calls. One
/// iteration at a time.
public final class CallObserver: AsyncSequence, Sendable {
    public typealias Element = CallEvent

    private let link: Link
    private let events: EventQueue

    /// Opens a session and subscribes.
    ///
    /// - Parameter topics: exact names, `noun.*` or `*`; without `call.*` among them there are no
    ///   snapshots.
    /// - Throws: `CallError` if no broker answers, or it refuses.
    public init(
        _ options: ClientOptions = ClientOptions(), topics: [String] = ["call.*"]
    ) async throws(CallError) {
        let opening = Opening()
        let events = EventQueue()
        self.events = events
        link = try Link(options, roles: .observer) {
            ObserverRole(topics: topics) { event in
                events.add(event)
                opening.settle(.success(()))
            } failed: {
                opening.settle(.failure($0))
            } end: {
                opening.settle(.failure($0 ?? .closed))
                events.end()
            }
        }
        try await opening.value().get()
    }

    deinit {
        link.close()
    }

    /// Ends the session, and after what is left the iteration.
    public func close() {
        link.close()
    }

    public func makeAsyncIterator() -> Iterator {
        Iterator(observer: self)
    }

    public struct Iterator: AsyncIteratorProtocol {
        fileprivate let observer: CallObserver

        /// The next event; nil after `close()`, or if the task is cancelled.
        public mutating func next() async -> CallEvent? {
            await observer.events.next()
        }
    }
}

/// Events that nobody has taken yet. Too many of them become one snapshot.
struct EventQueue: Sendable {
    /// As many as the broker keeps.
    static let eventsMax = 4_096

    private struct State {
        var events: [CallEvent] = []
        /// The calls as of the last event.
        var calls: [Call] = []
        var hasEnded = false

        /// Nil if there is nothing yet, and within it if there will not be anything any more.
        mutating func take() -> CallEvent?? {
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
            await monitor.wait { $0.take() }
        } onCancel: {
            monitor.change { _ in }
        }
    }
}

extension [Call] {
    /// The calls after an event.
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
