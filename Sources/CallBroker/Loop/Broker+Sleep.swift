internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel

/// The host may sleep. The monotonic clock stands meanwhile, so that nobody misses a deadline by it; but
/// for those who call, and who are called, the time has passed.
extension Broker {
    /// Two readings of the clocks differ by less.
    private static let sleepMinMS: Int64 = 2_000

    /// Milliseconds since the host was booted, with those in which it slept.
    var runningMS: Int64 {
        now.milliseconds + asleepMS
    }

    func noteSleep(asleepMS: Int64) {
        let sleptMS = asleepMS - self.asleepMS
        guard sleptMS >= Self.sleepMinMS else { return }
        self.asleepMS = asleepMS
        journal?.append(JournalEntry(.slept(Int(sleptMS)), at: instant))
        carryOut(sleptMS: Int(sleptMS))
    }

    /// What rings, or dials, has done so for longer. What is over by that ends in this turn.
    func carryOut(sleptMS: Int) {
        for (timer, running) in armed {
            switch timer {
            case .ring, .dial:
                let deadline = Instant(nanoseconds: running.deadline.nanoseconds)
                start(timer, at: deadline.advanced(byMS: -sleptMS))
            case .action, .startSilence, .screening, .grace, .emergencyCallback, .endingWait,
                .offer:
                break
            }
        }
        recentCallers.age(byMS: sleptMS)
    }
}
