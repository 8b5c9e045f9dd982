internal import CallModel

/// Debts to held groups (rules 16, 17 and 17a): a group that was held to make room for a call is to
/// become live again when that call is over. A debt passes from call to call and never lapses; it
/// is settled as soon as the host is quiet.
extension Arbiter {
    // MARK: - Debts

    /// Records that a group was held to make room for a call.
    mutating func remember(
        _ group: Slot<GroupRecord>, heldFor call: Slot<CallRecord>, _ cause: Cause
    ) {
        unlinkDebt(of: group)
        groups.appendDebt(group, to: &calls[call].heldGroups)
        groups[group].heldFor = call
        var cause = cause
        cause.becauseOf = calls[call].id
        setReason(of: group, calls[call].id, cause)
    }

    /// Records the same for a call that may be over already.
    mutating func remember(_ group: Slot<GroupRecord>, heldFor name: CallID, _ cause: Cause) {
        if let call = calls.slot(of: name) {
            if calls[call].group != group { remember(group, heldFor: call, cause) }
        } else {
            unlinkDebt(of: group)
            setReason(of: group, name, cause)
        }
    }

    /// Removes the debt of a group.
    mutating func clearReason(of group: Slot<GroupRecord>, _ cause: Cause) {
        unlinkDebt(of: group)
        setReason(of: group, nil, cause)
    }

    /// Unlinks a group from the call for which it is held; the call's id remains as the reason.
    private mutating func unlinkDebt(of group: Slot<GroupRecord>) {
        guard let call = groups[group].heldFor else { return }
        groups.removeDebt(group, from: &calls[call].heldGroups)
        groups[group].heldFor = nil
    }

    private mutating func setReason(
        of group: Slot<GroupRecord>, _ call: CallID?, _ cause: Cause
    ) {
        guard groups[group].heldBecauseOf != call else { return }
        groups.setHeldBecauseOf(call, group)
        // A resume that is not owed is not offered either.
        if call == nil { setOffered(false, group, cause) }
        for member in members(of: group) { publishLater(member, .heldBecauseOf, cause) }
    }

    /// Clears the debt to a group that is live again. The other groups held for the same call are
    /// now held for the oldest call of this group.
    mutating func clearDebt(of group: Slot<GroupRecord>, _ cause: Cause) {
        guard let call = groups[group].heldBecauseOf else { return }
        clearReason(of: group, cause)
        guard let oldest = groups[group].members.first else { return }
        for other in Array(groups.owedInOrder)
        where groups[other].heldBecauseOf == call {
            remember(other, heldFor: oldest, cause)
        }
    }

    /// Passes on the debts of a call that ends together with its group: to the call for which it
    /// was ended or, if it was held itself, to the call for which it was held.
    mutating func passOnDebts(
        of call: Slot<CallRecord>, _ debts: [Slot<GroupRecord>], wasLive: Bool, _ cause: Cause
    ) {
        let group = calls[call].group
        let successor = cause.becauseOf.flatMap { calls.slot(of: $0) }
        let heir = successor ?? (wasLive ? nil : groups[group].heldFor)
        for debt in debts {
            if let heir, heir != call, calls[heir].group != debt {
                remember(debt, heldFor: heir, cause)
            } else {
                unlinkDebt(of: debt)
            }
        }
    }

    /// Records the debt to a held group also for a group that its app has merged or split from it.
    mutating func inheritDebt(
        of former: Slot<GroupRecord>, _ group: Slot<GroupRecord>, _ cause: Cause
    ) {
        guard groups[group].heldBecauseOf == nil, let name = groups[former].heldBecauseOf,
            !members(of: group).contains(where: { calls[$0].id == name })
        else { return }
        remember(group, heldFor: name, cause)
        setOffered(groups[former].isResumeOffered, group, cause)
    }

    // MARK: - Settling

    /// The groups that could become live again, as no call is live, rings, or waits for room.
    enum Quiet {
        case no
        /// Held groups with an emergency only.
        case forEmergencies
        case yes
    }

    var quiet: Quiet {
        guard live == nil, reservation == nil, incoming.first == nil else { return .no }
        return emergencies.isEmpty ? .yes : .forEmergencies
    }

    /// Settles debts when the host has become quiet: resumes the group held last if the origin of
    /// the last end allows that, or else offers its resume.
    mutating func updateDebts(since former: Quiet) {
        // The groups with an emergency may change while `quiet` stays the same.
        guard quiet != former || quiet == .forEmergencies else { return offerHeldGroups() }
        if quiet != former, let last = debts.last, let cause = causeOfResuming(last),
            wantsResume(last)
        {
            resume(last, cause)
            settleFollowUps()
        }
        for group in groups.owedInOrder.reversed() {
            if isOwedOffer(group) { offer(group) } else { withdrawOffer(of: group) }
        }
    }

