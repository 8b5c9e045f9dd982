internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import Logging

/// Apps that hang (rule 27): a provider with calls that is silent is asked for a sign of life, and its
/// connection is closed if it gives none. One timer runs for each of them, and none for a provider
/// without calls.
struct Heartbeats {
    let broker: Broker

    /// Calls of a provider have come or gone, or it is there again.
    func update(_ provider: ProviderID) {
        guard let peer = broker.sessions[provider]?.peer else { return }
        guard mustWatch(peer, provider) else { return stop(peer) }
        guard peer.heartbeatTimer == nil else { return }
        fire(peer)
    }

    /// The policy has another time for it.
    func restart() {
        for session in broker.sessions.all {
            if let peer = session.peer { stop(peer) }
            update(session.provider)
        }
    }

    func stop(_ peer: Peer) {
        guard let timer = peer.heartbeatTimer else { return }
        peer.heartbeatTimer = nil
        broker.timers.cancel(timer)
    }

    /// It has not reacted to something in time, and shows at once whether it still does.
    func askForSign(of provider: ProviderID) {
        guard let peer = broker.sessions[provider]?.peer else { return }
        if let plugin = peer.plugin, plugin.process != nil {
            return broker.plugins.apply(.doubted, to: plugin)
        }
        guard isWatchable(peer), peer.heartbeat.ask(at: broker.clock.now) else { return }
        stop(peer)
        ping(peer)
        wait(
            for: peer,
            until: broker.clock.now.advanced(milliseconds: broker.policy.choices.heartbeatMS))
    }

    // MARK: - Who is watched

    /// One that was asked is waited for even if its calls are over meanwhile.
    private func mustWatch(_ peer: Peer, _ provider: ProviderID) -> Bool {
        isWatchable(peer) && (peer.heartbeat.isAsking || broker.arbiter.hasCalls(provider))
    }

    /// The processes that we have started are watched as such (`Supervision`), and ended if need be.
    private func isWatchable(_ peer: Peer) -> Bool {
        broker.policy.choices.heartbeatMS > 0 && peer.stage == .ready && peer.plugin?.process == nil
            && peer.plugin?.manifest?.isPinged ?? true
    }

    // MARK: - The timer

    func fire(_ peer: Peer) {
        peer.heartbeatTimer = nil
        guard let provider = peer.session?.provider, mustWatch(peer, provider) else { return }
        noteReading(of: peer)
        switch peer.heartbeat.step(
            at: broker.clock.now, everyMS: broker.policy.choices.heartbeatMS, isHeard: isHeard(peer)
        )
        {
        case .wait(let instant): wait(for: peer, until: instant)
        case .ping:
            ping(peer)
            wait(
                for: peer,
                until: broker.clock.now.advanced(milliseconds: broker.policy.choices.heartbeatMS))
        case .giveUp: giveUp(peer, provider)
        }
    }

    private func wait(for peer: Peer, until instant: MonotonicTime) {
        peer.heartbeatTimer = broker.timers.start(at: instant, .heartbeat(peer))
    }

    /// Whoever has much to read reacts by reading.
    private func noteReading(of peer: Peer) {
        guard peer.isWaitingForDrain else { return }
        let former = peer.progressAt
        broker.peers.noteProgress(of: peer)
        if peer.progressAt != former { peer.heartbeat.hear(at: broker.clock.now) }
    }

    /// Whether all that it has sent was handled: what waits for its turn may hold a sign of life. One that
    /// does not read what it asked for makes its own frames wait.
    private func isHeard(_ peer: Peer) -> Bool {
        (!peer.hasBacklog || peer.isWaitingForDrain) && !broker.turn.mustWait(peer.connection)
    }

    /// A sign of life is a frame of any kind: there is no need for it to know the method. Only the latest
    /// ping is waited for, so one that never answers them collects none.
    func ping(_ peer: Peer) {
        if let former = peer.lastPing { _ = peer.outgoing.settle(former) }
        let id = peer.outgoing.open(.ping)
        peer.lastPing = id
        if broker.configuration.isTestMode { broker.testClock.notePing(of: peer) }
        broker.outbox.request(peer, id, "broker.ping") { _ in }
    }

    /// Something came from it.
    func noteSign(of peer: Peer) {
        peer.heartbeat.hear(at: broker.clock.now)
        broker.testClock.noteSign(of: peer)
    }

    private func giveUp(_ peer: Peer, _ provider: ProviderID) {
        broker.logger.warning(
            "a provider does not answer pings; its connection is closed",
            metadata: ["peer": "\(peer.number)", "provider": "\(LogText(provider.name))"])
        tellHung(provider)
        broker.peers.dismiss(
            peer, reason: "unresponsive", "two pings in a row were not answered",
            isResumable: true)
    }

    /// Kept beside the arbiter's events, which are numbered with it.
    func tellHung(_ provider: ProviderID) {
        broker.journal.append(.hungTold(provider))
        carryOut(hung: provider)
    }

    func carryOut(hung provider: ProviderID) {
        broker.announcer.tell(.providerHung, nil, provider)
    }
}
