internal import CallModel

/// The merge, split and swap of calls (rules 19, 22 and 23).
extension Arbiter {
    func planMerge(
        _ call: Slot<CallRecord>, _ otherID: CallID, _ requester: Requester
    ) throws(Refusal) -> PlanDraft {
        let other = try visible(otherID)
        try checkRights(requester, on: other)
        if let repeated = try checkMerge(call, other) { return PlanDraft(repeated) }
        let (one, two) = (calls[call].group, calls[other].group)
        // If one side is a group already, the other joins it, whichever is named first.
        let joinsOther = groups[two].members.count >= groups[one].members.count
        let (joining, staying) = joinsOther ? (one, two) : (two, one)
        var draft = PlanDraft()
        draft.notes = [.init(rule: .merge, verdict: .passed)]
        draft.target = name(of: staying)
        addLiveHold(unless: one, two, to: &draft)
        guard let anchor = groups[staying].members.first else { return draft }
        draft.steps.append(
            PlanDraft.Step(
                .requested,
                members(of: joining).map { explicit(.setGroup(with: calls[anchor].id), $0) }))
        let toResume = (Array(members(of: one)) + members(of: two)).filter {
            calls[$0].state == .held
        }
        if !toResume.isEmpty {
            draft.steps.append(
                PlanDraft.Step(.resumeMembers, toResume.map { implied(.setHeld(false), $0) }))
        }
        return draft
    }

    /// Checks that the groups of two calls can be merged. Nothing is made but a refusal: the calls
    /// of an app are all tried with each other whenever one is shown.
    func checkMerge(
        _ call: Slot<CallRecord>, _ other: Slot<CallRecord>
    ) throws(Refusal) -> RepeatedRequest? {
        let (one, two) = (calls[call].group, calls[other].group)
        if one == two { return .isDone }
        for other in regroupings where merges(other.call, other.with, one, two) {
            return .joins(other.plan)
        }
        try checkMergeable(one, two)
        try checkCanHoldLive(unless: one, two, .merge)
        return nil
    }

    private struct Regrouping {
        let plan: Slot<PlanRecord>
        let call: Slot<CallRecord>
        /// The other call; nil if the call leaves its group.
        let with: CallID?
    }

    /// The regroupings under way: whoever asks for the same joins them (rule 30).
    private var regroupings: [Regrouping] {
        guard let reservation else { return [] }
        return plans[reservation].actions.compactMap { action in
            guard case .setGroup(let other) = actions[action].action,
                let call = call(of: action)
            else { return nil }
            return Regrouping(plan: reservation, call: call, with: other)
        }
    }

    private func merges(
        _ call: Slot<CallRecord>, _ other: CallID?, _ one: Slot<GroupRecord>,
        _ two: Slot<GroupRecord>
    ) -> Bool {
        guard let other = other.flatMap({ calls.slot(of: $0) }) else { return false }
        let groups = [calls[call].group, calls[other].group]
        return groups == [one, two] || groups == [two, one]
    }

    private func checkMergeable(
        _ one: Slot<GroupRecord>, _ two: Slot<GroupRecord>
    ) throws(Refusal) {
        guard groups[one].provider == groups[two].provider else {
            throw Refusal(.invalidAction, rule: .merge, blocking: all(one, two).map { blocker($0) })
        }
        try check(one, two) { call throws(Refusal) in
            try checkSupport(calls[call].properties.supportsGrouping, .notSupported, call)
        }
        try check(one, two) { call throws(Refusal) in
            guard calls[call].state != .active, calls[call].state != .held else { return }
            throw Refusal(.invalidState, rule: .merge, blocking: [blocker(call)])
        }
        guard emergencies.isEmpty else { throw emergencyRefusal }
        let most = providers[groups[one].provider].configuration.maxCallsPerGroup
        guard groups[one].members.count + groups[two].members.count <= most else {
            throw refusal(.maxCallsPerGroup, .providerLimits, most, all(one, two))
        }
        try checkNotBusy()
        try check(one, two) { call throws(Refusal) in
            guard isChangingState(call) else { return }
            throw Refusal(.invalidState, rule: .merge, blocking: [blocker(call)])
        }
    }