    /// Offers the resume of groups that have changed. A hold for an emergency that is over may have
    /// been fulfilled only now, and its call could not be resumed before.
    private mutating func offerHeldGroups() {
        guard quiet == .yes else { return }
        for change in output.pendingUpdates
        where calls.contains(change.call) && calls[change.call].id == change.id {
            let group = calls[change.call].group
            if groups[group].isInHeldChain, isOwedOffer(group) { offer(group) }
        }
    }

    /// Returns whether the resume of a group is to be offered: it is due, and no provider still has
    /// to hold a call that counts as held already (rule 20).
    func isOwedOffer(_ group: Slot<GroupRecord>) -> Bool {
        isDue(group) && !members(of: group).contains { isBeingHeld($0) }
    }

    /// Returns whether a held group is owed a resume that could happen now.
    func isDue(_ group: Slot<GroupRecord>) -> Bool {
        guard groups[group].heldBecauseOf != nil else { return false }
        return switch quiet {
        case .no: false
        case .forEmergencies: hasEmergency(group)
        case .yes: true
        }
    }

    /// The held groups whose resume is due, the most recently held last.
    private var debts: [Slot<GroupRecord>] {
        groups.owedInOrder.filter { isDue($0) }
    }

    private func wantsResume(_ group: Slot<GroupRecord>) -> Bool {
        providers[groups[group].provider].configuration.resumesWhenFreed
    }

    /// Returns the cause of resuming a group without a request; nil if it is not resumed. The
    /// origin of the last end decides: the user, the call's own app for its user, or any other.
    private func causeOfResuming(_ group: Slot<GroupRecord>) -> Cause? {
        let call = groups[group].heldBecauseOf
        switch lastEnd {
        case nil: return nil
        case .user, .app:
            guard policy.resumeAfterUserEnd else { return nil }
            return Cause(.arbitration, rule: .resumeAfterUserEnd, becauseOf: call)
        case .provider, .remote, .arbitration, .timeout, .policy, .admin:
            guard policy.resumeAfterRemoteEnd else { return nil }
            return Cause(.policy, rule: .resumeOffered, becauseOf: call)
        }
    }

    private mutating func offer(_ group: Slot<GroupRecord>) {
        guard let name = name(of: group), let call = groups[group].heldBecauseOf,
            !groups[group].isResumeOffered
        else { return }
        let cause = Cause(.arbitration, rule: .resumeOffered, becauseOf: call)
        note(.resumeOffered, .resumeOffered, name, cause)
        setOffered(true, group, cause)
        announce(.resumeOffered(name, becauseOf: call))
    }

    private mutating func withdrawOffer(of group: Slot<GroupRecord>) {
        setOffered(false, group, Cause(.arbitration, rule: .resumeOffered))
    }

    /// Publishes whether a resume of a held group is offered, also to screens that connect later.
    mutating func setOffered(_ isOffered: Bool, _ group: Slot<GroupRecord>, _ cause: Cause) {
        guard groups[group].isResumeOffered != isOffered else { return }
        groups[group].isResumeOffered = isOffered
        for member in members(of: group) { publishLater(member, .resumeOffered, cause) }
    }

    // MARK: - Resuming

    /// Resumes the group that was held for a call that has not become live, even while calls ring:
    /// the user is still there, and those calls rang before (rules 5a, 17a and 19).
    mutating func resumeHeldGroup(_ group: Slot<GroupRecord>, after call: CallID?, _ rule: Rule?) {
        guard canResumeHeldGroup(group) else { return }
        let isSwap = rule == .swap
        resume(group, Cause(.arbitration, rule: isSwap ? .swap : .restored, becauseOf: call))
    }

    /// Resumes the group held last for a call that has not become live and is as before.
    mutating func resumeGroupHeld(for call: Slot<CallRecord>, _ cause: Cause) {
        guard let held = calls[call].heldGroups.last else { return }
        resumeHeldGroup(held, after: calls[call].id, cause.rule)
    }

    private func canResumeHeldGroup(_ group: Slot<GroupRecord>) -> Bool {
        live == nil && reservation == nil && groups[group].isInHeldChain
            && (emergencies.isEmpty || hasEmergency(group))
    }

    private mutating func resume(_ group: Slot<GroupRecord>, _ cause: Cause) {
        var draft = PlanDraft()
        draft.target = name(of: group)
        if let rule = cause.rule { draft.notes = [.init(rule: rule, verdict: .resumes)] }
        draft.steps = [PlanDraft.Step(.requested, resumeActions(of: group))]
        run(draft, cause)
    }
}
