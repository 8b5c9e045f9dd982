import AVFoundation
import CallKit
import UIKit

/// What the system wants of the app, done for its calls.
final class ProviderDelegate: NSObject, CXProviderDelegate {
    private let provider: CXProvider
    private let callManager: CallManager

    init(callManager: CallManager) {
        self.callManager = callManager
        provider = CXProvider(configuration: Self.providerConfiguration)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    static var providerConfiguration: CXProviderConfiguration {
        let providerConfiguration = CXProviderConfiguration(localizedName: "Speakerbox")
        providerConfiguration.supportsVideo = true
        providerConfiguration.maximumCallsPerCallGroup = 1
        providerConfiguration.supportedHandleTypes = [.phoneNumber]
        providerConfiguration.iconTemplateImageData = UIImage(named: "IconMask")?.pngData()
        providerConfiguration.ringtoneSound = "Ringtone.caf"
        return providerConfiguration
    }

    func reportIncomingCall(uuid: UUID, handle: String, hasVideo: Bool = false) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: handle)
        update.hasVideo = hasVideo
        provider.reportNewIncomingCall(with: uuid, update: update) { error in
            DispatchQueue.main.async {
                if let error = error as? CXErrorCodeIncomingCallError {
                    say("not to ring: \(error.code) \(error.localizedDescription)")
                } else {
                    self.callManager.add(SpeakerboxCall(uuid: uuid, handle: handle))
                }
            }
        }
    }

    func reportEnded(_ call: SpeakerboxCall) {
        provider.reportCall(with: call.uuid, endedAt: Date(), reason: .remoteEnded)
        callManager.remove(call)
    }

    func providerDidReset(_ provider: CXProvider) {
        callManager.removeAll()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        let call = SpeakerboxCall(
            uuid: action.callUUID, isOutgoing: true, handle: action.handle.value)
        configureAudioSession()
        callManager.add(call)
        action.fulfill()
        provider.reportOutgoingCall(with: call.uuid, startedConnectingAt: nil)
        call.hasConnected = true
        provider.reportOutgoingCall(with: call.uuid, connectedAt: nil)
        callManager.changed(call)
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard let call = callManager.call(with: action.callUUID) else { return action.fail() }
        configureAudioSession()
        call.hasConnected = true
        action.fulfill()
        callManager.changed(call)
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        guard let call = callManager.call(with: action.callUUID) else { return action.fail() }
        action.fulfill()
        callManager.remove(call)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        guard let call = callManager.call(with: action.callUUID) else { return action.fail() }
        call.isOnHold = action.isOnHold
        action.fulfill()
        callManager.changed(call)
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        say("too late: \(type(of: action))")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        say("audio on")
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        say("audio off")
    }

    private func configureAudioSession() {
        let session = AVAudioSession.sharedInstance()
        do {
            try session.setCategory(.playAndRecord, mode: .voiceChat)
        } catch {
            say("no audio: \(error.localizedDescription)")
        }
    }
}
