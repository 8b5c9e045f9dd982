internal import CallModel

/// Incoming calls: whether they ring (rules 1 to 4, 20, 24, 25 and 32).
extension Arbiter {
    mutating func reportIncoming(_ report: IncomingReport) {
        do throws(Refusal) {
            let provider = try provider(report.provider)
            try checkIncoming(report, provider)
            admit(report, provider)
        } catch {
            emit(.refuse(report.token, error))
            noteRefused(report, error)
        }
    }

    func provider(_ id: ProviderID) throws(Refusal) -> Slot<ProviderRecord> {
        guard let provider = providersByID[id] else {
            throw Refusal(.unknownProvider, rule: .unknownCall)
        }
        return provider
    }

    private func checkIncoming(
        _ report: IncomingReport, _ provider: Slot<ProviderRecord>
    ) throws(Refusal) {
        guard callsByID[report.call] == nil, !endedCalls.contains(report.call) else {
            throw Refusal(.callUUID, rule: .repeated)
        }
        let isEmergency = report.update.priority == .set(.emergency) && policy.allowsEmergency
        guard emergencies == 0 || isEmergency else {
            throw emergencyRefusal
        }
        guard incoming.count + screened < policy.limits.ringing else {
            throw Refusal(
                .maxRinging, rule: .incomingWhileRinging,
                limit: Refusal.Limit(name: "max_ringing", value: policy.limits.ringing),
                blocking: incomingLinks.elements(of: incoming).prefix(8).map { blocker($0) })
        }
        let atProvider = providers[provider].calls.count
        guard atProvider < policy.limits.callsPerProvider, callsByID.count < policy.limits.calls
        else {
            let isOwn = atProvider >= policy.limits.callsPerProvider
            throw Refusal(
                .maxCalls, rule: .hostLimits,
                limit: Refusal.Limit(
                    name: "max_calls",
                    value: isOwn ? policy.limits.callsPerProvider : policy.limits.calls))
        }
    }

    /// A call that never rang because of a limit or an emergency is in the history all the same.
    private mutating func noteRefused(_ report: IncomingReport, _ refusal: Refusal) {
        let missed: MissedReasons
        switch refusal.reason {
        case .maxRinging: missed = .maxRinging
        case .emergency: missed = .emergency
        default: return
        }
        announce(
            .callRefused(report.call, report.provider, refusal.reason, refusal.rule ?? .hostLimits))
        var properties = CallProperties()
        _ = properties.apply(report.update)
        recordUnlisted(
            report.call, report.provider, properties, .filtered,
            Cause(.policy, rule: refusal.rule), missed)
    }

    mutating func recordUnlisted(
        _ call: CallID, _ provider: ProviderID, _ properties: CallProperties, _ reason: EndReason,
        _ cause: Cause, _ missed: MissedReasons
    ) {
        emit(
            .record(
                HistoryEntry(
                    call: call, provider: provider, direction: .incoming,
                    remote: properties.remote, displayName: properties.displayName,
                    hasVideo: properties.hasVideo, reason: reason, cause: cause, missed: missed,
                    createdAt: now, connectedAt: nil, endedAt: now)))
    }

    private mutating func admit(_ report: IncomingReport, _ provider: Slot<ProviderRecord>) {
        var properties = CallProperties()
        _ = properties.apply(report.update)
        if properties.hasVideo, !providers[provider].configuration.supportsVideo {
            properties.hasVideo = false
            announce(.anomaly(.videoUndeclared, report.call, report.provider))
        }
        if properties.priority == .emergency, !policy.allowsEmergency {
            properties.priority = .normal
        }
        let isCallback = providers[provider].emergencyEndedAt != nil
        if isCallback, properties.priority != .emergency {
            properties.priority = .emergencyCallback
        }
        let call = addCall(report.call, of: provider, .incoming, state: .waiting, properties)
        let skipsFilters = isCallback || properties.priority == .emergency
        guard report.needsScreening, !skipsFilters else {
            return present(call, token: report.token)
        }
        calls[call].isScreened = true
        calls[call].screeningToken = report.token
        screened += 1
        start(.screening, of: call, afterMS: policy.screeningMS)
        emit(.screen(report.call))
    }

