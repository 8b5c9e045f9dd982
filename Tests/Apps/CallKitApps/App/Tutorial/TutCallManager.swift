import CallKit
import Foundation

enum TutCallState {
    case connecting
    case active
    case held
    case ended
}

final class TutCall: @unchecked Sendable {
    let uuid: UUID
    let outgoing: Bool
    let handle: String
    var stateChanged: (() -> Void)?
    var state: TutCallState = .ended {
        didSet { stateChanged?() }
    }

    init(uuid: UUID, outgoing: Bool = false, handle: String) {
        self.uuid = uuid
        self.outgoing = outgoing
        self.handle = handle
    }

    func start(completion: ((_ success: Bool) -> Void)?) {
        completion?(true)
        DispatchQueue.main.asyncAfter(wallDeadline: DispatchWallTime.now() + 3) {
            self.state = .connecting
            DispatchQueue.main.asyncAfter(wallDeadline: DispatchWallTime.now() + 1.5) {
                self.state = .active
            }
        }
    }
}

final class TutCallManager: @unchecked Sendable {
    var callsChangedHandler: (() -> Void)?
    private let callController = CXCallController()
    private(set) var calls: [TutCall] = []

    func callWithUUID(uuid: UUID) -> TutCall? {
        guard let index = calls.firstIndex(where: { $0.uuid == uuid }) else { return nil }
        return calls[index]
    }

    func add(call: TutCall) {
        calls.append(call)
        call.stateChanged = { [weak self] in
            guard let self = self else { return }
            self.callsChangedHandler?()
        }
        callsChangedHandler?()
    }

    func end(call: TutCall) {
        let endCallAction = CXEndCallAction(call: call.uuid)
        let transaction = CXTransaction(action: endCallAction)
        requestTransaction(transaction)
    }

    private func requestTransaction(_ transaction: CXTransaction) {
        callController.request(transaction) { error in
            if let error = error {
                print("Error requesting transaction: \(error)")
            } else {
                print("Requested transaction successfully")
            }
        }
    }
}
