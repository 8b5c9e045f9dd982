internal import CallModel

/// What providers say about their calls.
extension Arbiter {
    mutating func receive(_ report: CallReport) {
        do throws(Refusal) {
            let call = try reportedCall(report)
            try take(report.news, of: call)
            emit(.acknowledge(report.token))
        } catch {
            emit(.refuse(report.token, error))
        }
    }

    private func reportedCall(_ report: CallReport) throws(Refusal) -> Slot<CallRecord> {
        let provider = try provider(report.provider)
        guard let call = callsByID[report.call] else {
            throw notFound(report.call)
        }
        guard calls[call].provider == provider else {
            throw Refusal(.notYourCall, rule: .rights, blocking: [blocker(call)])
        }
        return call
    }

    private mutating func take(
        _ news: CallReport.News, of call: Slot<CallRecord>
    ) throws(Refusal) {
        guard !calls[call].isScreened || isAllowedWhileScreened(news) else { throw backwards(call) }
        stop(.startSilence, of: call)
        switch news {
        case .connecting: try reportConnecting(call)
        case .connected: try reportActive(call)
        case .held(true): try reportHeld(call)
        case .held(false): try reportActive(call)
        case .muted(let isMuted): reportMuted(call, isMuted)
        case .group(let other): try reportGroup(call, other)
        case .updated(let update): reportUpdate(call, update)
        case .ended(let reason): try reportEnded(call, reason)
        }
    }

    /// Before a call rings it can only change or end.
    private func isAllowedWhileScreened(_ news: CallReport.News) -> Bool {
        switch news {
        case .updated, .ended: true
        case .connecting, .connected, .held, .muted, .group: false
        }
    }

    private func backwards(_ call: Slot<CallRecord>) -> Refusal {
        Refusal(.invalidState, rule: .reportOvertakes, blocking: [blocker(call)])
    }

    private mutating func reportConnecting(_ call: Slot<CallRecord>) throws(Refusal) {
        switch calls[call].state {
        case .connecting: return
        case .starting:
            guard fulfilByReport(call, .start) else { throw backwards(call) }
        case .dialing: break
        default: throw backwards(call)
        }
        setState(.connecting, of: call, Cause(.provider))
        stop(.dial, of: call)
        start(.dial, of: call, afterMS: policy.dialTimeoutMS)
    }

    /// A report that overtakes the pending action counts as its fulfilment (rule 30a).
    private mutating func fulfilByReport(_ call: Slot<CallRecord>, _ kind: ActionKind) -> Bool {
        guard let current = calls[call].current, actions[current].action.kind == kind else {
            return false
        }
        fulfil(actions[current].id, by: providers[calls[call].provider].id)
        return true
    }

    /// A provider says that a call speaks. Outgoing calls that are connected just are; a ringing or
    /// held call that nobody asked for is a request for the audio (rule 13).
    private mutating func reportActive(_ call: Slot<CallRecord>) throws(Refusal) {
        let cause = Cause(.provider)
        switch calls[call].state {
        case .active: return
        case .starting:
            guard fulfilByReport(call, .start) else { throw backwards(call) }
            connected(call, cause)
        case .dialing, .connecting: connected(call, cause)
        case .ringing, .waiting:
            if !fulfilByReport(call, .answer) { askForAudio(call) }
        case .held:
            if !fulfilByReport(call, .setHeld) { askForAudio(call) }
        case .ending, .ended: throw backwards(call)
        }
    }

    private mutating func askForAudio(_ call: Slot<CallRecord>) {
        let group = calls[call].group
        let cause = Cause(.provider, rule: .reportedActive, becauseOf: calls[call].id)
        if live == nil, reservation == nil, emergencies == 0 {
            groups[group].isBecomingLive = false
            return connected(call, cause)
        }
        if live == group { return connected(call, cause) }
        guard let live, reservation == nil, !groups[live].isBecomingLive, canHold(live),
            held.count < policy.limits.heldGroups || groups[group].isInHeldChain, emergencies == 0
        else { return sendBackToHold(call) }
        var draft = PlanDraft()
        draft.target = calls[call].id
        draft.steps = [
            PlanDraft.Step(.holdForRoom, holdActions(of: live)),
            PlanDraft.Step(.grantReport, []),
        ]
        run(draft, cause)
    }

