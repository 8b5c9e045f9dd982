internal import CallModel

/// Registration, loss and return of providers (rules 26 to 28).
extension Arbiter {
    /// The most calls that surely fit into the reply to a registration; one more indicates that
    /// further calls exist.
    package static let callsConfirmed = 1_024

    /// Registers a provider that is being started. Nothing is announced before it connects.
    mutating func registerStarting(_ id: ProviderID, _ configuration: ProviderConfiguration) {
        guard providers.slot(of: id) == nil else { return }
        var record = ProviderRecord(id: id, configuration: configuration)
        record.link = .starting
        providers.insert(record)
    }

    mutating func register(_ registration: ProviderRegistration) {
        if let provider = providers.slot(of: registration.provider) {
            returnProvider(provider, registration)
        } else {
            let provider = providers.insert(
                ProviderRecord(
                    id: registration.provider, configuration: registration.configuration))
            announce(.providerAdded(registration.provider))
            reconcile(provider, registration, wasAway: false)
        }
    }

    private mutating func returnProvider(
        _ provider: Slot<ProviderRecord>, _ registration: ProviderRegistration
    ) {
        providers[provider].configuration = registration.configuration
        let wasAway = !providers[provider].isConnected
        let isNew = providers[provider].link == .starting
        if wasAway {
            providers[provider].link = .connected
            stopGrace(of: provider)
            announce(
                isNew
                    ? .providerAdded(registration.provider)
                    : .providerResumed(registration.provider))
            for call in providers.calls(of: provider) {
                // A start that the provider may not have received is sent again.
                calls[call].isUnconfirmed = calls[call].state != .starting
                publish(call, [.providerConnected], Cause(.provider, rule: .providerLost))
            }
        } else {
            announce(.providerChanged(registration.provider))
        }
        reconcile(provider, registration, wasAway: wasAway)
    }

    /// Compares the calls that a provider lists with those recorded here: a call that is not listed
    /// is over, and an unknown one is adopted if there is room for it, or else dropped.
    private mutating func reconcile(
        _ provider: Slot<ProviderRecord>, _ registration: ProviderRegistration, wasAway: Bool
    ) {
        // Sent again once, however many pages the list of calls has.
        let outstanding = wasAway ? dispatched(to: provider) : []
        var dropped: [CallID] = []
        var underWay: [LiveCall] = []
        for live in registration.calls ?? [] {
            if let call = calls.slot(of: live.call), calls[call].provider == provider {
                confirm(call, live)
                if isOnItsWay(live.call) { underWay.append(live) } else { applyReportedState(live) }
            } else if !adopt(live, provider) {
                dropped.append(live.call)
            }
        }
        let hasEnded = !registration.hasMore && endUnconfirmed(of: provider)
        // A provider that has not listed its calls may still have them.
        if hasEnded, registration.calls == nil, hasOnlyStarts(provider) {
            emit(.resetProvider(registration.provider))
        }
        emit(
            .confirmRegistration(
                registration.token, registration.provider,
                calls: callIDs(of: provider, most: Self.callsConfirmed + 1), dropped: dropped))
        for live in registration.calls ?? [] { countAsDone(live) }
        // An action under way may have been cancelled since, with another call of the list.
        for live in underWay { applyReportedState(live) }
        for action in outstanding.compactMap({ actions.slot(of: $0) })
        where actions[action].state == .dispatched {
            perform(action)
        }
        pump(provider)
    }

    /// Ends the calls that a provider did not list after it reconnected. Returns whether there were
    /// any.
    private mutating func endUnconfirmed(of provider: Slot<ProviderRecord>) -> Bool {
        let unnamed = callIDs(of: provider).filter { id in
            calls.slot(of: id).map { calls[$0].isUnconfirmed } ?? false
        }
        // By id: the end of one call may end another.
        for id in unnamed {
            guard let call = calls.slot(of: id) else { continue }
            finish(call, .failed, Cause(.provider, rule: .providerLost), isLoss: true)
        }
        return !unnamed.isEmpty
    }

    private func hasOnlyStarts(_ provider: Slot<ProviderRecord>) -> Bool {
        providers.calls(of: provider).allSatisfy {
            calls[$0].state == .starting
        }
    }

    private func callIDs(of provider: Slot<ProviderRecord>, most: Int = .max) -> [CallID] {
        providers.calls(of: provider, most: most).map { calls[$0].id }
    }

    private mutating func confirm(_ call: Slot<CallRecord>, _ live: LiveCall) {
        calls[call].isUnconfirmed = false
        reportUpdate(call, live.update)
    }

