import AVFoundation
import CallKit
import Foundation

final class SMCallKitAdaptee: NSObject, SMCallUIAdaptee, CXProviderDelegate, @unchecked Sendable {
    private let provider: CXProvider
    private let controller = CXCallController()
    private var calls: [UUID: SMCall] = [:]
    private let showNamesOnCallScreen: Bool

    init(showNamesOnCallScreen: Bool, useSystemCallLog: Bool) {
        self.showNamesOnCallScreen = showNamesOnCallScreen
        let configuration = CXProviderConfiguration()
        configuration.supportsVideo = true
        configuration.maximumCallGroups = 1
        configuration.maximumCallsPerCallGroup = 1
        configuration.supportedHandleTypes = [.phoneNumber, .generic]
        configuration.includesCallsInRecents = useSystemCallLog
        provider = CXProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: .main)
    }

    func startOutgoingCall(_ call: SMCall) {
        calls[call.localId] = call
        let handle: CXHandle
        if showNamesOnCallScreen {
            handle = CXHandle(type: .phoneNumber, value: call.remoteAddress)
        } else {
            handle = CXHandle(type: .generic, value: call.localId.uuidString)
        }
        let start = CXStartCallAction(call: call.localId, handle: handle)
        start.isVideo = call.hasVideo
        controller.request(CXTransaction(action: start)) { error in
            if error != nil { call.state = .ended }
        }
    }

    func reportIncomingCall(_ call: SMCall, completion: @escaping (Error?) -> Void) {
        let update = CXCallUpdate()
        update.localizedCallerName = showNamesOnCallScreen ? call.remoteAddress : "Messenger user"
        update.remoteHandle = CXHandle(type: .generic, value: call.localId.uuidString)
        update.hasVideo = call.hasVideo
        (update.supportsHolding, update.supportsGrouping) = (false, false)
        (update.supportsUngrouping, update.supportsDTMF) = (false, false)
        nonisolated(unsafe) let done = completion
        provider.reportNewIncomingCall(with: call.localId, update: update) { error in
            if error == nil { self.calls[call.localId] = call }
            done(error)
        }
    }

    func localHangupCall(_ call: SMCall) {
        controller.request(CXTransaction(action: CXEndCallAction(call: call.localId))) { _ in }
    }

    func providerDidReset(_ provider: CXProvider) {
        calls.values.forEach { $0.state = .ended }
        calls.removeAll()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        guard let call = calls[action.callUUID] else { return action.fail() }
        call.state = .dialing
        provider.reportOutgoingCall(with: call.localId, startedConnectingAt: nil)
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        calls.removeValue(forKey: action.callUUID)?.state = .ended
        action.fulfill()
    }

    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        try? audioSession.setMode(.voiceChat)
    }
}
