internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallProtocol
internal import Logging

/// Connections come, wait and go.
extension Broker {
    /// How long a peer gets to read its goodbye.
    private static let lingerMS = 2_000

    func peer(of connection: Connection) -> Peer? {
        connection.slot < peers.count ? peers[connection.slot] : nil
    }

    func open(_ connection: Connection) {
        lastPeerNumber += 1
        let peer = Peer(number: lastPeerNumber, connection: connection, limits: limits)
        while peers.count <= connection.slot { peers.append(nil) }
        peers[connection.slot] = peer
        stats.connectionsAccepted += 1
        guard users.enter(connection.credentials.uid, at: now) else {
            stats.connectionsRefused += 1
            return dismiss(
                peer, reason: "too_many_connections", "the broker has too many connections",
                reconnectAfterMS: 1_000)
        }
        peer.helloTimer = startTimer(afterMS: limits.helloMS, .hello(peer))
    }

    func close(_ connection: Connection) {
        guard let peer = peer(of: connection) else { return }
        peers[connection.slot] = nil
        if let advance, advance.target.peer === peer { self.advance = nil }
        peer.stage = .closing
        for timer in [peer.helloTimer, peer.closingTimer, peer.stallTimer, peer.heartbeatTimer] {
            if let timer { timers.cancel(timer) }
        }
        for subscription in peer.subscriptions { end(subscription) }
        behindReaders[peer.number] = nil
        pinged[peer.number] = nil
        settleRequests.removeAll { $0.target.peer === peer }
        if peer.requests.count > 0, !isStopping { cancelRequests(of: peer) }
        lose(peer)
        if !peer.roles.isDisjoint(with: [.screener, .directory]) { dropAdviser(peer) }
        interruptLoads(of: peer)
        book(heldBytes: 0, for: peer)
        users.leave(connection.credentials.uid)
        logger.debug("connection closed", metadata: ["peer": "\(peer.number)"])
    }

    /// Nobody waits for them any more: what was asked for and not done yet is taken back. Who chose an
    /// id for it may still come and ask again.
    private func cancelRequests(of peer: Peer) {
        let open = peer.requests.ids.compactMap { tokens[RequestKey(peer, $0)] }
            .filter { token in
                guard case .transaction(let options) = waiting[token]?.form else { return false }
                return options.kept == nil
            }
        for token in open.sorted() { decide(.cancelRequested(RequestToken(token))) }
    }

    func startTimer(
        afterMS milliseconds: Int, _ purpose: TimerPurpose
    ) -> TimerQueue<TimerPurpose>.Handle {
        timers.start(at: now.advanced(milliseconds: milliseconds), purpose)
    }

    func fire(_ purpose: TimerPurpose) {
        switch purpose {
        case .hello(let peer):
            peer.helloTimer = nil
            dismiss(peer, reason: "hello_timeout", "no hello and no ping came in time")
        case .closing(let peer): peer.connection.abort()
        case .stall(let peer): judgeStall(of: peer)
        case .heartbeat(let peer): fireHeartbeat(of: peer)
        case .bookmark: tellBookmarks()
        // Somebody who was asked may have longer than that.
        case .arbiter(.screening(let call)): if screenings[call] == nil { expire(unseen: call) }
        case .arbiter(let timer):
            decide(.timerFired(timer))
            if case .startSilence(let call) = timer { noteSilentStart(of: call) }
        case .screening(let call): expire(screening: call)
        case .presenting(let call, let screen): expire(presenting: call, screen: screen)
        case .journal: beginJournalAnew()
        case .history: saveHistoryAgain()
        case .store: tryStoreAgain()
        case .plugin(let plugin, let timer): fire(timer, of: plugin)
        case .droppedLines(let plugin): tellDroppedLines(of: plugin)
        case .rescan: rescan()
        case .endPlugins: endPlugins()
        }
    }

    // MARK: - The end of a connection

    /// Says goodbye and closes. The frame goes out if the peer reads at all; we do not wait long.
    func dismiss(
        _ peer: Peer, reason: String, _ message: StaticString, isResumable: Bool = false,
        reconnectAfterMS: Int? = nil
    ) {
        guard peer.stage != .closing else { return }
        notify(peer, "broker.goodbye") { writer in
            writer.member("reason", reason)
            writer.member("message", message)
            writer.member("resumable", isResumable)
            if let reconnectAfterMS { writer.member("reconnect_after_ms", reconnectAfterMS) }
        }
        logger.info("goodbye", metadata: ["peer": "\(peer.number)", "reason": "\(reason)"])
        close(peer, withinMS: Self.lingerMS)
    }

    /// Reads no more, sends what is queued, closes.
    func close(_ peer: Peer, withinMS milliseconds: Int) {
        peer.stage = .closing
        lose(peer)
        peer.connection.closeAfterSending()
        guard peer.connection.state == .draining, peer.closingTimer == nil else { return }
        peer.closingTimer = startTimer(afterMS: milliseconds, .closing(peer))
    }