    /// Applies the state that an app reports of a call, unless an action under way is to change
    /// that state.
    private mutating func applyReportedState(_ live: LiveCall) {
        guard let call = calls.slot(of: live.call), !isOnItsWay(live.call),
            calls[call].ending == nil, !calls[call].isScreened
        else { return }
        let cause = Cause(.provider, rule: .providerLost)
        switch live.state {
        case .alerting:
            if calls[call].state == .dialing { setState(.alerting, of: call, cause) }
        case .connecting:
            if calls[call].state == .dialing || calls[call].state == .alerting {
                setState(.connecting, of: call, cause)
            }
        case .active: applyReportedActive(call, live, cause)
        case .held:
            switch calls[call].state {
            case .active, .ringing, .waiting, .dialing, .alerting, .connecting, .external:
                beginIfMarked(call)
                heldNow(call, cause)
            case .starting, .held, .ending, .ended: break
            }
        // The same state, or an earlier one: the state that is recorded here stays.
        case .starting, .dialing, .ringing, .waiting, .ending, .ended, .external: break
        }
    }

    private mutating func applyReportedActive(
        _ call: Slot<CallRecord>, _ live: LiveCall, _ cause: Cause
    ) {
        switch calls[call].state {
        case .dialing, .alerting, .connecting: connected(call, cause, at: live.connectedAt)
        case .held, .ringing, .waiting, .external: askForAudio(call)
        case .starting, .active, .ending, .ended: break
        }
    }

    /// Returns whether the action under way brings a call to another state.
    private func isOnItsWay(_ call: CallID) -> Bool {
        switch calls.slot(of: call).flatMap({ calls[$0].current }).map({ actions[$0].action }) {
        case .start, .answer, .end, .setHeld: true
        case .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText, .transfer,
            .attendedTransfer,
            .deflect,
            nil:
            false
        }
    }

    /// Counts an action as done if the app reports its effect without having replied (rule 30a):
    /// performed once more, the action could fail, bring the call no further than dialing, or undo
    /// later changes by the app.
    private mutating func countAsDone(_ live: LiveCall) {
        guard let call = calls.slot(of: live.call), let action = calls[call].current,
            actions[action].state == .dispatched, calls[call].ending == nil
        else { return }
        switch live.state {
        case .alerting:
            if actions[action].action.kind == .start { try? reportAlerting(call, at: nil) }
        case .connecting:
            if actions[action].action.kind == .start { try? reportConnecting(call, at: nil) }
        case .active:
            if becomesLive(actions[action].action) {
                try? reportActive(call, at: live.connectedAt)
            }
        case .held: countAsHeld(call, live, actions[action].action)
        // To be performed once more.
        case .starting, .dialing, .ringing, .waiting, .ending, .ended, .external: break
        }
    }

