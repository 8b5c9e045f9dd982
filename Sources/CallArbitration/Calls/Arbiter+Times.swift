internal import CallModel

/// When something happened, as a provider says it. A provider's clock may be wrong: a time that
/// cannot be is not believed, and now is taken for it.
extension Arbiter {
    private func believed(_ given: Instant?, since earliest: Instant) -> Instant {
        guard let given, earliest <= given, given <= now else { return now }
        return given
    }

    /// When something happened to a call: not before what happened to it last.
    func moment(_ given: Instant?, of call: Slot<CallRecord>) -> Instant {
        let record = calls[call]
        return believed(
            given, since: record.connectedAt ?? record.connectingAt ?? record.createdAt)
    }

    /// When an incoming call came: no longer ago than it may ring.
    func arrival(_ given: Instant?, at provider: Slot<ProviderRecord>) -> Instant {
        believed(given, since: now.advanced(byMS: 0 &- ringTimeoutMS(of: provider)))
    }

    /// When a call came, or was connected, that we learn of later.
    func earlier(_ given: Instant?) -> Instant {
        believed(given, since: now.advanced(byMS: 0 &- policy.reportAgeMS))
    }
}
