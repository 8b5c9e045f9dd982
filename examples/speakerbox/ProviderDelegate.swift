import AVFoundation
import CallKit
import UIKit

/// What the system wants of the app, done for its calls.
final class ProviderDelegate: NSObject, CXProviderDelegate {
    let callManager: SpeakerboxCallManager
    private let provider: CXProvider

    init(callManager: SpeakerboxCallManager) {
        self.callManager = callManager
        provider = CXProvider(configuration: type(of: self).providerConfiguration)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    static var providerConfiguration: CXProviderConfiguration {
        let localizedName = NSLocalizedString("Speakerbox", comment: "Name of application")
        let providerConfiguration = CXProviderConfiguration(localizedName: localizedName)
        providerConfiguration.supportsVideo = true
        providerConfiguration.maximumCallsPerCallGroup = 1
        providerConfiguration.supportedHandleTypes = [.phoneNumber]
        providerConfiguration.iconTemplateImageData = UIImage(named: "IconMask")?.pngData()
        providerConfiguration.ringtoneSound = "Ringtone.caf"
        return providerConfiguration
    }

    // MARK: Incoming calls

    func reportIncomingCall(
        uuid: UUID, handle: String, hasVideo: Bool = false, completion: ((NSError?) -> Void)? = nil
    ) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: handle)
        update.hasVideo = hasVideo
        provider.reportNewIncomingCall(with: uuid, update: update) { error in
            // Only a call that is allowed is one: do-not-disturb or a block may be in the way.
            if error == nil {
                self.callManager.addCall(SpeakerboxCall(uuid: uuid, handle: handle))
            }
            completion?(error as NSError?)
        }
    }

    func reportEnded(_ call: SpeakerboxCall) {
        provider.reportCall(with: call.uuid, endedAt: nil, reason: .remoteEnded)
        call.endSpeakerboxCall()
        callManager.removeCall(call)
    }

    // MARK: CXProviderDelegate

    func providerDidReset(_ provider: CXProvider) {
        stopAudio()
        for call in callManager.calls { call.endSpeakerboxCall() }
        callManager.removeAllCalls()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        let call = SpeakerboxCall(
            uuid: action.callUUID, isOutgoing: true, handle: action.handle.value)
        configureAudioSession()
        call.hasStartedConnectingDidChange = { [weak call] in
            guard let call else { return }
            provider.reportOutgoingCall(
                with: call.uuid, startedConnectingAt: call.connectingDate)
        }
        call.hasConnectedDidChange = { [weak call] in
            guard let call else { return }
            provider.reportOutgoingCall(with: call.uuid, connectedAt: call.connectDate)
        }
        call.startSpeakerboxCall { success in
            guard success else { return action.fail() }
            action.fulfill()
            self.callManager.addCall(call)
        }
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard let call = callManager.callWithUUID(uuid: action.callUUID) else {
            return action.fail()
        }
        configureAudioSession()
        call.answerSpeakerboxCall()
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        guard let call = callManager.callWithUUID(uuid: action.callUUID) else {
            return action.fail()
        }
        stopAudio()
        call.endSpeakerboxCall()
        action.fulfill()
        callManager.removeCall(call)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        guard let call = callManager.callWithUUID(uuid: action.callUUID) else {
            return action.fail()
        }
        call.isOnHold = action.isOnHold
        action.fulfill()
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        say("too late: \(type(of: action))")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        startAudio()
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        stopAudio()
    }
}
