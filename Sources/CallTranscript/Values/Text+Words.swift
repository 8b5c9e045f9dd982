internal import CallArbitration
internal import CallModel

/// Closed vocabularies, by their words on the wire.

extension ActionKind: TranscriptWord {}
extension ActionState: TranscriptWord {}
extension Anomaly: TranscriptWord {}
extension AnswerChoice: TranscriptWord {}
extension ArbitrationPolicy.DialWhileRinging: TranscriptWord {}
extension ArbitrationPolicy.VideoFallback: TranscriptWord {}
extension ArbitrationPolicy.ButtonActive: TranscriptWord {}
extension ArbitrationPolicy.OnCannotHold: TranscriptWord {}
extension ArbitrationPolicy.OnHoldFailure: TranscriptWord {}
extension ButtonPress: TranscriptWord {}
extension CallOptions.Conflict: TranscriptWord {}
extension CallOptions.Wait: TranscriptWord {}
extension CallState: TranscriptWord {}
extension DTMFStyle: TranscriptWord {}
extension Direction: TranscriptWord {}
extension Presentation: TranscriptWord {}
extension EndReason: TranscriptWord {}
extension Origin: TranscriptWord {}
extension PendingAction: TranscriptWord {}
extension Priority: TranscriptWord {}
extension Verification: TranscriptWord {}
extension VideoDirection: TranscriptWord {}
extension RefusalReason: TranscriptWord {}
extension RemovalReason: TranscriptWord {}
extension ResetReason: TranscriptWord {}
extension Rule: TranscriptWord {}
extension TransactionState: TranscriptWord {}
extension Verb: TranscriptWord {}
extension Verdict: TranscriptWord {}

/// A set of words, written as a list in the order of the vocabulary.
protocol TranscriptWordSet: TranscriptValue, OptionSet where RawValue: FixedWidthInteger {
    var names: [String] { get }
    init?(name: String)
}

extension ChangedProperties: TranscriptWordSet {}
extension MissedReasons: TranscriptWordSet {}

extension TranscriptWordSet {
    func write(to writer: inout TranscriptWriter) {
        names.write(to: &writer)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Self {
        var set: Self = []
        for element in try field.elements() {
            guard let word = Self(name: try element.text()) else {
                let all = Self(rawValue: .max).names.joined(separator: ", ")
                throw element.error(expected: "one of " + all)
            }
            set.formUnion(word)
        }
        return set
    }
}
