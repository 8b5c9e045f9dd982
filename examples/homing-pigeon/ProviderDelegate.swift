import AVFoundation
import CallKit

/// Between the system and the service: what one tells, the other hears.
final class ProviderDelegate: NSObject {
    private let provider: CXProvider
    private let manager = CallManager.shared

    override init() {
        let configuration = CXProviderConfiguration()
        configuration.supportsVideo = false
        configuration.maximumCallGroups = 2
        configuration.maximumCallsPerCallGroup = 1
        configuration.supportedHandleTypes = [.generic]
        provider = CXProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: nil)
        PigeonLoft.shared.delegate = self
    }
}

extension ProviderDelegate: PigeonLoftDelegate, DirectCallDelegate {
    func didStartRinging(_ call: DirectCall) {
        call.delegate = self
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: call.callerID)
        update.localizedCallerName = call.callerID.capitalized
        update.supportsGrouping = false
        update.supportsUngrouping = false
        provider.reportNewIncomingCall(with: call.callUUID, update: update) { error in
            guard error == nil else {
                self.manager.refused(error as NSError?)
                return call.end()
            }
            self.manager.add(call)
        }
    }

    func didConnect(_ call: DirectCall) {
        if call.isOutgoing {
            provider.reportOutgoingCall(with: call.callUUID, connectedAt: nil)
        }
        manager.changed()
    }

    func didEnd(_ call: DirectCall) {
        guard manager.calls.contains(where: { $0 === call }) else { return }
        let reason: CXCallEndedReason = call.endResult == .noAnswer ? .unanswered : .remoteEnded
        provider.reportCall(with: call.callUUID, endedAt: nil, reason: reason)
        manager.remove(call)
    }
}

extension ProviderDelegate: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {
        let calls = manager.calls
        manager.removeAll()
        for call in calls { call.end() }
    }

    /// The call that the action is about; without one the action fails.
    private func call(for action: CXCallAction) -> DirectCall? {
        guard let call = PigeonLoft.shared.call(for: action.callUUID), !call.isEnded else {
            action.fail()
            return nil
        }
        return call
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        guard let call = call(for: action) else { return }
        call.delegate = self
        provider.reportOutgoingCall(with: call.callUUID, startedConnectingAt: nil)
        action.fulfill()
        manager.add(call)
        if call.isConnected { didConnect(call) }
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard let call = call(for: action) else { return }
        call.accept()
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        guard let call = call(for: action) else { return }
        manager.remove(call)
        call.end()
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        guard let call = call(for: action) else { return }
        call.setHeld(action.isOnHold)
        action.fulfill()
        manager.changed()
    }

    func provider(_ provider: CXProvider, perform action: CXSetMutedCallAction) {
        guard let call = call(for: action) else { return }
        if action.isMuted { call.muteMicrophone() } else { call.unmuteMicrophone() }
        action.fulfill()
        manager.changed()
    }

    func provider(_ provider: CXProvider, timedOutPerforming action: CXAction) {
        print("too late: \(type(of: action))")
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        print("sound on")
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        print("sound off")
    }
}
