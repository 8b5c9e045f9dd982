internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The participants of conferences that far ends run, as apps have reported them; serves
/// `participant.list` and `participant.update`. They decide nothing, so the journal has only which
/// calls had some: after a restart the apps report them again.
final class ConferenceParticipants: BrokerPart {
    private struct Roster {
        /// The participants by the number of their first report, and the numbers by their ids.
        var members: [Int64: Participant] = [:]
        var numbers: [String: Int64] = [:]
        var last: Int64 = 0

        /// Returns the number of participants after a change.
        func count(after change: ParticipantsChange) -> Int {
            let gone = Set(change.removed).filter { numbers[$0] != nil }
            let new = Set(change.changed.map(\.id)).filter { id in
                change.replacesAll || numbers[id] == nil || gone.contains(id)
            }
            return new.count + (change.replacesAll ? 0 : numbers.count - gone.count)
        }

        subscript(id: String) -> Participant? {
            numbers[id].flatMap { members[$0] }
        }

        mutating func apply(_ change: ParticipantsChange) {
            if change.replacesAll { (members, numbers) = ([:], [:]) }
            for id in change.removed {
                if let number = numbers.removeValue(forKey: id) { members[number] = nil }
            }
            for participant in change.changed { set(participant) }
        }

        private mutating func set(_ participant: Participant) {
            if numbers[participant.id] == nil {
                last += 1
                numbers[participant.id] = last
            }
            if let number = numbers[participant.id] { members[number] = participant }
        }
    }

    /// The participants of calls that have not ended.
    private var rosters: [CallID: Roster] = [:]
    /// The calls whose participants were published, by this broker or an earlier one.
    private(set) var conferences: Set<CallID> = []

    func report(
        _ params: ReportParticipantsParams, by provider: ProviderID
    ) throws(RPCError) {
        let call = params.call
        try broker.checkThat(provider, has: call)
        let count = rosters[call, default: Roster()].count(after: params.change)
        guard count <= Participant.countMax else { throw Self.tooMany }
        rosters[call, default: Roster()].apply(params.change)
        publish(params.change, count: count, of: call, provider)
    }

    private func publish(
        _ change: ParticipantsChange, count: Int, of call: CallID, _ provider: ProviderID
    ) {
        restore(call, hasAny: count > 0)
        broker.journal.append(.participantsPublished(call, hasAny: count > 0))
        broker.events.publish(
            .participantsChanged, call, of: provider, to: broker.calls.audience(of: call)
        ) { writer in
            writer.member("call", call)
            writer.member("count", count)
            writer.members(of: change)
        }
    }

    func perform(_ request: ParticipantRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .update(let params): try update(params, target)
        }
    }

    private func update(
        _ params: UpdateParticipantParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let call = params.call
        guard let provider = broker.outline(of: call)?.provider,
            target.peer.sees(callsOf: provider)
        else { throw broker.notFound(call) }
        guard let participant = rosters[call]?[params.participant] else { throw Self.unknown }
        guard participant.changeable.contains(params.member) else { throw Self.unchangeable }
        let app = try broker.forwarded.app(of: provider)
        broker.forwarded.forward(.participant, to: app, target) { writer in
            writer.member("call", call)
            writer.member("participant", params.participant)
            writer.member(params.member, params.value)
        }
    }

    private static let unknown = RPCError(
        .notFound, reason: .unknownParticipant, "the call has no such participant"
    ).with { $0.field = "/participant" }

    private static let unchangeable = RPCError(
        .notFound, reason: .unknownParticipant,
        "the app has not reported that the user may change this about the participant"
    ).with {
        $0.field = "/participant"
        $0.hint = "participant.list has what may be changed, as changeable"
    }

    private static let tooMany = RPCError(
        .limitReached, reason: .maxEntries,
        "a call has at most \(Participant.countMax) participants"
    ).with {
        $0.field = "/changed"
        $0.hint = "report the most important ones, and those who have left"
    }

    func list(_ params: CallPageParams, _ target: ReplyTarget) throws(RPCError) {
        let call = params.call
        let provider = broker.outline(of: call)?.provider
        guard provider != nil, target.peer.sees(callsOf: provider) else {
            throw broker.notFound(call)
        }
        let roster = rosters[call] ?? Roster()
        let after = try params.page.serial()
        let numbers = roster.members.keys.filter { $0 > after }.sorted()
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writer.member("call", call)
            writer.member("count", roster.members.count)
            let page = numbers.prefix(params.page.limit ?? .max)
            let count = writer.page("participants", page, broker.limits.pageBytes) {
                if let participant = roster.members[$0] { $1.members(of: participant) }
            }
            if count > 0, count < numbers.count {
                writer.member("next", String(numbers[count - 1]))
            }
            writer.member("seq", broker.events.seq)
        }
    }

    /// Forgets those of a call that has ended.
    func remove(_ call: CallID) {
        rosters[call] = nil
        conferences.remove(call)
    }

    // MARK: - After a restart

    /// Restores whether participants of a call were published.
    func restore(_ call: CallID, hasAny: Bool) {
        if hasAny { conferences.insert(call) } else { conferences.remove(call) }
    }

    /// Publishes that the participants that an earlier broker knew are not known any more.
    func publishGone() {
        for call in conferences.sorted() {
            guard let provider = broker.outline(of: call)?.provider else { continue }
            publish(ParticipantsChange(replacesAll: true), count: 0, of: call, provider)
        }
    }
}
