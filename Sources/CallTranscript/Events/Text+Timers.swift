internal import CallArbitration
internal import CallModel

/// Purposes of timers: the first part of a timer's name.
enum TimerKind: String, TranscriptWord {
    case action, ring, dial
    case startSilence = "start_silence"
    case screening, grace
    case emergencyCallback = "emergency_callback"
    case endingWait = "ending_wait"
    case offer
    case videoRequest = "video_request"
    case textRequest = "text_request"
}

/// A timer, written as `ring:1`, `grace:org.example.a` or `offer:b3:org.example.a`.
extension TimerID: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        switch self {
        case .action(let action): Self.write(.action, action, to: &writer)
        case .ring(let call): Self.write(.ring, call, to: &writer)
        case .dial(let call): Self.write(.dial, call, to: &writer)
        case .startSilence(let call): Self.write(.startSilence, call, to: &writer)
        case .screening(let call): Self.write(.screening, call, to: &writer)
        case .videoRequest(let call): Self.write(.videoRequest, call, to: &writer)
        case .textRequest(let call): Self.write(.textRequest, call, to: &writer)
        case .grace(let provider): writer.append(string: TimerKind.grace.rawValue, provider.name)
        case .emergencyCallback(let provider):
            writer.append(string: TimerKind.emergencyCallback.rawValue, provider.name)
        case .endingWait(let transaction): Self.write(.endingWait, transaction, to: &writer)
        case .offer(let transaction, let provider):
            var offer = TranscriptWriter(lineage: writer.lineage)
            Self.write(.offer, transaction, to: &offer)
            writer.append(string: offer.text, provider.name)
        }
    }

    private static func write(
        _ kind: TimerKind, _ id: some TranscriptValue, to writer: inout TranscriptWriter
    ) {
        kind.write(to: &writer)
        writer.append(UInt8(ascii: ":"))
        id.write(to: &writer)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> TimerID {
        let (kind, id) = try field.parts(expected: "a timer, such as ring:1")
        switch try TimerKind.read(kind) {
        case .action: return .action(try ActionID.read(id))
        case .ring: return .ring(try CallID.read(id))
        case .dial: return .dial(try CallID.read(id))
        case .startSilence: return .startSilence(try CallID.read(id))
        case .screening: return .screening(try CallID.read(id))
        case .videoRequest: return .videoRequest(try CallID.read(id))
        case .textRequest: return .textRequest(try CallID.read(id))
        case .grace: return .grace(ProviderID(id.verbatim))
        case .emergencyCallback: return .emergencyCallback(ProviderID(id.verbatim))
        case .endingWait: return .endingWait(try TransactionID.read(id))
        case .offer:
            let (transaction, provider) = try id.parts(expected: "a transaction and a provider")
            return .offer(try TransactionID.read(transaction), ProviderID(provider.verbatim))
        }
    }
}
