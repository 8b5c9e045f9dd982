import CallKit
import Foundation

@available(iOS 10.0, *)
final class FLCallManager: NSObject, @unchecked Sendable {
    private let callController = CXCallController()
    private(set) var calls = [FLCallData]()
    private var answeredCallIds: Set<String> = []

    func startCall(_ data: FLCallData) {
        let handle = CXHandle(type: getHandleType("phoneNumber"), value: data.getEncryptHandle())
        let startCallAction = CXStartCallAction(call: data.uuid, handle: handle)
        startCallAction.isVideo = data.type > 0
        let callTransaction = CXTransaction()
        callTransaction.addAction(startCallAction)
        requestCall(callTransaction, action: "startCall") { _ in
            let update = CXCallUpdate()
            update.localizedCallerName = data.nameCaller
        }
    }

    func muteCall(call: FLCallData, isMuted: Bool) {
        let muteAction = CXSetMutedCallAction(call: call.uuid, muted: isMuted)
        requestCall(CXTransaction(action: muteAction), action: "muteCall")
    }

    func endCallAlls() {
        for call in callController.callObserver.calls where !call.hasEnded {
            requestCall(
                CXTransaction(action: CXEndCallAction(call: call.uuid)), action: "endCallAlls")
        }
    }

    private func requestCall(
        _ transaction: CXTransaction, action: String,
        completion: (@Sendable (Bool) -> Void)? = nil
    ) {
        callController.request(transaction) { error in
            completion?(error == nil)
        }
    }

    private func getHandleType(_ handleType: String?) -> CXHandle.HandleType {
        switch handleType {
        case "number", "phoneNumber": return .phoneNumber
        case "email": return .emailAddress
        default: return .generic
        }
    }
}
