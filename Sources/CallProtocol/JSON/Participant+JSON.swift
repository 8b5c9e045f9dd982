package import BrokerJSON
package import CallModel

extension Participant {
    /// Reads a checked participant.
    package init(checked value: JSONValue) {
        self.init(id: value["participant"]?.string ?? "", name: value["name"]?.string)
        handle = value["handle"].map { Handle(checked: $0) }
        state = value["state"]?.string.flatMap(State.init(rawValue:)) ?? .joined
        isMuted = value["muted"]?.boolean ?? false
        isHandRaised = value["hand_raised"]?.boolean ?? false
        isSelf = value["self"]?.boolean ?? false
        let words = value["changeable"]?.elements.compactMap(\.string) ?? []
        changeable = Member.allCases.filter { words.contains($0.rawValue) }
    }
}

extension ParticipantsChange {
    /// Reads checked members.
    package init(checked value: JSONValue?) {
        self.init(
            changed: value?["changed"]?.elements.map { Participant(checked: $0) } ?? [],
            removed: value?["removed"]?.elements.compactMap(\.string) ?? [],
            replacesAll: value?["replace"]?.boolean ?? false)
    }
}

extension JSONWriter {
    package mutating func member(_ member: Participant.Member, _ value: Bool) {
        switch member {
        case .muted: self.member("muted", value)
        case .handRaised: self.member("hand_raised", value)
        }
    }

    package mutating func members(of participant: Participant) {
        member("participant", participant.id)
        member("name", ifSet: participant.name)
        if let handle = participant.handle { member("handle", handle) }
        member("state", participant.state.rawValue)
        member("muted", participant.isMuted)
        member("hand_raised", participant.isHandRaised)
        member("self", participant.isSelf)
        if !participant.changeable.isEmpty {
            member("changeable", words: participant.changeable.map(\.rawValue))
        }
    }

    package mutating func members(of change: ParticipantsChange) {
        name("changed")
        array { writer in
            for participant in change.changed { writer.object { $0.members(of: participant) } }
        }
        member("removed", words: change.removed)
        if change.replacesAll { member("replace", true) }
    }
}
