import CallKit
import PushKit
import UIKit

/// As an app delegate of a tutorial: a registry that nobody keeps, and a provider that is made for the
/// first call.
public final class TutorialDelegate: UIResponder, UIApplicationDelegate, PKPushRegistryDelegate {
    private lazy var provider: CXProvider = {
        let config = CXProviderConfiguration(localizedName: "Tutorial")
        config.supportsVideo = false
        config.supportedHandleTypes = [.generic]
        let provider = CXProvider(configuration: config)
        provider.setDelegate(self, queue: nil)
        return provider
    }()

    public func voipRegistration() {
        let mainQueue = DispatchQueue.main
        let voipRegistry: PKPushRegistry = PKPushRegistry(queue: mainQueue)
        voipRegistry.delegate = self
        voipRegistry.desiredPushTypes = [PKPushType.voIP]
    }

    // MARK: - PKPushRegistryDelegate

    public func pushRegistry(
        _ registry: PKPushRegistry, didUpdate credentials: PKPushCredentials, for type: PKPushType
    ) {
        let deviceToken = credentials.token.map { String(format: "%02x", $0) }.joined()
        print("token \(type.rawValue) \(deviceToken)")
    }

    public func pushRegistry(
        _ registry: PKPushRegistry, didInvalidatePushTokenFor type: PKPushType
    ) {
        print("invalid \(type.rawValue)")
    }

    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType, completion: @escaping () -> Void
    ) {
        guard type == .voIP else { return completion() }
        let callerName = payload.dictionaryPayload["callerName"] as? String ?? "Unknown"
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: callerName)
        provider.reportNewIncomingCall(with: UUID(), update: update) { error in
            if let error = error { print("error: \(error.localizedDescription)") }
            completion()
        }
    }
}

extension TutorialDelegate: CXProviderDelegate {
    public func providerDidReset(_ provider: CXProvider) {}

    public func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        action.fulfill()
    }

    public func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        action.fulfill()
    }
}

/// As an app from before iOS 11: the method without a completion, and a provider that is there first.
public final class LegacyPushManager: NSObject, PKPushRegistryDelegate, CXProviderDelegate {
    private let provider = CXProvider(
        configuration: CXProviderConfiguration(localizedName: "Legacy"))
    private let registry = PKPushRegistry(queue: nil)

    public override init() {
        super.init()
        provider.setDelegate(self, queue: nil)
        registry.delegate = self
        registry.desiredPushTypes = Set([.voIP, .fileProvider])
    }

    public func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {
        guard let token = registry.pushToken(for: .voIP) else { return }
        print("token \(String(data: token, encoding: .utf8) ?? "")")
    }

    public func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType
    ) {
        guard let aps = payload.dictionaryPayload["aps"] as? [String: Any],
            let alert = aps["alert"] as? String
        else { return }
        let update = CXCallUpdate()
        update.localizedCallerName = alert
        provider.reportNewIncomingCall(with: UUID(), update: update, completion: { _ in })
    }

    public func providerDidReset(_ provider: CXProvider) {}
}
