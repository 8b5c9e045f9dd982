import AVFoundation
import CallKit
import Foundation

/// Calls into the rooms of a video service.
final class PVVideoRoomCalls: NSObject, CXProviderDelegate, @unchecked Sendable {
    let provider = CXProvider(configuration: CXProviderConfiguration(localizedName: "Rooms"))
    let controller = CXCallController()
    var room: String?
    private var completion: ((Bool) -> Void)?

    override init() {
        super.init()
        provider.setDelegate(self, queue: nil)
    }

    func simulateIncomingCall(room: String, after delay: TimeInterval) {
        DispatchQueue.main.asyncAfter(deadline: DispatchTime.now() + delay) {
            self.reportIncomingCall(uuid: UUID(), roomName: room) { _ in }
        }
    }

    func reportIncomingCall(
        uuid: UUID, roomName: String?, completion: (@Sendable (NSError?) -> Void)? = nil
    ) {
        let callHandle = CXHandle(type: .generic, value: roomName ?? "")
        let callUpdate = CXCallUpdate()
        callUpdate.remoteHandle = callHandle
        callUpdate.supportsDTMF = false
        callUpdate.supportsHolding = true
        callUpdate.supportsGrouping = false
        callUpdate.supportsUngrouping = false
        callUpdate.hasVideo = true
        provider.reportNewIncomingCall(with: uuid, update: callUpdate) { error in
            completion?(error as NSError?)
        }
    }

    func providerDidReset(_ provider: CXProvider) { room = nil }

    func provider(_ provider: CXProvider, perform action: CXAnswerCallAction) {
        completion = { success in
            if success { action.fulfill(withDateConnected: Date()) } else { action.fail() }
        }
        completion?(true)
    }

    func provider(_ provider: CXProvider, perform action: CXSetHeldCallAction) {
        let cxObserver = controller.callObserver
        guard cxObserver.calls.first(where: { $0.uuid == action.callUUID }) != nil else {
            return action.fail()
        }
        action.fulfill()
    }
}
