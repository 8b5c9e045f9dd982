internal import BrokerJSON
internal import CallArbitration
internal import CallProtocol

/// The anomalies that the broker has counted since its start.
struct AnomalyCheck {
    let findings: [Finding]

    init(_ session: Session) {
        // Earlier releases do not count them.
        guard let reply = session.requestIfPossible(.metrics) else {
            findings = []
            return
        }
        findings = reply.result["anomalies"]?.elements.compactMap(Self.finding) ?? []
    }

    private static func finding(_ entry: JSONValue) -> Finding? {
        guard let word = entry["anomaly"]?.string?.printable, let count = entry["count"]?.integer,
            count > 0
        else { return nil }
        return Finding(
            .warning, word,
            Messages.anomalyCounted(count: count, what: Words.anomaly(word)),
            remedy: Messages.anomalyHint)
    }
}
