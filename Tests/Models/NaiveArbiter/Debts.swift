internal import CallArbitration
internal import CallModel

/// Rules 16 to 18: who is held for whom, and who speaks again when that is over.
extension NaiveArbiter {
    mutating func remember(_ group: Int, heldFor call: CallID) {
        let order = nextNumber()
        let isThere = self.call(call) != nil
        change(group: group) {
            $0.heldBecauseOf = call
            $0.heldFor = isThere ? call : nil
            $0.reasonOrder = order
        }
    }

    /// Those that are held for a call, the latest last.
    func heldFor(_ call: CallID) -> [Group] {
        groups.filter { $0.heldFor == call }.sorted { $0.reasonOrder < $1.reasonOrder }
    }

    mutating func forgetDebt(of group: Int) {
        change(group: group) {
            $0.heldBecauseOf = nil
            $0.heldFor = nil
            $0.isOffered = false
        }
    }

    /// What is held for the same call as a group that speaks again is held for it now.
    mutating func payDebt(of group: Int) {
        guard let call = self.group(group)?.heldBecauseOf else { return }
        forgetDebt(of: group)
        guard let name = name(of: group) else { return }
        for other in heldGroups where other.heldBecauseOf == call {
            remember(other.number, heldFor: name)
        }
    }

    /// The call is over. As long as its group goes on, the oldest takes over what was held for it
    /// (rule 18); else the call that it was ended for does, or, if it was held, the one that it was
    /// held for. Those that were held for it, if its group is over.
    mutating func handOverDebts(of call: Call, _ cause: Cause, wasLive: Bool) -> [Int] {
        let debts = heldFor(call.id).map(\.number)
        if let oldest = members(of: call.group).first(where: { $0.id != call.id }) {
            for group in debts { remember(group, heldFor: oldest.id) }
            return []
        }
        let successor = cause.becauseOf.flatMap { self.call($0) }?.id
        let heir = successor ?? (wasLive ? nil : group(call.group)?.heldFor)
        for group in debts {
            if let heir, heir != call.id, self.call(heir)?.group != group {
                remember(group, heldFor: heir)
            } else {
                change(group: group) { $0.heldFor = nil }
            }
        }
        return debts
    }

    // Settling.

    /// Who may speak again: nobody, emergencies that are held, or everybody.
    enum Quiet {
        case nobody, emergencies, everybody
    }

    var quiet: Quiet {
        if liveGroup != nil || reservation != nil || !ringingCalls.isEmpty { return .nobody }
        return emergencies.isEmpty ? .everybody : .emergencies
    }

    /// As soon as the host is quiet: the last end decides whether somebody speaks again by itself.
    ///
    /// - Parameter wereBeingHeld: groups whose providers had still to hold them.
    mutating func settleDebts(since former: Quiet, _ wereBeingHeld: [Int]) {
        guard former != quiet || quiet == .emergencies else {
            for group in due where wereBeingHeld.contains(group.number) {
                if quiet == .everybody, !isBeingHeld(group.number) { offer(group) }
            }
            return
        }
        if former != quiet, let last = due.last, let cause = causeOfResuming(last),
            wantsResume(last)
        {
            resume(last.number, cause)
            settleWhatFollows()
        }
        let due = due.map(\.number).filter { !isBeingHeld($0) }
        for group in groups {
            if due.contains(group.number) {
                offer(group)
            } else {
                change(group: group.number) { $0.isOffered = false }
            }
        }
    }

    private mutating func offer(_ group: Group) {
        guard !group.isOffered, let name = name(of: group.number), let call = group.heldBecauseOf
        else { return }
        change(group: group.number) { $0.isOffered = true }
        wanted.announced.append(.resumeOffered(name, becauseOf: call))
    }

    /// It counts as held, and its provider has still to hold it (rule 20).
    func isBeingHeld(_ group: Int) -> Bool {
        members(of: group).flatMap { actions(on: $0.id) }
            .contains { $0.isUnderWay && $0.kind == .setHeld(true) }
    }

    /// The most recently held last.
    private var due: [Group] {
        heldGroups.filter { group in
            group.heldBecauseOf != nil
                && (quiet == .everybody
                    || quiet == .emergencies
                        && members(of: group.number).contains(where: \.isEmergency))
        }
    }

    private func wantsResume(_ group: Group) -> Bool {
        provider(ofGroup: group.number).flatMap { provider($0) }?.configuration.resumesWhenFreed
            == true
    }

    private func causeOfResuming(_ group: Group) -> Cause? {
        guard let lastEnd else { return nil }
        let isLocal = lastEnd == .user || lastEnd == .app
        if isLocal, policy.resumeAfterUserEnd {
            return Cause(.arbitration, rule: .resumeAfterUserEnd, becauseOf: group.heldBecauseOf)
        }
        if !isLocal, policy.resumeAfterRemoteEnd {
            return Cause(.policy, rule: .resumeOffered, becauseOf: group.heldBecauseOf)
        }
        return nil
    }

    /// Rules 5a, 17a and 19: whatever rings rang before.
    mutating func bringBack(_ group: Int, _ cause: Cause) {
        let isUrgent = members(of: group).contains(where: \.isEmergency)
        guard liveGroup == nil, reservation == nil, self.group(group)?.isHeld == true,
            emergencies.isEmpty || isUrgent
        else { return }
        resume(group, cause)
    }

    private mutating func resume(_ group: Int, _ cause: Cause) {
        var planned = Planned()
        planned.target = name(of: group)
        let held = members(of: group).filter { $0.state == .held }
        planned.steps = [PlannedStep(.asked, held.map { implied(.setHeld(false), $0) })]
        carryOut(planned, cause)
    }
}
