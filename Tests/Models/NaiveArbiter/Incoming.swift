internal import CallArbitration
internal import CallModel

/// Rules 1 to 3, 20 (incoming), 21, 24, 25, 32 and 36: calls that want to ring.
extension NaiveArbiter {
    mutating func takeIncoming(_ report: IncomingReport) {
        var report = report
        report.update = judged(report.update, by: report.provider)
        guard provider(report.provider) != nil else {
            return refuse(report.token, Refused(.unknownProvider, .unknownCall))
        }
        guard !isUsed(report.call, at: report.provider) else {
            return refuse(report.token, Refused(.callUUID, .unknownCall))
        }
        if let refused = obstacle(to: report) {
            refuse(report.token, refused)
            return remember(refusal: refused, of: report)
        }
        let properties = properties(report.update, of: report.call, at: report.provider)
        var call = Call(
            id: report.call, provider: report.provider, direction: .incoming, state: .waiting,
            group: newGroup(), properties: properties, createdAt: arrival(report))
        call.screening = report.token
        let isCallback = callbacks.contains(report.provider)
        if isCallback, properties.priority != .emergency {
            call.properties.priority = .emergencyCallback
        }
        calls.append(call)
        if report.needsScreening, !isCallback, properties.priority != .emergency {
            arm(.screening(report.call), policy.screeningMS)
            wanted.screened.append(report.call)
        } else {
            ring(report.call)
        }
    }

    /// Rule 21: video that was not declared is shown as audio and flagged.
    func propertiesAllowed(_ update: CallUpdate) -> CallProperties {
        var properties = CallProperties()
        _ = properties.apply(update)
        if properties.priority == .emergency, !policy.allowsEmergency {
            properties.priority = .normal
        }
        return properties
    }

    mutating func properties(
        _ update: CallUpdate, of call: CallID, at provider: ProviderID
    ) -> CallProperties {
        var properties = propertiesAllowed(update)
        properties.videoRequest = nil
        properties.textRequest = false
        if self.provider(provider)?.configuration.supportsText != true {
            properties.hasText = false
        }
        let isVideoAllowed = self.provider(provider)?.configuration.supportsVideo == true
        if properties.hasVideo, !isVideoAllowed {
            properties.hasVideo = false
            announce(.videoUndeclared, call)
        }
        return properties
    }

    /// The emergency rules, then the limits of the host; those of the provider do not keep a call
    /// from ringing (rule 24).
    private func obstacle(to report: IncomingReport) -> Refused? {
        let isEmergency = propertiesAllowed(report.update).priority == .emergency
        if !emergencies.isEmpty, !isEmergency { return emergencyRefused }
        let isCallback = callbacks.contains(report.provider)
        // Rule 44.
        let isBackground = propertiesAllowed(report.update).priority == .background
        if isBackground, !isCallback, let refused = backgroundRefused(nil) { return refused }
        if !hasRingingRoom(isEmergency: isEmergency, isCallback: isCallback) {
            return .limit(
                .maxRinging, .incomingWhileRinging, policy.limits.ringing, ringingCalls.map(\.id))
        }
        // Rule 20: there is room for an emergency.
        if isEmergency { return nil }
        let here = calls.filter { !$0.isExternal }
        let own = here.filter { $0.provider == report.provider }
        if let refused = fullRefused(own.count, here.count) { return refused }
        // Rule 2: whom nobody looks at is no exception, but for emergencies.
        let isPriority = propertiesAllowed(report.update).priority == .priorityCaller
        guard !report.needsScreening, !isCallback, !isPriority else { return nil }
        return inCallRefused
    }

    /// Rules 3 and 20.
    func hasRingingRoom(isEmergency: Bool, isCallback: Bool) -> Bool {
        let all = ringingCalls
        let most = policy.limits.ringing
        if all.count + calls.filter({ $0.screening != nil }).count < most { return true }
        if isEmergency { return all.filter(\.isMarked).count < most }
        return isCallback && all.filter { callbacks.contains($0.provider) }.count < most
    }

    /// Rule 2, with the policy `busy_in_call`.
    private var inCallRefused: Refused? {
        guard policy.busyInCall, emergencies.isEmpty, let live = liveGroup, !isBackground(live)
        else { return nil }
        return Refused(.inCall, .incomingWhileActive, members(of: live).prefix(8).map(\.id))
    }

    /// A call refused before it was listed (section 5): an event, history, and its id has been.
    private mutating func remember(refusal: Refused, of report: IncomingReport) {
        let rule = refusal.rule ?? .hostLimits
        wanted.announced.append(.callRefused(report.call, refusal.reason, rule))
        endedCalls.append(EndedCall(call: report.call, at: now))
        let missed: MissedReasons =
            switch refusal.reason {
            case .emergency: .emergency
            case .maxRinging: .maxRinging
            case .maxCalls: .maxCalls
            case .inCall: .inCall
            default: []
            }
        recordUnlisted(
            report.call, report.update, .filtered, Cause(.policy, rule: rule), missed,
            at: arrival(report))
    }

    private mutating func recordUnlisted(
        _ call: CallID, _ update: CallUpdate, _ reason: EndReason, _ cause: Cause,
        _ missed: MissedReasons, at moment: Instant
    ) {
        var properties = CallProperties()
        _ = properties.apply(update)
        wanted.history.append(
            Wanted.Entry(
                call: call, reason: reason, missed: missed, cause: cause,
                hasVideo: properties.hasVideo, filteredBy: nil, createdAt: moment, connectedAt: nil,
                endedAt: moment, failure: nil, detail: nil))
    }

