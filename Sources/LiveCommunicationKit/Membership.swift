internal import CallKit
internal import CallModel

/// Who takes part in a conversation. For the host a conversation is a call with one other side, and
/// of several members the list of participants.
struct Membership: Equatable {
    var local: Handle?
    private(set) var all: Set<Handle> = []
    /// Nil until the app has reported them: then all count as active.
    private(set) var active: Set<Handle>?
    /// The members whom the app named first: they stay in front.
    private(set) var order: [Handle] = []
    private(set) var capabilities: Conversation.Capabilities?

    /// Makes the list of a start, in the app's order.
    init(_ invited: [Handle] = []) {
        order = invited
        all = Set(invited)
    }

    mutating func apply(_ update: Conversation.Update) {
        if let new = update.localMember { local = new }
        if let new = update.members { all = new }
        if let new = update.activeRemoteMembers { active = new }
        if let new = update.capabilities { capabilities = new }
        let known = all.union(active ?? [])
        order.removeAll { !known.contains($0) }
        order += known.subtracting(order).sorted {
            ($0.value, $0.displayName) < ($1.value, $1.displayName)
        }
    }

    /// The members at other places, in a stable order.
    var remote: [Handle] {
        order.filter { $0 != local }
    }

    /// The name of all members at other places; nil if there is only one, without a name.
    var name: String? {
        let others = remote
        return others.count > 1
            ? others.map(\.displayName).joined(separator: ", ") : others.first?.ownName
    }

    /// What the host shows of the conversation, apart from the list of participants.
    var update: CXUpdateParts {
        CXUpdateParts(remote: remote.first, name: name, capabilities: capabilities)
    }

    /// The participants, as far as the list says more than the one other side.
    var participants: [Participant] {
        guard remote.count > 1 else { return [] }
        return remote.prefix(Participant.reportedMax).enumerated().map { number, member in
            let isActive = active?.contains(member) ?? true
            return member.participant(number: number, isActive ? .joined : .joining)
        }
    }
}

/// The parts of an update that the host receives as properties of a call.
struct CXUpdateParts: Equatable {
    let remote: Handle?
    let name: String?
    let capabilities: Conversation.Capabilities?

    /// Makes the update of a call.
    ///
    /// - Parameter former: what the host has already; nil for a new call.
    func callKit(changedFrom former: CXUpdateParts? = nil) -> CXCallUpdate {
        let update = CXCallUpdate()
        if let remote, remote != former?.remote { update.remoteHandle = remote.callKit }
        if name != former?.name { update.localizedCallerName = name }
        guard let capabilities, capabilities != former?.capabilities else { return update }
        update.supportsHolding = capabilities.contains(.pausing)
        update.supportsGrouping = capabilities.contains(.merging)
        update.supportsUngrouping = capabilities.contains(.unmerging)
        update.supportsDTMF = capabilities.contains(.playingTones)
        update.hasVideo = capabilities.contains(.video)
        return update
    }
}

extension Handle {
    /// The member as a participant of a call.
    fileprivate func participant(number: Int, _ state: Participant.State) -> Participant {
        var participant = Participant(id: "member-\(number)", name: ownName)
        participant.handle = callKit.wire
        participant.state = state
        return participant
    }
}
