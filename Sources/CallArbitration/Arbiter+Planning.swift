internal import CallModel

/// What a request would take: every check before anything is sent. Nothing here changes anything.
///
/// The order of the checks is fixed: rights, call, provider, the same request again, emergency, the
/// provider's limits, the host's, then the live group.
extension Arbiter {
    func plan(
        _ wanted: RequestedAction, _ requester: Requester, _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        if case .start(let arguments) = wanted.action {
            return try planStart(wanted, arguments, requester, options)
        }
        guard let call = callsByID[wanted.call], !calls[call].isScreened else {
            throw notFound(wanted.call)
        }
        try checkRights(requester, on: call)
        switch wanted.action {
        case .start: preconditionFailure("a start was planned above")
        case .answer: return try planAnswer(call, wanted.choice, requester, options)
        case .end: return planEnd(call)
        case .setHeld(true): return try planHold(call)
        case .setHeld(false): return try planResume(call, requester, options)
        case .setMuted(let isMuted): return try planMute(call, isMuted)
        case .setGroup(let other?): return try planMerge(call, other, requester, options)
        case .setGroup(nil): return try planSplit(call, requester, options)
        case .playDTMF(let digits, _): return try planTones(call, wanted.action, digits)
        }
    }

    private func checkRights(_ requester: Requester, on call: Slot<CallRecord>) throws(Refusal) {
        guard case .app(let provider) = requester, providers[calls[call].provider].id != provider
        else { return }
        throw Refusal(.notYourCall, rule: .rights, blocking: [blocker(call)])
    }

    // MARK: - Becoming live

    private func planStart(
        _ wanted: RequestedAction, _ arguments: StartArguments, _ requester: Requester,
        _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        guard callsByID[wanted.call] == nil, !endedCalls.contains(wanted.call) else {
            throw Refusal(.callUUID, rule: .repeated)
        }
        let provider = try startingProvider(wanted, requester)
        let configuration = providers[provider].configuration
        guard !arguments.hasVideo || configuration.supportsVideo else {
            throw Refusal(.notSupported, rule: .video)
        }
        let isEmergency = arguments.isEmergency && policy.allowsEmergency
        try checkEmergency(isStart: isEmergency)
        var draft = PlanDraft()
        draft.takesReservation = try checkFree(isStronger: isEmergency, isStart: true)
        draft.target = wanted.call
        draft.steps = try makeRoom(
            RoomRequest(
                call: nil, provider: provider, purpose: isEmergency ? .emergency : .start,
                requester: requester, options: options))
        draft.rule = draft.steps.isEmpty ? nil : .startHoldsFirst
        draft.steps.append(
            PlanDraft.Step(
                .requested,
                [
                    PlanDraft.Action(
                        call: wanted.call, provider: provider, action: .start(arguments),
                        isImplied: false)
                ]))
        return draft
    }

    private func startingProvider(
        _ wanted: RequestedAction, _ requester: Requester
    ) throws(Refusal) -> Slot<ProviderRecord> {
        var name = wanted.provider
        if case .app(let own) = requester {
            guard name == nil || name == own else { throw Refusal(.notYourCall, rule: .rights) }
            name = own
        }
        guard let name, let provider = providersByID[name] else {
            throw Refusal(.unknownProvider, rule: .unknownCall)
        }
        return provider
    }

    private func planAnswer(
        _ call: Slot<CallRecord>, _ choice: AnswerChoice, _ requester: Requester,
        _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        if calls[call].state == .active { return PlanDraft() }
        if let plan = planUnderWay(for: call, .answer) { return joining(plan) }
        guard calls[call].isIncomingUnanswered else {
            throw Refusal(.invalidState, rule: .answerHoldsFirst)
        }
        try checkEmergency(isStart: false)
        let overrides = choice == .endAndAnswer && requester == .user
        var draft = PlanDraft()
        draft.takesReservation = try checkFree(isStronger: overrides, isStart: false)
        draft.target = calls[call].id
        draft.steps = try makeRoom(
            RoomRequest(
                call: call, provider: calls[call].provider, purpose: .answer(choice),
                requester: requester, options: options))
        draft.rule = draft.steps.isEmpty ? nil : .answerHoldsFirst
        draft.steps.append(PlanDraft.Step(.requested, [explicit(.answer, call)]))
        return draft
    }

