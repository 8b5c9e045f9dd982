internal import CallArbitration
internal import CallModel

/// Rules 1 to 3, 20 (incoming), 21, 24, 25, 32, 36, 39 and 40: calls that want to ring.
extension NaiveArbiter {
    mutating func takeIncoming(_ report: IncomingReport) {
        guard provider(report.provider) != nil else {
            return refuse(report.token, .unknownProvider, .unknownCall)
        }
        guard call(report.call) == nil, !hasEnded(report.call) else {
            return refuse(report.token, .callUUID, nil)
        }
        if let refusal = obstacle(to: report) {
            refuse(report.token, refusal.reason, refusal.rule)
            wanted.refused.append(report.call)
            remember(refused: report.call, refusal.reason)
            return
        }
        var call = Call(
            id: report.call, provider: report.provider, direction: .incoming, state: .waiting,
            group: newGroup(), createdAt: now)
        call.screening = report.token
        calls.append(call)
        apply(report.update, to: report.call)
        markIncoming(report.call)
        if report.needsScreening, !skipsFilters(report.call) {
            arm(.screening(report.call), policy.screeningMS)
        } else {
            ring(report.call)
        }
    }

    /// The emergency rules, then the limits of the host; those of the provider do not keep a call
    /// from ringing (rule 24).
    private func obstacle(to report: IncomingReport) -> Refused? {
        if !emergencies.isEmpty { return Refused(.emergency, .emergency) }
        let incoming =
            ringingCalls.filter { !isLive($0) }.count
            + calls.filter { $0.screening != nil }.count
        if incoming >= policy.limits.ringing { return Refused(.maxRinging, .incomingWhileRinging) }
        let own = calls.filter { $0.provider == report.provider }
        if own.count >= policy.limits.callsPerProvider || calls.count >= policy.limits.calls {
            return Refused(.maxCalls, .hostLimits)
        }
        return nil
    }

    /// A call refused before it was listed: history where the rule says so (section 5).
    private mutating func remember(refused call: CallID, _ reason: RefusalReason) {
        switch reason {
        case .emergency: write(call, .filtered, .emergency)
        case .maxRinging: write(call, .filtered, .maxRinging)
        default: break
        }
    }

    /// Rule 20: the emergency itself, and calls of its provider soon after it.
    private mutating func markIncoming(_ id: CallID) {
        guard let call = call(id) else { return }
        let awaitsCallback = callbacks.contains(call.provider)
        let isEmergency = call.properties.priority == .emergency && policy.allowsEmergency
        change(id) {
            $0.isEmergency = isEmergency
            if awaitsCallback, !isEmergency { $0.properties.priority = .emergencyCallback }
        }
    }

    private func skipsFilters(_ id: CallID) -> Bool {
        guard let call = call(id) else { return false }
        return call.isEmergency || call.properties.priority == .emergencyCallback
    }

    /// It can be seen from now on.
    private mutating func ring(_ id: CallID) {
        guard let call = call(id), let token = call.screening else { return }
        // Rule 20: it came too late.
        if emergencies.contains(where: { $0.id != id }) {
            refuse(token, .emergency, .emergency)
            write(id, .filtered, call.missed.subtracting(.silenced).union(.emergency))
            return forget(id)
        }
        let order = nextNumber()
        change(id) {
            $0.screening = nil
            $0.listOrder = order
        }
        disarm(.screening(id))
        let timeoutMS = provider(of: call)?.configuration.ringTimeoutMS ?? policy.ringTimeoutMS
        let until = now.advanced(byMS: timeoutMS)
        change(id) { $0.ringsUntil = until }
        setDeadline(.ring(id), at: until)
        arrangeRinging()
        let state = self.call(id)?.state ?? .ended
        reply(token, .incoming(state, isSilent: call.isSilenced))
        if call.isEmergency { beginEmergency(id) }
    }

