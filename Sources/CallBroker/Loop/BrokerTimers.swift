internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel

/// The broker's timers, by purpose. Those of the arbiter can also be found by their ids, by which
/// they are stopped, moved and stored.
final class BrokerTimers {
    typealias Handle = TimerQueue<TimerPurpose>.Handle

    private let clock: TurnClock
    private var queue = TimerQueue<TimerPurpose>()
    /// The running timers of the arbiter.
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

    /// The number of timers for each purpose, and the time until the first one of the arbiter's.
    var summary: [(what: String, count: Int, nextMS: Int?)] {
        var counts: [String: Int] = [:]
        queue.forEach { counts[$0.name, default: 0] += 1 }
        var deadlines: [String: MonotonicTime] = [:]
        for (timer, running) in armed {
            let name = TimerPurpose.arbiter(timer).name
            deadlines[name] = min(deadlines[name] ?? .never, running.deadline)
        }
        return counts.sorted { $0.key < $1.key }.map { name, count in
            let restMS = deadlines[name].map { $0.milliseconds - clock.now.milliseconds }
            return (name, count, restMS.map { max(0, Int($0)) })
        }
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

    // MARK: - Timers of the arbiter

    /// Starts a timer, or moves one that runs.
    func start(_ timer: TimerID, at instant: Instant) {
        if let running = armed[timer] { queue.cancel(running.handle) }
        let deadline = MonotonicTime(nanoseconds: instant.nanoseconds)
        armed[timer] = (queue.start(at: deadline, .arbiter(timer)), deadline)
    }

    /// Moves a timer, until a restart: the deadline of the arbiter is the one that is stored.
    func move(_ timer: TimerID, to deadline: MonotonicTime) {
        guard let running = armed[timer] else { return }
        queue.cancel(running.handle)
        armed[timer]?.handle = queue.start(at: deadline, .arbiter(timer))
    }

    func stop(_ timer: TimerID) {
        if let running = armed.removeValue(forKey: timer) { queue.cancel(running.handle) }
    }

    var stored: [StoredTimer] {
        armed.map { StoredTimer(timer: $0.key, deadline: $0.value.deadline.instant) }
    }

    /// Counts the time that the host has slept for calls that ring or dial, and for requests of the
    /// far end. A sleep must not make a provider miss a deadline, but for callers and callees that
    /// time has passed.
    func age(byMS sleptMS: Int) {
        for (timer, running) in armed {
            switch timer {
            case .ring, .dial, .videoRequest, .textRequest:
                start(timer, at: running.deadline.instant.advanced(byMS: -sleptMS))
            case .action, .startSilence, .screening, .grace, .emergencyCallback, .endingWait,
                .offer:
                break
            }
        }
    }
}

extension MonotonicTime {
    /// This time as the arbiter's type.
    var instant: Instant {
        Instant(nanoseconds: nanoseconds)
    }
}
