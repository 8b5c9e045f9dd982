internal import CallModel

/// A request to become live, with the data that decides what may be held or ended for it.
struct RoomRequest {
    enum Purpose: Equatable {
        case start
        case answer(AnswerChoice)
        case resume
    }

    /// The call; nil for a start, whose call does not exist yet.
    let call: Slot<CallRecord>?
    let provider: Slot<ProviderRecord>
    let purpose: Purpose
    let requester: Requester
    let options: CallOptions
    /// The line that places the call of a start; nil if the app chooses.
    var line: String? = nil
    /// True if the call is on another device, and does not count here yet (rule 47).
    var isPull = false

    var choice: AnswerChoice? {
        if case .answer(let choice) = purpose { choice } else { nil }
    }

    var makesCall: Bool {
        call == nil || isPull
    }

    /// True if the request cancels a plan that waits for room (rule 15).
    var cancelsOthers: Bool {
        choice == .endAndAnswer && requester == .user
    }

    /// The rule by which the live group is held first.
    var holdRule: Rule {
        switch purpose {
        case .start: .startHoldsFirst
        case .answer(.plain): .answerHoldsFirst
        case .answer: .answerVariants
        case .resume: .resumeHoldsFirst
        }
    }

    /// The rule by which the request is refused, or ends a live group that cannot be held.
    var cannotHoldRule: Rule {
        switch purpose {
        case .start: .startCannotHold
        case .answer(.plain), .answer(.holdAndAnswer): .answerCannotHold
        case .answer: .answerVariants
        case .resume: .resumeHoldsFirst
        }
    }
}

/// The room for a call: the calls in its way, and how the way is cleared (rules 5 to 10a, 14, 15,
/// 20, 24 and 25).
extension Arbiter {
    /// The fate of the live group.
    enum LiveGroupPlan: Equatable {
        case isFree
        /// The group's calls are ending already (rule 10a).
        case waits
        /// The group is being held already, by another request.
        case joins(Slot<GroupRecord>)
        case holds(Slot<GroupRecord>)
        case ends(Slot<GroupRecord>)
        /// The group is a silent start (rule 10).
        case drops(Slot<GroupRecord>)
    }

    /// The room for a call that may become live.
    struct Room {
        fileprivate let request: RoomRequest
        fileprivate let way: LiveGroupPlan
        /// The group that was held last, if it is ended.
        fileprivate let heldLast: Slot<GroupRecord>?
        /// True if the plan that waits for room gives way (rule 15).
        fileprivate let takesReservation: Bool
    }

    /// Returns the room for a call, or throws a refusal if there is none.
    func room(for request: RoomRequest) throws(Refusal) -> Room {
        var way = liveGroupPlan(for: request)
        var heldLast = request.choice == .endHeldAndAnswer ? groups.held.last : nil
        if let group = groupOverLimit(request, way) {
            if group == live { way = .ends(group) } else { heldLast = group }
        }
        try checkMayEnd(way, heldLast, request)
        try checkLimits(request, way, heldLast)
        let takesReservation = try checkFree(request)
        if case .holds(let group) = way { try checkCanHold(group, request) }
        return Room(
            request: request, way: way, heldLast: heldLast, takesReservation: takesReservation)
    }

    /// Adds the steps in front of the call.
    func make(_ room: Room, in draft: inout PlanDraft) {
        let request = room.request
        draft.takesReservation = room.takesReservation
        switch room.way {
        case .isFree: break
        case .waits:
            draft.steps = [PlanDraft.Step(.awaitEnding, [])]
            draft.notes = [.init(rule: .waitForEnding, verdict: .waitsForEnding)]
        case .joins(let group):
            draft.steps = [PlanDraft.Step(.awaitHold, [])]
            draft.notes = [
                .init(rule: request.holdRule, verdict: .holdsFirst, blocking: blockers(group))
            ]
        case .holds(let group): addHold(of: group, request, to: &draft)
        case .ends(let group): addEnd(of: group, request.cannotHoldRule, to: &draft)
        case .drops(let group):
            draft.dropped = members(of: group).map { calls[$0].id }
            draft.notes.append(
                .init(rule: .alreadyDialing, verdict: .endsFirst, blocking: blockers(group)))
        }
        addHeldEnd(room.heldLast, request, to: &draft)
    }

