internal import BrokerJSON
internal import BrokerRPC
package import BrokerSocket
package import CallProtocol
package import Logging

/// The shell around the decisions: it knows the peers, reads their frames, routes them, and sends
/// what they get.
///
/// It does no input or output of its own. What happens comes in through `handle`, on the thread of
/// the loop; what is to be sent goes into the connections' queues. So the same broker runs behind a
/// socket, in a test, and under a fuzzer.
package final class Broker {
    package let configuration: BrokerConfiguration
    package let table: MethodTable
    /// Changes with every start.
    package let instance = RandomID.uuid()
    /// What the loop is to do next on behalf of `test.advance`.
    package internal(set) var advance: Advance?
    var stats = StatsResult()

    let limits: BrokerLimits
    let logger: Logger
    let startedAt: MonotonicTime
    var clock: LoopClock
    /// The instant of the current turn.
    var now: MonotonicTime
    var users: UserLedger
    /// By slot of the connection.
    var peers: [Peer?] = []
    var providers: [String: Peer] = [:]
    /// The one screen that presents calls.
    var ui: Peer?
    var timers = TimerQueue<TimerPurpose>()
    /// Peers with frames that wait for their next turn.
    var backlog: [Peer] = []
    var lastPeerNumber = 0
    /// Frames are written here before they are queued.
    var scratch = JSONWriter()

    package init(
        configuration: BrokerConfiguration, clock: LoopClock, ownUID: UInt32, logger: Logger
    ) {
        self.configuration = configuration
        self.clock = clock
        self.logger = logger
        limits = configuration.limits
        table = configuration.isTestMode ? .withTestMethods : .standard
        startedAt = clock.now
        now = clock.now
        users = UserLedger(limits: configuration.limits, ownUID: ownUID)
    }

    // MARK: - The loop's side

    /// When the loop must call again although nothing happens; nil: never.
    package var nextDeadline: MonotonicTime? {
        hasWork ? now : timers.nextDeadline
    }

    /// Whether something waits for the next turn rather than for an event.
    package var hasWork: Bool {
        !backlog.isEmpty || advance != nil
    }

    /// Takes the time for everything that follows in this turn.
    package func beginTurn(_ clock: LoopClock) {
        self.clock = clock
        now = clock.now
        stats.turns += 1
    }

    package func handle(_ event: EventLoop.Event) {
        switch event {
        case .opened(let connection): open(connection)
        case .received(let connection, let bytes): receive(bytes, from: connection)
        case .inputEnded(let connection): endInput(of: connection)
        case .blocked(let connection): noteBlocked(connection)
        case .drained(let connection): noteDrained(connection)
        case .closed(let connection): close(connection)
        case .descriptorsExhausted: makeRoom()
        case .woken, .signal: break
        }
    }

    /// Fires every timer that is due at `time`. How many fired.
    @discardableResult
    package func fireTimers(dueBy time: MonotonicTime) -> Int {
        var count = 0
        while let purpose = timers.popDue(at: time) {
            fire(purpose)
            count += 1
        }
        return count
    }

    /// Says goodbye to everybody; the loop goes on until all are gone.
    package func stop() {
        if let advance {
            self.advance = nil
            answer(
                advance.target,
                RPCError(.stopping, reason: "stopping", "the broker is stopping"))
        }
        for case let peer? in peers {
            dismiss(peer, reason: "stopping", "the broker is stopping")
        }
    }

    package var isIdle: Bool {
        users.connections == 0
    }
}
