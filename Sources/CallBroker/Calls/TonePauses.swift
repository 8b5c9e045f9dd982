internal import CallArbitration
internal import CallModel

/// The tones of the user that wait behind a pause (rule 35). The broker keeps them, so that an app gets
/// tones without pauses, and a part that was sent is never sent again. They decide nothing, so they are
/// not in the journal: a restart drops them.
final class TonePauses: BrokerPart {
    private struct Waiting {
        let tones: PausedTones
        /// Runs while a pause of time lasts; nil before the call is active.
        var timer: BrokerTimers.Handle?
        /// False until the call for which they were dialed is active.
        var hasBegun: Bool
    }

    private var waiting: [CallID: Waiting] = [:]

    /// Returns the tones of a call that wait.
    subscript(call: CallID) -> PausedTones? {
        waiting[call].flatMap { $0.hasBegun ? $0.tones : nil }
    }

    /// Keeps what follows the tones or the numbers of a transaction that has completed.
    func keep(_ rests: [CallID: PausedTones], of report: TransactionReport) {
        for entry in report.entries where entry.state == .fulfilled {
            guard let rest = rests[entry.call], entry.kind == .playDTMF || entry.kind == .start,
                let state = broker.outline(of: entry.call)?.state
            else { continue }
            drop(entry.call)
            waiting[entry.call] = Waiting(tones: rest, timer: nil, hasBegun: false)
            if state == .active { begin(entry.call) }
        }
    }

    private func begin(_ call: CallID) {
        guard let tones = waiting[call]?.tones else { return }
        waiting[call]?.hasBegun = true
        if tones.end == .time {
            waiting[call]?.timer = broker.timers.start(afterMS: tones.pauseMS, .tones(call))
        }
        broker.allowed.markChanged()
    }

    /// Begins the pause of a call that has become active, and drops the tones of one that no longer is.
    func noteChange(of call: CallID) {
        guard let rest = waiting[call] else { return }
        let isActive = broker.outline(of: call)?.state == .active
        if isActive, !rest.hasBegun { begin(call) }
        if !isActive, rest.hasBegun { drop(call) }
    }

    /// Drops the tones of a call that is over, or that the user does not want sent.
    func drop(_ call: CallID) {
        guard let rest = waiting.removeValue(forKey: call) else { return }
        if let timer = rest.timer { broker.timers.cancel(timer) }
        broker.allowed.markChanged()
    }

    /// Sends the tones after a pause that has lasted its time.
    func fire(_ call: CallID) {
        waiting[call]?.timer = nil
        guard let tones = self[call] else { return }
        drop(call)
        broker.transactions.send(tones, of: call)
    }
}
