import PushKit

/// Pushes of the app's server, which announce calls.
final class PushDelegate: NSObject, PKPushRegistryDelegate {
    private let registry = PKPushRegistry(queue: .main)

    override init() {
        super.init()
        registry.delegate = self
        registry.desiredPushTypes = [.voIP]
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didUpdate pushCredentials: PKPushCredentials,
        for type: PKPushType
    ) {
        say("token: " + pushCredentials.token.map { String(format: "%02x", $0) }.joined())
    }

    func pushRegistry(
        _ registry: PKPushRegistry, didReceiveIncomingPushWith payload: PKPushPayload,
        for type: PKPushType, completion: @escaping () -> Void
    ) {
        defer { completion() }
        guard type == .voIP, let handle = payload.dictionaryPayload["handle"] as? String else {
            return say("a push without a caller")
        }
        let hasVideo = payload.dictionaryPayload["hasVideo"] as? Bool ?? false
        providerDelegate.reportIncomingCall(uuid: UUID(), handle: handle, hasVideo: hasVideo)
    }
}
