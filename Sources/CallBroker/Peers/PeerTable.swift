internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallProtocol
internal import Logging

/// The table of connections: opens and closes them, applies the limits per user, and dismisses
/// peers that do not read.
final class PeerTable: BrokerPart {
    /// The bytes queued for a peer beyond which its events wait.
    private static let eventBytesMax = 32_768

    private let limits: BrokerLimits
    private let clock: TurnClock
    /// The peers, by the slots of their connections.
    private var slots: [Peer?] = []
    private var lastNumber = 0
    private var users: UserLedger

    init(_ limits: BrokerLimits, _ clock: TurnClock, ownUID: UInt32) {
        self.limits = limits
        self.clock = clock
        users = UserLedger(limits: limits, ownUID: ownUID)
    }

    /// The time for a peer to read its goodbye.
    private static let lingerMS = 2_000

    // MARK: - Reading

    subscript(connection: Connection) -> Peer? {
        self[slot: connection.slot]
    }

    subscript(slot slot: Int) -> Peer? {
        slot < slots.count ? slots[slot] : nil
    }

    /// All peers with a connection.
    var all: some Sequence<Peer> {
        slots.lazy.compactMap { $0 }
    }

    /// Returns the peers with a connection at a slot or behind it, in the order of their slots.
    func all(fromSlot slot: Int) -> some Sequence<Peer> {
        slots[min(max(0, slot), slots.count)...].lazy.compactMap { $0 }
    }

    /// The peers whose sessions are open.
    var ready: some Sequence<Peer> {
        all.filter { $0.stage == .ready }
    }

    var connections: Int {
        users.connections
    }

    func isTrusted(_ peer: Peer) -> Bool {
        users.isTrusted(peer.connection.credentials.uid)
    }

    /// Counts a request against the rate limit of the peer's user; false if that is exceeded.
    func admitsRequest(of peer: Peer) -> Bool {
        users.admitsRequest(of: peer.connection.credentials.uid, at: clock.now)
    }

    // MARK: - Opening and closing

    func open(_ connection: Connection) {
        lastNumber += 1
        let peer = Peer(number: lastNumber, connection: connection, limits: limits)
        while slots.count <= connection.slot { slots.append(nil) }
        slots[connection.slot] = peer
        broker.stats.connectionsAccepted += 1
        guard users.enter(connection.credentials.uid, at: clock.now) else {
            broker.stats.connectionsRefused += 1
            return dismiss(
                peer, reason: .tooManyConnections, "the broker has too many connections",
                reconnectAfterMS: 1_000)
        }
        peer.timers.hello = broker.timers.start(afterMS: limits.helloMS, .hello(peer))
    }

    func close(_ connection: Connection) {
        guard let peer = self[connection] else { return }
        slots[connection.slot] = nil
        peer.stage = .closing
        for timer in peer.timers.running { broker.timers.cancel(timer) }
        for subscription in peer.subscriptions.all { broker.events.remove(subscription) }
        broker.testClock.remove(peer)
        if peer.requests.count > 0, !broker.isStopping { broker.requests.cancelRequests(of: peer) }
        broker.sessions.disconnect(peer)
        if !peer.roles.isDisjoint(with: [.screener, .directory]) {
            broker.screener.removeScreener(peer)
        }
        broker.directories.interruptLoads(of: peer)
        account(unreadBytes: 0, of: peer)
        users.leave(connection.credentials.uid)
        broker.logger.debug("connection closed", metadata: ["peer": "\(peer.number)"])
    }

    // MARK: - Dismissing

    /// Sends a goodbye and closes the connection. A peer that reads at all receives it; the wait is
    /// short.
    func dismiss(
        _ peer: Peer, reason: GoodbyeReason, _ message: StaticString, isResumable: Bool = false,
        reconnectAfterMS: Int? = nil
    ) {
        guard peer.stage != .closing else { return }
        broker.outbox.notify(peer, "broker.goodbye") { writer in
            writer.member("reason", reason.rawValue)
            writer.member("message", message)
            writer.member("resumable", isResumable)
            if let reconnectAfterMS { writer.member("reconnect_after_ms", reconnectAfterMS) }
        }
        broker.logger.info(
            "goodbye", metadata: ["peer": "\(peer.number)", "reason": "\(reason.rawValue)"])
        close(peer, withinMS: Self.lingerMS)
    }

    /// Dismisses the peers that have lost a right. They may come back, with the rights that they
    /// have now.
    func dismissRestricted() {
        for peer in ready where !broker.keepsRights(peer, by: broker.policy.choices) {
            dismiss(
                peer, reason: .rightsChanged, "the user has taken rights from this client",
                reconnectAfterMS: 0)
        }
    }

    /// Closes a connection as soon as queued frames are sent; nothing more is read.
    func close(_ peer: Peer, withinMS milliseconds: Int) {
        peer.stage = .closing
        broker.sessions.disconnect(peer)
        peer.connection.closeAfterSending()
        guard peer.connection.state == .draining, peer.timers.closing == nil else { return }
        peer.timers.closing = broker.timers.start(afterMS: milliseconds, .closing(peer))
    }

