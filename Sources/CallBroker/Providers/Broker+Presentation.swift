internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// One ringer: what apps that can be told how their calls are to sound were told last.
struct Presentations {
    /// Of calls that ring or wait.
    var told: [CallID: Presentation] = [:]
    /// Whether somebody talked then.
    var isInCall = false
}

/// Who rings for a call: its app, or the screen that presents it. Like the screens it is not decided by
/// the arbiter, and not kept in the journal: an app that comes back is told anew.
extension Broker {
    /// What a call's app is told in the reply to its report.
    func presentation(of call: CallID, at peer: Peer, _ decided: Presentation) -> Presentation {
        guard peer.features.contains(.presentation) else { return decided }
        let presentation = screens.ring(for: call) ? .silent : decided
        presentations.told[call] = presentation
        return presentation
    }

    /// Tells an app how its call is to sound, if that is not what it was told last.
    func settlePresentation(of call: CallID) {
        guard let last = presentations.told[call] else { return }
        guard let decided = arbiter.presentation(of: call) else {
            return presentations.told[call] = nil
        }
        let presentation = screens.ring(for: call) ? .silent : decided
        if presentation != last { tell(presentation, of: call) }
    }

    func settlePresentations() {
        for call in presentations.told.keys.sorted() { settlePresentation(of: call) }
    }

    /// Somebody begins to talk, or nobody does any more: that matters to all calls that come in.
    func settlePresentations(inCall: Bool) {
        guard presentations.isInCall != inCall else { return }
        presentations.isInCall = inCall
        settlePresentations()
    }

    /// Tells an app that is back what has become of those of its calls that ring or wait.
    func tellPresentations(of calls: [CallID], at peer: Peer) {
        guard peer.features.contains(.presentation) else { return }
        for call in calls {
            guard let decided = arbiter.presentation(of: call) else { continue }
            tell(screens.ring(for: call) ? .silent : decided, of: call)
        }
    }

    private func tell(_ presentation: Presentation, of call: CallID) {
        presentations.told[call] = presentation
        guard let provider = arbiter.outline(of: call)?.provider,
            let peer = sessions[provider]?.peer, peer.features.contains(.presentation)
        else { return }
        notify(peer, "call.presentation") { writer in
            writer.member("call", call)
            writer.member("presentation", presentation.rawValue)
        }
    }
}
