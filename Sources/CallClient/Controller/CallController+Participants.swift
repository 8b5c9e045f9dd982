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
}
