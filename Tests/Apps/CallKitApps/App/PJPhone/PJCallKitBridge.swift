import AVFoundation
import CallKit
import Foundation

final class PJCallKitBridge: NSObject, CXProviderDelegate, @unchecked Sendable {
    private let provider: CXProvider
    private let controller = CXCallController(queue: DispatchQueue(label: "pj.requests"))
    private let lock = NSLock()
    private var ids: [UUID: pjsua_call_id] = [:]
    private var soundDeviceIsOpen = false

    init(ringtone: String?) {
        let configuration = CXProviderConfiguration(localizedName: "PJ")
        configuration.ringtoneSound = ringtone
        configuration.maximumCallsPerCallGroup = 5
        configuration.supportedHandleTypes = [.phoneNumber, .emailAddress, .generic]
        provider = CXProvider(configuration: configuration)
        super.init()
        provider.setDelegate(self, queue: DispatchQueue(label: "pj.calls"))
    }

    func onIncomingCall(_ id: pjsua_call_id, from remote: String) {
        let uuid = UUID()
        lock.withLock { ids[uuid] = id }
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .generic, value: remote)
        provider.reportNewIncomingCall(with: uuid, update: update) { [weak self] error in
            guard error != nil else { return }
            self?.lock.withLock { _ = self?.ids.removeValue(forKey: uuid) }
        }
    }

    func onCallState(_ id: pjsua_call_id, isOver: Bool) {
        guard let uuid = lock.withLock({ ids.first { $0.value == id }?.key }), isOver else {
            return
        }
        provider.reportCall(with: uuid, endedAt: nil, reason: .remoteEnded)
    }

    func providerDidReset(_ provider: CXProvider) {
        for id in lock.withLock({ ids.values }) { _ = PJEndpoint.shared.hangup(id) }
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        nonisolated(unsafe) let action = action
        PJEndpoint.shared.make(action.handle.value) { status, id in
            guard status == PJ_SUCCESS else { return action.fail() }
            self.lock.withLock { self.ids[action.callUUID] = id }
            action.fulfill(withDateStarted: Date())
        }
    }

    func provider(_ provider: CXProvider, perform action: CXEndCallAction) {
        let id = lock.withLock { ids.removeValue(forKey: action.callUUID) }
        if let id, PJEndpoint.shared.hangup(id) == PJ_SUCCESS {
            action.fulfill()
        } else {
            action.fail()
        }
    }

    func provider(_ provider: CXProvider, perform action: CXPlayDTMFCallAction) {
        if let id = lock.withLock({ ids[action.callUUID] }) {
            PJEndpoint.shared.dial(action.digits, id)
        }
        action.fulfill()
    }

    // The sound device must be opened only now.
    func provider(_ provider: CXProvider, didActivate audioSession: AVAudioSession) {
        soundDeviceIsOpen = true
    }

    func provider(_ provider: CXProvider, didDeactivate audioSession: AVAudioSession) {
        soundDeviceIsOpen = false
    }
}
