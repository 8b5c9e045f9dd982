import CallKit

/// A call of the app: what became of it, and what its screen is to show.
final class SpeakerboxCall {
    let uuid: UUID
    let isOutgoing: Bool
    let handle: String

    // Who wants to know of changes.
    var stateDidChange: (() -> Void)?
    var hasStartedConnectingDidChange: (() -> Void)?
    var hasConnectedDidChange: (() -> Void)?

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
    var endDate: Date? { didSet { stateDidChange?() } }
    var isOnHold = false { didSet { stateDidChange?() } }

    private let network: SimulatedNetwork

    init(
        uuid: UUID, isOutgoing: Bool = false, handle: String,
        network: SimulatedNetwork = .shared
    ) {
        self.uuid = uuid
        self.isOutgoing = isOutgoing
        self.handle = handle
        self.network = network
    }

    var hasConnected: Bool { connectDate != nil }
    var hasEnded: Bool { endDate != nil }

    /// Invites the other side; the closure hears whether the invitation could be sent.
    func startSpeakerboxCall(completion: @escaping (Bool) -> Void) {
        network.invite(
            handle, sent: completion, rings: { self.connectingDate = Date() },
            answers: { self.connectDate = Date() })
    }

    func answerSpeakerboxCall() {
        connectDate = Date()
    }

    func endSpeakerboxCall() {
        endDate = Date()
    }

    var description: String {
        let state = isOnHold ? "on hold" : hasConnected ? "connected" : "connecting"
        return "\(handle), \(isOutgoing ? "outgoing" : "incoming"), \(state)"
    }
}

/// In place of a network: who is called rings and answers at once, apart from numbers that begin with
/// 000, which cannot be reached.
final class SimulatedNetwork {
    static let shared = SimulatedNetwork()

    func invite(
        _ number: String, sent: @escaping (Bool) -> Void, rings: @escaping () -> Void,
        answers: @escaping () -> Void
    ) {
        let isReachable = !number.hasPrefix("000")
        let steps = [{ sent(isReachable) }] + (isReachable ? [rings, answers] : [])
        for step in steps { DispatchQueue.main.async(execute: step) }
    }
}
