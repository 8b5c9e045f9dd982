internal import CallArbitration
internal import CallModel

/// How a provider behaves, for a while.
enum Temperament: CaseIterable, Sendable {
    /// Does everything within 50 ms.
    case prompt
    /// Needs nearly all the time that it has, and sometimes asks for more.
    case slow
    /// Fails often; sometimes it does not even know the kind of action.
    case failing
    /// Never answers.
    case silent
    /// Says what is not true: about unknown actions, actions of others, twice.
    case lying
    /// Does what it likes with its calls: groups and splits them, lets them speak.
    case selfWilled
    /// Loses its connection, or its process exits, with the work half done.
    case dying
}

/// An app with its own idea of its calls, which may differ from the arbiter's.
struct SimulatedProvider: Sendable {
    enum Link: Sendable {
        /// Never registered, or removed.
        case absent
        case connected
        case lost
    }

    /// A call as the app sees it.
    struct Leg: Sendable {
        let call: CallID
        let direction: Direction
        var state: CallState
    }

    let id: ProviderID
    var temperament: Temperament
    var configuration: ProviderConfiguration
    var link = Link.absent
    var legs: [Leg] = []

    func leg(of call: CallID) -> Leg? {
        legs.first { $0.call == call }
    }

    mutating func set(_ call: CallID, _ state: CallState) {
        if let index = legs.firstIndex(where: { $0.call == call }) { legs[index].state = state }
    }

    mutating func drop(_ call: CallID) {
        legs.removeAll { $0.call == call }
    }

    /// What doing an action means for its own calls.
    mutating func carryOut(_ dispatch: Dispatch) {
        switch dispatch.kind {
        case .start:
            guard leg(of: dispatch.call) == nil else { return }
            legs.append(Leg(call: dispatch.call, direction: .outgoing, state: .dialing))
        case .answer: set(dispatch.call, .active)
        case .end: drop(dispatch.call)
        case .setHeld(let isHeld): set(dispatch.call, isHeld ? .held : .active)
        case .transfer, .deflect: drop(dispatch.call)
        case .attendedTransfer(let other):
            drop(dispatch.call)
            drop(other)
        case .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText: break
        }
    }

    /// What saying something means for its own calls.
    mutating func believe(_ news: CallReport.News, of call: CallID) {
        switch news {
        case .alerting: set(call, .alerting)
        case .connecting: set(call, .connecting)
        case .connected: set(call, .active)
        case .held(let isHeld): set(call, isHeld ? .held : .active)
        case .ended: drop(call)
        case .muted, .group, .updated, .external: break
        }
    }
}
