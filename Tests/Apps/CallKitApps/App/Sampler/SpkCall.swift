import Foundation

final class SpkCall: @unchecked Sendable {
    let uuid: UUID
    let isOutgoing: Bool
    var handle: String?

    var connectingDate: Date? {
        didSet {
            stateDidChange?()
            hasStartedConnectingDidChange?()
        }
    }
    var connectDate: Date? {
        didSet {
            stateDidChange?()
            hasConnectedDidChange?()
        }
    }
    var endDate: Date? {
        didSet {
            stateDidChange?()
            hasEndedDidChange?()
        }
    }
    var isOnHold = false { didSet { stateDidChange?() } }

    var stateDidChange: (() -> Void)?
    var hasStartedConnectingDidChange: (() -> Void)?
    var hasConnectedDidChange: (() -> Void)?
    var hasEndedDidChange: (() -> Void)?

    var duration: TimeInterval {
        guard let connectDate = connectDate else { return 0 }
        return Date().timeIntervalSince(connectDate)
    }

    init(uuid: UUID, isOutgoing: Bool = false) {
        self.uuid = uuid
        self.isOutgoing = isOutgoing
    }

    func startSpeakerboxCall(completion: ((_ success: Bool) -> Void)?) {
        completion?(true)
        DispatchQueue.main.asyncAfter(wallDeadline: DispatchWallTime.now() + 3) {
            self.connectingDate = Date()
        }
    }
}
