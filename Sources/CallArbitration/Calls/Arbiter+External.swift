internal import CallModel

/// Calls that are live on another device of the same account (rule 47). They are listed and nothing
/// else, until an answer pulls them here.
extension Arbiter {
    /// Adds a call that is live on another device.
    mutating func addExternal(
        _ report: CallReport, _ direction: Direction, _ update: CallUpdate
    ) throws(Refusal) {
        let provider = try provider(report.provider)
        try checkIsNew(report.call, at: provider)
        guard hasExternalRoom(at: provider) else {
            throw fullRefusal(.external, atProvider: providers[provider].externals)
        }
        let cause = Cause(.provider, rule: .external)
        note(.external, .recorded, report.call, cause)
        insertExternal(report.call, provider, direction, update, since: earlier(report.at))
        announce(.callAdded(report.call, cause))
    }

    /// Returns whether one more call on another device may be listed: as many as a provider, and the
    /// host, may have here.
    func hasExternalRoom(at provider: Slot<ProviderRecord>) -> Bool {
        providers[provider].externals < policy.limits.callsPerProvider
            && calls.externals < policy.limits.calls
    }

    /// Inserts a call that is live on another device. Such a call has no priority here.
    mutating func insertExternal(
        _ id: CallID, _ provider: Slot<ProviderRecord>, _ direction: Direction,
        _ update: CallUpdate, since start: Instant
    ) {
        var properties = CallProperties()
        _ = properties.apply(update)
        properties.priority = .normal
        dropUndeclaredMedia(of: &properties, id, provider)
        enterExternal(
            addCall(id, of: provider, direction, state: .external, properties, createdAt: start))
    }

    /// Adds a call that an app lists as being on another device. Returns true.
    mutating func adoptExternal(
        _ live: LiveCall, _ provider: Slot<ProviderRecord>, _ cause: Cause
    ) -> Bool {
        insertExternal(live.call, provider, live.direction, live.update, since: now)
        announce(.callAdded(live.call, cause))
        return true
    }

    private mutating func enterExternal(_ call: Slot<CallRecord>) {
        providers[calls[call].provider].externals += 1
        calls.externals += 1
    }

    /// Counts a call no longer among those on other devices, as it is pulled or over.
    mutating func leaveExternal(_ call: Slot<CallRecord>) {
        guard calls[call].state == .external else { return }
        providers[calls[call].provider].externals -= 1
        calls.externals -= 1
    }

    /// Restores the numbers of calls on other devices, which are not stored.
    mutating func restoreExternals() {
        calls.externals = 0
        for provider in providers.all { providers[provider].externals = 0 }
        for call in calls.all where calls[call].state == .external { enterExternal(call) }
    }

    /// Checks that an end of a call on another device has something to cancel: its pull.
    func checkIsBeingPulled(_ call: Slot<CallRecord>) throws(Refusal) {
        guard calls[call].state == .external, planUnderWay(for: call, .answer) == nil else {
            return
        }
        throw Refusal(.invalidState, rule: .external, blocking: [blocker(call)])
    }

    /// Cancels the pull of a call in place of an end: the call goes on where it is.
    mutating func cancelPull(_ action: Slot<ActionRecord>, of call: Slot<CallRecord>) {
        let record = actions[action]
        note(.external, .cancelled, record.call, record.cause)
        overtake(call, by: .end)
        if let reservation, record.plan != reservation, waits(reservation, for: call) {
            abort(reservation, Refusal(.cancelled, rule: .busy))
        }
        settle(action, .fulfilled)
    }
}