    /// It can be seen from now on.
    private mutating func ring(_ id: CallID) {
        guard let call = call(id), let token = call.screening else { return }
        disarm(.screening(id))
        let (others, first) = (ringingCalls, ringingCalls.first { $0.state == .ringing })
        // Who rings without sound does not hush the next, and nobody hushes an emergency.
        let takesOver = first.map { $0.loudness < call.loudness } ?? false
        let rings = liveGroup == nil && (others.isEmpty || takesOver)
        if rings, let first { change(first.id) { $0.state = .waiting } }
        change(id) {
            $0.screening = nil
            $0.state = rings ? .ringing : .waiting
        }
        let sound: Presentation = liveGroup == nil || call.isMarked ? .ring : .tone
        reply(
            token,
            .incoming(rings ? .ringing : .waiting, call.isSilenced ? .silent : sound))
        let live = liveGroup.flatMap { name(of: $0) }
        wanted.announced.append(
            .callAdded(id, Cause(.provider, rule: ruleOfRinging(rings), becauseOf: live)))
        startRinging(id)
    }

    /// Rules 1 to 4.
    func ruleOfRinging(_ rings: Bool) -> Rule {
        if rings { return ringingCalls.count > 1 ? .incomingWhileRinging : .incomingAlone }
        guard let live = liveGroup else { return .incomingWhileRinging }
        let isDialed = members(of: live).contains {
            [.starting, .dialing, .alerting, .connecting].contains($0.state)
        }
        return isDialed ? .incomingWhileDialing : .incomingWhileActive
    }

    /// Rule 36.
    mutating func startRinging(_ id: CallID) {
        guard let call = call(id) else { return }
        let timeoutMS = ringTimeoutMS(at: call.provider)
        let (order, until, now) = (nextNumber(), now.advanced(byMS: timeoutMS), now)
        change(id) {
            $0.ringOrder = order
            $0.ringsUntil = until
            if $0.state == .ringing { $0.rangSince = now }
        }
        setDeadline(.ring(id), at: until)
    }

    /// Rule 3: while a group is live every incoming call waits; otherwise who rings goes on, or the
    /// oldest of the most urgent of the loudest begins to.
    mutating func arrangeRinging() {
        let (all, now) = (ringingCalls, now)
        let loudest = all.map(\.loudness).max()
        let first =
            all.first { $0.state == .ringing }
            ?? mostUrgent(all.filter { $0.loudness == loudest })
        let ringing = liveGroup == nil ? first?.id : nil
        for call in all {
            change(call.id) {
                $0.state = call.id == ringing ? .ringing : .waiting
                if $0.state == .ringing, $0.rangSince == nil { $0.rangSince = now }
            }
        }
    }

    // Rule 32.

    mutating func settleScreening(of id: CallID, _ verdict: ScreeningVerdict) {
        guard call(id)?.screening != nil else { return }
        switch verdict {
        case .block(let reason, let by):
            change(id) { $0.filteredBy = by }
            return refuseFiltered(id, Refused(reason, .filters), [])
        case .doNotDisturb:
            return refuseFiltered(id, Refused(.doNotDisturb, .filters), .doNotDisturb)
        case .silence, .ring, .timedOut:
            let isAwaited: Set<Priority> = [.emergency, .priorityCaller]
            if let call = call(id), !isAwaited.contains(call.properties.priority),
                let refused = inCallRefused
            {
                return refuseFiltered(id, refused, .inCall)
            }
        case .allow, .ringInCall: break
        }
        if call(id)?.properties.priority == .background, let refused = backgroundRefused(id) {
            return refuseFiltered(id, refused, [])
        }
        switch verdict {
        case .silence(let by):
            change(id) {
                $0.isSilenced = true
                $0.filteredBy = by
            }
        case .timedOut: change(id) { $0.missed.insert(.screeningTimedOut) }
        case .allow, .ring, .ringInCall, .block, .doNotDisturb: break
        }
        // Rule 20: it came too late.
        if !emergencies.isEmpty, call(id)?.properties.priority != .emergency {
            let missed = call(id)?.missed.union(.emergency) ?? .emergency
            return refuseFiltered(id, emergencyRefused, missed)
        }
        ring(id)
    }

    /// An error for the app, an entry for the user.
    private mutating func refuseFiltered(_ id: CallID, _ refused: Refused, _ missed: MissedReasons)
    {
        guard let token = call(id)?.screening, let rule = refused.rule else { return }
        refuse(token, refused)
        wanted.announced.append(.callRefused(id, refused.reason, rule))
        change(id) {
            $0.missed = missed
            $0.isRefused = true
        }
        finish(id, .filtered, Cause(.policy, rule: rule))
    }

    /// A call that was over before it could ring: history only (rule 37).
    mutating func takeMissed(_ report: MissedReport) {
        var report = report
        report.update = judged(report.update, by: report.provider)
        guard provider(report.provider) != nil else {
            return refuse(report.token, Refused(.unknownProvider, .unknownCall))
        }
        guard !isUsed(report.call, at: report.provider) else {
            return refuse(report.token, Refused(.callUUID, .unknownCall))
        }
        recordUnlisted(
            report.call, report.update, .unanswered, Cause(.provider, rule: .elsewhere),
            report.reasons, at: earlier(report.at))
        endedCalls.append(EndedCall(call: report.call, at: now))
        reply(report.token, .acknowledged)
    }
}
