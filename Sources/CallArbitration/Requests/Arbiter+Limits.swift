internal import CallModel

/// Checks of the limits of providers and of the host against the state after a plan (rules 24 and
/// 25).
extension Arbiter {
    func checkLimits(
        _ request: RoomRequest, _ way: LiveGroupPlan, _ heldLast: Slot<GroupRecord>?
    ) throws(Refusal) {
        let ended = groupsGone(request, way, heldLast)
        try checkGroups(request, way, ended)
        try checkLine(request, ended)
        if request.makesCall { try checkCalls(request.provider, ended) }
        try checkDialing(request, way)
        guard case .holds = way else { return }
        let leaves = ended.count { groups[$0].isInHeldChain }
        let ownLeaves = request.call.map { groups[calls[$0].group].isInHeldChain } ?? false
        guard groups.held.count + 1 - leaves - (ownLeaves ? 1 : 0) > policy.limits.heldGroups else {
            return
        }
        throw maxHeldRefusal
    }

    /// Returns the groups that do not count: those that a plan ends, and those whose end it waits
    /// for (rules 10a and 24).
    private func groupsGone(
        _ request: RoomRequest, _ way: LiveGroupPlan, _ heldLast: Slot<GroupRecord>?
    ) -> [Slot<GroupRecord>] {
        var gone = [heldLast].compactMap { $0 }
        switch way {
        case .isFree, .joins, .holds: break
        case .ends(let group), .drops(let group): gone.append(group)
        case .waits:
            if let live, members(of: live).allSatisfy({ calls[$0].state == .ending }) {
                gone.append(live)
            }
        }
        // A call that is pulled does not count yet (rule 47).
        return gone.filter { group in
            !members(of: group).contains { calls[$0].state == .external }
        }
    }

    /// Checks that no other call is dialed, or waits to be (rule 10).
    private func checkDialing(_ request: RoomRequest, _ way: LiveGroupPlan) throws(Refusal) {
        guard request.purpose == .start, policy.limits.dialing <= 1 else { return }
        let dialing = dialing(butFor: way)
        guard !dialing.isEmpty else { return }
        throw Refusal(
            .alreadyDialing, rule: .alreadyDialing,
            limit: Refusal.Limit(name: "dialing", value: policy.limits.dialing),
            blocking: dialing.map { blocker($0) })
    }

    /// Returns the calls that are dialed or started, or wait to be, except those that are ended
    /// first; oldest first.
    private func dialing(butFor way: LiveGroupPlan) -> [Slot<CallRecord>] {
        let started = plans.all.flatMap { plans[$0].actions }
            .filter { actions[$0].action.kind == .start }.compactMap { call(of: $0) }
            .filter { calls[$0].state == .starting }
        let dialed =
            live.map { members(of: $0).filter { [.dialing, .alerting].contains(calls[$0].state) } }
            ?? []
        return (started + dialed).filter {
            way != .ends(calls[$0].group) && way != .drops(calls[$0].group)
        }
        .sorted { calls[$0].serial < calls[$1].serial }
    }

    var maxHeldRefusal: Refusal {
        refusal(
            .maxHeld, .hostLimits, policy.limits.heldGroups,
            groups.held(most: Self.blockersMax).compactMap { groups[$0].members.first })
    }

    /// Checks the limit of groups of a provider. An incoming call over the limit rings and can be
    /// answered, but no other group of its provider can be held for it.
    private func checkGroups(
        _ request: RoomRequest, _ way: LiveGroupPlan, _ ended: [Slot<GroupRecord>]
    ) throws(Refusal) {
        let record = providers[request.provider]
        if !request.makesCall {
            guard case .holds(let group) = way, groups[group].provider == request.provider,
                request.purpose != .resume
            else { return }
        }
        guard hasTooManyGroups(request, ended) else { return }
        throw refusal(
            .maxCallGroups, .providerLimits, record.configuration.maxCallGroups,
            seen(providers.calls(of: request.provider, most: Self.blockersMax)).filter {
                $0 != request.call
            })
    }

