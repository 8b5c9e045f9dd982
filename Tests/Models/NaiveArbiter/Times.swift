internal import CallArbitration
internal import CallModel

/// When things happened, as providers say: a time that cannot be is now.
extension NaiveArbiter {
    /// What a provider says in the event under way of one call: when it was connected, or ended.
    struct Said {
        let call: CallID
        let at: Instant
        let isEnd: Bool
    }

    /// Does what follows from an action that its provider did at that time. When it held, muted,
    /// grouped or moved a call nobody keeps.
    mutating func saying(
        _ at: Instant?, of kind: CallAction, _ call: CallID, _ settle: (inout Self) -> Void
    ) {
        let former = said
        defer { said = former }
        said = at.flatMap { at in
            switch kind {
            case .answer: Said(call: call, at: at, isEnd: false)
            case .end, .transfer, .attendedTransfer, .deflect:
                Said(call: call, at: at, isEnd: true)
            case .start, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo,
                .setText:
                nil
            }
        }
        settle(&self)
    }

    func believed(_ given: Instant?, since earliest: Instant) -> Instant {
        guard let given, given >= earliest, given <= now else { return now }
        return given
    }

    /// Not before what happened to the call last.
    func moment(of call: Call, isEnd: Bool) -> Instant {
        let told = said.flatMap { $0.call == call.id && $0.isEnd == isEnd ? $0.at : nil }
        return believed(
            told ?? (isEnd ? nil : call.takenAt),
            since: call.connectedAt ?? call.connectingAt ?? call.alertingAt ?? call.createdAt)
    }

    /// No longer ago than it may ring.
    func arrival(_ report: IncomingReport) -> Instant {
        let timeoutMS = ringTimeoutMS(at: report.provider)
        return believed(report.receivedAt, since: now.advanced(byMS: -timeoutMS))
    }

    func ringTimeoutMS(at id: ProviderID) -> Int {
        let own = provider(id)?.configuration.ringTimeoutMS
        return own.map { min(max($0, 5_000), 120_000) } ?? policy.ringTimeoutMS
    }

    /// Of a call that we learn of later.
    func earlier(_ given: Instant?) -> Instant {
        believed(given, since: now.advanced(byMS: -policy.reportAgeMS))
    }
}
