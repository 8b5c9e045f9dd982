import CallKit

/// What the user of the app wants, asked of the system; and the calls there are.
final class SpeakerboxCallManager: NSObject {
    static let callsChangedNotification = Notification.Name("CallManagerCallsChangedNotification")

    let callController = CXCallController()
    private(set) var calls: [SpeakerboxCall] = []

    // MARK: Actions

    func startCall(handle: String, video: Bool = false) {
        let handle = CXHandle(type: .phoneNumber, value: handle)
        let startCallAction = CXStartCallAction(call: UUID(), handle: handle)
        startCallAction.isVideo = video
        let transaction = CXTransaction()
        transaction.addAction(startCallAction)
        requestTransaction(transaction)
    }

    func end(call: SpeakerboxCall) {
        let transaction = CXTransaction()
        transaction.addAction(CXEndCallAction(call: call.uuid))
        requestTransaction(transaction)
    }

    func setHeld(call: SpeakerboxCall, onHold: Bool) {
        let transaction = CXTransaction()
        transaction.addAction(CXSetHeldCallAction(call: call.uuid, onHold: onHold))
        requestTransaction(transaction)
    }

    private func requestTransaction(_ transaction: CXTransaction) {
        callController.request(transaction) { error in
            if let error = error as NSError? {
                say("refused: \(error.code) \(error.localizedDescription)")
            }
        }
    }

    // MARK: Calls

    func callWithUUID(uuid: UUID) -> SpeakerboxCall? {
        calls.first { $0.uuid == uuid }
    }

    func addCall(_ call: SpeakerboxCall) {
        calls.append(call)
        say("added: \(call.description)")
        call.stateDidChange = { [weak self, weak call] in
            if let call, !call.hasEnded { say("changed: \(call.description)") }
            self?.postCallsChangedNotification()
        }
        postCallsChangedNotification()
    }

    func removeCall(_ call: SpeakerboxCall) {
        calls.removeAll { $0 === call }
        say("removed: \(call.handle)")
        postCallsChangedNotification()
    }

    func removeAllCalls() {
        calls.removeAll()
        postCallsChangedNotification()
    }

    private func postCallsChangedNotification() {
        NotificationCenter.default.post(name: Self.callsChangedNotification, object: self)
    }
}
