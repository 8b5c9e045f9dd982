import CallKit
import UIKit

final class SpkCallManager: NSObject, @unchecked Sendable {
    static let callsChangedNotification = Notification.Name("CallManagerCallsChangedNotification")

    let callController = CXCallController()
    private(set) var calls = [SpkCall]()

    // MARK: - Actions

    func startCall(handle: String, video: Bool = false) {
        let handle = CXHandle(type: .phoneNumber, value: handle)
        let startCallAction = CXStartCallAction(call: UUID(), handle: handle)
        startCallAction.isVideo = video
        let transaction = CXTransaction()
        transaction.addAction(startCallAction)
        requestTransaction(transaction)
    }

    func end(call: SpkCall) {
        let endCallAction = CXEndCallAction(call: call.uuid)
        let transaction = CXTransaction()
        transaction.addAction(endCallAction)
        requestTransaction(transaction)
    }

    func setOnHoldStatus(for call: SpkCall, to onHold: Bool) {
        let setHeldCallAction = CXSetHeldCallAction(call: call.uuid, onHold: onHold)
        requestTransaction(CXTransaction(action: setHeldCallAction))
    }

    private func requestTransaction(_ transaction: CXTransaction) {
        callController.request(transaction) { error in
            if let error = error {
                print("Error requesting transaction:", error.localizedDescription)
            } else {
                print("Requested transaction successfully")
            }
        }
    }

    // MARK: - Call Management

    func addCall(_ call: SpkCall) {
        calls.append(call)
        call.stateDidChange = { [weak self] in self?.postCallsChangedNotification() }
        postCallsChangedNotification()
    }

    func removeCall(_ call: SpkCall) {
        guard let index = calls.firstIndex(where: { $0 === call }) else { return }
        calls.remove(at: index)
        postCallsChangedNotification()
    }

    private func postCallsChangedNotification() {
        NotificationCenter.default.post(name: type(of: self).callsChangedNotification, object: self)
    }
}
