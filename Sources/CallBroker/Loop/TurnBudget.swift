internal import BrokerSocket

/// The budget of a turn: the shares of processes, the frames that wait for their turn, and the
/// events that may still be sent in it (<doc:Turns>).
final class TurnBudget {
    private let limits: BrokerLimits
    private var share: TurnShare
    /// The durations of turns and of their parts.
    var meter = TurnMeter()
    /// The kind of the frame that is being handled.
    var part = TurnPart.response
    /// Events that may still be sent in this turn; more wait for the next one.
    private(set) var eventsLeft: Int
    /// The time spent on the subscribers of an event that has many: it is not charged to the peer
    /// that causes the event.
    private var crowdNanoseconds: Int64 = 0
    /// Peers with frames that wait for their next turn.
    private var backlog = FairQueue<Peer>()

    init(_ limits: BrokerLimits) {
        self.limits = limits
        share = TurnShare(limits)
        eventsLeft = limits.eventsPerTurn
    }

    func begin() {
        share.begin()
        renewEvents()
    }

    /// Begins the share of the processes that have to wait, after all others have been served.
    func beginWaiting() {
        share.begin()
    }

    /// Ends a part of the turn, and charges it to the process at the other end of a connection.
    func end(_ part: TurnPart, by connection: Connection?) {
        let now = MonotonicTime.now()
        let used = meter.end(part, at: now) - crowdNanoseconds
        crowdNanoseconds = 0
        guard let connection else { return }
        share.charge(connection.credentials.pid, nanoseconds: used, at: now)
    }

    /// Returns true if a connection has to wait until processes that have used less are served.
    func mustWait(_ connection: Connection) -> Bool {
        share.isBusy(connection.credentials.pid, at: meter.last)
    }

    /// True if more connections that wait may be read in this turn.
    var mayRead: Bool {
        !share.isUsedUp(.reading)
    }

    /// True if more connections may be closed in this turn.
    var mayClose: Bool {
        !share.isUsedUp(.closing)
    }

    // MARK: - Events

    func renewEvents() {
        eventsLeft = limits.eventsPerTurn
    }

    /// Reserves one event of the turn's budget; false if it is used up. Reads the clock only now
    /// and then.
    func maySendEvent() -> Bool {
        if eventsLeft & 63 == 0, share.isUsedUp(.closing) { eventsLeft = 0 }
        guard eventsLeft > 0 else { return false }
        eventsLeft -= 1
        return true
    }

    /// True if the time for lagging subscriptions is used up.
    var areEventsUsedUp: Bool {
        share.isUsedUp(.events)
    }

    /// Adds the time spent on the many subscribers of an event.
    func addCrowd(since start: MonotonicTime) {
        crowdNanoseconds += MonotonicTime.now().nanoseconds - start.nanoseconds
    }

    // MARK: - Frames

    var hasBacklog: Bool {
        !backlog.isEmpty
    }

    /// Queues a peer until the turn of its process.
    func enqueue(_ peer: Peer) {
        backlog.append(peer, of: peer.connection.credentials.pid)
    }

    /// Resumes the frames of a peer that has read everything it was sent.
    func releaseFrames(of peer: Peer) {
        guard peer.backlog == .waitingForDrain, !peer.subscriptions.isLagging else { return }
        peer.backlog = .waiting
        enqueue(peer)
    }

    /// Resumes each peer of the backlog at most once. Peers for which no time is left are first in
    /// the next turn.
    func resumeBacklog(_ resume: (Peer) -> Void) {
        for _ in 0..<backlog.count {
            guard let peer = backlog.popFirst() else { break }
            if !peer.stage.isOver { resume(peer) }
            end(.backlog, by: peer.connection)
            if share.isUsedUp(.frames, at: meter.last) { break }
        }
    }
}
