internal import CallArbitration
internal import CallModel

/// The closed vocabularies, by their words on the wire.

extension ActionKind: TranscriptWord {}
extension ActionState: TranscriptWord {}
extension Anomaly: TranscriptWord {}
extension AnswerChoice: TranscriptWord {}
extension ArbitrationPolicy.ButtonActive: TranscriptWord {}
extension ArbitrationPolicy.OnCannotHold: TranscriptWord {}
extension ArbitrationPolicy.OnHoldFailure: TranscriptWord {}
extension ButtonPress: TranscriptWord {}
extension CallOptions.Conflict: TranscriptWord {}
extension CallOptions.Wait: TranscriptWord {}
extension CallState: TranscriptWord {}
extension DTMFStyle: TranscriptWord {}
extension Direction: TranscriptWord {}
extension EndReason: TranscriptWord {}
extension Origin: TranscriptWord {}
extension PendingAction: TranscriptWord {}
extension Priority: TranscriptWord {}
extension RefusalReason: TranscriptWord {}
extension RemovalReason: TranscriptWord {}
extension Rule: TranscriptWord {}
extension TransactionState: TranscriptWord {}
extension Verb: TranscriptWord {}
extension Verdict: TranscriptWord {}

/// A set is the list of its words.
extension ChangedProperties: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        names.write(to: &writer)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> ChangedProperties {
        var changes: ChangedProperties = []
        for element in try field.elements() {
            guard let change = ChangedProperties(name: try element.text()) else {
                let all = ChangedProperties(rawValue: .max).names.joined(separator: ", ")
                throw element.error(expected: "one of " + all)
            }
            changes.insert(change)
        }
        return changes
    }
}

extension MissedReasons: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        names.write(to: &writer)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> MissedReasons {
        var reasons: MissedReasons = []
        for element in try field.elements() {
            guard let reason = MissedReasons(name: try element.text()) else {
                let all = MissedReasons(rawValue: .max).names.joined(separator: ", ")
                throw element.error(expected: "one of " + all)
            }
            reasons.insert(reason)
        }
        return reasons
    }
}
