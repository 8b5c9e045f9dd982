internal import CallKit

/// The app's registration for pushes of its server. Make one, set its delegate and its
/// `desiredPushTypes`.
///
/// It opens the app's session with the broker if no `CXProvider` has: a push may start the app, which
/// makes a provider for the call then. Pushes that come without a delegate wait for one. Registries
/// that desire types live on, as apps often keep none; the delegate is held weakly.
///
/// All members may be used from any thread. As in PushKit the class is not `Sendable`.
open class PKPushRegistry: NSObject {
    // The lock guards all mutable state.
    private let lock = NSLock()
    private let queue: DispatchQueue
    private weak var currentDelegate: (any PKPushRegistryDelegate)?
    private var desired: Set<PKPushType>?
    /// The addresses that the delegate has been given.
    private var announced: [PKPushType: Data] = [:]

    /// Makes a registry.
    ///
    /// - Parameter queue: the serial queue on which the delegate is called; nil stands for the main
    ///   queue, which must be running.
    public init(queue: DispatchQueue?) {
        self.queue = queue ?? .main
    }

    /// The delegate, which gets addresses and pushes; held weakly.
    open weak var delegate: (any PKPushRegistryDelegate)? {
        get { lock.withLock { currentDelegate } }
        set {
            lock.withLock { currentDelegate = newValue }
            PushCenter.shared.update()
        }
    }

    /// The types of push that the app takes. Nil or empty ends the registration.
    open var desiredPushTypes: Set<PKPushType>? {
        get { lock.withLock { desired } }
        set {
            lock.withLock {
                desired = newValue
                announced = announced.filter { newValue?.contains($0.key) ?? false }
            }
            PushCenter.shared.setDesired(by: self)
        }
    }

    /// Returns the latest address for pushes of a type; nil before it is known, and once it is not
    /// valid any more.
    open func pushToken(for type: PKPushType) -> Data? {
        desires(type) ? PushCenter.shared.token(for: type) : nil
    }

    func desires(_ type: PKPushType) -> Bool {
        lock.withLock { desired?.contains(type) ?? false }
    }

    /// True if a push of a type can be delivered now.
    func takes(_ type: PKPushType) -> Bool {
        lock.withLock { currentDelegate != nil && desired?.contains(type) ?? false }
    }

    /// Runs work on the delegate's queue, after what is there already.
    func post(_ work: @escaping @Sendable () -> Void) {
        queue.async(execute: work)
    }

    // MARK: - Deliveries

    /// Calls the delegate with a push. One without a delegate by then waits again.
    func deliver(_ push: Push) {
        let transferred = Transferred(self)
        post {
            let registry = transferred.value
            guard let delegate = registry.delegate else {
                return PushCenter.shared.wait(push)
            }
            let payload = PKPushPayload(type: push.type, json: push.payload)
            if push.type == .voIP {
                delegate.pushRegistry(
                    registry, didReceiveIncomingVoIPPushWith: payload,
                    metadata: PKVoIPPushMetadata(), withCompletionHandler: push.complete)
            } else {
                delegate.pushRegistry(
                    registry, didReceiveIncomingPushWith: payload, for: push.type,
                    completion: push.complete)
            }
        }
    }

    /// Calls the delegate with an address, unless it was given it before.
    func announce(_ token: Data?, for type: PKPushType) {
        let isDue = lock.withLock {
            guard currentDelegate != nil, desired?.contains(type) ?? false,
                announced[type] != token
            else { return false }
            announced[type] = token
            return true
        }
        guard isDue else { return }
        let transferred = Transferred(self)
        post {
            let registry = transferred.value
            if let token {
                registry.delegate?.pushRegistry(
                    registry, didUpdate: PKPushCredentials(type: type, token: token), for: type)
            } else {
                registry.delegate?.pushRegistry(registry, didInvalidatePushTokenFor: type)
            }
        }
    }
}
