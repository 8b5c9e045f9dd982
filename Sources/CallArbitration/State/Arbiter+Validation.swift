internal import CallModel

/// Validation of a state that was read. Inside the arbiter records refer to each other by slot.
/// There a slot without a record is an error of ours, which stops the process; in bytes from a file
/// it is a fault. Therefore such slots are searched for before anything is decided.
extension Arbiter {
    func validate() throws(StateError) {
        try checkStanding()
        for action in actions.all { try check(action) }
        for call in calls.all { try check(call) }
        for group in groups.all { try check(group) }
        for provider in providers.all { try check(provider) }
        for plan in plans.all { try check(plan) }
        try checkListsOfCalls()
        try checkListsOfGroups()
        try checkLiveness()
    }

    private func expect(_ isWhole: Bool, _ what: String) throws(StateError) {
        guard isWhole else { throw .inconsistent(what) }
    }

    // MARK: - Slots lead to records

    private func checkStanding() throws(StateError) {
        try expect(
            groups.records.has(live) && groups.records.has(audio?.group), "the live group is none")
        try expect(plans.records.has(reservation), "the reservation belongs to no plan")
        try expect(
            plans.waitingForEnd.allSatisfy { plans.records.has($0) },
            "what waits for an end is no plan")
        try expect(
            emergencies.calls.allSatisfy { calls.records.has($0) }, "an emergency is no call")
    }

    private func check(_ call: Slot<CallRecord>) throws(StateError) {
        let record = calls[call]
        try expect(providers.records.has(record.provider), "the provider of a call is none")
        try expect(groups.records.has(record.group), "the group of a call is none")
        for action in [record.current, record.ending] {
            guard let action else { continue }
            try expect(actions.records.has(action), "the action of a call is none")
            try expect(self.call(of: action) == call, "the action of a call is of another")
        }
    }

    private func check(_ group: Slot<GroupRecord>) throws(StateError) {
        let record = groups[group]
        try expect(providers.records.has(record.provider), "the provider of a group is none")
        try expect(calls.records.has(record.heldFor), "the call that a group is held for is none")
        try expect(
            record.heldFor.map { calls[$0].id == record.heldBecauseOf } ?? true,
            "a group is held for another call than it says")
        try expect(
            !record.isResumeOffered || record.heldBecauseOf != nil,
            "a resume is offered that nobody owes")
        try expect(
            record.muteUnderWay.map { plans.records.hasPlace($0.plan) } ?? true,
            "a mute has no plan")
    }

    private func check(_ provider: Slot<ProviderRecord>) throws(StateError) {
        let record = providers[provider]
        try expect(record.link != .revoked, "a provider that may have no calls is still leaving")
        try expect(record.screened <= record.groupCount, "screened calls are counted wrongly")
        try expect(
            Set(record.queue).count == record.queue.count
                && Set(record.detached).count == record.detached.count,
            "an action of a provider is listed twice")
        for action in record.queue + record.detached {
            try expect(actions.records.has(action), "an action of a provider is none")
            try expect(
                actions[action].provider == provider && actions[action].providerID == record.id,
                "an action of a provider is of another")
        }
        try expect(
            record.detached.allSatisfy { actions[$0].plan == nil }, "a detached end has a plan")
    }

    private func check(_ action: Slot<ActionRecord>) throws(StateError) {
        let record = actions[action]
        try expect(
            record.callRecord.map { calls.records.hasPlace($0) } ?? true, "an action has no call")
        try expect(providers.records.hasPlace(record.provider), "an action has no provider")
        guard let plan = record.plan else {
            let isKept = hasProvider(action) && providers[record.provider].detached.contains(action)
            return try expect(isKept, "an action is of no plan")
        }
        try expect(
            plans.records.has(plan) && plans[plan].actions.contains(action),
            "an action is of no plan")
        try expect(record.state != .dispatched || hasProvider(action), "nobody performs an action")
    }