    private func planResume(
        _ call: Slot<CallRecord>, _ requester: Requester, _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        if calls[call].state == .active { return PlanDraft() }
        if let plan = planUnderWay(for: call, .setHeld(false)) { return joining(plan) }
        guard calls[call].state == .held else {
            throw Refusal(.invalidState, rule: .resumeHoldsFirst)
        }
        try checkSupport(calls[call].properties.supportsHolding, .cannotHold, call)
        try checkEmergency(isStart: false)
        _ = try checkFree(isStronger: false, isStart: false)
        var draft = PlanDraft()
        draft.target = calls[call].id
        draft.steps = try makeRoom(
            RoomRequest(
                call: call, provider: calls[call].provider, purpose: .resume,
                requester: requester, options: options))
        draft.rule = draft.steps.isEmpty ? nil : .resumeHoldsFirst
        draft.steps.append(
            PlanDraft.Step(.requested, resumeActions(of: calls[call].group, isImplied: false)))
        return draft
    }

    func resumeActions(
        of group: Slot<GroupRecord>, isImplied: Bool = true
    ) -> [PlanDraft.Action] {
        members(of: group).filter { calls[$0].state == .held }
            .map { draft(.setHeld(false), $0, isImplied: isImplied) }
    }

    /// During an emergency nothing else becomes live, and another emergency only once the first is
    /// connected (rule 20).
    private func checkEmergency(isStart: Bool) throws(Refusal) {
        guard emergencies > 0 else { return }
        let isConnected = live.map { group in
            members(of: group).contains { calls[$0].state == .active }
        }
        if isStart, isConnected == true { return }
        throw emergencyRefusal
    }

    var emergencyRefusal: Refusal {
        Refusal(.emergency, rule: .emergency, blocking: live.map { blockers($0) } ?? [])
    }

    /// One thing at a time waits for room or is on its way (rules 10 and 15). Whether the plan that
    /// waits gives way, this request being strong enough for that.
    private func checkFree(isStronger: Bool, isStart: Bool) throws(Refusal) -> Bool {
        if isStart, !isStronger, let live, let starting = dialing(in: live) {
            if calls[starting].isStartSilent { return false }
            throw Refusal(
                .alreadyDialing, rule: .alreadyDialing,
                limit: Refusal.Limit(name: "dialing", value: policy.limits.dialing),
                blocking: [blocker(starting)])
        }
        if let reservation {
            if isStronger { return true }
            throw Refusal(.busy, rule: .busy, blocking: calls(of: reservation))
        }
        guard let live, groups[live].isBecomingLive, !isStronger else { return false }
        throw Refusal(.busy, rule: .busy, blocking: blockers(live))
    }

    private func dialing(in group: Slot<GroupRecord>) -> Slot<CallRecord>? {
        members(of: group).first {
            calls[$0].state == .starting || calls[$0].state == .dialing
                || calls[$0].state == .connecting
        }
    }

    private func calls(of plan: Slot<PlanRecord>) -> [Refusal.Blocker] {
        let ids = plans[plan].steps.flatMap(\.actions).map { actions[$0].call }
        return ids.compactMap { callsByID[$0] }.map { blocker($0) }
    }

    // MARK: - Actions of a plan

    func draft(
        _ action: CallAction, _ call: Slot<CallRecord>, isImplied: Bool
    ) -> PlanDraft.Action {
        PlanDraft.Action(
            call: calls[call].id, provider: calls[call].provider, action: action,
            isImplied: isImplied)
    }

    func implied(_ action: CallAction, _ call: Slot<CallRecord>) -> PlanDraft.Action {
        draft(action, call, isImplied: true)
    }

    func explicit(_ action: CallAction, _ call: Slot<CallRecord>) -> PlanDraft.Action {
        draft(action, call, isImplied: false)
    }

