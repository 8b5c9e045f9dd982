internal import CallModel

/// Incoming calls (rules 1 to 4, 20, 24, 25 and 32).
extension Arbiter {
    mutating func reportIncoming(_ report: IncomingReport) {
        var report = report
        judgePriority(in: &report.update, of: report.call, by: report.provider)
        do throws(Refusal) {
            let provider = try provider(report.provider)
            try checkIncoming(report, provider)
            try checkBusy(report)
            admit(report, provider)
        } catch {
            emit(.refuse(report.token, error))
            recordRefused(report, error)
        }
    }

    @inline(__always)
    func provider(_ id: ProviderID) throws(Refusal) -> Slot<ProviderRecord> {
        guard let provider = providers.slot(of: id) else {
            throw Refusal(.unknownProvider, rule: .unknownCall)
        }
        return provider
    }

    private func checkIncoming(
        _ report: IncomingReport, _ provider: Slot<ProviderRecord>
    ) throws(Refusal) {
        try checkIsNew(report.call, at: provider)
        let isMarked = isMarked(report.update)
        guard emergencies.isEmpty || isMarked else { throw emergencyRefusal }
        if report.update.priority == .set(.background), !isCallback(report) {
            try checkMayBeBackground(nil)
        }
        guard hasRingingRoom(isMarked: isMarked, isCallback: isCallback(report)) else {
            throw refusal(
                .maxRinging, .incomingWhileRinging, policy.limits.ringing,
                incoming.prefix(Self.blockersMax))
        }
        guard !isMarked else { return }
        let atProvider = providers[provider].ownCalls
        guard atProvider < policy.limits.callsPerProvider, calls.own < policy.limits.calls
        else { throw fullRefusal(.hostLimits, atProvider: atProvider) }
    }

    /// The refusal of one more call at a provider, or at all.
    ///
    /// - Parameter atProvider: the number of the provider's calls that count.
    func fullRefusal(_ rule: Rule, atProvider: Int) -> Refusal {
        let limits = policy.limits
        let isOwn = atProvider >= limits.callsPerProvider
        return refusal(.maxCalls, rule, isOwn ? limits.callsPerProvider : limits.calls, [])
    }

    /// Returns whether one more call may ring. Emergencies and call-backs may ring beside other
    /// calls, as many of each as the limit.
    func hasRingingRoom(isMarked: Bool, isCallback: Bool = false) -> Bool {
        let most = policy.limits.ringing
        if incoming.count + incoming.screenedCount < most { return true }
        let all = incoming.inOrder
        if isMarked { return all.count { self.isMarked($0) } < most }
        return isCallback
            && all.count { emergencies.expectsCallback(from: providers[calls[$0].provider].id) }
                < most
    }

    private func isCallback(_ report: IncomingReport) -> Bool {
        emergencies.expectsCallback(from: report.provider)
    }

    /// Refuses at once a call that no filter examines, if the policy admits no second call.
    private func checkBusy(_ report: IncomingReport) throws(Refusal) {
        guard !report.needsScreening, !isMarked(report.update), !isCallback(report),
            report.update.priority != .set(.priorityCaller), let refusal = busyRefusal
        else { return }
        throw refusal
    }

    /// The refusal of an ordinary call while another is live (rule 2); nil if it may come in.
    private var busyRefusal: Refusal? {
        guard policy.busyInCall, emergencies.isEmpty, let live, !isBackground(live) else {
            return nil
        }
        return Refusal(
            .inCall, rule: .incomingWhileActive,
            blocking: groups.members(of: live, most: Self.blockersMax)
                .map { blocker($0) })
    }

    /// Records in the history a call that never rang because of a limit, a live call or an
    /// emergency.
    private mutating func recordRefused(_ report: IncomingReport, _ refusal: Refusal) {
        guard let missed = refusal.reason.missed else { return }
        let rule = refusal.rule ?? .hostLimits
        note(refused: refusal, report.call, Cause(.policy, rule: rule))
        announce(.callRefused(report.call, report.provider, refusal.reason, rule))
        memory.endedCalls.insert(report.call, at: now, isLoss: false, policy)
        var properties = CallProperties()
        _ = properties.apply(report.update)
        recordUnlisted(
            report.call, report.provider, properties, .filtered,
            Cause(.policy, rule: refusal.rule), missed,
            at: providers.slot(of: report.provider).map { arrival(report.receivedAt, at: $0) }
                ?? now)
    }

