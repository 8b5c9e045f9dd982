internal import CallModel

/// The end of calls.
extension Arbiter {
    /// Ends a call here and at its provider, whatever the provider replies.
    mutating func dismiss(
        _ call: Slot<CallRecord>, _ reason: EndReason, _ cause: Cause,
        failure: ActionFailure? = nil
    ) {
        cancelQueued(on: call) { _ in true }
        endAtProvider(calls[call].id, calls[call].provider, cause)
        finish(call, reason, cause, failure: failure)
    }

    /// Sends an end whose result nothing waits for, so that no call lives on unseen.
    mutating func endAtProvider(_ id: CallID, _ provider: Slot<ProviderRecord>, _ cause: Cause) {
        guard providers[provider].isConnected, !isBeingEnded(id, at: provider) else { return }
        dispatch(addDetachedEnd(id, provider, cause))
    }

    /// Returns whether an app still has to end a call that is over here already.
    func isBeingEnded(_ id: CallID, at provider: Slot<ProviderRecord>) -> Bool {
        providers[provider].detached.contains { actions[$0].call == id }
    }

    /// Refuses an id that cannot be that of a new call of a provider: a call has it, or a call had
    /// it that is remembered or that the provider still has to end.
    func checkIsNew(_ id: CallID, at provider: Slot<ProviderRecord>) throws(Refusal) {
        let isUsed =
            calls.slot(of: id) != nil || memory.endedCalls.contains(id, now, policy)
            || isBeingEnded(id, at: provider)
        if isUsed { throw Refusal(.callUUID, rule: .unknownCall) }
    }

    /// Ends a call; the end of every call passes through this function.
    mutating func finish(
        _ call: Slot<CallRecord>, _ reason: EndReason, _ cause: Cause, isLoss: Bool = false,
        at reportedAt: Instant? = nil, failure: ActionFailure? = nil, detail: EndDetail? = nil
    ) {
        var (reason, cause, isLoss, detail) = (reason, cause, isLoss, detail)
        // The first request to end a call is the cause of the end, however that came about.
        if calls[call].state == .ending, let earlier = calls[call].endCause {
            (reason, cause, isLoss, detail) = (localReason(of: call), earlier, false, nil)
        }
        let wasLive = live == calls[call].group
        let wasExternal = calls[call].state == .external
        let isFirst = !calls[call].wasConnected || isBeingResumed(call)
        let wasUnanswered = calls[call].isInIncoming || calls[call].isScreened
        stopTimers(of: call)
        leaveIncoming(call)
        leaveExternal(call)
        calls[call].state = .ended
        refreshPending(of: call, cause)
        recordMissed(call, reason, cause, wasUnanswered: wasUnanswered)
        let record = calls[call]
        announceEnd(
            of: call, record, reason, cause, at: timestamp(reportedAt, of: call), failure, detail,
            isExternal: wasExternal)
        if wasLive || !record.wasConnected && !wasExternal { lastEnd = cause.origin }
        let debts = leaveGroup(call, cause)
        remove(call, isLoss: isLoss)
        cancelActions(of: record, cause)
        guard let last = debts.last else { return }
        if isFirst, groups[last].heldFor == nil {
            return resumeHeldGroup(last, after: record.id, nil)
        }
        explainWithheld(last, cause)
    }

    /// Records that a held group is not resumed, as a call is live, rings, or waits for room (rule
    /// 16).
    private mutating func explainWithheld(_ group: Slot<GroupRecord>, _ cause: Cause) {
        guard quiet == .no, groups[group].isInHeldChain, groups[group].heldFor == nil,
            let name = name(of: group)
        else { return }
        note(.resumeAfterUserEnd, .resumeWithheld, name, cause)
    }

    /// Returns whether a call is being resumed in place of a group that was held for it (rule 19).
    private func isBeingResumed(_ call: Slot<CallRecord>) -> Bool {
        guard calls[call].pending == .resuming,
            let action = calls[call].current ?? firstQueued(on: call)
        else { return false }
        return actions[action].plan.map { plans[$0].hasHeld } ?? false
    }

    private mutating func announceEnd(
        of call: Slot<CallRecord>, _ record: CallRecord, _ reason: EndReason, _ cause: Cause,
        at endedAt: Instant, _ failure: ActionFailure?, _ detail: EndDetail?, isExternal: Bool
    ) {
        let detail = detail ?? failure?.endDetail
        if !record.isScreened {
            let changes: ChangedProperties = detail == nil ? [] : .endDetail
            publish(call, changes.union([.state, .endReason, .endCause]), cause)
            announce(.callRemoved(record.id, cause))
        }
        emit(
            .record(
                HistoryEntry(
                    last: summary(of: call), reason: reason, cause: cause, missed: record.missed,
                    filteredBy: record.filteredBy, endedAt: endedAt,
                    isRecent: providers[record.provider].configuration.includesInRecents,
                    isExternal: isExternal,
                    failure: failure, detail: detail)))
        if let token = endScreening(call) {
            emit(.refuse(token, cause.refusal ?? Refusal(.callEnded, rule: .filters)))
        }
    }