    /// The peer will send no more: answer what is open, then close. What is left without a newline
    /// counts as a frame.
    func endInput(of connection: Connection) {
        guard let peer = peer(of: connection), !peer.stage.isOver else { return }
        feed(peer) { take in peer.framer.finish(take) }
        // A provider that says no more cannot perform anything either.
        if !peer.hasBacklog { lose(peer) }
    }

    /// Closes a connection whose input has ended once everything it asked is answered.
    func closeIfDone(_ peer: Peer) {
        guard peer.connection.hasInputEnded, peer.stage != .closing, !peer.hasBacklog else {
            return
        }
        if peer.requests.count == 0 {
            close(peer, withinMS: limits.halfCloseMS)
        } else if peer.closingTimer == nil {
            peer.closingTimer = startTimer(afterMS: limits.halfCloseMS, .closing(peer))
        }
    }

    private func openPeers(of uid: UInt32) -> some Sequence<Peer> {
        peers.lazy.compactMap { $0 }
            .filter { $0.connection.credentials.uid == uid && $0.stage != .closing }
    }

    /// No descriptor is free: the newest connection of the user who has the most goes, unless others are
    /// on their way already.
    func makeRoom() {
        guard let uid = users.largestUser, !peers.contains(where: { $0?.stage == .closing }) else {
            return
        }
        let newest = openPeers(of: uid).max { $0.number < $1.number }
        logger.warning("no descriptor is free; closing the newest connection")
        if let newest {
            stats.connectionsRefused += 1
            dismiss(
                newest, reason: "too_many_connections", "the broker is out of descriptors",
                reconnectAfterMS: 1_000)
        }
    }

    // MARK: - Peers that do not read

    /// The peer left bytes in its queue at the end of a turn.
    func noteBlocked(_ connection: Connection) {
        guard let peer = peer(of: connection), peer.stage != .closing else { return }
        noteProgress(of: peer)
        if peer.heldBytes == 0 { peer.progressAt = now }
        let fits = book(heldBytes: connection.queuedBytes, for: peer)
        if !fits { dismissLargest(of: connection.credentials.uid) }
        guard isBeyondHardBound(connection), peer.stallTimer == nil else { return }
        watchForStall(peer)
    }

    func noteProgress(of peer: Peer) {
        guard peer.sentBytes != peer.connection.sentBytes else { return }
        peer.sentBytes = peer.connection.sentBytes
        peer.progressAt = now
    }

    private func watchForStall(_ peer: Peer) {
        let due = peer.progressAt.advanced(milliseconds: limits.stallMS)
        peer.stallTimer = timers.start(at: due, .stall(peer))
    }

    func noteDrained(_ connection: Connection) {
        guard let peer = peer(of: connection), peer.stage != .closing else { return }
        noteProgress(of: peer)
        book(heldBytes: connection.queuedBytes, for: peer)
        // What it missed would be written for nobody.
        if connection.isDeaf { for subscription in peer.subscriptions { end(subscription) } }
        noteLagging(peer)
        guard connection.queuedBytes <= limits.queueSoftBytes / 2,
            connection.queuedFrames <= limits.queueHardFrames / 2
        else { return }
        releaseFrames(of: peer)
    }

    @discardableResult
    private func book(heldBytes: Int, for peer: Peer) -> Bool {
        let change = heldBytes - peer.heldBytes
        peer.heldBytes = heldBytes
        stats.bytesQueued += change
        return users.hold(change, for: peer.connection.credentials.uid)
    }

    private func isBeyondHardBound(_ connection: Connection) -> Bool {
        connection.queuedBytes > limits.queueHardBytes
            || connection.queuedFrames > limits.queueHardFrames
    }

    /// A peer beyond the hard bound that took nothing for so long is dismissed; one that took
    /// something is watched on, from then.
    private func judgeStall(of peer: Peer) {
        peer.stallTimer = nil
        noteProgress(of: peer)
        guard isBeyondHardBound(peer.connection) else { return }
        guard now >= peer.progressAt.advanced(milliseconds: limits.stallMS) else {
            return watchForStall(peer)
        }
        dismiss(peer, reason: "stalled", "the client does not read what it asked for")
    }

    /// The peers of a user that hold most go, until there is some room again: one look at all of them
    /// must last for a while.
    private func dismissLargest(of uid: UInt32) {
        let bySize = openPeers(of: uid).filter { $0.heldBytes > 0 }
            .sorted { ($0.heldBytes, $0.number) > ($1.heldBytes, $1.number) }
        for peer in bySize {
            // What it holds goes with it, in a moment; it must not count against the others.
            book(heldBytes: 0, for: peer)
            dismiss(peer, reason: "stalled", "clients of this user leave too much unread")
            if users.hasRoom(uid) { return }
        }
    }
}
