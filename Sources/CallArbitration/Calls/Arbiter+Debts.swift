internal import CallModel

/// Debts to held groups (rules 16, 17 and 17a): a group that was held to make room for a call is to
/// speak again when that call is over. The debt passes from call to call and never lapses; it is
/// settled as soon as the host is quiet.
extension Arbiter {
    // MARK: - Who is held for whom

    /// Notes that a group was held to make room for a call.
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

    /// Notes the same for a call that may be over by now.
    mutating func remember(_ group: Slot<GroupRecord>, heldFor name: CallID, _ cause: Cause) {
        if let call = calls.slot(of: name) {
            if calls[call].group != group { remember(group, heldFor: call, cause) }
        } else {
            unlinkDebt(of: group)
            setReason(of: group, name, cause)
        }
    }

    /// The group is not held for anybody any more.
    mutating func clearReason(of group: Slot<GroupRecord>, _ cause: Cause) {
        unlinkDebt(of: group)
        setReason(of: group, nil, cause)
    }

    /// The call for which it is held has gone: only its name is left.
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
        // What is not owed is not offered either.
        if call == nil { setOffered(false, group, cause) }
        for member in members(of: group) { publishLater(member, .heldBecauseOf, cause) }
    }

    /// Clears the debt to a group that speaks again. The other groups held for the same call are
    /// now held for this one.
    mutating func clearDebt(of group: Slot<GroupRecord>, _ cause: Cause) {
        guard let call = groups[group].heldBecauseOf else { return }
        clearReason(of: group, cause)
        guard let oldest = groups[group].members.first else { return }
        for other in Array(groups.owedInOrder)
        where groups[other].heldBecauseOf == call {
            remember(other, heldFor: oldest, cause)
        }
    }

    /// A call is over, and its group with it. What was held for it is held for the call that it was
    /// ended for; or, if it was held itself, for the one that it was held for.
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

    /// Groups that their app merges or splits while they are held go on being owed what they were.
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

    /// The groups that could speak again, as nothing speaks, rings, or waits to.
    enum Quiet {
        case no
        /// An emergency that is held could.
        case forEmergencies
        case yes
    }

    var quiet: Quiet {
        guard live == nil, reservation == nil, incoming.first == nil else { return .no }
        return emergencies.isEmpty ? .yes : .forEmergencies
    }

    /// Settles debts when the host has become quiet: the group held last speaks again if somebody
    /// here has ended what was in its way, else a resume is offered.
    mutating func updateDebts(since former: Quiet) {
        // Which groups have an emergency may change without a sound.
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

    /// A hold for an emergency that is over is done: nobody could resume its call before.
    private mutating func offerHeldGroups() {
        guard quiet == .yes else { return }
        for change in output.pendingUpdates
        where calls.contains(change.call) && calls[change.call].id == change.id {
            let group = calls[change.call].group
            if groups[group].isInHeldChain, isOwedOffer(group) { offer(group) }
        }
    }

    /// Returns whether the resume of a group is to be offered: it is due, and its provider is not
    /// still to hold what counts as held already (rule 20).
    func isOwedOffer(_ group: Slot<GroupRecord>) -> Bool {
        isDue(group) && !members(of: group).contains { isBeingHeld($0) }
    }

    /// Returns whether a held group is owed a resume that nothing is in the way of.
    func isDue(_ group: Slot<GroupRecord>) -> Bool {
        guard groups[group].heldBecauseOf != nil else { return false }
        return switch quiet {
        case .no: false
        case .forEmergencies: hasEmergency(group)
        case .yes: true
        }
    }

    /// The most recently held last.
    private var debts: [Slot<GroupRecord>] {
        groups.owedInOrder.filter { isDue($0) }
    }

    private func wantsResume(_ group: Slot<GroupRecord>) -> Bool {
        providers[groups[group].provider].configuration.resumesWhenFreed
    }

    /// Why the group speaks again without being asked for; nil if it does not. The last end
    /// decides: that of the user, or of the call's own app for its user, or any other.
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

    /// Tells screens, also those that come later, that a held group waits for somebody to resume
    /// it.
    mutating func setOffered(_ isOffered: Bool, _ group: Slot<GroupRecord>, _ cause: Cause) {
        guard groups[group].isResumeOffered != isOffered else { return }
        groups[group].isResumeOffered = isOffered
        for member in members(of: group) { publishLater(member, .resumeOffered, cause) }
    }

    // MARK: - Speaking again

    /// Resumes the group that was held for a call that has not become live, whatever rings: the
    /// user is still there, and whatever rings rang before (rules 5a, 17a and 19).
    mutating func resumeHeldGroup(_ group: Slot<GroupRecord>, after call: CallID?, _ rule: Rule?) {
        guard canResumeHeldGroup(group) else { return }
        let isSwap = rule == .swap
        resume(group, Cause(.arbitration, rule: isSwap ? .swap : .restored, becauseOf: call))
    }

    /// The call that did not become live is as it was; what was held for it comes back.
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
