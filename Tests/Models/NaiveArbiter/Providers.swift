internal import CallArbitration
internal import CallModel

/// Rules 26 to 28: providers come, go and come back.
extension NaiveArbiter {
    /// Nobody hears of it before it is there.
    mutating func expect(_ id: ProviderID, _ configuration: ProviderConfiguration) {
        guard provider(id) == nil else { return }
        var provider = Provider(id: id, configuration: configuration)
        provider.isConnected = false
        provider.isStarting = true
        providers.append(provider)
    }

    mutating func register(_ registration: ProviderRegistration) {
        let id = registration.provider
        let wasAway = provider(id)?.isConnected == false
        let isNew = provider(id)?.isStarting == true
        if provider(id) != nil {
            change(provider: id) {
                $0.configuration = registration.configuration
                $0.isConnected = true
                $0.isStarting = false
            }
            if !wasAway {
                wanted.announced.append(.providerChanged(id))
            } else {
                wanted.announced.append(isNew ? .providerAdded(id) : .providerResumed(id))
                disarm(.grace(id))
                // A start that it may not have heard of goes out again.
                for call in calls where call.provider == id {
                    change(call.id) { $0.isUnconfirmed = $0.state != .starting }
                }
            }
        } else {
            providers.append(Provider(id: id, configuration: registration.configuration))
            wanted.announced.append(.providerAdded(id))
        }
        reconcile(registration, wasAway: wasAway)
    }

    /// What it does not name is over, what we do not know is adopted if it fits.
    private mutating func reconcile(_ registration: ProviderRegistration, wasAway: Bool) {
        let id = registration.provider
        let own = calls.filter { $0.provider == id }
        let sent = wasAway ? own.flatMap { sentActions(on: $0.id) } : []
        var dropped: [CallID] = []
        var later: [LiveCall] = []
        for live in registration.calls ?? [] {
            if let call = call(live.call), call.provider == id {
                change(call.id) { $0.isUnconfirmed = false }
                apply(live.update, to: call.id)
                if isOnItsWay(call.id) { later.append(live) } else { hear(live) }
            } else if !adopt(live, id) {
                dropped.append(live.call)
            }
        }
        if !registration.hasMore {
            for call in calls where call.provider == id {
                guard self.call(call.id)?.isUnconfirmed == true else { continue }
                finish(call.id, .failed, Cause(.provider, rule: .providerLost), isLoss: true)
            }
        }
        let left = calls.filter { $0.provider == id }.map(\.id)
        reply(registration.token, .registered(calls: left, dropped: dropped))
        // Its reply may have been lost: at least once.
        for live in registration.calls ?? [] { countAsDone(live) }
        // Or it has been cancelled by now, with the end of another call.
        for live in later where !isOnItsWay(live.call) { hear(live) }
        for number in sent where action(number)?.isSent == true { perform(number) }
        pump(id)
    }

    /// The answer to a start, or that a call was answered, held or resumed, which we did not hear:
    /// where the call is now says it (rule 30a).
    private mutating func countAsDone(_ live: LiveCall) {
        guard let call = call(live.call), let action = current(call.id)?.kind else { return }
        if action == .setHeld(true), live.state == .held { try? takeHeld(call) }
        if action == .setHeld(false), live.state == .active { try? takeActive(call) }
        let kind = action.kind
        guard kind == .start || kind == .answer else { return }
        let isStart = kind == .start
        if isStart, live.state == .alerting { try? takeAlerting(call, nil) }
        if isStart, live.state == .connecting || live.state == .held { try? takeConnecting(call) }
        if live.state == .active || live.state == .held && !isStart {
            said = live.connectedAt.map { Said(call: call.id, at: $0, isEnd: false) }
            try? takeActive(call)
            said = nil
        }
        guard live.state == .held else { return }
        let before: CallState = isStart ? .connecting : .active
        if self.call(call.id)?.state == before { becomeHeld(call.id) }
    }

    private func sentActions(on call: CallID) -> [Int] {
        let sent = actions(on: call).filter(\.isSent)
        return (sent.filter { $0.kind != .end } + sent.filter { $0.kind == .end }).map(\.number)
    }

    private func isOnItsWay(_ call: CallID) -> Bool {
        switch current(call)?.kind {
        case .start, .answer, .setHeld, .end: true
        case .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText, .transfer,
            .attendedTransfer,
            .deflect,
            nil:
            false
        }
    }

