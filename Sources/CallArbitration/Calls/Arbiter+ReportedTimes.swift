internal import CallModel

/// Times that providers report. A provider's clock may be wrong: an impossible time is replaced by
/// the current one.
extension Arbiter {
    private func plausible(_ reportedAt: Instant?, since earliest: Instant) -> Instant {
        guard let reportedAt, earliest <= reportedAt, reportedAt <= now else { return now }
        return reportedAt
    }

    /// Returns the time of a change of a call, which is not before the call's last change.
    func timestamp(_ reportedAt: Instant?, of call: Slot<CallRecord>) -> Instant {
        let record = calls[call]
        return plausible(
            reportedAt,
            since: record.connectedAt ?? record.connectingAt ?? record.alertingAt
                ?? record.createdAt)
    }

    /// Returns the time at which a call came in, which is no longer ago than the call may ring.
    func arrival(_ reportedAt: Instant?, at provider: Slot<ProviderRecord>) -> Instant {
        plausible(reportedAt, since: now.advanced(byMS: 0 &- ringTimeoutMS(of: provider)))
    }

    /// Returns the time, reported later, at which a call came in or was connected.
    func earlier(_ reportedAt: Instant?) -> Instant {
        plausible(reportedAt, since: now.advanced(byMS: 0 &- policy.reportAgeMS))
    }
}
