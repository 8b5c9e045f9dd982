internal import CallClient
internal import CallModel
internal import CallProtocol
internal import Intents

/// The one connection through which all observers of this process watch the calls of the host.
final class CallWatch: @unchecked Sendable {
    static let shared = CallWatch()

    // The lock guards all that changes.
    private let lock = NSLock()
    private var observers: [WeakObserver] = []
    private var known: [CXCall] = []
    private var link: Link?
    private let ready = Gate()

    func add(_ observer: CXCallObserver) {
        lock.withLock {
            observers.removeAll { $0.observer == nil }
            observers.append(WeakObserver(observer))
            if link == nil { link = connect() }
        }
    }

    func calls() -> [CXCall] {
        ready.wait(seconds: ProviderRegistry.shared.patience)
        return lock.withLock { known }
    }

    private func connect() -> Link? {
        try? Link(ProviderRegistry.shared.options, roles: .observer) { [self] in
            ObserverRole { event in
                self.take(event)
                self.ready.open()
            } failed: { _ in
                self.ready.open()
            } end: { _ in
                self.ended()
                self.ready.open()
            }
        }
    }

    private func take(_ event: CallEvent) {
        switch event {
        case .snapshot(let calls): take(calls)
        case .added(let call, _), .changed(let call, _, _): take(call)
        case .removed(let call): take(removed: call.uuid)
        case .other: break
        }
    }

    /// All was read anew: what is missing is over.
    private func take(_ calls: [Call]) {
        let present = Set(calls.map(\.id.uuid))
        let gone = lock.withLock { known.filter { !present.contains($0.uuid) } }
        for call in gone { tell(CXCall(ended: call), before: call) }
        for call in calls { take(call) }
    }

    /// That a call is over was told before, or is told now.
    private func take(removed call: UUID) {
        guard let last = lock.withLock({ known.first { $0.uuid == call } }) else { return }
        tell(CXCall(ended: last), before: last)
    }

    private func take(_ call: Call) {
        guard !isUntold(call) else { return }
        let uuid = call.id.uuid
        let before = lock.withLock { known.first { $0.uuid == uuid } }
        guard before != nil || call.state != .ended else { return }
        tell(CXCall(call, before: before), before: before)
    }

    /// The user has asked for it, and the app has not started it: it has no name in this app yet.
    private func isUntold(_ call: Call) -> Bool {
        call.state == .starting && ActivityDoor.shared.isOpen
            && ProviderRegistry.shared.isUntold(call.id, of: call.provider)
    }

    /// Only what an app would see is told.
    private func tell(_ call: CXCall, before: CXCall?) {
        let observers = lock.withLock {
            known.removeAll { $0.uuid == call.uuid }
            if !call.hasEnded { known.append(call) }
            return self.observers
        }
        guard before.map({ !$0.looksLike(call) }) ?? true else { return }
        for observer in observers { observer.observer?.changed(call) }
    }

    /// Another observer may try again.
    private func ended() {
        lock.withLock { link = nil }
    }
}