    /// Forwards is believed, backwards is not.
    private mutating func hear(_ live: LiveCall) {
        let id = live.call
        guard let call = call(id), call.state != .ending, call.screening == nil else { return }
        switch (call.state, live.state) {
        case (.dialing, .alerting): change(id) { $0.state = .alerting }
        case (.dialing, .connecting), (.alerting, .connecting):
            change(id) { $0.state = .connecting }
        case (.dialing, .active), (.alerting, .active), (.connecting, .active):
            said = live.connectedAt.map { Said(call: id, at: $0, isEnd: false) }
            becomeActive(id, Cause(.provider, rule: .providerLost))
            said = nil
        case (.held, .active), (.ringing, .active), (.waiting, .active), (.external, .active):
            askForAudio(id)
        case (.active, .held), (.ringing, .held), (.waiting, .held), (.dialing, .held),
            (.alerting, .held), (.connecting, .held), (.external, .held):
            beginIfMarked(id)
            becomeHeld(id)
        default: break
        }
    }

    // Calls that we do not know.

    private mutating func adopt(_ live: LiveCall, _ provider: ProviderID) -> Bool {
        guard let state = stateIfAdopted(live, provider) else { return false }
        let id = live.call
        endedCalls.removeAll { $0.call == id }
        guard state != .external else {
            list(
                id, provider, live.direction, live.update, since: now,
                Cause(.provider, rule: .brokerRestarted))
            return true
        }
        let isConnected = state == .active || state == .held
        var call = Call(
            id: id, provider: provider, direction: live.direction, state: state,
            group: newGroup(), createdAt: isConnected ? earlier(live.connectedAt) : now)
        call.properties = properties(judged(live.update, by: provider), of: id, at: provider)
        if isConnected { call.connectedAt = call.createdAt }
        calls.append(call)
        wanted.announced.append(.callAdded(id, Cause(.provider, rule: .brokerRestarted)))
        switch state {
        case .waiting: startRinging(id)
        case .dialing, .alerting, .connecting: arm(.dial(id), policy.dialTimeoutMS)
        case .starting, .ringing, .active, .held, .ending, .ended, .external: break
        }
        settleGroups()
        if liveGroup == call.group { giveAudio(to: call.group) }
        if call.isMarked {
            if state == .waiting {
                ringFirst(id)
            } else {
                beginEmergency(id)
                clearWay(for: id)
            }
        }
        // Rule 13: it speaks, and may not.
        if state == .held, live.state == .active { askForAudio(id) }
        return true
    }

    /// If there is room for it; one that speaks while another does is held until it may.
    private func stateIfAdopted(_ live: LiveCall, _ provider: ProviderID) -> CallState? {
        let wasLost = endedCalls.contains { $0.call == live.call && $0.isLoss }
        let here = calls.filter { !$0.isExternal }
        let own = here.filter { $0.provider == provider }
        let isRingingEmergency =
            live.state == .ringing && propertiesAllowed(live.update).priority == .emergency
        guard call(live.call) == nil, wasLost || !hasEnded(live.call),
            isRingingEmergency || live.state == .external
                || own.count < policy.limits.callsPerProvider && here.count < policy.limits.calls,
            !isBeingEnded(live.call, at: provider)
        else { return nil }
        let isFree = liveGroup == nil && reservation == nil && emergencies.isEmpty
        let hasHeldRoom = heldGroups.count < policy.limits.heldGroups
        switch live.state {
        case .ringing:
            return hasRingingRoom(isEmergency: isRingingEmergency, isCallback: false)
                && (emergencies.isEmpty || isRingingEmergency) ? .waiting : nil
        case .held: return hasHeldRoom ? .held : nil
        case .active: return isFree ? .active : hasHeldRoom ? .held : nil
        case .dialing, .alerting, .connecting: return isFree ? live.state : nil
        case .external: return hasExternalRoom(at: provider) ? .external : nil
        case .starting, .waiting, .ending, .ended: return nil
        }
    }

    mutating func update(_ id: ProviderID, _ configuration: ProviderConfiguration) {
        guard provider(id) != nil else { return }
        change(provider: id) { $0.configuration = configuration }
        wanted.announced.append(.providerChanged(id))
    }

    // Gone.

