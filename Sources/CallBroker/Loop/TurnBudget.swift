internal import BrokerSocket

/// What a turn may cost, and what it has: the shares of processes, the frames that wait for their turn,
/// and the events that may still be sent in it (<doc:Turns>).
final class TurnBudget {
    private let limits: BrokerLimits
    private var share: TurnShare
    /// How long turns take, and why.
    var meter = TurnMeter()
    /// What the frame that is being handled asks for.
    var part = TurnPart.response
    /// Events that may still be sent in this turn; more wait for the next one.
    private(set) var eventsLeft: Int
    /// What the current event has cost because of its many subscribers: the peer that causes an event does
    /// not pay for them.
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

    /// Begins the share of those that have to wait: everybody else is served.
    func beginWaiting() {
        share.begin()
    }

    /// Ends a part of the turn, which counts for the process at the other end of a connection.
    func end(_ part: TurnPart, by connection: Connection?) {
        let now = MonotonicTime.now()
        let used = meter.end(part, at: now) - crowdNanoseconds
        crowdNanoseconds = 0
        guard let connection else { return }
        share.note(connection.credentials.pid, nanoseconds: used, at: now)
    }

    /// Whether a connection has to wait until those that have used less are served.
    func mustWait(_ connection: Connection) -> Bool {
        share.isBusy(connection.credentials.pid, at: meter.last)
    }

    /// Whether more of what waits may be read in this turn.
    var mayRead: Bool {
        !share.isUsedUp(.reading)
    }

    /// Whether more connections may be closed in this turn.
    var mayClose: Bool {
        !share.isUsedUp(.closing)
    }

    // MARK: - Events

    func renewEvents() {
        eventsLeft = limits.eventsPerTurn
    }

    /// Takes the share of one event of what this turn sends; the clock is read now and then.
    func maySendEvent() -> Bool {
        if eventsLeft & 63 == 0, share.isUsedUp(.closing) { eventsLeft = 0 }
        guard eventsLeft > 0 else { return false }
        eventsLeft -= 1
        return true
    }

    /// Whether the time for subscriptions that are behind is over.
    var areEventsUsedUp: Bool {
        share.isUsedUp(.events)
    }

    func noteCrowd(since start: MonotonicTime) {
        crowdNanoseconds += MonotonicTime.now().nanoseconds - start.nanoseconds
    }

    // MARK: - Frames

    var hasBacklog: Bool {
        !backlog.isEmpty
    }

    /// Lets a peer go on when it is its process's turn.
    func enqueue(_ peer: Peer) {
        backlog.append(peer, of: peer.connection.credentials.pid)
    }

    /// Lets a peer that has read what there was ask again.
    func releaseFrames(of peer: Peer) {
        guard peer.isWaitingForDrain, !peer.isLagging else { return }
        peer.isWaitingForDrain = false
        enqueue(peer)
    }

    /// Resumes each peer of the backlog once at most. Those for which no time is left are the first in
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
