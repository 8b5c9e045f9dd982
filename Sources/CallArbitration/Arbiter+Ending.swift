internal import CallModel

/// How calls end.
extension Arbiter {
    /// Ends a call here and at its provider; what the provider says to it does not matter.
    mutating func dismiss(_ call: Slot<CallRecord>, _ reason: EndReason, _ cause: Cause) {
        endAtProvider(calls[call].id, calls[call].provider, cause)
        finish(call, reason, cause)
    }

    /// Sends an end whose result nobody waits for, so that no call lives unseen.
    mutating func endAtProvider(_ id: CallID, _ provider: Slot<ProviderRecord>, _ cause: Cause) {
        guard providers[provider].isConnected else { return }
        let action = addAction(
            .end, call: id, provider: provider, isImplied: true, cause: cause,
            transaction: TransactionID(makeID()), plan: nil, deadlineMS: nil)
        dispatch(action)
    }

    /// A call is over: the one way all calls go.
    mutating func finish(
        _ call: Slot<CallRecord>, _ reason: EndReason, _ cause: Cause, isLoss: Bool = false
    ) {
        stopTimers(of: call)
        leaveIncoming(call)
        calls[call].state = .ended
        calls[call].pending = nil
        noteMissed(call, reason, cause)
        let record = calls[call]
        if !record.isScreened {
            publish(call, ["state", "end_reason", "end_cause"], cause)
            announce(.callRemoved(record.id, cause))
        }
        emit(.record(historyEntry(of: record, reason, cause)))
        if let token = endScreening(call) {
            emit(.refuse(token, Refusal(.callEnded, rule: .filters)))
        }
        let heldGroup = leaveGroup(call, cause)
        remove(call, isLoss: isLoss)
        cancelActions(of: record, cause)
        if let heldGroup { considerResuming(heldGroup, after: record, cause) }
        endingWaitOver()
    }

    private mutating func noteMissed(_ call: Slot<CallRecord>, _ reason: EndReason, _ cause: Cause)
    {
        let record = calls[call]
        guard record.direction == .incoming, !record.wasConnected else { return }
        switch reason {
        case .unanswered: calls[call].missed.insert(.unanswered)
        case .remoteEnded: calls[call].missed.insert(.callerGaveUp)
        case .failed where cause.rule == .providerExited || cause.rule == .providerLost:
            calls[call].missed.insert(.providerLost)
        default: return
        }
        if record.isSilenced { calls[call].missed.insert(.silenced) }
        if let since = record.ringingSince, now < since.advanced(byMS: policy.shortRingMS) {
            calls[call].missed.insert(.shortRing)
        }
    }

    private func historyEntry(
        of record: CallRecord, _ reason: EndReason, _ cause: Cause
    ) -> HistoryEntry {
        HistoryEntry(
            call: record.id, provider: providers[record.provider].id, direction: record.direction,
            remote: record.properties.remote, displayName: record.properties.displayName,
            hasVideo: record.properties.hasVideo, reason: reason, cause: cause,
            missed: record.missed, createdAt: record.createdAt, connectedAt: record.connectedAt,
            endedAt: now)
    }

    /// Takes a call out of its group. The group that was held for it, if it is to be thought about
    /// now: as long as the call's own group goes on, another member takes the debt over (rule 18).
    private mutating func leaveGroup(
        _ call: Slot<CallRecord>, _ cause: Cause
    ) -> Slot<GroupRecord>? {
        let group = calls[call].group
        let heldGroup = calls[call].heldGroup
        let wasOldest = groups[group].members.first == call
        groups[group].lastMember = calls[call].id
        memberLinks.remove(call, from: &groups[group].members)
        guard let oldest = groups[group].members.first else {
            dissolve(group, cause)
            if let heldGroup { forgetReason(of: heldGroup) }
            return heldGroup
        }
        if let heldGroup { remember(heldGroup, heldFor: oldest) }
        if wasOldest { for member in members(of: group) { publish(member, ["group"], cause) } }
        settle(group, cause)
        return nil
    }

    private mutating func remove(_ call: Slot<CallRecord>, isLoss: Bool) {
        let record = calls[call]
        if record.properties.priority == .emergency { endEmergency(of: record.provider) }
        providerLinks.remove(call, from: &providers[record.provider].calls)
        allLinks.remove(call, from: &allCalls)
        callsByID[record.id] = nil
        endedCalls.insert(record.id, at: now, isLoss: isLoss, policy)
        calls.remove(call)
    }

    private mutating func cancelActions(of record: CallRecord, _ cause: Cause) {
        let queued = providers[record.provider].queue.filter { actions[$0].call == record.id }
        for action in [record.current, record.ending].compactMap({ $0 }) + queued {
            cancel(action, isToldProvider: false)
        }
        if let plan = planTargeting(record.id) {
            abort(plan, Refusal(.callEnded, rule: .unknownCall))
        }
    }

    private func planTargeting(_ call: CallID) -> Slot<PlanRecord>? {
        reservation.flatMap { plans[$0].target == call ? $0 : nil }
    }

    // MARK: - Afterwards

    /// Whether the group that was held because of a call comes back now that the call is over
    /// (rules 16, 17 and 17a).
    private mutating func considerResuming(
        _ group: Slot<GroupRecord>, after record: CallRecord, _ cause: Cause
    ) {
        guard groups[group].isInHeldChain, let name = name(of: group) else { return }
        let isLocal = cause.origin == .user || cause.origin == .app
        switch (record.wasConnected, isLocal) {
        case (false, _): resume(group, Cause(.arbitration, rule: .restored, becauseOf: record.id))
        case (true, true) where policy.resumeAfterUserEnd:
            resume(group, Cause(.arbitration, rule: .resumeAfterUserEnd, becauseOf: record.id))
        case (true, false) where policy.resumeAfterRemoteEnd:
            resume(group, Cause(.policy, rule: .resumeOffered, becauseOf: record.id))
        default: announce(.resumeOffered(name, becauseOf: record.id))
        }
    }

    /// Resumes a group by itself, if nothing rings, dials or speaks and its provider is there.
    mutating func resume(_ group: Slot<GroupRecord>, _ cause: Cause) {
        let provider = groups[group].provider
        guard live == nil, reservation == nil, incoming.count == 0, emergencies == 0,
            groups[group].isInHeldChain, providers[provider].isConnected,
            providers[provider].configuration.resumesWhenFreed
        else { return }
        var draft = PlanDraft()
        draft.target = name(of: group)
        draft.steps = [PlanDraft.Step(.requested, resumeActions(of: group))]
        run(draft, cause)
    }

    /// A plan that waits for an ending call goes on when the way is free (rule 10a).
    mutating func endingWaitOver() {
        guard let plan = reservation, !plans[plan].isDone else { return }
        let step = plans[plan].steps[plans[plan].cursor]
        guard step.role == .awaitEnding, live == nil else { return }
        advance(plan)
    }

    mutating func endEmergency(of provider: Slot<ProviderRecord>) {
        emergencies -= 1
        providers[provider].emergencyEndedAt = now
        emit(
            .startTimer(
                .emergencyCallback(providers[provider].id),
                at: now.advanced(byMS: policy.emergencyCallbackMS)))
    }
}
