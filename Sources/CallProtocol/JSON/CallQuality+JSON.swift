package import BrokerJSON
package import CallModel

extension CallQuality {
    /// Reads checked members.
    package init(_ value: JSONValue?) {
        self.init(
            lossPermille: value?["loss_permille"]?.integer.map { Int($0) },
            jitterMS: value?["jitter_ms"]?.integer.map { Int($0) },
            roundTripMS: value?["round_trip_ms"]?.integer.map { Int($0) })
    }
}

extension JSONWriter {
    package mutating func members(of quality: CallQuality) {
        member("loss_permille", ifSet: quality.lossPermille)
        member("jitter_ms", ifSet: quality.jitterMS)
        member("round_trip_ms", ifSet: quality.roundTripMS)
    }
}
