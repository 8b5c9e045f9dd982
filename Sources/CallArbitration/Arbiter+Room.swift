internal import CallModel

/// What wants to become live, and how far it may go for that.
struct RoomRequest {
    enum Purpose: Equatable {
        case start
        case emergency
        case answer(AnswerChoice)
        case resume
    }

    /// The call; nil for one that does not exist yet.
    let call: Slot<CallRecord>?
    let provider: Slot<ProviderRecord>
    let purpose: Purpose
    let requester: Requester
    let options: CallOptions

    var choice: AnswerChoice? {
        if case .answer(let choice) = purpose { choice } else { nil }
    }

    var makesCall: Bool {
        call == nil
    }
}

/// What is in the way of a call, and how it is cleared (rules 5 to 9, 14, 20, 24 and 25).
extension Arbiter {
    func makeRoom(_ request: RoomRequest) throws(Refusal) -> [PlanDraft.Step] {
        let own = request.call.map { calls[$0].group }
        let blocking = live.flatMap { $0 == own ? nil : $0 }
        let heldLast = request.choice == .endHeldAndAnswer ? held.last : nil
        let isEnding = blocking.map { group in
            members(of: group).allSatisfy { calls[$0].state == .ending }
        }
        let endsLive = blocking.map { mustEnd($0, request) }
        var ended = [heldLast].compactMap { $0 }
        if endsLive == true, let blocking { ended.append(blocking) }
        try checkLimits(request, ended: ended, holdsOne: endsLive == false && isEnding == false)
        try checkMayEnd(ended, request.requester)
        guard let blocking else { return endSteps(heldLast) }
        if isEnding == true { return [PlanDraft.Step(.awaitEnding, [])] }
        if endsLive == true {
            return endSteps(heldLast) + [PlanDraft.Step(.endForRoom, endActions(of: blocking))]
        }
        try checkCanHold(blocking, request)
        return endSteps(heldLast) + [PlanDraft.Step(.holdForRoom, holdActions(of: blocking))]
    }

    private func endSteps(_ group: Slot<GroupRecord>?) -> [PlanDraft.Step] {
        group.map { [PlanDraft.Step(.endForRoom, endActions(of: $0))] } ?? []
    }

    /// Whether the live group is ended rather than held: the user said so, or it cannot be held and
    /// the user, the host or an emergency wants it so.
    private func mustEnd(_ group: Slot<GroupRecord>, _ request: RoomRequest) -> Bool {
        if request.choice == .endAndAnswer { return true }
        if canHold(group) { return false }
        if request.options.onConflict == .end || request.purpose == .emergency { return true }
        return request.choice == .plain && policy.onCannotHold == .end
            && request.requester == .user
    }

    /// Calls of others are ended for the user, or for an emergency (principles 4 and 5).
    private func checkMayEnd(
        _ ended: [Slot<GroupRecord>], _ requester: Requester
    ) throws(Refusal) {
        guard case .app(let own) = requester else { return }
        for group in ended where providers[groups[group].provider].id != own {
            throw Refusal(.notYourCall, rule: .rights, blocking: blockers(group))
        }
    }

    private func checkCanHold(
        _ group: Slot<GroupRecord>, _ request: RoomRequest
    ) throws(Refusal) {
        guard !canHold(group) else { return }
        let rule: Rule =
            switch request.purpose {
            case .start, .emergency: .startCannotHold
            case .answer: .answerCannotHold
            case .resume: .resumeHoldsFirst
            }
        let inTheWay = members(of: group).filter { !canHoldNow($0) }.map { blocker($0) }
        throw Refusal(.cannotHold, rule: rule, blocking: inTheWay)
    }

    /// Whether a call could be held right now.
    func canHoldNow(_ call: Slot<CallRecord>) -> Bool {
        let record = calls[call]
        return record.state == .active && record.properties.supportsHolding
            && providers[record.provider].isConnected && !isChangingState(record)
            && record.properties.priority != .emergency
    }

    private func isChangingState(_ record: CallRecord) -> Bool {
        guard record.ending == nil else { return true }
        switch record.current.map({ actions[$0].action }) {
        case nil, .setMuted, .playDTMF: return false
        case .start, .answer, .end, .setHeld, .setGroup: return true
        }
    }

    func canHold(_ group: Slot<GroupRecord>) -> Bool {
        members(of: group).allSatisfy { calls[$0].state == .held || canHoldNow($0) }
    }

    // MARK: - Limits, against what the plan would leave

    private func checkLimits(
        _ request: RoomRequest, ended: [Slot<GroupRecord>], holdsOne: Bool
    ) throws(Refusal) {
        try checkGroups(request, ended)
        if request.makesCall { try checkCalls(request.provider, ended) }
        guard holdsOne else { return }
        let leaving = ended.filter { groups[$0].isInHeldChain }.count
        let ownWasHeld = request.call.map { groups[calls[$0].group].isInHeldChain } ?? false
        guard held.count + 1 - leaving - (ownWasHeld ? 1 : 0) > policy.limits.heldGroups else {
            return
        }
        throw maxHeldRefusal
    }

    var maxHeldRefusal: Refusal {
        refusal(
            .maxHeld, .hostLimits, policy.limits.heldGroups,
            heldLinks.elements(of: held).flatMap { members(of: $0) })
    }

    /// An incoming call over the limit of groups rings; it is its answer that has to make room.
    private func checkGroups(
        _ request: RoomRequest, _ ended: [Slot<GroupRecord>]
    ) throws(Refusal) {
        let record = providers[request.provider]
        let endedHere = ended.count { groups[$0].provider == request.provider }
        let after = record.groupCount + (request.makesCall ? 1 : 0) - endedHere
        guard request.purpose != .resume, after > record.configuration.maxCallGroups else { return }
        throw refusal(
            .maxCallGroups, .providerLimits, record.configuration.maxCallGroups,
            providerLinks.elements(of: record.calls))
    }

    private func checkCalls(
        _ provider: Slot<ProviderRecord>, _ ended: [Slot<GroupRecord>]
    ) throws(Refusal) {
        let endedHere = ended.filter { groups[$0].provider == provider }
            .reduce(0) { $0 + groups[$1].members.count }
        let endedInAll = ended.reduce(0) { $0 + groups[$1].members.count }
        let own = providers[provider].calls
        if own.count + 1 - endedHere > policy.limits.callsPerProvider {
            throw refusal(
                .maxCalls, .hostLimits, policy.limits.callsPerProvider,
                providerLinks.elements(of: own))
        }
        if callsByID.count + 1 - endedInAll > policy.limits.calls {
            throw refusal(.maxCalls, .hostLimits, policy.limits.calls, [])
        }
    }

    func refusal(
        _ reason: RefusalReason, _ rule: Rule, _ value: Int, _ blocking: [Slot<CallRecord>]
    ) -> Refusal {
        Refusal(
            reason, rule: rule, limit: Refusal.Limit(name: reason.rawValue, value: value),
            blocking: blocking.prefix(8).map { blocker($0) })
    }
}
