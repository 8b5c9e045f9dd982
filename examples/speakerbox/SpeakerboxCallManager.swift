import CallKit

/// What the user of the app wants, asked of the system; and the calls there are.
final class CallManager {
    private let callController = CXCallController()
    private(set) var calls: [SpeakerboxCall] = []

    func start(handle: String, video: Bool = false) {
        let handle = CXHandle(type: .phoneNumber, value: handle)
        let startCallAction = CXStartCallAction(call: UUID(), handle: handle)
        startCallAction.isVideo = video
        request(CXTransaction(action: startCallAction))
    }

    func end(_ call: SpeakerboxCall) {
        let transaction = CXTransaction()
        transaction.addAction(CXEndCallAction(call: call.uuid))
        request(transaction)
    }

    func setOnHoldStatus(for call: SpeakerboxCall, to onHold: Bool) {
        request(CXTransaction(action: CXSetHeldCallAction(call: call.uuid, onHold: onHold)))
    }

    private func request(_ transaction: CXTransaction) {
        callController.request(transaction) { error in
            if let error = error as NSError? {
                say("refused: \(error.code) \(error.localizedDescription)")
            }
        }
    }

    // MARK: - The calls

    func call(with uuid: UUID) -> SpeakerboxCall? {
        calls.first { $0.uuid == uuid }
    }

    func add(_ call: SpeakerboxCall) {
        calls.append(call)
        say("added: \(call.description)")
    }

    func changed(_ call: SpeakerboxCall) {
        say("changed: \(call.description)")
    }

    func remove(_ call: SpeakerboxCall) {
        calls.removeAll { $0 === call }
        say("removed: \(call.handle)")
    }

    func removeAll() {
        calls.removeAll()
    }
}
