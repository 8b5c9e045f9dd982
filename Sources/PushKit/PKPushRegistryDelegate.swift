internal import CallKit

/// The app's side of a push registry. All methods are called on the registry's queue, but the
/// `async` one.
///
/// There is no Objective-C on Linux, so the optional methods are defaults of the protocol. Of the
/// methods for incoming pushes an app implements one.
public protocol PKPushRegistryDelegate: NSObjectProtocol {
    /// Called with the address for pushes of a type: after the registration, and when it changes.
    /// The app sends it to its server.
    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType)
    /// Called with a push. For a VoIP push the app reports a call with
    /// `CXProvider.reportNewIncomingCall` before it calls `completion`, within 30 s.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType, completion: @escaping @Sendable () -> Void)
    /// Called with a push, which is handled when the method returns: the app reports a call in it.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType)
    /// Called with a push, which is handled when the method returns: the app reports a call in it.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType) async
    /// Called with a VoIP push, since iOS 26.4. Every one needs a call here, so `mustReport` is true.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping @Sendable () -> Void)
    /// Called with a VoIP push, since iOS 26.4, which is handled when the method returns.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata) async
    /// Called when the former address is no longer valid, because its gateway is gone.
    func pushRegistry(_ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType)

    /// The name of `pushRegistry(_:didUpdate:for:)` in Swift 3.
    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate credentials: PKPushCredentials,
        forType type: PKPushType)
    /// The name of `pushRegistry(_:didReceiveIncomingPushWith:for:)` in Swift 3.
    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        forType type: PKPushType)
    /// The name of `pushRegistry(_:didInvalidatePushTokenFor:)` in Swift 3.
    func pushRegistry(
        _ registry: PKPushRegistry, didInvalidatePushTokenForType type: PKPushType)
}

/// Records that the delegate has none of the methods that were tried, since their defaults ran.
final class MissingMethod: @unchecked Sendable {
    @TaskLocal static var current: MissingMethod?
    // One delivery at a time sets and reads it, on one thread after the other.
    private(set) var isMissing = false

    static func record() {
        current?.isMissing = true
    }

    /// Calls a method, and returns whether the delegate has it.
    static func isFound(_ call: @Sendable () async -> Void) async -> Bool {
        let missing = MissingMethod()
        await $current.withValue(missing) { await call() }
        return !missing.isMissing
    }
}

extension PKPushRegistryDelegate {
    /// Calls the method without `completion` that the delegate has.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType, completion: @escaping @Sendable () -> Void
    ) {
        let missing = MissingMethod()
        MissingMethod.$current.withValue(missing) {
            pushRegistry(registry, didReceiveIncomingPushWith: payload, for: type)
        }
        // What the app posts to its queue meanwhile comes first, as in the same run of its loop.
        guard missing.isMissing else { return registry.post(completion) }
        let delegate = Transferred(self as any PKPushRegistryDelegate)
        let (source, push) = (Transferred(registry), Transferred(payload))
        Task {
            let hasMethod = await MissingMethod.isFound {
                await delegate.value.pushRegistry(
                    source.value, didReceiveIncomingPushWith: push.value, for: type)
            }
            if !hasMethod { await delegate.value.receiveVoIP(push, type, from: source) }
            completion()
        }
    }

    /// Calls the last method that the delegate may have.
    fileprivate func receiveVoIP(
        _ payload: Transferred<PKPushPayload>, _ type: PKPushType,
        from registry: Transferred<PKPushRegistry>
    ) async {
        let delegate = Transferred(self as any PKPushRegistryDelegate)
        let hasMethod = await MissingMethod.isFound {
            guard type == .voIP else { return MissingMethod.record() }
            await delegate.value.pushRegistry(
                registry.value, didReceiveIncomingVoIPPushWith: payload.value,
                metadata: PKVoIPPushMetadata())
        }
        if !hasMethod { NSLog("PKPushRegistry: the delegate has no method for pushes") }
    }

    /// Calls the method for pushes of any type that the delegate has.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata,
        withCompletionHandler completion: @escaping @Sendable () -> Void
    ) {
        pushRegistry(
            registry, didReceiveIncomingPushWith: payload, for: payload.type, completion: completion
        )
    }

    /// Has no effect.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingVoIPPushWith payload: PKPushPayload,
        metadata: PKVoIPPushMetadata
    ) async {
        MissingMethod.record()
    }

    /// Calls the method by its former name.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) {
        pushRegistry(registry, didReceiveIncomingPushWith: payload, forType: type)
    }

    /// Has no effect.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) async {
        MissingMethod.record()
    }

    /// Calls the method by its former name.
    public func pushRegistry(
        _ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType
    ) {
        pushRegistry(registry, didInvalidatePushTokenForType: type)
    }

    /// Calls the method by its former name.
    public func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {
        pushRegistry(registry, didUpdate: pushCredentials, forType: type)
    }

    /// Has no effect.
    public func pushRegistry(
        _ registry: PKPushRegistry, didUpdate credentials: PKPushCredentials,
        forType type: PKPushType
    ) {}

    /// Has no effect.
    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        forType type: PKPushType
    ) {
        MissingMethod.record()
    }

    /// Has no effect.
    public func pushRegistry(
        _ registry: PKPushRegistry, didInvalidatePushTokenForType type: PKPushType
    ) {}
}