    private func liveGroupPlan(for request: RoomRequest) -> LiveGroupPlan {
        guard let live, live != request.call.map({ calls[$0].group }) else { return .isFree }
        if isEnding(live) { return .waits }
        if request.choice == .endAndAnswer { return .ends(live) }
        if request.purpose == .start, isSilentStart(live) { return .drops(live) }
        if canHold(live) { return .holds(live) }
        if isHoldUnderWay(of: live) { return .joins(live) }
        let ends = request.options.onConflict == .end || endsUnasked(live, for: request)
        return ends ? .ends(live) : .holds(live)
    }

    /// Returns whether the policy ends a live group that cannot be held: for a plain answer and for
    /// a start that no other dialing is in the way of, by the user, or by the app that has the
    /// group itself (rules 6, 9 and 10).
    private func endsUnasked(_ live: Slot<GroupRecord>, for request: RoomRequest) -> Bool {
        let isPlain = request.choice == .plain || request.purpose == .start && !isDialed(live)
        guard policy.onCannotHold == .end, isPlain else { return false }
        switch request.requester {
        case .user: return true
        case .app(let own): return providers[groups[live].provider].id == own
        }
    }

    private func isDialed(_ group: Slot<GroupRecord>) -> Bool {
        members(of: group).contains {
            [.starting, .dialing, .alerting].contains(calls[$0].state)
        }
    }

    /// Returns whether no call of a group is live any more, and the last ends are under way (rule
    /// 10a).
    func isEnding(_ group: Slot<GroupRecord>) -> Bool {
        members(of: group).contains { calls[$0].state == .ending }
            && members(of: group).allSatisfy {
                calls[$0].state == .ending || calls[$0].state == .held && !isChangingState($0)
            }
    }

    private func addHold(
        of group: Slot<GroupRecord>, _ request: RoomRequest, to draft: inout PlanDraft
    ) {
        let holds = holdActions(of: group)
        // The step of the request itself follows.
        draft.steps.reserveCapacity(2)
        draft.steps.append(PlanDraft.Step(.holdForRoom, holds))
        draft.notes = [
            .init(rule: request.holdRule, verdict: .holdsFirst, blocking: blockers(group))
        ]
        if groups[group].provider == request.provider {
            draft.notes.append(.init(rule: .sameProvider, verdict: .oneTransaction))
        }
        if holds.count > 1 { draft.notes.append(.init(rule: .groupActions, verdict: .perMember)) }
    }

    private func addEnd(of group: Slot<GroupRecord>, _ rule: Rule, to draft: inout PlanDraft) {
        let ends = endActions(of: group)
        draft.steps.append(PlanDraft.Step(.endForRoom, ends))
        if ends.count < groups[group].members.count {
            draft.steps.append(PlanDraft.Step(.awaitEnding, []))
        }
        draft.notes.append(.init(rule: rule, verdict: .endsFirst, blocking: blockers(group)))
    }

    private func addHeldEnd(
        _ group: Slot<GroupRecord>?, _ request: RoomRequest, to draft: inout PlanDraft
    ) {
        if let group {
            draft.steps.insert(PlanDraft.Step(.endForRoom, endActions(of: group)), at: 0)
            let rule: Rule = request.purpose == .start ? .providerLimits : .answerVariants
            draft.notes.insert(
                .init(rule: rule, verdict: .endsFirst, blocking: blockers(group)), at: 0)
        }
        let isLeftOut: Bool
        switch request.choice {
        case .endHeldAndAnswer: isLeftOut = group == nil || live == nil
        case .holdAndAnswer, .endAndAnswer: isLeftOut = live == nil
        case .plain, nil: isLeftOut = false
        }
        if isLeftOut {
            draft.notes.append(.init(rule: .variantTargetGone, verdict: .partLeftOut))
        }
    }

    func holdActions(of group: Slot<GroupRecord>) -> [PlanDraft.Action] {
        members(of: group).compactMap {
            calls[$0].state == .active ? implied(.setHeld(true), $0) : nil
        }
    }

    func endActions(of group: Slot<GroupRecord>) -> [PlanDraft.Action] {
        members(of: group).filter { calls[$0].state != .ending }.map { implied(.end, $0) }
    }
}

