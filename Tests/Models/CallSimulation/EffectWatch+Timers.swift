internal import CallArbitration
internal import CallModel

/// Every deadline that was armed is disarmed or fires once (I12).
extension EffectWatch {
    mutating func start(_ timer: TimerID, at deadline: Instant) {
        if deadline < now { complain(.timers, "a timer is armed for the past", timer) }
        timers.start(timer, at: deadline)
    }

    mutating func stop(_ timer: TimerID) {
        if !timers.stop(timer) {
            complain(.timers, "a timer is disarmed that was not armed", timer)
        }
    }

    /// A call has gone: so have its timers, as they are disarmed before it is announced.
    mutating func forgetTimers(of call: CallID) {
        for timer: TimerID in [
            .ring(call), .dial(call), .startSilence(call), .screening(call), .videoRequest(call),
            .textRequest(call),
        ]
        where timers.contains(timer) {
            complain(.timers, "a timer of an ended call is left", timer)
        }
    }
}