    /// Rule 27: its calls stay for its grace.
    mutating func lose(_ id: ProviderID, _ reason: RemovalReason = .disconnected) {
        guard let provider = provider(id), provider.isConnected else { return }
        change(provider: id) { $0.isConnected = false }
        wait(for: id, graceMS(of: provider), isNews: true, reason, .providerLost)
    }

    private func graceMS(of provider: Provider) -> Int {
        provider.configuration.graceMS
            ?? (provider.configuration.appIsSeparate ? policy.separateAppGraceMS : policy.graceMS)
    }

    private mutating func wait(
        for id: ProviderID, _ graceMS: Int, isNews: Bool, _ reason: RemovalReason, _ rule: Rule
    ) {
        let hasCalls = calls.contains { $0.provider == id }
        wanted.announced.append(.providerLost(id, graceMS: hasCalls ? graceMS : 0))
        guard hasCalls else { return remove(id, reason, rule) }
        arm(.grace(id), graceMS)
        guard isNews else { return }
        for call in calls.map(\.id) { endWithout(id, call) }
        withdrawOffers(to: id)
    }

    /// An end needs nobody's answer, but that of an app which may talk on.
    private mutating func endWithout(_ provider: ProviderID, _ id: CallID) {
        guard let call = call(id), call.provider == provider,
            let end = actions(on: id).first(where: { $0.kind == .end && $0.isUnderWay })
        else { return }
        if livesApart(provider), liveGroup == call.group {
            armDeadline(of: end.number)
        } else {
            settleAndGoOn(end.number, .fulfilled)
        }
    }

    /// Its provider was there and is away, and the app goes on without it.
    func livesApart(_ id: ProviderID) -> Bool {
        guard let provider = provider(id) else { return false }
        return !provider.isConnected && !provider.isStarting && provider.configuration.appIsSeparate
    }

    /// Rule 26: the grace is cut short, but for an adapter's.
    mutating func exit(_ id: ProviderID) {
        guard let provider = provider(id) else { return }
        guard !provider.configuration.appIsSeparate || provider.isStarting else {
            return lose(id, .processExited)
        }
        if provider.isConnected {
            change(provider: id) { $0.isConnected = false }
            wait(
                for: id, graceMS(of: provider), isNews: true, .processExited, .providerExited)
        }
        remove(id, .processExited, .providerExited)
    }

    /// Rule 33: it may have no calls. One that is connected is there as if it had just come.
    mutating func revoke(_ id: ProviderID) {
        guard let provider = provider(id) else { return }
        change(provider: id) { $0.isRevoked = true }
        remove(id, .revoked, .rights)
        guard provider.isConnected else { return }
        providers.append(Provider(id: id, configuration: provider.configuration))
        wanted.announced.append(.providerAdded(id))
    }

    /// Its calls end, the audio is free.
    mutating func remove(_ id: ProviderID, _ reason: RemovalReason, _ rule: Rule) {
        guard let wasThere = provider(id).map({ !$0.isStarting }) else { return }
        disarm(.grace(id))
        change(provider: id) { $0.isConnected = false }
        withdrawOffers(to: id)
        for call in calls where call.provider == id {
            finish(
                call.id, .failed, Cause(reason == .revoked ? .admin : .provider, rule: rule),
                isLoss: reason != .unregistered && reason != .revoked)
        }
        for action in actions where action.provider == id && action.isUnderWay {
            cancel(action.number)
        }
        if wasThere { wanted.announced.append(.providerRemoved(id, reason)) }
        providers.removeAll { $0.id == id }
    }

    /// Rule 28: nobody is connected, and everybody has time to come back. After another boot of the
    /// host there is nothing to come back to.
    mutating func restart(isSameBoot: Bool) {
        let all = providers.sorted { $0.id < $1.id }
        for provider in all { change(provider: provider.id) { $0.isConnected = false } }
        for provider in all where provider.isStarting {
            let hasCalls = calls.contains { $0.provider == provider.id }
            if hasCalls {
                arm(.grace(provider.id), policy.restartGraceMS)
            } else {
                remove(provider.id, .disconnected, .brokerRestarted)
            }
        }
        for provider in all where !provider.isStarting {
            wait(
                for: provider.id, policy.restartGraceMS, isNews: provider.isConnected,
                .disconnected, .providerLost)
        }
        guard !isSameBoot else { return }
        for provider in all { remove(provider.id, .processExited, .brokerRestarted) }
    }
}
