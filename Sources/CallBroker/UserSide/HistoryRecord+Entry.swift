internal import CallArbitration
internal import CallModel
internal import CallProtocol
internal import CallStore

extension HistoryRecord {
    /// Creates a record of the arbiter's entry about a call that has ended.
    ///
    /// - Parameter unixMS: converts an instant to milliseconds of Unix time.
    init(_ entry: HistoryEntry, providerName: String?, unixMS: (Instant) -> Int64) {
        let last = entry.last
        self.init(
            call: last.call, provider: last.provider,
            providerName: providerName ?? last.provider.name, direction: last.direction,
            remote: last.properties.remote, startedAtMS: unixMS(last.createdAt),
            endedAtMS: unixMS(entry.endedAt), reason: entry.reason, origin: entry.cause.origin)
        let caller = last.caller.flatMap { $0.isKnown ? $0 : nil }
        name = caller?.name ?? last.properties.displayName
        label = caller?.label
        labelSource = caller?.source
        line = last.properties.line
        forwardedFrom = last.properties.forwardedFrom
        verification = last.properties.verification
        externalID = last.properties.externalID
        elsewhere = last.properties.elsewhere
        hasVideo = last.properties.hasVideo
        connectedAtMS = last.connectedAt.map(unixMS)
        rule = entry.cause.rule
        missedReasons = entry.missed
        filteredBy = entry.filteredBy
        failure = entry.failure.map {
            Failure(code: Int64($0.code), reason: $0.reason, message: $0.message)
        }
        detail = entry.detail
        isRecent = entry.isRecent
    }

    /// Creates a record of an imported call.
    init(_ past: ImportHistoryParams.PastCall) {
        self.init(
            call: past.call, provider: past.provider,
            providerName: past.providerName ?? past.provider.name, direction: past.direction,
            remote: past.remote, startedAtMS: past.startedAtMS, endedAtMS: past.endedAtMS,
            reason: past.endReason, origin: past.origin)
        name = past.name
        label = past.label
        labelSource = past.labelSource
        (line, lineLabel) = (past.line, past.lineLabel)
        forwardedFrom = past.forwardedFrom
        verification = past.verification
        externalID = past.externalID
        elsewhere = past.elsewhere
        hasVideo = past.hasVideo
        connectedAtMS = past.connectedAtMS
        detail = past.detail
        missedReasons = past.missedReasons
        filteredBy = past.filteredBy
        isSeen = past.isSeen
    }
}
