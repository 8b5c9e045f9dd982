internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel

/// Everything that is to happen later, by purpose. The arbiter's timers are known by their ids, too, because
/// they are stopped, moved and stored by them.
final class BrokerTimers {
    typealias Handle = TimerQueue<TimerPurpose>.Handle

    private let clock: TurnClock
    private var queue = TimerQueue<TimerPurpose>()
    /// The arbiter's timers that run.
    private var armed: [TimerID: (handle: Handle, deadline: MonotonicTime)] = [:]

    init(_ clock: TurnClock) {
        self.clock = clock
    }

    var nextDeadline: MonotonicTime? {
        queue.nextDeadline
    }

    var count: Int {
        queue.count
    }

    func start(afterMS milliseconds: Int, _ purpose: TimerPurpose) -> Handle {
        start(at: clock.now.advanced(milliseconds: milliseconds), purpose)
    }

    func start(at deadline: MonotonicTime, _ purpose: TimerPurpose) -> Handle {
        queue.start(at: deadline, purpose)
    }

    func cancel(_ handle: Handle) {
        queue.cancel(handle)
    }

    func popDue(at time: MonotonicTime) -> TimerPurpose? {
        queue.popDue(at: time)
    }

    // MARK: - Those of the arbiter

    /// Starts a timer, or moves one that runs.
    func start(_ timer: TimerID, at instant: Instant) {
        if let running = armed[timer] { queue.cancel(running.handle) }
        let deadline = MonotonicTime(nanoseconds: instant.nanoseconds)
        armed[timer] = (queue.start(at: deadline, .arbiter(timer)), deadline)
    }

    func stop(_ timer: TimerID) {
        if let running = armed.removeValue(forKey: timer) { queue.cancel(running.handle) }
    }

    var stored: [StoredTimer] {
        armed.map { StoredTimer(timer: $0.key, deadline: $0.value.deadline.instant) }
    }

    /// Lets the time that the host has slept count for what rings or dials: nobody misses a deadline by
    /// a sleep, but for those who call, and who are called, that time has passed.
    func age(byMS sleptMS: Int) {
        for (timer, running) in armed {
            switch timer {
            case .ring, .dial:
                start(timer, at: running.deadline.instant.advanced(byMS: -sleptMS))
            case .action, .startSilence, .screening, .grace, .emergencyCallback, .endingWait,
                .offer:
                break
            }
        }
    }
}

extension MonotonicTime {
    /// The same instant, as the arbiter counts it.
    var instant: Instant {
        Instant(nanoseconds: nanoseconds)
    }
}
