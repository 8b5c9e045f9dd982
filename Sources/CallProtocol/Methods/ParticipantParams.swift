package import BrokerJSON
internal import BrokerRPC
package import CallModel

/// A request about the participants of a conference.
package enum ParticipantRequest {
    case update(UpdateParticipantParams)
}

/// The params of `participant.update`, of which a client has to send exactly one change.
package struct UpdateParticipantParams: MethodParams {
    package let call: CallID
    package let participant: String
    package let member: Participant.Member
    package let value: Bool

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        participant = try params.required("participant") { $0?.string }
        let changes = Participant.Member.allCases.compactMap { member in
            params?[named: member.rawValue]?.boolean.map { (member, $0) }
        }
        guard changes.count < 2 else {
            throw SchemaFault(
                reason: .invalidValue, message: "is a second change; send one at a time",
                pointer: "/\(changes[1].0.rawValue)")
        }
        (member, value) = try params.required("muted") { _ in changes.first }
    }
}
