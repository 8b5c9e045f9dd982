internal import BrokerJSON
internal import CallClient
internal import CallModel
internal import CallProtocol
internal import Intents
internal import Synchronization

/// The connection through which all observers of the process follow the calls of the host.
final class CallMonitor: @unchecked Sendable {
    static let shared = CallMonitor()

    // The lock guards all mutable state.
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

    /// Returns the lines of the modems of the host; empty without a broker.
    func modems() -> [HostModem] {
        let list = ModemList()
        let port = lock.withLock {
            if link == nil { link = connect() }
            return link
        }
        guard let port else { return [] }
        ready.wait(seconds: ProviderRegistry.shared.patience)
        port.request(.listProviders) { result in
            if case .success(let reply) = result {
                let modems = reply["providers"]?.elements.flatMap { HostModem.lines(of: $0) }
                list.modems.withLock { $0 = modems ?? [] }
            }
            list.read.open()
        }
        list.read.wait(seconds: ProviderRegistry.shared.patience)
        return list.modems.withLock { $0 }
    }

    private func connect() -> Link? {
        try? Link(ProviderRegistry.shared.options, roles: .observer) { [self] in
            ObserverRole { event in
                self.receive(event)
                self.ready.open()
            } failed: { _ in
                self.ready.open()
            } end: { _ in
                self.ended()
                self.ready.open()
            }
        }
    }

    private func receive(_ event: CallEvent) {
        switch event {
        case .snapshot(let calls): replace(with: calls)
        case .added(let call, _), .changed(let call, _, _): update(call)
        case .removed(let call): remove(call.uuid)
        case .other: break
        }
    }

    /// Takes over a snapshot: a known call that is missing from it has ended.
    private func replace(with calls: [Call]) {
        let present = Set(calls.map(\.id.uuid))
        let gone = lock.withLock { known.filter { !present.contains($0.uuid) } }
        for call in gone { publish(CXCall(ended: call), before: call) }
        for call in calls { update(call) }
    }

    /// Publishes the end of a call, unless it was published before.
    private func remove(_ call: UUID) {
        guard let last = lock.withLock({ known.first { $0.uuid == call } }) else { return }
        publish(CXCall(ended: last), before: last)
    }

    private func update(_ call: Call) {
        guard !isUnknownToApp(call) else { return }
        let uuid = call.id.uuid
        let before = lock.withLock { known.first { $0.uuid == uuid } }
        guard before != nil || call.state != .ended else { return }
        publish(CXCall(call, before: before), before: before)
    }

    /// Returns whether the user requested the call outside this app, and the app has not started
    /// it: then it has no id in this app yet.
    private func isUnknownToApp(_ call: Call) -> Bool {
        call.state == .starting && ActivityDoor.shared.isOpen
            && ProviderRegistry.shared.isUnknownToApp(call.id, of: call.provider)
    }

    /// Stores a snapshot, and reports it to all observers if it differs visibly from the one
    /// before.
    private func publish(_ call: CXCall, before: CXCall?) {
        let observers = lock.withLock {
            known.removeAll { $0.uuid == call.uuid }
            if !call.hasEnded { known.append(call) }
            return self.observers
        }
        guard before.map({ !$0.isIndistinguishable(from: call) }) ?? true else { return }
        for observer in observers { observer.observer?.report(call) }
    }

    /// Drops a connection that has ended for good; the next observer opens another one.
    private func ended() {
        lock.withLock { link = nil }
    }
}

/// The modems that a request has found.
private final class ModemList: Sendable {
    let modems = Mutex<[HostModem]>([])
    /// Opens when the broker has replied.
    let read = Gate()
}