    /// Lets a call ring, or wait behind another.
    private mutating func present(_ call: Slot<CallRecord>, token: RequestToken) {
        let isFirst = incoming.count == 0 && live == nil
        joinIncoming(call)
        calls[call].state = isFirst ? .ringing : .waiting
        if isFirst { calls[call].ringingSince = now }
        let rule: Rule =
            isFirst ? .incomingAlone : live == nil ? .incomingWhileRinging : .incomingWhileActive
        let record = calls[call]
        emit(.confirmIncoming(token, record.id, record.state, isSilent: record.isSilenced))
        announce(.callAdded(record.id, Cause(.provider, rule: rule)))
        let ringMS = providers[record.provider].configuration.ringTimeoutMS ?? policy.ringTimeoutMS
        start(.ring, of: call, afterMS: ringMS)
        if record.properties.priority == .emergency { beginEmergency(call) }
    }

    // MARK: - Filters

    mutating func settleScreening(of id: CallID, _ verdict: ScreeningVerdict) {
        guard let call = callsByID[id], let token = calls[call].screeningToken else { return }
        stop(.screening, of: call)
        switch verdict {
        case .block(let reason, _): return filter(call, token, reason, [])
        case .doNotDisturb: return filter(call, token, .doNotDisturb, .doNotDisturb)
        case .silence, .timedOut, .allow, .ring: break
        }
        _ = endScreening(call)
        calls[call].isScreened = false
        switch verdict {
        case .silence:
            calls[call].isSilenced = true
            present(call, token: token)
        case .timedOut:
            calls[call].missed.insert(.screeningTimedOut)
            present(call, token: token)
        case .allow, .ring, .block, .doNotDisturb: present(call, token: token)
        }
    }

    mutating func screeningTimedOut(_ call: Slot<CallRecord>) {
        settleScreening(of: calls[call].id, .timedOut)
    }

    /// Nobody looks at the call any more. Who waits for the verdict, if anybody does.
    mutating func endScreening(_ call: Slot<CallRecord>) -> RequestToken? {
        guard let token = calls[call].screeningToken else { return nil }
        calls[call].screeningToken = nil
        screened -= 1
        return token
    }

    /// A filter refuses a call that nobody has seen: an error for the app, an entry for the user.
    private mutating func filter(
        _ call: Slot<CallRecord>, _ token: RequestToken, _ reason: RefusalReason,
        _ missed: MissedReasons
    ) {
        let record = calls[call]
        _ = endScreening(call)
        calls[call].missed = missed
        emit(.refuse(token, Refusal(reason, rule: .filters)))
        announce(
            .callRefused(record.id, providers[record.provider].id, reason, .filters))
        finish(call, .filtered, Cause(.policy, rule: .filters))
    }

    mutating func reportMissed(_ report: MissedReport) {
        do throws(Refusal) {
            _ = try provider(report.provider)
            guard callsByID[report.call] == nil, !endedCalls.contains(report.call) else {
                throw Refusal(.callUUID, rule: .repeated)
            }
            var properties = CallProperties()
            _ = properties.apply(report.update)
            emit(.acknowledge(report.token))
            recordUnlisted(
                report.call, report.provider, properties, .unanswered,
                Cause(.provider, rule: .elsewhere), report.reasons)
            endedCalls.insert(report.call, at: now, isLoss: false, policy)
        } catch {
            emit(.refuse(report.token, error))
        }
    }

    // MARK: - Emergency

    /// What can be held is held, the rest is ended, ringing calls end as missed (rule 20).
    mutating func beginEmergency(_ call: Slot<CallRecord>) {
        emergencies += 1
        let cause = Cause(.policy, rule: .emergency, becauseOf: calls[call].id)
        let id = calls[call].id
        for other in incomingLinks.elements(of: incoming).map({ calls[$0].id }) where other != id {
            guard let other = callsByID[other] else { continue }
            calls[other].missed.insert(.emergency)
            dismiss(other, .unanswered, cause)
        }
        for group in live.map({ [$0] }) ?? [] where groups[group].isMuted {
            for member in members(of: group) { publish(member, ["muted"], cause) }
            groups[group].isMuted = false
        }
    }
}