    mutating func recordUnlisted(
        _ call: CallID, _ provider: ProviderID, _ properties: CallProperties, _ reason: EndReason,
        _ cause: Cause, _ missed: MissedReasons, at timestamp: Instant
    ) {
        let last = CallView(
            call: call, provider: provider, direction: .incoming, state: .ended, pending: nil,
            group: call, canHoldNow: false, heldBecauseOf: nil, isMuted: false, isSilenced: false,
            isProviderConnected: true, properties: properties, createdAt: timestamp,
            connectingAt: nil,
            connectedAt: nil, allowed: [], revision: 0)
        emit(
            .record(
                HistoryEntry(
                    last: last, reason: reason, cause: cause, missed: missed, filteredBy: nil,
                    endedAt: timestamp,
                    isRecent: configuration(of: provider)?.includesInRecents ?? true)))
    }

    private mutating func admit(_ report: IncomingReport, _ provider: Slot<ProviderRecord>) {
        var properties = CallProperties()
        _ = properties.apply(report.update)
        dropUndeclaredMedia(of: &properties, report.call, provider)
        if properties.priority == .emergency, !policy.allowsEmergency {
            properties.priority = .normal
        }
        let isCallback = isCallback(report)
        if isCallback, properties.priority != .emergency {
            properties.priority = .emergencyCallback
        }
        let call = addCall(
            report.call, of: provider, .incoming, state: .waiting, properties,
            createdAt: arrival(report.receivedAt, at: provider))
        let skipsFilters = isCallback || properties.priority == .emergency
        guard report.needsScreening, !skipsFilters else {
            return present(call, token: report.token)
        }
        calls[call].isScreened = true
        calls[call].screeningToken = report.token
        incoming.screenedCount += 1
        providers[provider].screened += 1
        start(.screening, of: call, afterMS: policy.screeningMS)
        note(.filters, .screened, report.call, Cause(.provider))
        emit(.screen(report.call))
    }

    /// Removes the video and the text of a call whose provider declared none, and announces that of
    /// video (rules 21 and 46).
    mutating func dropUndeclaredMedia(
        of properties: inout CallProperties, _ call: CallID, _ provider: Slot<ProviderRecord>
    ) {
        (properties.videoRequest, properties.textRequest) = (nil, false)
        if properties.hasText, !providers[provider].configuration.supportsText {
            properties.hasText = false
            note(.text, .ignored, call, Cause(.provider, rule: .text))
        }
        guard properties.hasVideo, !providers[provider].configuration.supportsVideo else { return }
        properties.hasVideo = false
        note(.video, .ignored, call, Cause(.provider, rule: .video))
        announce(.anomaly(.videoUndeclared, call, providers[provider].id))
    }

    /// Lets a call ring, or wait behind another.
    private mutating func present(_ call: Slot<CallRecord>, token: RequestToken) {
        let rings = ringsAtOnce(call)
        joinIncoming(call)
        calls[call].state = .waiting
        if rings { ring(call) }
        let rule = presentingRule(rings)
        let cause = Cause(.provider, rule: rule, becauseOf: live.flatMap { name(of: $0) })
        let record = calls[call]
        note(rule, rings ? .rings : .waits, record.id, cause)
        if providers[record.provider].visibleGroups
            > providers[record.provider].configuration.maxCallGroups
        {
            note(.providerLimits, .rings, record.id, cause)
        }
        emit(.confirmIncoming(token, record.id, record.state, presentation(of: call)))
        announce(.callAdded(record.id, cause))
        startRinging(call)
    }

    /// Returns the sound that the app of a call may make: only an emergency rings while a group is
    /// live.
    func presentation(of call: Slot<CallRecord>) -> Presentation {
        switch loudness(of: call) {
        case .silent: .silent
        case .background, .audible: live == nil ? .ring : .tone
        case .urgent: .ring
        }
    }

    @inline(__always)
    func presentingRule(_ rings: Bool) -> Rule {
        if rings { return incoming.count > 1 ? .incomingWhileRinging : .incomingAlone }
        guard let live else { return .incomingWhileRinging }
        let isDialed = members(of: live).contains {
            [.starting, .dialing, .alerting, .connecting].contains(calls[$0].state)
        }
        return isDialed ? .incomingWhileDialing : .incomingWhileActive
    }

    // MARK: - Filters

    mutating func applyScreening(of id: CallID, _ verdict: ScreeningVerdict) {
        guard let call = calls.slot(of: id), let token = calls[call].screeningToken else { return }
        stop(.screening, of: call)
        switch verdict {
        case .block(let reason, let by):
            calls[call].filteredBy = by
            return filter(call, token, Refusal(reason, rule: .filters), [])
        case .doNotDisturb:
            return filter(call, token, Refusal(.doNotDisturb, rule: .filters), .doNotDisturb)
        case .silence, .ring, .timedOut:
            if !isMarked(call), calls[call].properties.priority != .priorityCaller,
                let refusal = busyRefusal
            {
                return filter(call, token, refusal, .inCall)
            }
        case .allow, .ringInCall: break
        }
        if isBackground(call), let refusal = backgroundRefusal(of: call) {
            return filter(call, token, refusal, [])
        }
        letRing(call, token, verdict)
    }