    func holdActions(of group: Slot<GroupRecord>) -> [PlanDraft.Action] {
        members(of: group).filter { calls[$0].state == .active }.map { implied(.setHeld(true), $0) }
    }

    func endActions(of group: Slot<GroupRecord>) -> [PlanDraft.Action] {
        members(of: group).map { implied(.end, $0) }
    }

    // MARK: - The same again

    private func planUnderWay(
        for call: Slot<CallRecord>, _ action: CallAction
    ) -> Slot<PlanRecord>? {
        if let current = calls[call].current, actions[current].action == action {
            return actions[current].plan
        }
        guard let reservation, plans[reservation].target == calls[call].id,
            plans[reservation].steps.last?.actions.contains(where: {
                actions[$0].action == action && actions[$0].call == calls[call].id
            }) == true
        else { return nil }
        return reservation
    }

    private func joining(_ plan: Slot<PlanRecord>) -> PlanDraft {
        var draft = PlanDraft()
        draft.joins = plan
        return draft
    }

    func checkSupport(
        _ isSupported: Bool, _ reason: RefusalReason, _ call: Slot<CallRecord>
    ) throws(Refusal) {
        guard isSupported else {
            throw Refusal(reason, rule: .notSupported, blocking: [blocker(call)])
        }
    }

    // MARK: - The rest

    private func planEnd(_ call: Slot<CallRecord>) -> PlanDraft {
        if let ending = calls[call].ending, let plan = actions[ending].plan { return joining(plan) }
        var draft = PlanDraft()
        draft.steps = [PlanDraft.Step(.requested, [explicit(.end, call)])]
        return draft
    }

    private func planHold(_ call: Slot<CallRecord>) throws(Refusal) -> PlanDraft {
        if calls[call].state == .held { return PlanDraft() }
        if let plan = planUnderWay(for: call, .setHeld(true)) { return joining(plan) }
        let group = calls[call].group
        for member in members(of: group) where calls[member].state == .active {
            try checkSupport(calls[member].properties.supportsHolding, .cannotHold, member)
        }
        guard calls[call].state == .active, canHold(group) else {
            throw Refusal(.invalidState, rule: .answerHoldsFirst, blocking: [blocker(call)])
        }
        guard reservation == nil else {
            throw Refusal(.busy, rule: .busy, blocking: reservation.map { calls(of: $0) } ?? [])
        }
        guard held.count < policy.limits.heldGroups else {
            throw maxHeldRefusal
        }
        var draft = PlanDraft()
        draft.steps = [
            PlanDraft.Step(
                .requested,
                members(of: group).filter { calls[$0].state == .active }
                    .map { explicit(.setHeld(true), $0) })
        ]
        return draft
    }

    private func planMute(
        _ call: Slot<CallRecord>, _ isMuted: Bool
    ) throws(Refusal) -> PlanDraft {
        let group = calls[call].group
        let isConnected = calls[call].state == .active || calls[call].state == .held
        guard isConnected || calls[call].state == .dialing || calls[call].state == .connecting
        else { throw Refusal(.invalidState, rule: .mute) }
        if isMuted, emergencies > 0 { throw Refusal(.emergency, rule: .emergency) }
        if groups[group].isMuted == isMuted { return PlanDraft() }
        var draft = PlanDraft()
        draft.steps = [
            PlanDraft.Step(
                .requested, members(of: group).map { explicit(.setMuted(isMuted), $0) })
        ]
        return draft
    }

    private func planTones(
        _ call: Slot<CallRecord>, _ action: CallAction, _ digits: String
    ) throws(Refusal) -> PlanDraft {
        try checkSupport(calls[call].properties.supportsDTMF, .notSupported, call)
        guard !digits.isEmpty else { throw Refusal(.invalidAction, rule: .tones) }
        guard calls[call].state == .active else { throw Refusal(.invalidState, rule: .tones) }
        var draft = PlanDraft()
        draft.steps = [PlanDraft.Step(.requested, [explicit(action, call)])]
        return draft
    }
}
