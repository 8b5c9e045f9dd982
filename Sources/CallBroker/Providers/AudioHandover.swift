internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The handover of the audio to apps: `audio.activated` and `audio.deactivated`. Owns the
/// activations that wait for the clients that the policy names as observers of the handover.
///
/// Only the message to the app waits. The state of the call, and the arbiter's grant, do not.
final class AudioHandover: BrokerPart {
    /// An activation that waits for observers.
    private struct Pending {
        var waiting: [(peer: Peer, request: Int64)]
        let since: MonotonicTime
        let timer: BrokerTimers.Handle
    }

    /// True while an app that was sent `audio.activated` has the audio.
    private var isActive = false
    /// The provider whose grant may not have been sent: its connection was lost while observers were
    /// awaited.
    private var unsent: ProviderID?
    private var pending: Pending?
    /// Connected calls about which the observers were asked.
    private var asked: Set<CallID> = []

    /// The priorities of calls that nothing delays.
    private static let undelayed: Set<Priority> = [.emergency, .emergencyCallback]

    private var choices: HandoverChoices {
        broker.policy.choices.handover
    }

    // MARK: - The arbiter's grants

    /// Carries out a grant of the audio: at once, or when the observers are ready.
    func activate(_ grant: AudioGrant) {
        if needsObservers(grant) { askObservers(about: grant) } else { sendActivated(grant) }
    }

    /// Carries out the withdrawal of a grant. An app that was not sent the grant is not sent its
    /// withdrawal.
    func deactivate(_ grant: AudioGrant) {
        guard pending == nil else { return cancel() }
        sendDeactivated(grant)
    }

    /// Returns whether an app that registers may not know that it has the audio.
    func isOwed(to session: ProviderSession) -> Bool {
        session.isNewcomer || session.provider == unsent
    }

    /// Sends the grant again to an app that was away.
    func repeatActivated(_ grant: AudioGrant) {
        unsent = nil
        if pending == nil { broker.performer.sendAudio("audio.activated", grant) }
    }

    /// Handles a change of a call. The app of a dialed call has had the audio for the ringback
    /// tone: it waits for the observers when the far end answers.
    func noteChange(of call: CallID) {
        guard !choices.observers.isEmpty, pending == nil, isActive,
            let grant = broker.arbiter.audioGrant, grant.calls.contains(call),
            broker.summary(of: call)?.direction == .outgoing, needsObservers(grant)
        else { return }
        sendDeactivated(grant)
        askObservers(about: grant)
    }

    // MARK: - Observers

    /// Returns true for the first grant since a call has connected. A conference is not interrupted
    /// for a member that joins it, and nothing delays an emergency.
    private func needsObservers(_ grant: AudioGrant) -> Bool {
        guard !choices.observers.isEmpty, !broker.isReplaying, !broker.isStopping else {
            return false
        }
        let views = grant.calls.compactMap { broker.summary(of: $0) }
        let connected = views.filter { $0.state == .active }
        return !connected.isEmpty && asked.isDisjoint(with: connected.map(\.call))
            && !views.contains { Self.undelayed.contains($0.properties.priority) }
    }

    private func askObservers(about grant: AudioGrant) {
        asked = asked.filter { broker.summary(of: $0) != nil }
        asked.formUnion(grant.calls)
        let timer = broker.timers.start(afterMS: choices.waitMS, .handover)
        pending = Pending(waiting: [], since: broker.clock.now, timer: timer)
        for identity in choices.observers {
            let peers = broker.peers.all.filter { $0.stage == .ready && $0.identity == identity }
            if peers.isEmpty { explain(grant, "\(identity) is not connected") }
            for peer in peers { ask(peer, about: grant) }
        }
        grantIfReady()
    }

    private func ask(_ peer: Peer, about grant: AudioGrant) {
        broker.events.bringUpToDate(peer)
        let request = peer.outgoing.open(.handover)
        pending?.waiting.append((peer, request))
        broker.outbox.request(peer, request, "audio.handover") { writer in
            writer.member("provider", grant.provider)
            writer.member("group", grant.group)
            writer.member("calls", grant.calls)
            writer.member("deadline_ms", choices.waitMS)
        }
    }

    /// Applies the answer of an observer. An error is an answer as well: observers delay the audio,
    /// and do not deny it.
    func complete(_ request: Int64, _ outcome: Message.Outcome, by peer: Peer) {
        guard remove(where: { $0 === peer && $1 == request }) != nil else { return }
        let identity = peer.identity ?? ""
        if case .result = outcome {
            explain("ready after \(waitedMS) ms", by: identity)
        } else {
            explain("\(identity) returned an error")
        }
        grantIfReady()
    }

    /// Stops waiting for a client that has disconnected.
    func disconnect(_ peer: Peer) {
        guard remove(where: { other, _ in other === peer }) != nil else { return }
        explain("\(peer.identity ?? "") disconnected before it answered")
        grantIfReady()
    }

    /// Handles the time-out of the wait: the app gets the audio without the observers.
    func expire() {
        for (peer, _) in withdrawRequests() {
            explain("\(peer.identity ?? "") did not answer within \(choices.waitMS) ms")
        }
        grantIfReady()
    }

    private func grantIfReady() {
        guard let waiting = pending?.waiting, waiting.isEmpty else { return }
        cancel()
        if let grant = broker.arbiter.audioGrant { sendActivated(grant) }
    }

    private func cancel() {
        withdrawRequests()
        if let timer = pending?.timer { broker.timers.cancel(timer) }
        pending = nil
    }

    @discardableResult
    private func withdrawRequests() -> [(peer: Peer, request: Int64)] {
        let waiting = pending?.waiting ?? []
        pending?.waiting = []
        for (peer, request) in waiting { broker.outbox.withdraw(request, from: peer) }
        return waiting
    }

    private func remove(where isMatch: (Peer, Int64) -> Bool) -> (peer: Peer, request: Int64)? {
        let index = pending?.waiting.firstIndex { isMatch($0.peer, $0.request) }
        return index.flatMap { pending?.waiting.remove(at: $0) }
    }

    // MARK: - Messages to apps

    private func sendActivated(_ grant: AudioGrant) {
        isActive = true
        unsent = isLost(grant) ? grant.provider : nil
        broker.trace.record(.audio(isActive: true, calls: grant.calls), of: grant.group)
        broker.performer.sendAudio("audio.activated", grant)
    }

    /// Returns whether a grant may not reach its app. A broker that was killed while observers were
    /// awaited has recorded the grant, and not whether it was sent.
    private func isLost(_ grant: AudioGrant) -> Bool {
        broker.isReplaying
            ? !choices.observers.isEmpty : broker.sessions[grant.provider]?.peer == nil
    }

    private func sendDeactivated(_ grant: AudioGrant) {
        isActive = false
        unsent = nil
        broker.trace.record(.audio(isActive: false, calls: grant.calls), of: grant.group)
        broker.performer.sendAudio("audio.deactivated", grant)
    }

    // MARK: - Explanations

    private var waitedMS: Int64 {
        pending.map { broker.clock.now.milliseconds - $0.since.milliseconds } ?? 0
    }

    private func explain(_ text: String, by identity: String = "broker") {
        if let grant = broker.arbiter.audioGrant { explain(grant, text, by: identity) }
    }

    /// Explains to the user what the audio of a group waited for.
    private func explain(_ grant: AudioGrant, _ text: String, by identity: String = "broker") {
        let decision = Decision(nil, .audioGranted, call: grant.group, cause: Cause(.policy))
        broker.trace.record(decision, explanation: Explanation(by: identity, text: text))
    }
}