    private mutating func letRing(
        _ call: Slot<CallRecord>, _ token: RequestToken, _ verdict: ScreeningVerdict
    ) {
        let id = calls[call].id
        switch verdict {
        case .silence(let by):
            calls[call].isSilenced = true
            calls[call].filteredBy = by
            note(.filters, .silenced, id, Cause(.policy, rule: .filters))
        case .timedOut:
            calls[call].missed.insert(.screeningTimedOut)
            note(.filters, .passed, id, Cause(.timeout, rule: .filters))
        case .allow, .ring, .ringInCall, .block, .doNotDisturb:
            note(.filters, .passed, id, Cause(.policy, rule: .filters))
        }
        _ = endScreening(call)
        calls[call].isScreened = false
        if !emergencies.isEmpty, calls[call].properties.priority != .emergency {
            return missForEmergency(call, token)
        }
        present(call, token: token)
    }

    /// Refuses a call that a filter examined while an emergency began (rule 20).
    private mutating func missForEmergency(_ call: Slot<CallRecord>, _ token: RequestToken) {
        let record = calls[call]
        emit(.refuse(token, emergencyRefusal))
        announce(
            .callRefused(record.id, providers[record.provider].id, .emergency, .emergency))
        calls[call].isScreened = true
        calls[call].missed.insert(.emergency)
        finish(call, .filtered, Cause(.policy, rule: .emergency))
    }

    /// Records the identity of the remote side of a call.
    mutating func identify(_ id: CallID, _ caller: Caller) {
        guard let call = calls.slot(of: id), calls[call].caller != caller else { return }
        calls[call].caller = caller
        publish(call, [.caller], Cause(.policy, rule: .filters))
    }

    mutating func screeningTimedOut(_ call: Slot<CallRecord>) {
        applyScreening(of: calls[call].id, .timedOut)
    }

    /// Ends the examination of a call by filters. Returns the request that waits for the verdict,
    /// if any.
    mutating func endScreening(_ call: Slot<CallRecord>) -> RequestToken? {
        guard let token = calls[call].screeningToken else { return nil }
        calls[call].screeningToken = nil
        incoming.screenedCount -= 1
        providers[calls[call].provider].screened -= 1
        return token
    }

    /// Refuses a call that no screen has shown: with an error for the app, and an entry for the
    /// user.
    private mutating func filter(
        _ call: Slot<CallRecord>, _ token: RequestToken, _ refusal: Refusal,
        _ missed: MissedReasons
    ) {
        let record = calls[call]
        let rule = refusal.rule ?? .filters
        let cause = Cause(.policy, rule: rule)
        _ = endScreening(call)
        calls[call].missed = missed
        note(refused: refusal, record.id, cause, rule == .filters ? .filtered : .refused)
        emit(.refuse(token, refusal))
        announce(.callRefused(record.id, providers[record.provider].id, refusal.reason, rule))
        finish(call, .filtered, cause)
    }

    mutating func reportMissed(_ report: MissedReport) {
        var report = report
        judgePriority(in: &report.update, of: report.call, by: report.provider)
        do throws(Refusal) {
            try checkIsNew(report.call, at: try provider(report.provider))
            var properties = CallProperties()
            _ = properties.apply(report.update)
            emit(.acknowledge(report.token))
            note(.elsewhere, .recorded, report.call, Cause(.provider, rule: .elsewhere))
            recordUnlisted(
                report.call, report.provider, properties, .unanswered,
                Cause(.provider, rule: .elsewhere), report.reasons, at: earlier(report.at))
            memory.endedCalls.insert(report.call, at: now, isLoss: false, policy)
        } catch {
            emit(.refuse(report.token, error))
        }
    }
}

extension RefusalReason {
    /// The reason for which a refused call counts as missed; nil if the call is not in the history.
    fileprivate var missed: MissedReasons? {
        switch self {
        case .maxRinging: .maxRinging
        case .emergency: .emergency
        case .maxCalls: .maxCalls
        case .inCall: .inCall
        // A background call may be missed (rule 44).
        case .busy: []
        case .unentitled, .notYourCall, .callIsProtected, .unknownCall, .callEnded,
            .unknownProvider, .callUUID, .emptyTransaction, .invalidAction, .invalidState,
            .cannotHold, .holdFailed, .notSupported, .alreadyDialing, .callRinging,
            .maxCallGroups, .maxCallsPerGroup, .maxHeld, .doNotDisturb, .blockList,
            .restrictedSharing, .sensitiveParticipants, .screener, .deadlineExceeded, .cancelled,
            .providerFailed, .providerGone:
            nil
        }
    }
}