    /// The audio is not free: the reporting provider has to hold; if it stays silent its own call
    /// ends.
    mutating func sendBackToHold(_ call: Slot<CallRecord>) {
        announce(.activeUnasked, of: call)
        let cause = Cause(
            .arbitration, rule: .reportedActive, becauseOf: live.flatMap { name(of: $0) })
        var draft = PlanDraft()
        draft.steps = [PlanDraft.Step(.sendBack, [implied(.setHeld(true), call)])]
        run(draft, cause)
    }

    private mutating func reportHeld(_ call: Slot<CallRecord>) throws(Refusal) {
        switch calls[call].state {
        case .held: return
        case .active:
            if fulfilHold(call) { return }
            heldNow(call, Cause(.provider))
        case .starting, .dialing, .connecting, .ringing, .waiting, .ending, .ended:
            throw backwards(call)
        }
    }

    private mutating func fulfilHold(_ call: Slot<CallRecord>) -> Bool {
        guard let current = calls[call].current, actions[current].action == .setHeld(true) else {
            return false
        }
        fulfil(actions[current].id, by: providers[calls[call].provider].id)
        return true
    }

    private mutating func reportMuted(_ call: Slot<CallRecord>, _ isMuted: Bool) {
        let group = calls[call].group
        guard groups[group].isMuted != isMuted else { return }
        groups[group].isMuted = isMuted
        let cause = Cause(.provider, rule: .mute)
        for member in members(of: group) { publish(member, ["muted"], cause) }
    }

    private mutating func reportGroup(
        _ call: Slot<CallRecord>, _ other: CallID?
    ) throws(Refusal) {
        if let other {
            guard let anchor = callsByID[other] else {
                throw notFound(other)
            }
            guard calls[anchor].provider == calls[call].provider else {
                throw Refusal(.notYourCall, rule: .rights, blocking: [blocker(anchor)])
            }
        }
        guard calls[call].state == .active || calls[call].state == .held else {
            throw backwards(call)
        }
        grouped(call, with: other, Cause(.provider, rule: .reportedGroup))
        let group = calls[call].group
        let configuration = providers[calls[call].provider].configuration
        if groups[group].members.count > configuration.maxCallsPerGroup
            || providers[calls[call].provider].groupCount > configuration.maxCallGroups
        {
            announce(.groupOverLimit, of: call)
        }
    }

    private mutating func reportUpdate(_ call: Slot<CallRecord>, _ update: CallUpdate) {
        let wasEmergency = calls[call].properties.priority == .emergency
        var update = update
        if update.priority == .set(.emergency), !policy.allowsEmergency {
            update.priority = .unchanged
        }
        if update.hasVideo == .set(true),
            !providers[calls[call].provider].configuration.supportsVideo
        {
            update.hasVideo = .unchanged
            announce(.videoUndeclared, of: call)
        }
        let names = calls[call].properties.apply(update)
        if !names.isEmpty { publish(call, names, Cause(.provider)) }
        let isEmergency = calls[call].properties.priority == .emergency
        if isEmergency, !wasEmergency { beginEmergency(call) }
        if wasEmergency, !isEmergency { endEmergency(of: calls[call].provider) }
    }

    private mutating func reportEnded(
        _ call: Slot<CallRecord>, _ reason: EndReason
    ) throws(Refusal) {
        guard reason.isReportable else { throw Refusal(.invalidAction, rule: .elsewhere) }
        finish(call, reason, Cause(.remote, rule: nil))
    }
}
