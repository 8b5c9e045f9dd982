internal import BrokerSocket

/// The timers of one connection.
struct PeerTimers {
    typealias Handle = TimerQueue<TimerPurpose>.Handle

    /// Runs until a hello or a ping.
    var hello: Handle?
    /// Runs while the connection is being closed.
    var closing: Handle?
    /// Runs while the queue is beyond its hard bound.
    var stall: Handle?
    /// Runs while a provider has calls.
    var heartbeat: Handle?

    /// All timers that run.
    var running: [Handle] {
        [hello, closing, stall, heartbeat].compactMap { $0 }
    }
}