    /// Rule 3: while a group is live every incoming call waits; otherwise the oldest rings.
    mutating func arrangeRinging() {
        let isLive = liveGroup != nil
        let now = now
        for (index, call) in ringingCalls.enumerated() where !isBeingAnswered(call.id) {
            change(call.id) {
                $0.state = isLive || index > 0 ? .waiting : .ringing
                if $0.state == .ringing, $0.rangSince == nil { $0.rangSince = now }
            }
        }
    }

    // Rule 32.

    mutating func settleScreening(of id: CallID, _ verdict: ScreeningVerdict) {
        guard let call = call(id), let token = call.screening else { return }
        switch verdict {
        case .block(let reason, _): filter(id, token, reason, [])
        case .doNotDisturb: filter(id, token, .doNotDisturb, .doNotDisturb)
        case .silence:
            change(id) {
                $0.isSilenced = true
                $0.missed.insert(.silenced)
            }
            ring(id)
        case .timedOut:
            change(id) { $0.missed.insert(.screeningTimedOut) }
            ring(id)
        case .allow, .ring: ring(id)
        }
    }

    private mutating func filter(
        _ id: CallID, _ token: RequestToken, _ reason: RefusalReason, _ missed: MissedReasons
    ) {
        refuse(token, reason, .filters)
        wanted.refused.append(id)
        write(id, .filtered, missed)
        forget(id)
    }

    /// Its caller gave up, or its provider went, before it was listed.
    mutating func endScreened(
        _ call: Call, _ reason: EndReason, _ refusal: RefusalReason, _ missed: MissedReasons
    ) {
        guard let token = call.screening else { return }
        refuse(token, refusal, nil)
        write(call.id, reason, missed)
        forget(call.id)
    }

    // Rules 36 and 40.

    mutating func ringTooLong(_ id: CallID) {
        endByHost(id, .unanswered)
    }

    mutating func takeSilence(_ token: RequestToken, _ requester: Requester, _ id: CallID) {
        do throws(Refused) {
            let call = try known(id, to: requester)
            guard [.ringing, .waiting].contains(call.state) else {
                throw Refused(.invalidState, .silence)
            }
            change(id) {
                $0.isSilenced = true
                $0.missed.insert(.silenced)
            }
            reply(token, .acknowledged)
        } catch {
            refuse(token, error.reason, error.rule)
        }
    }

    /// A call that was over before it could ring: history only.
    mutating func takeMissed(_ report: MissedReport) {
        guard provider(report.provider) != nil else {
            return refuse(report.token, .unknownProvider, .unknownCall)
        }
        guard call(report.call) == nil, !hasEnded(report.call) else {
            return refuse(report.token, .callUUID, nil)
        }
        write(report.call, nil, report.reasons)
        endedCalls.append((report.call, now))
        reply(report.token, .acknowledged)
    }

    // Rule 39.

    mutating func write(_ call: CallID, _ reason: EndReason?, _ missed: MissedReasons?) {
        wanted.history.append(Wanted.Entry(call: call, reason: reason, missed: missed))
    }

    /// Every reason why the call, ending now, was missed.
    func missedReasons(
        of call: Call, _ reason: EndReason, isLost: Bool = false
    ) -> MissedReasons {
        // Who answered did not miss it.
        guard call.direction == .incoming, !call.wasConnected, !call.wasAnswered else {
            return []
        }
        var missed = call.missed
        switch reason {
        case .unanswered: if !missed.contains(.emergency) { missed.insert(.unanswered) }
        case .remoteEnded: missed.insert(.callerGaveUp)
        case .failed: missed.insert(isLost ? .providerLost : .callerGaveUp)
        case .answeredElsewhere, .declinedElsewhere, .localEnded, .declined, .cancelled, .filtered:
            return []
        }
        if let since = call.rangSince, now < since.advanced(byMS: policy.shortRingMS) {
            missed.insert(.shortRing)
        }
        return missed
    }
}