    /// Handles the end of a peer's input: pending requests get replies, then the connection closes.
    /// The rest without a newline counts as a frame.
    func endInput(of connection: Connection) {
        guard let peer = self[connection], !peer.stage.isOver else { return }
        broker.frames.feed(peer) { take in peer.framer.finish(take) }
        // A provider that cannot send cannot report the outcome of an action either.
        if peer.backlog == .none { broker.sessions.disconnect(peer) }
    }

    /// Closes a connection whose input has ended once all its requests have replies.
    func closeIfDone(_ peer: Peer) {
        guard peer.connection.hasInputEnded, peer.stage != .closing, peer.backlog == .none else {
            return
        }
        if peer.requests.count == 0 {
            close(peer, withinMS: limits.halfCloseMS)
        } else if peer.timers.closing == nil {
            peer.timers.closing = broker.timers.start(
                afterMS: limits.halfCloseMS, .closing(peer))
        }
    }

    private func openPeers(of uid: UInt32) -> some Sequence<Peer> {
        all.filter { $0.connection.credentials.uid == uid && $0.stage != .closing }
    }

    /// Frees a descriptor: dismisses the newest connection of the user with the most, unless others
    /// are closing already.
    func makeRoom() {
        guard let uid = users.largestUser, !slots.contains(where: { $0?.stage == .closing }) else {
            return
        }
        let newest = openPeers(of: uid).max { $0.number < $1.number }
        broker.logger.warning("out of file descriptors; closing the newest connection")
        if let newest {
            broker.stats.connectionsRefused += 1
            dismiss(
                newest, reason: .tooManyConnections, "the broker is out of descriptors",
                reconnectAfterMS: 1_000)
        }
    }

    // MARK: - Peers that do not read

    /// Handles a peer that has left bytes in its queue at the end of a turn.
    func handleBlocked(_ connection: Connection) {
        guard let peer = self[connection], peer.stage != .closing else { return }
        recordProgress(of: peer)
        peer.progress.recordBlocked(at: clock.now)
        let fits = account(unreadBytes: connection.queuedBytes, of: peer)
        if !fits { dismissLargest(of: connection.credentials.uid) }
        guard isBeyondHardBound(connection), peer.timers.stall == nil else { return }
        watchForStall(peer)
    }

    /// Records the time if the peer has read more bytes.
    ///
    /// - Returns: true if it has.
    @discardableResult
    func recordProgress(of peer: Peer) -> Bool {
        peer.progress.record(readBytes: peer.connection.sentBytes, at: clock.now)
    }

    private func watchForStall(_ peer: Peer) {
        let due = peer.progress.unchangedSince.advanced(milliseconds: limits.stallMS)
        peer.timers.stall = broker.timers.start(at: due, .stall(peer))
    }

    func handleDrained(_ connection: Connection) {
        guard let peer = self[connection], peer.stage != .closing else { return }
        recordProgress(of: peer)
        account(unreadBytes: connection.queuedBytes, of: peer)
        // The client has shut its reading side: events would not be read.
        if connection.isDeaf {
            for subscription in peer.subscriptions.all { broker.events.remove(subscription) }
        }
        broker.events.markLagging(peer)
        guard connection.queuedBytes <= limits.queueSoftBytes / 2,
            connection.queuedFrames <= limits.queueHardFrames / 2
        else { return }
        broker.turn.releaseFrames(of: peer)
    }

    @discardableResult
    private func account(unreadBytes: Int, of peer: Peer) -> Bool {
        let change = peer.progress.set(unreadBytes: unreadBytes)
        broker.stats.bytesQueued += change
        return users.hold(change, for: peer.connection.credentials.uid)
    }

    func isOverSoftBound(_ connection: Connection) -> Bool {
        connection.queuedBytes > limits.queueSoftBytes
            || connection.queuedFrames > limits.queueHardFrames
    }

    /// Returns true if more events may be queued for a peer; otherwise they wait in the feed, which
    /// has them once for all peers.
    func hasRoomForEvents(_ connection: Connection) -> Bool {
        connection.queuedBytes <= Self.eventBytesMax && !isOverSoftBound(connection)
    }

    private func isBeyondHardBound(_ connection: Connection) -> Bool {
        connection.queuedBytes > limits.queueHardBytes
            || connection.queuedFrames > limits.queueHardFrames
    }

    /// Dismisses a peer beyond the hard bound that has read nothing for the stall time; otherwise
    /// restarts the timer.
    func checkStall(of peer: Peer) {
        peer.timers.stall = nil
        recordProgress(of: peer)
        guard isBeyondHardBound(peer.connection) else { return }
        guard
            clock.now
                >= peer.progress.unchangedSince.advanced(milliseconds: limits.stallMS)
        else {
            return watchForStall(peer)
        }
        dismiss(peer, reason: .stalled, "the client does not read its replies and events")
    }

    /// Dismisses the peers of a user with the longest queues until there is some room again, so
    /// that this search over all peers is rare.
    private func dismissLargest(of uid: UInt32) {
        let bySize = openPeers(of: uid).filter { $0.progress.unreadBytes > 0 }
            .sorted { ($0.progress.unreadBytes, $0.number) > ($1.progress.unreadBytes, $1.number) }
        for peer in bySize {
            // The queue is freed soon; until then it must not count against the other peers.
            account(unreadBytes: 0, of: peer)
            dismiss(peer, reason: .stalled, "clients of this user leave too much unread")
            if users.hasRoom(uid) { return }
        }
    }
}
