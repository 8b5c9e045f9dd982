internal import CallModel

/// A hash of the state without the parts that depend on history alone: times, ids that the arbiter
/// made, tokens, counters, and the places of records. Two arbiters of the same structure react to
/// the same events in the same way, apart from such names. A search through all states recognizes
/// the visited ones by this hash, if it also compares the ended calls and the actions whose replies
/// would be late: the memory of these is left out.
extension Arbiter {
    package func hashStructure(into hasher: inout Hasher) {
        let names = StructuralNames(self)
        for call in calls.inOrder { hash(call, names, &hasher) }
        for group in names.groups { hash(group, names, &hasher) }
        for provider in names.providers { hash(provider, names, &hasher) }
        for action in names.actions { hash(action, names, &hasher) }
        for plan in names.plans { hash(plan, names, &hasher) }
        hasher.combine(live.map { names[$0] })
        hasher.combine(audio.map { names[$0.group] })
        hasher.combine(reservation.map { names[$0] })
        for call in incoming.inOrder { hasher.combine(calls[call].id) }
        for group in groups.heldInOrder { hasher.combine(names[group]) }
        for call in emergencies.calls { hasher.combine(calls[call].id) }
        for plan in plans.waitingForEnd { hasher.combine(names[plan]) }
        hasher.combine(emergencies.callbackProviders)
        hasher.combine(incoming.screenedCount)
    }

    private func hash(
        _ call: Slot<CallRecord>, _ names: StructuralNames, _ hasher: inout Hasher
    ) {
        let record = calls[call]
        hasher.combine(record.id)
        hasher.combine(providers[record.provider].id)
        hasher.combine(record.direction)
        hasher.combine(names[record.group])
        hasher.combine(record.state)
        hasher.combine(record.properties)
        hasher.combine(record.caller)
        hasher.combine(record.ringingSince == nil)
        hasher.combine(record.ringDue == nil)
        hasher.combine(record.connectedAt == nil)
        hasher.combine(record.pending)
        hasher.combine(record.current.map { names[$0] })
        hasher.combine(record.ending.map { names[$0] })
        hasher.combine(record.endReason)
        hasher.combine(record.endCause?.rule)
        hasher.combine(record.filteredBy)
        hasher.combine(record.screeningToken == nil)
        for group in groups.debts(record.heldGroups) { hasher.combine(names[group]) }
        hasher.combine(record.isSilenced)
        hasher.combine(record.missed)
        hasher.combine(record.isInIncoming)
        hasher.combine(record.isStartSilent)
        hasher.combine(record.timers.rawValue)
        hasher.combine(record.isScreened)
        hasher.combine(record.isUnconfirmed)
    }

    private func hash(
        _ group: Slot<GroupRecord>, _ names: StructuralNames, _ hasher: inout Hasher
    ) {
        let record = groups[group]
        for member in members(of: group) { hasher.combine(calls[member].id) }
        hasher.combine(record.isMuted)
        hasher.combine(record.isInHeldChain)
        hasher.combine(record.heldBecauseOf)
        hasher.combine(record.heldFor == nil)
        hasher.combine(record.isResumeOffered)
        hasher.combine(record.isBecomingLive)
        guard let mute = record.muteUnderWay else { return }
        // The change may outlive its plan.
        let isCurrent = plans.contains(mute.plan) && plans[mute.plan].id == mute.transaction
        hasher.combine(isCurrent ? names[mute.plan] : -1)
        hasher.combine(mute.isMuted)
    }

    private func hash(
        _ provider: Slot<ProviderRecord>, _ names: StructuralNames, _ hasher: inout Hasher
    ) {
        let record = providers[provider]
        hasher.combine(record.id)
        hasher.combine(record.configuration)
        hasher.combine(record.link)
        hasher.combine(record.hasGrace)
        hasher.combine(record.screened)
        for action in record.queue { hasher.combine(names[action]) }
        for action in record.detached { hasher.combine(names[action]) }
    }

    private func hash(
        _ action: Slot<ActionRecord>, _ names: StructuralNames, _ hasher: inout Hasher
    ) {
        let record = actions[action]
        hasher.combine(record.call)
        hasher.combine(record.providerID)
        hasher.combine(record.action)
        hasher.combine(record.isImplied)
        hasher.combine(record.cause.origin)
        hasher.combine(record.cause.rule)
        hasher.combine(record.cause.becauseOf)
        hasher.combine(record.plan.map { names[$0] })
        hasher.combine(record.state)
        hasher.combine(record.deadline == nil)
        hasher.combine(record.isOffered)
        hasher.combine(record.early?.state)
        hasher.combine(record.failure)
    }

    private func hash(
        _ plan: Slot<PlanRecord>, _ names: StructuralNames, _ hasher: inout Hasher
    ) {
        let record = plans[plan]
        hasher.combine(record.requester)
        for waiting in record.waiting { hasher.combine(waiting.reply) }
        hasher.combine(record.cause.rule)
        for action in record.actions { hasher.combine(names[action]) }
        for step in record.steps {
            hasher.combine(step.role)
            hasher.combine(step.range)
            hasher.combine(step.unsettled)
            hasher.combine(step.hasBegun)
        }
        hasher.combine(record.cursor)
        hasher.combine(record.refusal?.reason)
        hasher.combine(record.target)
        hasher.combine(record.isDone)
        hasher.combine(record.choice)
        hasher.combine(record.hasHeld)
        hasher.combine(record.wantsRoom)
        hasher.combine(record.deadlineMS)
        for offer in record.offers { hasher.combine(offer.state) }
        hasher.combine(record.isWaitTimed)
    }
}

/// Names for records that do not depend on history: of groups by their oldest member, of actions
/// and plans by their age.
private struct StructuralNames {
    let groups: [Slot<GroupRecord>]
    let providers: [Slot<ProviderRecord>]
    let actions: [Slot<ActionRecord>]
    let plans: [Slot<PlanRecord>]
    private var groupNames: [Int]
    private var actionNames: [Int]
    private var planNames: [Int]

    init(_ arbiter: Arbiter) {
        var groups: [Slot<GroupRecord>] = []
        for call in arbiter.calls.inOrder {
            let group = arbiter.calls[call].group
            if arbiter.groups[group].members.first == call { groups.append(group) }
        }
        self.groups = groups
        providers = arbiter.providers.ids.compactMap { arbiter.providers.slot(of: $0) }
        actions = arbiter.actions.all.sorted { arbiter.actions[$0].id < arbiter.actions[$1].id }
        plans = arbiter.plans.all.sorted { arbiter.plans[$0].id < arbiter.plans[$1].id }
        groupNames = Self.names(groups.map(\.number))
        actionNames = Self.names(actions.map(\.number))
        planNames = Self.names(plans.map(\.number))
    }

    private static func names(_ numbers: [Int32]) -> [Int] {
        var names = [Int](repeating: -1, count: Int(numbers.max() ?? -1) + 1)
        for (name, number) in numbers.enumerated() { names[Int(number)] = name }
        return names
    }

    subscript(group: Slot<GroupRecord>) -> Int {
        groupNames[Int(group.number)]
    }

    subscript(action: Slot<ActionRecord>) -> Int {
        actionNames[Int(action.number)]
    }

    subscript(plan: Slot<PlanRecord>) -> Int {
        planNames[Int(plan.number)]
    }
}
