import AVFoundation
import CallKit
import Foundation

/// Listeners of a conference's calls.
@objc public protocol ConfCallKitListener: NSObjectProtocol {
    @objc func performAnswerCall(UUID: UUID)
    @objc func performEndCall(UUID: UUID)
    @objc func providerDidActivateAudioSession(session: AVAudioSession)
}

/// One provider for all conferences of a process.
@objcMembers
public final class ConfCallKitProxy: NSObject, @unchecked Sendable {
    override private init() {}

    private static let lock = NSLock()
    nonisolated(unsafe) private static var provider: CXProvider?
    nonisolated(unsafe) private static var listeners = NSMutableArray()
    nonisolated(unsafe) public static var enabled = true
    nonisolated(unsafe) private static let callController = CXCallController()

    static func configureProvider(
        localizedName: String, ringtoneSound: String?, iconTemplateImageData: Data?
    ) {
        let configuration = CXProviderConfiguration(localizedName: localizedName)
        configuration.iconTemplateImageData = iconTemplateImageData
        configuration.ringtoneSound = ringtoneSound
        configuration.maximumCallGroups = 1
        configuration.maximumCallsPerCallGroup = 1
        configuration.supportsVideo = true
        lock.lock()
        defer { lock.unlock() }
        if let provider {
            provider.configuration = configuration
        } else {
            provider = CXProvider(configuration: configuration)
        }
    }

    public static func isProviderConfigured() -> Bool {
        lock.withLock { provider != nil }
    }

    public static func hasActiveCallForUUID(_ callUUID: String) -> Bool {
        callController.callObserver.calls.contains {
            $0.uuid == UUID(uuidString: callUUID) && !$0.hasEnded
        }
    }

    public static func reportOutgoingCall(with UUID: UUID, connectedAt: Date?) {
        guard enabled else { return }
        lock.withLock { provider }?.reportOutgoingCall(with: UUID, connectedAt: connectedAt)
    }

    public static func request(
        _ transaction: CXTransaction, completion: @escaping @Sendable (Error?) -> Void
    ) {
        guard enabled else { return }
        callController.request(transaction, completion: completion)
    }
}
