internal import BrokerJSON

/// The quality of a call in words: loss, jitter and round trip, as far as they are known.
struct QualityText: CustomStringConvertible {
    let description: String

    /// - Parameter quality: The members of a report.
    init(_ quality: JSONValue) {
        let parts = [
            quality["loss_permille"]?.integer.map {
                Messages.qualityLoss(percent: Self.percent($0))
            },
            quality["jitter_ms"]?.integer.map { Messages.qualityJitter(milliseconds: String($0)) },
            quality["round_trip_ms"]?.integer.map {
                Messages.qualityRoundTrip(milliseconds: String($0))
            },
        ]
        description = parts.compactMap(\.self).joined(separator: ", ")
    }

    private static func percent(_ permille: Int64) -> String {
        "\(permille / 10).\(permille % 10)"
    }
}