    private func all(
        _ one: Slot<GroupRecord>, _ two: Slot<GroupRecord>
    ) -> [Slot<CallRecord>] {
        Array(members(of: one)) + members(of: two)
    }

    /// Checks each call of two groups.
    private func check(
        _ one: Slot<GroupRecord>, _ two: Slot<GroupRecord>,
        _ check: (Slot<CallRecord>) throws(Refusal) -> Void
    ) throws(Refusal) {
        for call in members(of: one) { try check(call) }
        for call in members(of: two) { try check(call) }
    }

    func planSplit(_ call: Slot<CallRecord>) throws(Refusal) -> PlanDraft {
        if let repeated = try checkSplit(call) { return PlanDraft(repeated) }
        let group = calls[call].group
        var draft = PlanDraft()
        draft.notes = [.init(rule: .split, verdict: .passed)]
        draft.target = calls[call].id
        addLiveHold(unless: group, to: &draft)
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

    /// Checks that a call can leave its group, whose other calls are held meanwhile.
    func checkSplit(_ call: Slot<CallRecord>) throws(Refusal) -> RepeatedRequest? {
        let group = calls[call].group
        guard groups[group].members.count > 1 else { return .isDone }
        for other in regroupings where other.call == call && other.with == nil {
            return .joins(other.plan)
        }
        try checkSplit(call, of: group)
        try checkCanHoldLive(unless: group, nil, .split)
        for member in members(of: group)
        where member != call && calls[member].state == .active && !canHoldNow(member) {
            throw Refusal(.cannotHold, rule: .split, blocking: [blocker(member)])
        }
        return nil
    }

    private func checkSplit(
        _ call: Slot<CallRecord>, of group: Slot<GroupRecord>
    ) throws(Refusal) {
        try checkSupport(calls[call].properties.supportsUngrouping, .notSupported, call)
        guard calls[call].state == .active || calls[call].state == .held else {
            throw Refusal(.invalidState, rule: .split, blocking: [blocker(call)])
        }
        guard emergencies.isEmpty else { throw emergencyRefusal }
        let record = providers[groups[group].provider]
        guard record.visibleGroups < record.configuration.maxCallGroups else {
            throw refusal(
                .maxCallGroups, .providerLimits, record.configuration.maxCallGroups,
                Array(members(of: group)))
        }
        // The rest of the group is held, or stays so; another live group is held besides.
        let heldAfter = groups.held.count + (live == nil ? 0 : 1)
        guard heldAfter <= policy.limits.heldGroups else { throw maxHeldRefusal }
        try checkNotBusy()
        for member in members(of: group) where isChangingState(member) {
            throw Refusal(.invalidState, rule: .split, blocking: [blocker(member)])
        }
    }

    /// Returns the live group, which is held first (rule 14), unless it is one of the groups that
    /// change.
    private func liveGroup(
        unless one: Slot<GroupRecord>, _ two: Slot<GroupRecord>?
    ) -> Slot<GroupRecord>? {
        live == one || live == two ? nil : live
    }

    private func checkCanHoldLive(
        unless one: Slot<GroupRecord>, _ two: Slot<GroupRecord>?, _ rule: Rule
    ) throws(Refusal) {
        guard let live = liveGroup(unless: one, two), !canHold(live) else { return }
        throw Refusal(.cannotHold, rule: rule, blocking: inTheWay(live))
    }

    private func addLiveHold(
        unless one: Slot<GroupRecord>, _ two: Slot<GroupRecord>? = nil, to draft: inout PlanDraft
    ) {
        guard let live = liveGroup(unless: one, two) else { return }
        draft.steps.append(PlanDraft.Step(.holdForRoom, holdActions(of: live)))
        draft.notes.append(
            .init(rule: .resumeHoldsFirst, verdict: .holdsFirst, blocking: blockers(live)))
    }

    // MARK: - Swap

    /// Holds the live group, then resumes a held one, in one transaction (rule 19).
    mutating func swap(
        _ token: RequestToken, _ requester: Requester, _ call: CallID?, _ options: CallOptions
    ) {
        do throws(Refusal) {
            try checkConflict(requester, options)
            let target = try swapTarget(call)
            request(
                .setHeld(false), of: target, token: token, requester: requester, options: options,
                rule: .swap)
        } catch {
            refuse(token, call, error, requester, options)
        }
    }

    /// Returns the held call that takes the place of the live group: the named or the only one.
    func swapTarget(_ id: CallID?) throws(Refusal) -> CallID {
        let named = try id.map { id throws(Refusal) in try visible(id) }
        guard let live else { throw Refusal(.invalidState, rule: .swap) }
        if let id, let call = named {
            if calls[call].group != live {
                guard calls[call].state == .held else {
                    throw Refusal(.invalidState, rule: .swap, blocking: [blocker(call)])
                }
                return id
            }
        }
        guard let last = groups.held.last, let name = name(of: last) else {
            throw Refusal(.invalidState, rule: .swap, blocking: blockers(live))
        }
        guard groups.held.count == 1 else {
            let first = groups.held(most: Self.blockersMax)
            throw Refusal(
                .invalidAction, rule: .swap,
                blocking: first.compactMap { groups[$0].members.first }.map { blocker($0) })
        }
        return name
    }
}

/// Changes of the records after providers have grouped or split calls.
extension Arbiter {
    /// Moves calls of one group to the group of another call or, with nil, to a group of their own.
    mutating func grouped(
        _ moved: [Slot<CallRecord>], with other: CallID?, _ cause: Cause
    ) {
        guard let first = moved.first else { return }
        let former = calls[first].group
        if let other {
            guard let anchor = calls.slot(of: other), calls[anchor].group != former else { return }
            move(moved, from: former, to: calls[anchor].group, cause)
        } else if groups[former].members.count > moved.count {
            let group = makeGroup(of: calls[first].provider)
            groups[group].isMuted = groups[former].isMuted
            move(moved, from: former, to: group, cause)
        }
    }

