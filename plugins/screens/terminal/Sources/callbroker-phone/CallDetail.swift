internal import CallModel
internal import FoundationEssentials

/// An event about a call that changes none of its members.
struct CallDetail {
    enum Kind {
        case participants
        case quality(CallQuality)
        case text(CallText)
    }

    let call: CallID
    let kind: Kind

    private struct Data: Decodable {
        let call: String
        let from: String?
        let text: String?
        let lossPermille: Int?
        let jitterMs: Int?
        let roundTripMs: Int?
    }

    /// Reads the event of a topic; nil if it is another one.
    init?(_ topic: String, _ json: String) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        guard let data = try? decoder.decode(Data.self, from: .init(json.utf8)),
            let call = UUIDBits(data.call).map(CallID.init)
        else { return nil }
        self.call = call
        switch topic {
        case "call.participants": kind = .participants
        case "call.quality":
            kind = .quality(
                CallQuality(
                    lossPermille: data.lossPermille, jitterMS: data.jitterMs,
                    roundTripMS: data.roundTripMs))
        case "call.text":
            guard let side = data.from.flatMap(CallText.Side.init(rawValue:)),
                let text = data.text
            else { return nil }
            kind = .text(CallText(text, from: side))
        default: return nil
        }
    }
}
