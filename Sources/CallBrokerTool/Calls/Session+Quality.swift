internal import BrokerJSON
internal import CallProtocol

extension Session {
    /// Returns what the app has reported last about the quality of a call, as JSON; nil if it has
    /// reported nothing, or the broker does not say.
    func latestQuality(of call: String) -> [UInt8]? {
        var (latest, after): ([UInt8]?, String?) = (nil, nil)
        repeat {
            let page = requestIfPossible(.timeline) { writer in
                writer.member("call", call)
                writer.member("after", ifSet: after)
            }
            guard let page else { return latest }
            let entries = page.result["entries"].map { Array($0.elements) } ?? []
            if let quality = entries.last(where: { $0["quality"] != nil })?["quality"] {
                var writer = JSONWriter()
                writer.value(quality)
                latest = writer.bytes
            }
            after = page.result["next"]?.string
        } while after != nil
        return latest
    }
}