    /// Records why a call was missed. A call that was taken, declined, or answered elsewhere was
    /// not missed (rules 37 and 39).
    private mutating func recordMissed(
        _ call: Slot<CallRecord>, _ reason: EndReason, _ cause: Cause, wasUnanswered: Bool
    ) {
        guard wasUnanswered else { return calls[call].missed = [] }
        let record = calls[call]
        switch reason {
        case .unanswered where cause.rule == .emergency: break
        case .unanswered: calls[call].missed.insert(.unanswered)
        case .remoteEnded: calls[call].missed.insert(.callerGaveUp)
        // The call was not missed: its app took it and did not hold it (rule 13).
        case .failed where cause.rule == .reportedActive: return calls[call].missed = []
        // The caller did not give up, and the user could not have answered.
        case .failed: calls[call].missed.insert(.providerLost)
        case .filtered: return
        case .answeredElsewhere, .declinedElsewhere, .localEnded, .declined, .cancelled:
            return calls[call].missed = []
        }
        if record.isSilenced { calls[call].missed.insert(.silenced) }
        if let since = record.ringingSince, now < since.advanced(byMS: policy.shortRingMS) {
            calls[call].missed.insert(.shortRing)
        }
    }

    /// Removes a call from its group. Returns the groups that were held for the call if its group
    /// ends with it; otherwise another member takes them over (rule 18).
    private mutating func leaveGroup(
        _ call: Slot<CallRecord>, _ cause: Cause
    ) -> [Slot<GroupRecord>] {
        let group = calls[call].group
        let heldGroups = Array(groups.debts(calls[call].heldGroups))
        let wasOldest = groups[group].members.first == call
        groups[group].lastMember = calls[call].id
        groups.remove(call, from: group)
        guard let oldest = groups[group].members.first else {
            passOnDebts(of: call, heldGroups, wasLive: live == group, cause)
            dissolve(group, cause)
            return heldGroups
        }
        note(.memberEnds, .groupGoesOn, calls[oldest].id, cause)
        if groups[group].isBecomingLive {
            groups[group].isBecomingLive = hasLiveActionUnderWay(group)
        }
        for group in heldGroups { remember(group, heldFor: oldest, cause) }
        if wasOldest { for member in members(of: group) { publish(member, [.group], cause) } }
        updateLiveness(of: group, cause)
        return []
    }

    private mutating func remove(_ call: Slot<CallRecord>, isLoss: Bool) {
        let record = calls[call]
        if emergencies.contains(call) { endEmergency(call) }
        providers.remove(call, from: record.provider)
        memory.endedCalls.insert(record.id, at: now, isLoss: isLoss, policy)
        calls.remove(call)
    }

    private mutating func cancelActions(of record: CallRecord, _ cause: Cause) {
        let queued = providers[record.provider].queue.filter {
            actions[$0].call == record.id && actions[$0].plan != nil
        }
        // Queued actions first, so that none of them takes the place of the current one.
        for id in (queued + [record.current].compactMap { $0 }).map({ actions[$0].id }) {
            guard let action = actions.slot(of: id), action != record.ending else { continue }
            settleAndAdvance(action, cause.isLoss ? .failed : .cancelled)
        }
        // An end is fulfilled however its call ended.
        if let ending = record.ending { settleAndAdvance(ending, .fulfilled) }
        if let reservation, plans[reservation].target == record.id {
            let loss = cause.isLoss ? Refusal(.providerGone, rule: cause.rule) : nil
            let isForEmergency = cause.origin == .policy && cause.rule == .emergency
            abort(
                reservation,
                cause.refusal ?? loss
                    ?? (isForEmergency
                        ? Refusal(.cancelled, rule: .busy)
                        : Refusal(.callEnded, rule: .unknownCall)))
        }
    }

    mutating func endEmergency(_ call: Slot<CallRecord>) {
        let provider = calls[call].provider
        emergencies.remove(call)
        let id = providers[provider].id
        emergencies.appendCallback(id)
        emit(
            .startTimer(
                .emergencyCallback(id),
                at: now.advanced(byMS: policy.emergencyCallbackMS)))
    }
}

extension Cause {
    /// True if the provider of the call was lost or removed (rules 26 to 28), or may no longer have
    /// calls.
    var isLoss: Bool {
        rule == .providerExited || rule == .providerLost || rule == .brokerRestarted
            || refusal != nil
    }

    /// The refusal for requests that waited for a call of a provider that may no longer have calls
    /// (rule 33).
    var refusal: Refusal? {
        origin == .admin && rule == .rights ? .revoked : nil
    }
}

extension Refusal {
    /// The refusal of a provider that may no longer have calls.
    static let revoked = Refusal(.unentitled, rule: .rights)
}
