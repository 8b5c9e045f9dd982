internal import CallModel

/// Calls are merged, split and swapped (rules 19, 22 and 23).
extension Arbiter {
    func planMerge(
        _ call: Slot<CallRecord>, _ otherID: CallID, _ requester: Requester, _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        guard let other = callsByID[otherID], !calls[other].isScreened else {
            throw notFound(otherID)
        }
        let (one, two) = (calls[call].group, calls[other].group)
        if one == two { return PlanDraft() }
        try checkMergeable(one, two)
        // If one side is a group already, the other joins it, whichever is named first.
        let joinsOther = groups[two].members.count >= groups[one].members.count
        let (joining, staying) = joinsOther ? (one, two) : (two, one)
        var draft = PlanDraft()
        draft.rule = .merge
        draft.target = name(of: staying)
        if let live, live != one, live != two {
            guard canHold(live) else {
                throw Refusal(.cannotHold, rule: .merge, blocking: blockers(live))
            }
            draft.steps.append(PlanDraft.Step(.holdForRoom, holdActions(of: live)))
        }
        guard let anchor = groups[staying].members.first else { return draft }
        draft.steps.append(
            PlanDraft.Step(
                .requested,
                members(of: joining).map { explicit(.setGroup(with: calls[anchor].id), $0) }))
        let toResume = (members(of: one) + members(of: two)).filter { calls[$0].state == .held }
        if !toResume.isEmpty {
            draft.steps.append(
                PlanDraft.Step(.resumeMembers, toResume.map { implied(.setHeld(false), $0) }))
        }
        return draft
    }

    private func checkMergeable(
        _ one: Slot<GroupRecord>, _ two: Slot<GroupRecord>
    ) throws(Refusal) {
        let all = members(of: one) + members(of: two)
        guard groups[one].provider == groups[two].provider else {
            throw Refusal(.invalidAction, rule: .merge, blocking: all.map { blocker($0) })
        }
        for call in all {
            try checkSupport(calls[call].properties.supportsGrouping, .notSupported, call)
        }
        guard emergencies == 0 else { throw Refusal(.emergency, rule: .emergency) }
        for call in all where calls[call].state != .active && calls[call].state != .held {
            throw Refusal(.invalidState, rule: .merge, blocking: [blocker(call)])
        }
        guard reservation == nil else { throw Refusal(.busy, rule: .busy) }
        let most = providers[groups[one].provider].configuration.maxCallsPerGroup
        guard all.count <= most else {
            throw Refusal(
                .maxCallsPerGroup, rule: .providerLimits,
                limit: Refusal.Limit(name: "max_calls_per_group", value: most),
                blocking: all.map { blocker($0) })
        }
    }

    func planSplit(
        _ call: Slot<CallRecord>, _ requester: Requester, _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        let group = calls[call].group
        guard groups[group].members.count > 1 else { return PlanDraft() }
        try checkSupport(calls[call].properties.supportsUngrouping, .notSupported, call)
        guard emergencies == 0 else { throw Refusal(.emergency, rule: .emergency) }
        guard reservation == nil else { throw Refusal(.busy, rule: .busy) }
        let record = providers[groups[group].provider]
        guard record.groupCount < record.configuration.maxCallGroups else {
            throw Refusal(
                .maxCallGroups, rule: .providerLimits,
                limit: Refusal.Limit(
                    name: "max_call_groups", value: record.configuration.maxCallGroups),
                blocking: blockers(group))
        }
        var draft = PlanDraft()
        draft.rule = .split
        draft.target = calls[call].id
        if let live, live != group {
            guard canHold(live) else {
                throw Refusal(.cannotHold, rule: .split, blocking: blockers(live))
            }
            draft.steps.append(PlanDraft.Step(.holdForRoom, holdActions(of: live)))
        }
        let rest = members(of: group).filter { $0 != call && calls[$0].state == .active }
        if !rest.isEmpty {
            draft.steps.append(
                PlanDraft.Step(.holdForRoom, rest.map { implied(.setHeld(true), $0) }))
        }
        draft.steps.append(PlanDraft.Step(.requested, [explicit(.setGroup(with: nil), call)]))
        if calls[call].state == .held {
            draft.steps.append(
                PlanDraft.Step(.resumeMembers, [implied(.setHeld(false), call)]))
        }
        return draft
    }

    /// A provider has grouped or split: the records follow.
    mutating func grouped(_ call: Slot<CallRecord>, with other: CallID?, _ cause: Cause) {
        if let other {
            guard let anchor = callsByID[other] else { return }
            move(call, to: calls[anchor].group, cause)
        } else if groups[calls[call].group].members.count > 1 {
            move(call, to: makeGroup(of: calls[call].provider), cause)
        }
    }

    /// Moves a call into another group; members stay in the order of their age.
    private mutating func move(
        _ call: Slot<CallRecord>, to group: Slot<GroupRecord>, _ cause: Cause
    ) {
        let former = calls[call].group
        guard former != group else { return }
        groups[former].lastMember = calls[call].id
        memberLinks.remove(call, from: &groups[former].members)
        calls[call].group = group
        let all = (members(of: group) + [call]).sorted { isOlder($0, than: $1) }
        for member in all where member != call {
            memberLinks.remove(member, from: &groups[group].members)
        }
        for member in all { memberLinks.append(member, to: &groups[group].members) }
        let wasAudio = audio == former
        if groups[former].members.first == nil {
            dissolve(former, cause)
        } else {
            for member in members(of: former) { publish(member, ["group"], cause) }
            settle(former, cause)
        }
        for member in members(of: group) { publish(member, ["group"], cause) }
        settle(group, cause)
        if wasAudio, live == group { grantAudio(to: group, cause) }
    }

    private func isOlder(_ one: Slot<CallRecord>, than other: Slot<CallRecord>) -> Bool {
        (calls[one].createdAt, calls[one].serial) < (calls[other].createdAt, calls[other].serial)
    }

    // MARK: - Swap

    /// Hold, then resume, in one transaction (rule 19).
    mutating func swap(
        _ token: RequestToken, _ requester: Requester, _ call: CallID?, _ options: CallOptions
    ) {
        do throws(Refusal) {
            let target = try swapTarget(call)
            request(
                .setHeld(false), of: target, token: token, requester: requester, options: options)
        } catch {
            emit(.refuse(token, error))
        }
    }

    private func swapTarget(_ call: CallID?) throws(Refusal) -> CallID {
        if let call { return call }
        guard let last = held.last, let name = name(of: last) else {
            throw Refusal(.invalidState, rule: .swap)
        }
        guard held.count == 1 else {
            let all = heldLinks.elements(of: held).flatMap { members(of: $0) }
            throw Refusal(
                .invalidAction, rule: .swap, blocking: all.prefix(8).map { blocker($0) })
        }
        return name
    }
}
