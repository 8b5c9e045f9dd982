internal import CallModel

/// Providers come, go, and come back (rules 26 to 28).
extension Arbiter {
    mutating func register(_ registration: ProviderRegistration) {
        if let provider = providersByID[registration.provider] {
            returnProvider(provider, registration)
        } else {
            let provider = providers.insert(
                ProviderRecord(
                    id: registration.provider, configuration: registration.configuration))
            providersByID[registration.provider] = provider
            announce(.providerAdded(registration.provider))
            reconcile(provider, registration)
        }
    }

    private mutating func returnProvider(
        _ provider: Slot<ProviderRecord>, _ registration: ProviderRegistration
    ) {
        providers[provider].configuration = registration.configuration
        if !providers[provider].isConnected {
            providers[provider].link = .connected
            emit(.stopTimer(.grace(registration.provider)))
            announce(.providerResumed(registration.provider))
            for call in providerLinks.elements(of: providers[provider].calls) {
                calls[call].isUnconfirmed = true
                publish(call, ["provider_connected"], Cause(.provider, rule: .providerLost))
            }
        } else {
            announce(.providerChanged(registration.provider))
        }
        reconcile(provider, registration)
    }

    /// Compares the provider's calls with ours: what it does not name is over, what we do not know
    /// is adopted if it fits, else dropped.
    private mutating func reconcile(
        _ provider: Slot<ProviderRecord>, _ registration: ProviderRegistration
    ) {
        var dropped: [CallID] = []
        for live in registration.calls ?? [] {
            if let call = callsByID[live.call], calls[call].provider == provider {
                confirm(call, live)
            } else if !adopt(live, provider) {
                dropped.append(live.call)
            }
        }
        if !registration.hasMore {
            for id in callIDs(of: provider) {
                guard let call = callsByID[id], calls[call].isUnconfirmed else { continue }
                finish(call, .failed, Cause(.provider, rule: .providerLost), isLoss: true)
            }
        }
        let ids = callIDs(of: provider)
        emit(
            .confirmRegistration(
                registration.token, registration.provider, calls: ids, dropped: dropped))
        resend(provider)
    }

    private func callIDs(of provider: Slot<ProviderRecord>) -> [CallID] {
        providerLinks.elements(of: providers[provider].calls).map { calls[$0].id }
    }

    private mutating func confirm(_ call: Slot<CallRecord>, _ live: LiveCall) {
        calls[call].isUnconfirmed = false
        let names = calls[call].properties.apply(live.update)
        if !names.isEmpty { publish(call, names, Cause(.provider)) }
        guard calls[call].current == nil, calls[call].ending == nil, !calls[call].isScreened else {
            return
        }
        switch (calls[call].state, live.state) {
        case (.active, .held): heldNow(call, Cause(.provider))
        case (.held, .active): askBack(call)
        case (.ringing, .active), (.waiting, .active): askBack(call)
        case (.dialing, .connecting): setState(.connecting, of: call, Cause(.provider))
        case (.dialing, .active), (.connecting, .active): connected(call, Cause(.provider))
        default: break
        }
    }

    private mutating func askBack(_ call: Slot<CallRecord>) {
        guard live == nil, reservation == nil, emergencies == 0 else { return sendBackToHold(call) }
        connected(call, Cause(.provider, rule: .reportedActive))
    }

    private mutating func adopt(_ live: LiveCall, _ provider: Slot<ProviderRecord>) -> Bool {
        guard callsByID[live.call] == nil,
            !endedCalls.contains(live.call) || endedCalls.endedByLoss(live.call),
            providers[provider].calls.count < policy.limits.callsPerProvider,
            callsByID.count < policy.limits.calls, mayBe(live.state)
        else { return false }
        endedCalls.remove(live.call)
        var properties = CallProperties()
        _ = properties.apply(live.update)
        let cause = Cause(.provider, rule: .brokerRestarted)
        let call = addCall(live.call, of: provider, live.direction, state: live.state, properties)
        if live.state == .ringing {
            calls[call].state = .waiting
            joinIncoming(call)
        }
        if live.state == .active || live.state == .held { calls[call].connectedAt = now }
        announce(.callAdded(live.call, cause))
        settle(calls[call].group, cause)
        if self.live == calls[call].group { grantAudio(to: calls[call].group, cause) }
        return true
    }

