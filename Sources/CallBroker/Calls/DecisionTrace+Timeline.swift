internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The reply to `call.timeline`.
extension DecisionTrace {
    func showTimeline(_ params: CallPageParams, _ target: ReplyTarget) throws(RPCError) {
        let after = try params.page.serial()
        try checkThat(target.peer, sees: params.call)
        let entries = timeline(of: params.call)
        if entries.isEmpty, broker.outline(of: params.call) == nil {
            throw broker.notFound(params.call)
        }
        let change = entries.lazy.compactMap(\.change).last
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writer.member("call", params.call)
            if let change {
                writer.member("provider", change.provider)
                writer.member("direction", change.direction.word)
            }
            let rest = entries.drop { $0.stamp.number <= after }
            write(rest.prefix(params.page.limit ?? .max), of: rest.count, target.peer, to: &writer)
            writer.member("seq", broker.events.seq)
        }
    }

    /// Writes a page: as many entries as fit into a frame, and the place of the next page.
    private func write(
        _ entries: ArraySlice<TimelineEntry>, of total: Int, _ peer: Peer,
        to writer: inout JSONWriter
    ) {
        let count = writer.page("entries", entries, broker.limits.pageBytes) {
            $0.write(for: peer, to: &$1)
        }
        guard count > 0, count < total else { return }
        writer.member("next", String(entries[entries.startIndex + count - 1].stamp.number))
    }

    /// Returns the decisions about a call and its events, in the order in which they came.
    private func timeline(of call: CallID) -> [TimelineEntry] {
        let steps = decisions.steps { $0.isAbout(call) }.map(TimelineEntry.decision)
        let events = (events.entries(of: call) + qualities.entries(of: call))
            .map(TimelineEntry.event)
        return (steps + events).sorted { $0.stamp.number < $1.stamp.number }
    }
}

private enum TimelineEntry {
    case decision(DecisionLog.Step)
    case event(CallEventLog.Entry)

    var stamp: Stamp {
        switch self {
        case .decision(let step): step.stamp
        case .event(let entry): entry.stamp
        }
    }

    var change: CallEventLog.Change? {
        if case .event(let entry) = self, case .change(let change) = entry.event {
            change
        } else {
            nil
        }
    }

    func write(for peer: Peer, to writer: inout JSONWriter) {
        writer.members(of: stamp)
        switch self {
        case .decision(let step):
            writer.entry("decision") { $0.members(of: step) }
        case .event(let entry):
            switch entry.event {
            case .change(let change): writer.entry("change") { change.write(for: peer, to: &$0) }
            case .action(let action): writer.entry("action") { action.write(to: &$0) }
            case .audio(let isActive, _): writer.entry("audio") { $0.member("active", isActive) }
            case .quality(let quality):
                writer.entry("quality") { $0.members(of: quality) }
            case .anomaly(let anomaly):
                writer.entry("anomaly") { $0.member("anomaly", anomaly.rawValue) }
            }
        }
    }
}

extension CallEventLog.Change {
    fileprivate func write(for peer: Peer, to writer: inout JSONWriter) {
        writer.member("state", state.known(to: peer).word)
        if let properties { writer.member("changed", properties) }
        if let isMuted = values.isMuted { writer.member("muted", isMuted) }
        if let group = values.group { writer.member("group", group) }
        if let other = values.heldBecauseOf { writer.member("held_because_of", other) }
        writer.member("cause", cause)
    }
}

extension CallEventLog.Action {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.member("action", action)
        writer.member("kind", kind.word)
        writer.member("transaction", transaction)
        writer.member("state", state)
        writer.member("attempt", attempt)
        if let failure { writer.member("failure", failure) }
    }
}

extension JSONWriter {
    /// Writes the name of an event, and its members under that name.
    fileprivate mutating func entry(
        _ name: StaticString, _ members: (inout JSONWriter) -> Void
    ) {
        member("event", name)
        self.name(name)
        object(members)
    }
}
