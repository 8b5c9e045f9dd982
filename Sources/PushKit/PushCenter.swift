internal import CallKit

/// A push that the app is to handle.
struct Push: Sendable {
    let type: PKPushType
    /// JSON.
    let payload: [UInt8]
    let complete: @Sendable () -> Void
}

/// The pushes and addresses of the process, for all of its registries.
final class PushCenter: @unchecked Sendable {
    static let shared = PushCenter()

    // The lock guards all mutable state. No registry is called with it.
    private let lock = NSLock()
    /// The registries that desire types of push.
    private var registries: [PKPushRegistry] = []
    private var tokens: [PKPushType: Data] = [:]
    /// Pushes without a delegate. The broker sends no more than some dozens.
    private var waiting: [Push] = []

    func token(for type: PKPushType) -> Data? {
        lock.withLock { tokens[type] }
    }

    /// Registers the types that the registries of the process desire together.
    func setDesired(by registry: PKPushRegistry) {
        let isWanted = !(registry.desiredPushTypes ?? []).isEmpty
        let all = lock.withLock {
            registries.removeAll { $0 === registry }
            if isWanted { registries.append(registry) }
            return registries
        }
        let types = all.reduce(into: Set<PKPushType>()) { $0.formUnion($1.desiredPushTypes ?? []) }
        lock.withLock { tokens = tokens.filter { types.contains($0.key) } }
        AppSession.shared.setPushTypes(types.map(\.word).sorted()) { [self] in receive($0) }
        update()
    }

    private func receive(_ event: AppSession.PushEvent) {
        switch event {
        case .received(let payload, let type, let complete):
            wait(Push(type: PKPushType(word: type), payload: payload, complete: complete))
        case .tokenChanged(let token, let type):
            lock.withLock { tokens[PKPushType(word: type)] = token.map { Data($0.utf8) } }
            update(PKPushType(word: type))
        case .unreported(let isStopped):
            NSLog(
                "PKPushRegistry: Killing app because it never posted an incoming call to the "
                    + "system after receiving a PushKit VoIP push callback. (On this host the app "
                    + "lives on%@)",
                isStopped ? ", and gets no more VoIP pushes: callbroker push --reset" : "")
        }
    }

    /// Has a push wait for a delegate, and delivers it if there is one.
    func wait(_ push: Push) {
        lock.withLock { waiting.append(push) }
        update()
    }

    /// Delivers what can be delivered now.
    func update() {
        for push in lock.withLock({ waiting }) { deliver(push.type) }
        for type in lock.withLock({ tokens.keys }) { update(type) }
    }

    /// Delivers the pushes of a type that wait to the newest registry that takes them.
    private func deliver(_ type: PKPushType) {
        let registries = lock.withLock { self.registries }
        guard let registry = registries.last(where: { $0.takes(type) }) else { return }
        let due = lock.withLock {
            let due = waiting.filter { $0.type == type }
            waiting.removeAll { $0.type == type }
            return due
        }
        for push in due { registry.deliver(push) }
    }

    private func update(_ type: PKPushType) {
        let (token, registries) = lock.withLock { (tokens[type], self.registries) }
        for registry in registries { registry.announce(token, for: type) }
    }
}
