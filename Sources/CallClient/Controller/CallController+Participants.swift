internal import BrokerJSON
public import CallModel
internal import CallProtocol

extension CallController {
    /// Returns the participants of a conference that the far end runs, in order of their first
    /// report; none of any other call. Changes are the event `call.participants`.
    public func participants(of call: CallID) async throws(CallError) -> [Participant] {
        try await all(.participants, "participants", { $0.member("call", call) }) {
            Participant(checked: $0)
        }
    }

    /// Mutes a participant of a conference, or raises a hand, as far as its app has reported it as
    /// `Participant.changeable`. Returns once the app has done it.
    ///
    /// - Parameters:
    ///   - member: what to change.
    ///   - value: the new value.
    ///   - participant: the id of the participant; for one's own hand that of the one with `isSelf`.
    ///   - call: the conference.
    public func change(
        _ member: Participant.Member, to value: Bool, of participant: String, in call: CallID
    ) async throws(CallError) {
        try await link.request(
            .updateParticipant,
            { writer in
                writer.member("call", call)
                writer.member("participant", participant)
                writer.member(member, value)
            }
        ) { _ in () }
    }
}
