internal import CallModel

/// When something happened, as a provider says it. A provider's clock may be wrong: a time that
/// cannot be is not believed, and now is taken for it.
extension Arbiter {
    private func plausible(_ reportedAt: Instant?, since earliest: Instant) -> Instant {
        guard let reportedAt, earliest <= reportedAt, reportedAt <= now else { return now }
        return reportedAt
    }

    /// When something happened to a call: not before what happened to it last.
    func timestamp(_ reportedAt: Instant?, of call: Slot<CallRecord>) -> Instant {
        let record = calls[call]
        return plausible(
            reportedAt, since: record.connectedAt ?? record.connectingAt ?? record.createdAt)
    }

    /// When an incoming call came: no longer ago than it may ring.
    func arrival(_ reportedAt: Instant?, at provider: Slot<ProviderRecord>) -> Instant {
        plausible(reportedAt, since: now.advanced(byMS: 0 &- ringTimeoutMS(of: provider)))
    }

    /// When a call came, or was connected, that we learn of later.
    func earlier(_ reportedAt: Instant?) -> Instant {
        plausible(reportedAt, since: now.advanced(byMS: 0 &- policy.reportAgeMS))
    }
}
