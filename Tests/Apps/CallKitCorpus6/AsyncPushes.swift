import CallKit
import PushKit

/// Pushes as tasks: the call is reported, and the push is handled when the method returns.
public final class AsyncPushes: NSObject, PKPushRegistryDelegate, CXProviderDelegate, Sendable {
    private struct Announcement: Decodable {
        let caller: String
        let id: UUID
    }

    nonisolated(unsafe) private let registry: PKPushRegistry
    nonisolated(unsafe) private let provider: CXProvider

    public override init() {
        registry = PKPushRegistry(queue: DispatchQueue(label: "pushes"))
        provider = CXProvider(configuration: CXProviderConfiguration())
        super.init()
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    public func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}

    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) async {
        do {
            let data = try JSONSerialization.data(withJSONObject: payload.dictionaryPayload)
            let call = try JSONDecoder().decode(Announcement.self, from: data)
            let update = CXCallUpdate()
            update.remoteHandle = CXHandle(type: .generic, value: call.caller)
            try await provider.reportNewIncomingCall(with: call.id, update: update)
        } catch {
            print("no call: \(error)")
        }
    }

    public func providerDidReset(_ provider: CXProvider) {}
}

/// As a call manager with a closure for each push, in the current language mode.
public final class PushHandler: NSObject, PKPushRegistryDelegate, @unchecked Sendable {
    private let registry = PKPushRegistry(queue: .main)
    private let onPush: @Sendable ([String: String], @escaping @Sendable () -> Void) -> Void

    public init(
        onPush: @escaping @Sendable ([String: String], @escaping @Sendable () -> Void) -> Void
    ) {
        self.onPush = onPush
        super.init()
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    public func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {}

    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType, completion: @escaping @Sendable () -> Void
    ) {
        onPush(payload.dictionaryPayload as? [String: String] ?? [:], completion)
    }
}