    private mutating func countAsHeld(
        _ call: Slot<CallRecord>, _ live: LiveCall, _ action: CallAction
    ) {
        switch action {
        case .start:
            try? reportConnecting(call, at: nil)
            holdNow(live.call, from: .connecting)
        case .answer:
            try? reportActive(call, at: live.connectedAt)
            holdNow(live.call, from: .active)
        case .setHeld(true): try? reportHeld(call)
        // To be performed once more.
        case .end, .setHeld(false), .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo,
            .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
    }

    private mutating func holdNow(_ id: CallID, from state: CallState) {
        guard let call = calls.slot(of: id), calls[call].state == state else { return }
        heldNow(call, Cause(.provider, rule: .providerLost))
    }

    private mutating func adopt(_ live: LiveCall, _ provider: Slot<ProviderRecord>) -> Bool {
        let cause = Cause(.provider, rule: .brokerRestarted)
        guard let state = adoptedState(of: live, provider) else {
            note(.brokerRestarted, .dropped, live.call, cause)
            return false
        }
        memory.endedCalls.remove(live.call)
        note(.brokerRestarted, .adopted, live.call, cause)
        guard state != .external else { return adoptExternal(live, provider, cause) }
        var properties = CallProperties()
        var update = live.update
        judgePriority(in: &update, of: live.call, by: providers[provider].id)
        _ = properties.apply(update)
        dropUndeclaredMedia(of: &properties, live.call, provider)
        if properties.priority == .emergency, !policy.allowsEmergency {
            properties.priority = .normal
        }
        let connectedAt = state == .active || state == .held ? earlier(live.connectedAt) : nil
        let call = addCall(
            live.call, of: provider, live.direction, state: state, properties,
            createdAt: connectedAt)
        calls[call].connectedAt = connectedAt
        announce(.callAdded(live.call, cause))
        startLife(of: call)
        updateLiveness(of: calls[call].group, cause)
        if self.live == calls[call].group { grantAudio(to: calls[call].group, cause) }
        if isMarked(call) {
            guard state != .waiting else {
                ringFirst(call)
                return true
            }
            beginEmergency(call)
            clearWay(for: call)
        }
        if state == .held, live.state == .active, let call = calls.slot(of: live.call) {
            askForAudio(call)
        }
        return true
    }

    private mutating func startLife(of call: Slot<CallRecord>) {
        switch calls[call].state {
        case .waiting:
            joinIncoming(call)
            startRinging(call)
        case .dialing, .alerting, .connecting: start(.dial, of: call, afterMS: policy.dialTimeoutMS)
        case .starting, .ringing, .active, .held, .ending, .ended, .external: break
        }
    }

    /// Returns the state in which a call is adopted; nil if the call is dropped. A call that is
    /// active beside a live group is held until it may become live (rule 13).
    private func adoptedState(
        of live: LiveCall, _ provider: Slot<ProviderRecord>
    ) -> CallState? {
        let wasLost = memory.endedCalls.endedByLoss(live.call)
        let isRingingEmergency = live.state == .ringing && isMarked(live.update)
        guard calls.slot(of: live.call) == nil,
            wasLost || !memory.endedCalls.contains(live.call, now, policy),
            isRingingEmergency || live.state == .external
                || providers[provider].ownCalls < policy.limits.callsPerProvider
                    && calls.own < policy.limits.calls,
            !isBeingEnded(live.call, at: provider)
        else { return nil }
        let isFree = self.live == nil && reservation == nil && emergencies.isEmpty
        let hasHeldRoom = groups.held.count < policy.limits.heldGroups
        switch live.state {
        case .ringing:
            return hasRingingRoom(isMarked: isRingingEmergency)
                && (emergencies.isEmpty || isRingingEmergency) ? .waiting : nil
        case .held: return hasHeldRoom ? .held : nil
        case .active: return isFree ? .active : hasHeldRoom ? .held : nil
        case .dialing, .alerting, .connecting: return isFree ? live.state : nil
        case .external: return hasExternalRoom(at: provider) ? .external : nil
        case .starting, .waiting, .ending, .ended: return nil
        }
    }

    /// Returns the actions that were dispatched before the connection was lost. They are sent
    /// again: a provider receives an action at least once.
    private func dispatched(to provider: Slot<ProviderRecord>) -> [ActionID] {
        providers.calls(of: provider).flatMap { call in
            [calls[call].current, calls[call].ending].compactMap { $0 }
                .filter { actions[$0].state == .dispatched }.map { actions[$0].id }
        }
    }

    mutating func update(_ id: ProviderID, _ configuration: ProviderConfiguration) {
        guard let provider = providers.slot(of: id) else { return }
        providers[provider].configuration = configuration
        announce(.providerChanged(id))
    }

    // MARK: - Loss and removal

    /// Marks all providers as lost after the broker has restarted, and gives them time to
    /// reconnect. After a reboot of the host they are removed instead, with their calls.
    mutating func restart(isSameBoot: Bool) {
        let all = providers.all.sorted { providers[$0].id < providers[$1].id }
        let wereConnected = all.filter { providers[$0].isConnected }
        let wereThere = all.filter { providers[$0].link != .starting }
        for provider in wereThere { providers[provider].link = .lost }
        for provider in all where !wereThere.contains(provider) { waitForStart(of: provider) }
        for provider in wereThere {
            note(.brokerRestarted, .waitsForProvider, nil, Cause(.policy, rule: .brokerRestarted))
            lose(
                provider, graceMS: policy.restartGraceMS, .disconnected,
                isNews: wereConnected.contains(provider))
        }
        guard !isSameBoot else { return }
        for id in providers.all.map({ providers[$0].id }).sorted() {
            remove(id, .processExited, .brokerRestarted)
        }
    }

    /// Waits for a provider that was being started: the program that started it has ended as well,
    /// and may start it again.
    private mutating func waitForStart(of provider: Slot<ProviderRecord>) {
        let id = providers[provider].id
        guard providers[provider].calls.count > 0 else {
            return remove(id, .disconnected, .brokerRestarted)
        }
        providers[provider].hasGrace = true
        emit(.startTimer(.grace(id), at: now.advanced(byMS: policy.restartGraceMS)))
    }

    /// Marks a provider as lost. One without calls is removed at once, for the reason `removal`.
    mutating func lose(_ id: ProviderID, _ removal: RemovalReason = .disconnected) {
        guard let provider = providers.slot(of: id), providers[provider].isConnected else { return }
        let configuration = providers[provider].configuration
        let usual = configuration.appIsSeparate ? policy.separateAppGraceMS : policy.graceMS
        providers[provider].link = .lost
        lose(provider, graceMS: configuration.graceMS ?? usual, removal, isNews: true)
    }

    private mutating func lose(
        _ provider: Slot<ProviderRecord>, graceMS: Int, _ removal: RemovalReason, isNews: Bool
    ) {
        let id = providers[provider].id
        let hasCalls = providers[provider].calls.count > 0
        announce(.providerLost(id, graceMS: hasCalls ? graceMS : 0))
        note(.providerLost, .waitsForProvider, nil, Cause(.provider, rule: .providerLost))
        guard hasCalls else {
            let isExit = removal == .processExited
            return remove(id, removal, isExit ? .providerExited : .providerLost)
        }
        providers[provider].hasGrace = true
        emit(.startTimer(.grace(id), at: now.advanced(byMS: graceMS)))
        guard isNews else { return }
        for call in providers.calls(of: provider) {
            publish(call, [.providerConnected], Cause(.provider, rule: .providerLost))
        }
        endWithout(provider)
        withdrawOffers(to: provider)
    }

    /// Fulfills the ends of calls of a lost provider, unless its app may keep the call live (rule
    /// 27).
    private mutating func endWithout(_ provider: Slot<ProviderRecord>) {
        for id in callIDs(of: provider) {
            guard let call = calls.slot(of: id), let ending = calls[call].ending else { continue }
            if isLiveWithoutProvider(calls[call].group) {
                armDeadline(of: ending)
            } else {
                settleAndAdvance(ending, .fulfilled)
            }
        }
    }

    /// Returns whether a group is live in an app that continues without its provider.
    func isLiveWithoutProvider(_ group: Slot<GroupRecord>) -> Bool {
        let provider = groups[group].provider
        return providers[provider].link == .lost
            && providers[provider].configuration.appIsSeparate && live == group
    }

    /// Removes a provider whose process has exited, without grace unless its app is separate.
    mutating func exit(_ id: ProviderID) {
        guard let provider = providers.slot(of: id) else { return }
        // No separate app exists yet of a provider that is still being started.
        let isSeparate =
            providers[provider].configuration.appIsSeparate
            && providers[provider].link != .starting
        if providers[provider].isConnected { lose(id, .processExited) }
        if !isSeparate { remove(id, .processExited, .providerExited) }
    }

    mutating func graceOver(_ id: ProviderID) {
        guard let provider = providers.slot(of: id), providers[provider].hasGrace else { return }
        providers[provider].hasGrace = false
        remove(id, .graceExpired, .providerLost)
    }

    /// Revokes a provider's right to have calls: its calls end, and a connected provider is
    /// registered as a new one (rule 33).
    mutating func revoke(_ id: ProviderID) {
        guard let provider = providers.slot(of: id) else { return }
        let (configuration, isConnected) = (
            providers[provider].configuration, providers[provider].isConnected
        )
        remove(id, .revoked, .rights)
        guard isConnected else { return }
        providers.insert(ProviderRecord(id: id, configuration: configuration))
        announce(.providerAdded(id))
        emit(.resetProvider(id, .admin))
    }

    /// Removes a provider for good: its calls end, and the audio is released.
    mutating func remove(_ id: ProviderID, _ reason: RemovalReason, _ rule: Rule) {
        guard let provider = providers.slot(of: id) else { return }
        let wasThere = providers[provider].link != .starting
        let isRevoked = reason == .revoked
        stopGrace(of: provider)
        providers[provider].link = isRevoked ? .revoked : .lost
        withdrawOffers(to: provider)
        let cause = Cause(isRevoked ? .admin : .provider, rule: rule)
        // By id: the end of one call may end another.
        for id in callIDs(of: provider) {
            guard let call = calls.slot(of: id) else { continue }
            finish(call, .failed, cause, isLoss: !isRevoked && reason != .unregistered)
        }
        for action in providers[provider].queue.map({ actions[$0].id }) + detached(of: provider) {
            if let action = actions.slot(of: action) { cancel(action, isToldProvider: false) }
        }
        if wasThere { announce(.providerRemoved(id, reason)) }
        providers.remove(provider)
    }

    private func detached(of provider: Slot<ProviderRecord>) -> [ActionID] {
        providers[provider].detached.map { actions[$0].id }
    }

    private mutating func stopGrace(of provider: Slot<ProviderRecord>) {
        guard providers[provider].hasGrace else { return }
        providers[provider].hasGrace = false
        emit(.stopTimer(.grace(providers[provider].id)))
    }
}