    /// Moves calls to a group all at once, so that never two groups are live in between.
    private mutating func move(
        _ moved: [Slot<CallRecord>], from former: Slot<GroupRecord>, to group: Slot<GroupRecord>,
        _ cause: Cause
    ) {
        let (wasLive, hadAudio, wasMuted) =
            (live == former, audio?.group == former, groups[former].isMuted)
        let second = wasLive ? secondLive(moved, leaving: former, for: group) : []
        for call in second { heldNow(call, cause) }
        if wasLive, group != former { callOffResumes(of: moved) }
        // No group is held for one of its own calls.
        if let reason = groups[group].heldFor, moved.contains(reason) {
            clearReason(of: group, cause)
        }
        let isNew = groups[group].members.first == nil
        for call in moved {
            groups[former].lastMember = calls[call].id
            groups.remove(call, from: former)
            calls[call].group = group
        }
        insert(moved, into: group)
        moveDebt(moved, from: former, to: group, isNew: isNew, cause)
        let stayed = members(of: group).filter { !moved.contains($0) }
        let isMuted = mergedMute(of: group, wasMuted, wasLive: wasLive, isNew: isNew)
        let changed =
            (isMuted == wasMuted ? [] : moved)
            + (isMuted == groups[group].isMuted ? [] : stayed)
        groups[group].isMuted = isMuted
        for call in changed { publishLater(call, .muted, cause) }
        // The grant moves along, so that there is no gap in the sound.
        if hadAudio, !staysLive(former), groups[former].members.first == nil || speaks(group) {
            audio?.group = group
        }
        leave(former, cause)
        for member in members(of: group) { publish(member, [.group], cause) }
        updateLiveness(of: group, cause)
        if live == group { clearDebt(of: group, cause) }
        if hadAudio, live == group { grantAudio(to: group, cause) }
        if audio?.group == group, live != group { releaseAudio(of: group, cause) }
        if isNew, wasLive { remember(former, ifHeldFor: moved[0], cause) }
        if !changed.isEmpty { adoptMute(of: group, changed, cause) }
        for call in second { sendBackToHold(call) }
    }

