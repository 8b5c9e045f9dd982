import AVFoundation
import CallKit
import Foundation

private let sharedProviderDelegate: ChatCallKitProviderDelegate? = ChatCallKitProviderDelegate()

/// A thin object in front of one provider for all accounts.
public final class ChatCallKitIntegration: @unchecked Sendable {
    public static let isAvailable: Bool = {
        #if targetEnvironment(simulator)
            return false
        #else
            return Locale.current.identifier.lowercased() != "zh_cn"
        #endif
    }()

    public var audioSessionActive: ((Bool) -> Void)? {
        get { sharedProviderDelegate?.audioSessionActivationChanged }
        set { sharedProviderDelegate?.audioSessionActivationChanged = newValue }
    }

    public init() {}

    public func startCall(peerId: Int64, isVideo: Bool, displayTitle: String) -> UUID {
        let uuid = UUID()
        sharedProviderDelegate?.requestTransaction(
            CXTransaction(
                action: {
                    let action = CXStartCallAction(
                        call: uuid, handle: CXHandle(type: .generic, value: "\(peerId)"))
                    action.contactIdentifier = displayTitle
                    action.isVideo = isVideo
                    return action
                }()))
        return uuid
    }

    public func dropCall(uuid: UUID) {
        sharedProviderDelegate?.dropCall(uuid: uuid)
    }

    public func applyVoiceChatOutputMode(speaker: Bool) {
        try? AVAudioSession.sharedInstance().overrideOutputAudioPort(speaker ? .speaker : .none)
    }
}

final class ChatCallKitProviderDelegate: NSObject, CXProviderDelegate, @unchecked Sendable {
    private let provider: CXProvider
    private let callController = CXCallController()
    var audioSessionActivationChanged: ((Bool) -> Void)?

    override init() {
        let configuration = CXProviderConfiguration(localizedName: "Chat")
        configuration.supportsVideo = true
        configuration.maximumCallsPerCallGroup = 1
        configuration.maximumCallGroups = 1
        configuration.supportedHandleTypes = [.phoneNumber, .generic]
        provider = CXProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    func requestTransaction(
        _ transaction: CXTransaction, completion: (@Sendable (Bool) -> Void)? = nil
    ) {
        callController.request(transaction) { error in
            if let error { print("Error requesting transaction: \(error)") }
            completion?(error == nil)
        }
    }

    func dropCall(uuid: UUID) {
        provider.reportCall(with: uuid, endedAt: nil, reason: CXCallEndedReason.remoteEnded)
    }

    func providerDidReset(_ provider: CXProvider) {}

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        audioSessionActivationChanged?(true)
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        audioSessionActivationChanged?(false)
    }
}
