import AVFoundation
import CallKit

final class TutProviderDelegate: NSObject, @unchecked Sendable {
    private let callManager: TutCallManager
    private let provider: CXProvider

    init(callManager: TutCallManager) {
        self.callManager = callManager
        provider = CXProvider(configuration: TutProviderDelegate.providerConfiguration)
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    static var providerConfiguration: CXProviderConfiguration {
        let providerConfiguration = CXProviderConfiguration(localizedName: "Hotline")
        providerConfiguration.supportsVideo = true
        providerConfiguration.maximumCallsPerCallGroup = 1
        providerConfiguration.supportedHandleTypes = [.phoneNumber]
        return providerConfiguration
    }

    func reportIncomingCall(
        uuid: UUID,
        handle: String,
        hasVideo: Bool = false,
        completion: (@Sendable (Error?) -> Void)?
    ) {
        let update = CXCallUpdate()
        update.remoteHandle = CXHandle(type: .phoneNumber, value: handle)
        update.hasVideo = hasVideo
        provider.reportNewIncomingCall(with: uuid, update: update) { error in
            if error == nil {
                let call = TutCall(uuid: uuid, handle: handle)
                self.callManager.add(call: call)
            }
            completion?(error)
        }
    }
}

// MARK: - CXProviderDelegate
extension TutProviderDelegate: CXProviderDelegate {
    func providerDidReset(_ provider: CXProvider) {
        for call in callManager.calls { call.state = .ended }
    }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        guard let call = callManager.callWithUUID(uuid: action.callUUID) else {
            action.fail()
            return
        }
        call.state = .active
        action.fulfill()
    }

    func provider(_ provider: CXProvider, perform action: CXStartCallAction) {
        let call = TutCall(uuid: action.callUUID, outgoing: true, handle: action.handle.value)
        call.start { [weak self, weak call] success in
            guard let self = self, let call = call else { return }
            if success {
                action.fulfill()
                self.callManager.add(call: call)
            } else {
                action.fail()
            }
        }
    }
}
