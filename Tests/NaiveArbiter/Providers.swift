internal import CallArbitration
internal import CallModel

/// Rules 26 to 28: providers come, go and come back.
extension NaiveArbiter {
    mutating func register(_ registration: ProviderRegistration) {
        let id = registration.provider
        guard provider(id) != nil else {
            providers.append(Provider(id: id, configuration: registration.configuration))
            return confirm(registration, dropped: reconcile(registration))
        }
        update(id, registration.configuration)
        let listed = (provider(id)?.listed ?? []) + (registration.calls ?? []).map(\.call)
        change(provider: id) { $0.listed = listed }
        guard !registration.hasMore else { return confirm(registration, dropped: []) }
        change(provider: id) {
            $0.isConnected = true
            $0.listed = nil
        }
        disarm(.grace(id))
        let sent = actions.filter { $0.provider == id && $0.isSent && !$0.isIgnored }.map(\.number)
        let dropped = reconcile(registration)
        for call in calls where call.provider == id && !listed.contains(call.id) {
            // It may not have heard of the start yet: that is sent again.
            if call.state == .starting { continue }
            if call.screening != nil {
                endScreened(call, .failed, .callEnded, .providerLost)
                continue
            }
            finish(call.id, call.ending?.reason ?? .failed, .missing)
        }
        confirm(registration, dropped: dropped)
        sendAgain(sent, to: id)
    }

    private mutating func confirm(_ registration: ProviderRegistration, dropped: [CallID]) {
        let own = calls.filter { $0.provider == registration.provider && $0.screening == nil }
        reply(
            registration.token,
            .registered(calls: own.map(\.id).sorted(), dropped: dropped.sorted()))
    }

    /// Rule 28: what we do not know is adopted if the limits allow it.
    private mutating func reconcile(_ registration: ProviderRegistration) -> [CallID] {
        (registration.calls ?? []).filter { call($0.call) == nil }.map(\.call)
    }

    /// What was sent is sent again, what waited is sent now, in order.
    private mutating func sendAgain(_ sent: [Int], to id: ProviderID) {
        for action in actions where sent.contains(action.number) {
            change(action: action.number) { $0.attempt += 1 }
            wanted.work.append(
                .perform(action.call, action.kind, attempt: action.attempt + 1))
        }
        for call in calls where call.provider == id { sendWhatCan(on: call.id) }
    }

    mutating func update(_ id: ProviderID, _ configuration: ProviderConfiguration) {
        change(provider: id) { $0.configuration = configuration }
    }

    mutating func unregister(_ id: ProviderID) {
        remove(id)
    }

    /// Rule 27: its calls stay for its grace.
    mutating func lose(_ id: ProviderID) {
        guard let provider = provider(id), provider.isConnected else { return }
        change(provider: id) { $0.isConnected = false }
        let hasCalls = calls.contains { $0.provider == id }
        // An end needs no provider.
        for call in calls where call.provider == id && call.state == .ending {
            finish(call.id, call.ending?.reason ?? .localEnded, .wished)
        }
        if hasCalls {
            arm(.grace(id), graceMS(of: provider))
        } else {
            remove(id)
        }
    }

    private func graceMS(of provider: Provider) -> Int {
        provider.configuration.graceMS
            ?? (provider.configuration.appIsSeparate ? policy.separateAppGraceMS : policy.graceMS)
    }

    /// Rule 26: the grace is cut short, but for an adapter's.
    mutating func exit(_ id: ProviderID) {
        lose(id)
        guard let provider = provider(id), !provider.configuration.appIsSeparate else { return }
        remove(id)
    }

    mutating func graceIsOver(_ id: ProviderID) {
        remove(id)
    }

    private mutating func remove(_ id: ProviderID) {
        disarm(.grace(id))
        change(provider: id) { $0.isConnected = false }
        for call in ringingCalls where call.provider == id && planAnswering(call.id) != nil {
            change(call.id) { $0.wasNearlyAnswered = true }
        }
        for call in calls where call.provider == id { cancelPlans(for: call.id, .providerGone) }
        for call in calls where call.provider == id {
            if call.screening != nil {
                endScreened(call, .failed, .callEnded, .providerLost)
            } else {
                finish(call.id, call.ending?.reason ?? .failed, .lost)
            }
        }
        for action in actions where action.provider == id {
            actions.removeAll { $0.number == action.number }
            disarm(.action(action.number))
        }
        withdrawn.removeAll { $0.provider == id }
        providers.removeAll { $0.id == id }
    }

    mutating func restart(isSameBoot: Bool) {
    }
}