/// Checks of whether the way may be cleared as planned.
extension Arbiter {
    /// Checks that an app ends calls of its own only: calls of others are ended for the user, or
    /// for an emergency (principles 4 and 5).
    private func checkMayEnd(
        _ way: LiveGroupPlan, _ heldLast: Slot<GroupRecord>?, _ request: RoomRequest
    ) throws(Refusal) {
        guard case .app(let own) = request.requester else { return }
        var ended = [heldLast].compactMap { $0 }
        if case .ends(let group) = way { ended.append(group) }
        for group in ended where providers[groups[group].provider].id != own {
            throw Refusal(.notYourCall, rule: .rights, blocking: blockers(group))
        }
    }

    /// Returns whether a group is a start without a response for too long, which counts as failed
    /// (rule 10).
    private func isSilentStart(_ group: Slot<GroupRecord>) -> Bool {
        groups[group].members.first.map {
            calls[$0].isStartSilent && calls[$0].state == .starting
        } ?? false
    }

    /// Checks that nothing else waits for room or is becoming live (rules 10 and 15). Returns
    /// whether the request takes the reservation from a plan that waits.
    private func checkFree(_ request: RoomRequest) throws(Refusal) -> Bool {
        if let reservation {
            if request.cancelsOthers { return true }
            throw Refusal(.busy, rule: .busy, blocking: blockers(of: reservation))
        }
        try checkNothingBecomesLive(butFor: request)
        return false
    }

    private func checkNothingBecomesLive(butFor request: RoomRequest) throws(Refusal) {
        guard !request.cancelsOthers, let live, isBeingTaken(live),
            live != request.call.map({ calls[$0].group })
        else { return }
        throw Refusal(.busy, rule: .busy, blocking: blockers(live))
    }

    /// Returns whether one of a group's calls is being answered or resumed.
    func isBeingTaken(_ group: Slot<GroupRecord>) -> Bool {
        groups[group].isBecomingLive
            && !members(of: group).contains { calls[$0].state == .starting }
    }

    func checkNotBusy() throws(Refusal) {
        if let reservation {
            throw Refusal(.busy, rule: .busy, blocking: blockers(of: reservation))
        }
        if let live, isBeingTaken(live) {
            throw Refusal(.busy, rule: .busy, blocking: blockers(live))
        }
    }

    private func checkCanHold(
        _ group: Slot<GroupRecord>, _ request: RoomRequest
    ) throws(Refusal) {
        guard !canHold(group) else { return }
        throw Refusal(.cannotHold, rule: request.cannotHoldRule, blocking: inTheWay(group))
    }

    /// Returns the calls that keep a group from being held.
    func inTheWay(_ group: Slot<GroupRecord>) -> [Refusal.Blocker] {
        members(of: group).filter { !allowsHold($0) }.map { blocker($0) }
    }

    /// Returns whether a call could be held right now.
    func canHoldNow(_ call: Slot<CallRecord>) -> Bool {
        let record = calls[call]
        return record.state == .active && record.properties.supportsHolding
            && providers[record.provider].isConnected && !isChangingState(call)
    }

    func canHold(_ group: Slot<GroupRecord>) -> Bool {
        members(of: group).allSatisfy { allowsHold($0) }
    }

    /// Returns whether all active calls of a group are being held, by another request.
    func isHoldUnderWay(of group: Slot<GroupRecord>) -> Bool {
        var isUnderWay = false
        for member in members(of: group) {
            if calls[member].state == .active, isOnlyBeingHeld(member) {
                isUnderWay = true
            } else if calls[member].state != .held || isChangingState(member) {
                return false
            }
        }
        return isUnderWay
    }

    /// Returns whether a hold of a call is under way, and no other change of its state.
    private func isOnlyBeingHeld(_ call: Slot<CallRecord>) -> Bool {
        isBeingHeld(call)
            && underWay(on: call).allSatisfy {
                actions[$0].action == .setHeld(true) || !changesState(actions[$0].action)
            }
    }

    private func allowsHold(_ call: Slot<CallRecord>) -> Bool {
        calls[call].state == .held && !isChangingState(call) || canHoldNow(call)
    }
}