    /// Whether there is room for a call in that state.
    private func mayBe(_ state: CallState) -> Bool {
        switch state {
        case .ringing: incoming.count < policy.limits.ringing
        case .held: held.count < policy.limits.heldGroups
        case .active, .dialing, .connecting: live == nil && reservation == nil
        case .starting, .waiting, .ending, .ended: false
        }
    }

    /// What was dispatched before the connection was lost goes out again: at least once.
    private mutating func resend(_ provider: Slot<ProviderRecord>) {
        let calls = providerLinks.elements(of: providers[provider].calls)
        for call in calls {
            for action in [self.calls[call].current, self.calls[call].ending].compactMap({ $0 })
            where actions[action].state == .dispatched {
                perform(action)
            }
        }
        pump(provider)
    }

    mutating func update(_ id: ProviderID, _ configuration: ProviderConfiguration) {
        guard let provider = providersByID[id] else { return }
        providers[provider].configuration = configuration
        announce(.providerChanged(id))
    }

    // MARK: - Gone

    mutating func lose(_ id: ProviderID) {
        guard let provider = providersByID[id], providers[provider].isConnected else { return }
        let configuration = providers[provider].configuration
        let usual = configuration.appIsSeparate ? policy.separateAppGraceMS : policy.graceMS
        let graceMS = configuration.graceMS ?? usual
        providers[provider].link = .lost
        announce(.providerLost(id, graceMS: graceMS))
        guard providers[provider].calls.count > 0 else { return remove(id, .graceExpired) }
        emit(.startTimer(.grace(id), at: now.advanced(byMS: graceMS)))
        for call in providerLinks.elements(of: providers[provider].calls) {
            publish(call, ["provider_connected"], Cause(.provider, rule: .providerLost))
        }
    }

    /// The process is gone: no grace, unless the app itself lives on elsewhere.
    mutating func exit(_ id: ProviderID) {
        guard let provider = providersByID[id] else { return }
        if providers[provider].isConnected { lose(id) }
        guard let provider = providersByID[id], !providers[provider].configuration.appIsSeparate
        else { return }
        remove(id, .processExited)
    }

    mutating func graceOver(_ id: ProviderID) {
        guard let provider = providersByID[id], !providers[provider].isConnected else { return }
        remove(id, .graceExpired)
    }

    /// A provider is gone for good: its calls end, the audio is free.
    mutating func remove(_ id: ProviderID, _ reason: RemovalReason) {
        guard let provider = providersByID[id] else { return }
        let hadGrace = !providers[provider].isConnected && providers[provider].calls.count > 0
        if hadGrace, reason != .graceExpired { emit(.stopTimer(.grace(id))) }
        let rule: Rule = reason == .processExited ? .providerExited : .providerLost
        providers[provider].link = .lost
        // By id: the end of one call may end another.
        for id in callIDs(of: provider) {
            guard let call = callsByID[id] else { continue }
            finish(call, .failed, Cause(.provider, rule: rule), isLoss: reason != .unregistered)
        }
        for action in providers[provider].queue { cancel(action, isToldProvider: false) }
        announce(.providerRemoved(id, reason))
        providersByID[id] = nil
        removeProviderRecord(provider)
    }

    private mutating func removeProviderRecord(_ provider: Slot<ProviderRecord>) {
        for slot in actionsByID.values.sorted(by: { $0.number < $1.number })
        where actions[slot].provider == provider && actions[slot].plan == nil {
            cancel(slot, isToldProvider: false)
        }
        providers.remove(provider)
    }
}