    /// Checks the limit of calls of a line. As with groups, an incoming call beyond it rings.
    private func checkLine(
        _ request: RoomRequest, _ ended: [Slot<GroupRecord>]
    ) throws(Refusal) {
        guard let (most, calls) = fullLine(request, ended) else { return }
        throw refusal(.maxCalls, .providerLimits, most, seen(Array(calls.prefix(Self.blockersMax))))
    }

    /// Returns the limit and the calls of the line that a start names, without those that a plan
    /// ends first; nil if the line has room for another.
    private func fullLine(
        _ request: RoomRequest, _ ended: [Slot<GroupRecord>]
    ) -> (limit: Int, calls: [Slot<CallRecord>])? {
        let line = request.line.flatMap { providers[request.provider].configuration.line($0) }
        guard let most = line?.maxCalls else { return nil }
        let ofLine = providers.calls(of: request.provider).filter {
            request.line == calls[$0].properties.line && calls[$0].state != .external
                && (calls[$0].isScreened || !ended.contains(calls[$0].group))
        }
        guard ofLine.count >= most else { return nil }
        return (most, ofLine)
    }

    private func hasTooManyGroups(_ request: RoomRequest, _ ended: [Slot<GroupRecord>]) -> Bool {
        let record = providers[request.provider]
        let endedHere = ended.count { groups[$0].provider == request.provider }
        let after = record.visibleGroups + (request.makesCall ? 1 : 0) - endedHere
        return after > record.configuration.maxCallGroups
    }

    /// Returns the group that the user's `on_conflict: end` ends for a start beyond the limit of
    /// its app or its line: the live one, or else the one that was held last.
    func groupOverLimit(_ request: RoomRequest, _ way: LiveGroupPlan) -> Slot<GroupRecord>? {
        guard request.purpose == .start, request.options.onConflict == .end else { return nil }
        let ended = groupsGone(request, way, nil)
        let ofLine = fullLine(request, ended) != nil
        guard ofLine || hasTooManyGroups(request, ended) else { return nil }
        let makesRoom = { group in
            groups[group].provider == request.provider
                && (!ofLine
                    || members(of: group).contains { calls[$0].properties.line == request.line })
        }
        if case .holds(let group) = way, makesRoom(group) { return group }
        return groups.heldInOrder.filter(makesRoom).last
    }

    /// Returns calls without those that a filter examines, or that are on another device.
    private func seen(_ calls: [Slot<CallRecord>]) -> [Slot<CallRecord>] {
        calls.filter { !self.calls[$0].isScreened && self.calls[$0].state != .external }
    }

    private func checkCalls(
        _ provider: Slot<ProviderRecord>, _ ended: [Slot<GroupRecord>]
    ) throws(Refusal) {
        let endedHere = ended.filter { groups[$0].provider == provider }
            .reduce(0) { $0 + groups[$1].members.count }
        let endedInAll = ended.reduce(0) { $0 + groups[$1].members.count }
        if providers[provider].ownCalls + 1 - endedHere > policy.limits.callsPerProvider {
            throw refusal(
                .maxCalls, .hostLimits, policy.limits.callsPerProvider,
                seen(providers.calls(of: provider, most: Self.blockersMax)))
        }
        if calls.own + 1 - endedInAll > policy.limits.calls {
            throw refusal(.maxCalls, .hostLimits, policy.limits.calls, [])
        }
    }

    /// The most calls that a refusal names: enough for a screen, and bounded on a busy host.
    static let blockersMax = 8

    func refusal(
        _ reason: RefusalReason, _ rule: Rule, _ value: Int, _ blocking: [Slot<CallRecord>]
    ) -> Refusal {
        Refusal(
            reason, rule: rule, limit: Refusal.Limit(name: reason.rawValue, value: value),
            blocking: blocking.map { blocker($0) })
    }
}