    /// Publishes changes of debts of calls that move to another group, which inherits the debt to a
    /// held group.
    private mutating func moveDebt(
        _ moved: [Slot<CallRecord>], from former: Slot<GroupRecord>, to group: Slot<GroupRecord>,
        isNew: Bool, _ cause: Cause
    ) {
        if groups[group].heldBecauseOf != groups[former].heldBecauseOf {
            for call in moved { publishLater(call, .heldBecauseOf, cause) }
        }
        if groups[group].isResumeOffered != groups[former].isResumeOffered {
            for call in moved { publishLater(call, .resumeOffered, cause) }
        }
        if groups[former].isInHeldChain, isNew || groups[group].isInHeldChain {
            inheritDebt(of: former, group, cause)
        }
    }

    /// Cancels the resumes of calls that leave a live group: they do not become live with it.
    private mutating func callOffResumes(of moved: [Slot<CallRecord>]) {
        for call in moved {
            guard let current = calls[call].current, actions[current].action == .setHeld(false)
            else { continue }
            cancel(current, isToldProvider: true)
        }
    }

    /// Returns the active calls that leave a group that stays live: two groups would be live (I1).
    private func secondLive(
        _ moved: [Slot<CallRecord>], leaving former: Slot<GroupRecord>,
        for group: Slot<GroupRecord>
    ) -> [Slot<CallRecord>] {
        guard group != former else { return [] }
        return staysLive(former, without: moved) ? moved.filter { calls[$0].state == .active } : []
    }

    /// Returns whether a group is still live without some of its calls.
    private func staysLive(
        _ group: Slot<GroupRecord>, without moved: [Slot<CallRecord>] = []
    ) -> Bool {
        groups[group].isBecomingLive || speaks(group, without: moved)
    }

    private func speaks(
        _ group: Slot<GroupRecord>, without moved: [Slot<CallRecord>] = []
    ) -> Bool {
        members(of: group).contains { !moved.contains($0) && calls[$0].state.speaks }
    }

    /// Inserts calls into a group in the order of their age.
    private mutating func insert(_ moved: [Slot<CallRecord>], into group: Slot<GroupRecord>) {
        let former = Array(members(of: group))
        for member in former { groups.remove(member, from: group) }
        for member in (former + moved).sorted(by: { calls[$0].serial < calls[$1].serial }) {
            groups.append(member, to: group)
        }
    }

    private mutating func leave(_ former: Slot<GroupRecord>, _ cause: Cause) {
        guard groups[former].members.first != nil else { return dissolve(former, cause) }
        for member in members(of: former) { publish(member, [.group], cause) }
        updateLiveness(of: former, cause)
        // Calls that are only ending do not keep the calls that left from becoming live.
        if live == former, !groups[former].isBecomingLive, !speaks(former) {
            live = nil
            updateLiveness(of: former, cause)
        }
    }

    /// Records that the rest of a group that was split is held because of the call that left it.
    private mutating func remember(
        _ rest: Slot<GroupRecord>, ifHeldFor call: Slot<CallRecord>, _ cause: Cause
    ) {
        guard groups.contains(rest), groups[rest].isInHeldChain, calls[call].heldGroups.last == nil,
            groups[rest].heldBecauseOf == nil
        else { return }
        remember(rest, heldFor: call, cause)
    }

    /// Returns the mute of a group after a change (rule 34): that of the live side, as the user
    /// sees it. A merge of two held groups unmutes no call.
    private func mergedMute(
        of group: Slot<GroupRecord>, _ joining: Bool, wasLive: Bool, isNew: Bool
    ) -> Bool {
        if isNew || wasLive { return joining }
        return live == group ? groups[group].isMuted : groups[group].isMuted || joining
    }

    /// Mutes or unmutes calls whose mute differs from that of their group.
    private mutating func adoptMute(
        of group: Slot<GroupRecord>, _ moved: [Slot<CallRecord>], _ cause: Cause
    ) {
        let isMuted = groups[group].isMuted
        var draft = PlanDraft()
        draft.notes = [.init(rule: .mute, verdict: .forced)]
        draft.steps = [
            PlanDraft.Step(.requested, moved.map { implied(.setMuted(isMuted), $0) })
        ]
        run(draft, Cause(.arbitration, rule: .mute, becauseOf: name(of: group)))
    }
}
