internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol
internal import Logging

/// The detection of apps that hang (rule 27): a silent provider with calls is sent pings, and its
/// connection is closed if it does not react. One timer runs for each of them, and none for a
/// provider without calls.
struct Heartbeats {
    let broker: Broker

    /// Starts or stops watching a provider whose calls have changed, or that has reconnected.
    func update(_ provider: ProviderID) {
        guard let peer = broker.sessions[provider]?.peer else { return }
        guard mustWatch(peer, provider) else { return stop(peer) }
        guard peer.timers.heartbeat == nil else { return }
        fire(peer)
    }

    /// Restarts all timers after a change of the interval.
    func restart() {
        for session in broker.sessions.all {
            if let peer = session.peer { stop(peer) }
            update(session.provider)
        }
    }

    func stop(_ peer: Peer) {
        guard let timer = peer.timers.heartbeat else { return }
        peer.timers.heartbeat = nil
        broker.timers.cancel(timer)
    }

    /// Sends a ping at once to a provider that has missed a deadline.
    func askForSign(of provider: ProviderID) {
        guard let peer = broker.sessions[provider]?.peer else { return }
        if let plugin = peer.plugin, plugin.process != nil {
            return broker.plugins.apply(.doubted, to: plugin)
        }
        guard isWatchable(peer), peer.heartbeat.requestPing(at: broker.clock.now) else { return }
        stop(peer)
        ping(peer)
        wait(
            for: peer,
            until: broker.clock.now.advanced(milliseconds: broker.policy.choices.heartbeatMS))
    }

    // MARK: - Watched peers

    /// Returns true if a peer has to be watched; after a ping also if its calls have ended
    /// meanwhile.
    private func mustWatch(_ peer: Peer, _ provider: ProviderID) -> Bool {
        isWatchable(peer) && (peer.heartbeat.isAsking || broker.arbiter.hasCalls(provider))
    }

    /// Returns true if a peer may be watched. Processes of plugins are watched by their
    /// `Supervision`.
    private func isWatchable(_ peer: Peer) -> Bool {
        broker.policy.choices.heartbeatMS > 0 && peer.stage == .ready && peer.plugin?.process == nil
            && peer.plugin?.manifest?.isPinged ?? true
    }

    // MARK: - The timer

    func fire(_ peer: Peer) {
        peer.timers.heartbeat = nil
        guard let provider = peer.session?.provider, mustWatch(peer, provider) else { return }
        recordReading(of: peer)
        switch peer.heartbeat.step(
            at: broker.clock.now, everyMS: broker.policy.choices.heartbeatMS,
            isFullyRead: isFullyRead(peer))
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
        peer.timers.heartbeat = broker.timers.start(at: instant, .heartbeat(peer))
    }

    /// Counts progress in reading as activity of a peer that has much to read.
    private func recordReading(of peer: Peer) {
        guard peer.backlog == .waitingForDrain, broker.peers.recordProgress(of: peer) else {
            return
        }
        peer.heartbeat.recordActivity(at: broker.clock.now)
    }

    /// Returns true if everything that a peer has sent was handled: waiting frames may be an
    /// answer. A peer that does not read its replies makes its own frames wait.
    private func isFullyRead(_ peer: Peer) -> Bool {
        peer.backlog != .waiting && !broker.turn.mustWait(peer.connection)
    }

    /// Sends a ping. Any frame counts as an answer, so a client need not support the method. Only
    /// the latest ping is awaited, so that unanswered ones do not accumulate.
    func ping(_ peer: Peer) {
        let id = peer.outgoing.open(.ping)
        if let former = peer.heartbeat.replacePing(by: id) { _ = peer.outgoing.settle(former) }
        if broker.configuration.isTestMode { broker.testClock.recordPing(of: peer) }
        broker.outbox.request(peer, id, "broker.ping") { _ in }
    }

    /// Records that a peer has sent something.
    func recordActivity(of peer: Peer) {
        peer.heartbeat.recordActivity(at: broker.clock.now)
        broker.testClock.recordActivity(of: peer)
    }

    private func giveUp(_ peer: Peer, _ provider: ProviderID) {
        broker.logger.warning(
            "a provider does not answer pings; closing its connection",
            metadata: ["peer": "\(peer.number)", "provider": "\(LogText(provider.name))"])
        publishHung(provider)
        broker.peers.dismiss(
            peer, reason: .unresponsive, "two pings in a row were not answered",
            isResumable: true)
    }

    /// Publishes that a provider hangs. Journaled, because the arbiter's events are numbered with
    /// it.
    func publishHung(_ provider: ProviderID) {
        broker.journal.append(.hungPublished(provider))
        announceHung(provider)
    }

    func announceHung(_ provider: ProviderID) {
        broker.announcer.publish(.providerHung, nil, provider)
    }
}