    private func check(_ plan: Slot<PlanRecord>) throws(StateError) {
        let record = plans[plan]
        for action in record.actions {
            try expect(actions.records.has(action), "an action of a plan is none")
            try expect(actions[action].plan == plan, "an action of a plan is of another")
        }
        try expect(record.cursor < record.steps.count, "a plan is at none of its steps")
        for step in record.steps {
            try expect(
                step.first + step.count <= record.actions.count, "a step has none of the actions")
            let unsettled = record.actions(of: step).count { isUnsettled($0) }
            try expect(step.unsettled == unsettled, "a step counts its actions wrongly")
        }
        // An action that is removed before it is settled would stay the current one of its call.
        let places = record.steps.flatMap(\.range)
        try expect(
            places.count == record.actions.count && Set(places).count == places.count
                && Set(record.actions).count == places.count,
            "the steps of a plan share its actions wrongly")
    }

    private func isUnsettled(_ action: Slot<ActionRecord>) -> Bool {
        actions[action].state == .queued || actions[action].state == .dispatched
    }

    /// Checks the live group. A second group that would be live stops the process when it is
    /// settled.
    private func checkLiveness() throws(StateError) {
        for group in groups.all where groups[group].isBecomingLive {
            try expect(live == group, "a group becomes live that is not the live one")
        }
        guard let live, !groups[live].isBecomingLive else { return }
        let states: [CallState] = [.dialing, .alerting, .connecting, .active, .ending]
        try expect(
            members(of: live).contains { states.contains(calls[$0].state) },
            "the live group neither speaks nor ends")
    }

    // MARK: - Lists hold what belongs there

    private func checkListsOfCalls() throws(StateError) {
        let all = calls.links.walk(calls.list)
        try expect(
            all?.count == calls.count && calls.records.hasAll(all), "the list of calls is broken")
        let ringing = incoming.links.walk(incoming.list)
        try expect(
            calls.records.hasAll(ringing) && ringing?.allSatisfy { calls[$0].isInIncoming } == true
                && ringing?.count == calls.all.count { calls[$0].isInIncoming },
            "the list of incoming calls is broken")
        var (ofProviders, ofGroups) = (0, 0)
        for provider in providers.all {
            let list = providers.callLinks.walk(providers[provider].calls)
            try expect(
                calls.records.hasAll(list)
                    && list?.allSatisfy { calls[$0].provider == provider } == true,
                "the list of a provider's calls is broken")
            ofProviders += list?.count ?? 0
        }
        for group in groups.all {
            let list = groups.memberLinks.walk(groups[group].members)
            try expect(
                calls.records.hasAll(list)
                    && list?.allSatisfy { calls[$0].group == group } == true,
                "the list of a group's calls is broken")
            ofGroups += list?.count ?? 0
        }
        try expect(
            ofProviders == calls.count && ofGroups == calls.count, "a call is missing in a list")
    }

    private func checkListsOfGroups() throws(StateError) {
        let list = groups.heldLinks.walk(groups.held)
        try expect(
            groups.records.hasAll(list) && list?.allSatisfy { groups[$0].isInHeldChain } == true
                && list?.count == groups.all.count { groups[$0].isInHeldChain },
            "the list of held groups is broken")
        var heldForCalls = 0
        for call in calls.all {
            let list = groups.debtLinks.walk(calls[call].heldGroups)
            try expect(
                groups.records.hasAll(list)
                    && list?.allSatisfy { groups[$0].heldFor == call } == true,
                "the list of groups that are held for a call is broken")
            heldForCalls += list?.count ?? 0
        }
        try expect(
            heldForCalls == groups.all.count { groups[$0].heldFor != nil },
            "a group is missing in a list")
    }
}

/// State that is not stored, since it follows from the records.
extension Arbiter {
    /// Restores the derived state after the stored state was read and validated.
    mutating func restoreDerivedState() {
        incoming.ringing = incoming.inOrder.first { calls[$0].state == .ringing }
        groups.restoreOwed()
        restoreRoles()
        restoreExternals()
    }
}

extension Slots {
    /// Returns whether a slot from any source refers to a record; true for nil.
    fileprivate func has(_ slot: Slot<Record>?) -> Bool {
        slot.map { hasPlace($0) && contains($0) } ?? true
    }

    fileprivate func hasAll(_ slots: [Slot<Record>]?) -> Bool {
        slots?.allSatisfy { has($0) } ?? false
    }
}
