internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The dry runs of `call.report_incoming`: whether a call would ring now, and how. Owns those that
/// wait for filters.
///
/// The arbiter decides about a trial in a copy that is discarded, and no plugin is started for it:
/// nothing is recorded, published or journaled. Filters are asked about a trial under an id of its
/// own, so that the app may report the call itself meanwhile.
final class IncomingTrials: BrokerPart {
    private var trials: [CallID: Trial] = [:]

    private struct Trial {
        let report: IncomingReport
        let target: ReplyTarget
        /// The call as its filters see it.
        var view: CallView
        var timer: BrokerTimers.Handle?
        /// The filters that a report would start, and that may decide otherwise.
        let unasked: [String]
        var isPriority = false
    }

    /// Decides about a report at once, or when the filters have answered.
    func begin(_ report: IncomingReport, _ target: ReplyTarget) {
        var arbiter = copyOfArbiter(with: report.provider)
        let effects = arbiter.apply(.incomingReported(report), at: broker.clock.instant)
        guard var view = arbiter.screenedView(of: report.call) else {
            return reply(Outcome(effects), about: report.call, to: target)
        }
        view.call = broker.newCall()
        trials[view.call] = Trial(
            report: report, target: target, view: view,
            unasked: broker.filters.dormantFilters)
        broker.outbox.postpone(target)
        broker.screener.begin(screening: view)
    }

    /// Returns whether an id is that of a trial.
    func includes(_ call: CallID) -> Bool {
        trials[call] != nil
    }

    /// Returns the call of a trial; nil for an id that is not that of a trial.
    func view(of call: CallID) -> CallView? {
        trials[call]?.view
    }

    /// Records that the caller of a trial is a priority caller.
    func prioritize(_ call: CallID) {
        guard let trial = trials[call] else { return }
        trials[call]?.isPriority = true
        var arbiter = copyOfArbiter(with: trial.report.provider)
        _ = screen(trial.report, isPriority: true, in: &arbiter)
        guard let view = arbiter.screenedView(of: trial.report.call) else { return }
        trials[call]?.view.properties = view.properties
    }

    /// Sets the time at which the screening of a trial goes on without a response.
    func move(_ call: CallID, to deadline: MonotonicTime) {
        if let timer = trials[call]?.timer { broker.timers.cancel(timer) }
        trials[call]?.timer = broker.timers.start(at: deadline, .trial(call))
    }

    /// Decides about a trial whose filters have answered.
    func conclude(_ call: CallID, _ verdict: ScreeningVerdict) {
        guard let trial = trials.removeValue(forKey: call) else { return }
        if let timer = trial.timer { broker.timers.cancel(timer) }
        var arbiter = copyOfArbiter(with: trial.report.provider)
        var effects = screen(trial.report, isPriority: trial.isPriority, in: &arbiter)
        effects += arbiter.apply(
            .screeningSettled(trial.report.call, verdict), at: broker.clock.instant)
        var outcome = Outcome(effects)
        outcome.unasked = trial.unasked
        broker.outbox.settle(trial.target) {
            reply(outcome, about: trial.report.call, to: trial.target)
        }
    }

    /// Returns a copy of the arbiter in which an app that is not running has registered.
    private func copyOfArbiter(with provider: ProviderID) -> Arbiter {
        var arbiter = broker.arbiter
        guard arbiter.configuration(of: provider) == nil || arbiter.isStarting(provider),
            let configuration = broker.demand.configuration(of: provider)
        else { return arbiter }
        let registration = ProviderRegistration(
            token: Broker.noToken, provider: provider, configuration: configuration)
        _ = arbiter.apply(.providerRegistered(registration), at: broker.clock.instant)
        return arbiter
    }

    private func screen(
        _ report: IncomingReport, isPriority: Bool, in arbiter: inout Arbiter
    ) -> [ArbiterEffect] {
        let effects = arbiter.apply(.incomingReported(report), at: broker.clock.instant)
        guard isPriority else { return effects }
        return effects
            + arbiter.apply(.callerPrioritized(report.call), at: broker.clock.instant)
    }

    private func reply(_ outcome: Outcome, about call: CallID, to target: ReplyTarget) {
        broker.events.bringUpToDate(target.peer)
        if let refusal = outcome.refusal {
            let error = RPCError(refusal, .incomingCall)
            return broker.outbox.reply(to: target.id, of: target.peer, batch: target.batch, error)
        }
        broker.outbox.reply(target) { writer in
            writer.member("dry_run", true)
            writer.member("call", call)
            writer.member("state", outcome.state.word)
            let presentation = outcome.presentation.known(to: target.peer)
            writer.member("presentation", presentation.rawValue)
            if let rule = outcome.rule { writer.member("rule", rule.word) }
            if !outcome.unasked.isEmpty { writer.member("unasked", words: outcome.unasked) }
            writer.member("seq", broker.events.seq)
        }
    }

    /// The decision about a call on trial.
    private struct Outcome {
        var refusal: Refusal?
        var state = CallState.waiting
        var presentation = Presentation.silent
        /// The rule by which the call rings, waits, or is silent.
        var rule: Rule?
        var unasked: [String] = []

        init(_ effects: [ArbiterEffect]) {
            for effect in effects { read(effect) }
        }

        private mutating func read(_ effect: ArbiterEffect) {
            switch effect {
            case .refuse(_, let refusal): self.refusal = refusal
            case .confirmIncoming(_, _, let state, let presentation):
                (self.state, self.presentation) = (state, presentation)
            case .note(let decision)
            where [.rings, .waits, .silenced].contains(decision.verdict):
                rule = rule ?? decision.rule
            default: break
            }
        }
    }
}
