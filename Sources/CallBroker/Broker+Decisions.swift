internal import CallArbitration
internal import CallModel

/// Decisions: events go into the arbiter, and its effects are carried out in order. Nothing is
/// decided here.
extension Broker {
    /// Records an event in the journal, lets the arbiter decide about it, and carries out the
    /// effects.
    ///
    /// - Parameter explanation: why a filter has decided so; it is not journaled.
    func decide(_ event: ArbiterEvent, explanation: Explanation? = nil) {
        journal.append(event)
        apply(event, explanation: explanation)
        refusedDials.publish()
    }

    /// Decides about a dry run, and sends its reply. The copy of the arbiter that decides is
    /// discarded: a dry run changes nothing, and is not journaled.
    ///
    /// - Parameter events: the events that would come before.
    func preview(_ event: ArbiterEvent, after events: [ArbiterEvent]) {
        var preview = arbiter
        for event in events { _ = preview.apply(event, at: clock.instant) }
        let effects = preview.apply(event, at: clock.instant)
        let occasion = Occasion(
            filter: event.filter, explanation: nil, ended: RecordedEnds(in: effects))
        for effect in effects { run(effect, occasion) }
    }

    /// Applies an event, whether it happens now or is replayed from a journal.
    func apply(_ event: ArbiterEvent, explanation: Explanation? = nil) {
        if case .timerFired(let timer) = event { handleFired(timer) }
        let effects = arbiter.apply(event, at: clock.instant)
        let occasion = Occasion(
            filter: event.filter, explanation: explanation, ended: RecordedEnds(in: effects))
        for effect in effects { run(effect, occasion) }
        screener.finish(event)
        emergencies.placeEmergencies()
        allowed.markChanged()
    }

    private func run(_ effect: ArbiterEffect, _ occasion: Occasion) {
        switch effect {
        case .acknowledge(let token): requests.acknowledge(token)
        case .refuse(let token, let refusal): requests.refuse(token, refusal)
        case .confirmIncoming(let token, let call, let state, let presentation):
            requests.confirm(token, call, state, presentation)
        case .confirmRegistration(let token, let provider, let calls, let dropped):
            requests.confirm(token, provider, calls: calls, dropped: dropped)
        case .accept(let token, let report): requests.accept(token, report)
        case .complete(let token, let report, _): requests.complete(token, report)
        case .offer(let transaction, let provider, let actions):
            performer.offer(transaction, to: provider, actions)
        case .perform(let dispatch): performer.perform(dispatch)
        case .cancelPerform(let action, let provider): performer.cancel(action, at: provider)
        case .tellTimedOut(let action, let kind, let call, let provider):
            performer.sendTimedOut(action, kind, call, provider)
        case .activateAudio(let provider, let group, let calls):
            handover.activate(AudioGrant(provider: provider, group: group, calls: calls))
        case .deactivateAudio(let provider, let group, let calls):
            handover.deactivate(AudioGrant(provider: provider, group: group, calls: calls))
        case .resetProvider(let provider, let reason): performer.reset(provider, reason)
        case .startTimer(let timer, let instant): timers.start(timer, at: instant)
        case .stopTimer(let timer): timers.stop(timer)
        case .announce(let announcement): announcer.announce(announcement, occasion.ended)
        case .note(let decision): record(decision, occasion)
        case .record(let entry): history.record(entry)
        case .screen(let call): screener.screen(call)
        }
    }

    private func record(_ decision: Decision, _ occasion: Occasion) {
        let isFilter = decision.rule == .filters
        trace.record(
            decision, filteredBy: isFilter ? occasion.filter : nil,
            explanation: isFilter ? occasion.explanation : nil)
    }

    // MARK: - The clock

    private func handleFired(_ timer: TimerID) {
        timers.stop(timer)
        guard case .offer(let transaction, let provider) = timer else { return }
        performer.withdrawOffer(transaction, from: provider)
    }

}

extension ArbiterEvent {
    /// The name of the filter that keeps a call from ringing, or from ringing aloud.
    fileprivate var filter: String? {
        guard case .screeningSettled(_, let verdict) = self else { return nil }
        return switch verdict {
        case .block(_, let by), .silence(let by): by
        case .doNotDisturb: "do_not_disturb"
        case .allow, .ring, .ringInCall, .timedOut: nil
        }
    }
}

/// The facts about an event that the execution of its effects needs.
private struct Occasion {
    /// The filter that keeps a call from ringing, or from ringing aloud.
    let filter: String?
    let explanation: Explanation?
    let ended: RecordedEnds
}
