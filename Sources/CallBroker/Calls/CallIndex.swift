internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

extension CallFilterParams {
    fileprivate func includes(
        _ item: CallList.Item, _ arbiter: Arbiter, for peer: Peer
    ) -> Bool {
        switch item {
        case .open(let call):
            arbiter.outline(of: call).map {
                peer.sees(callIn: $0.state)
                    && includes($0.provider, $0.direction, $0.state.known(to: peer), for: peer)
            } ?? false
        case .ended(let entry):
            includes(entry.provider, entry.last.direction, entry.last.state, for: peer)
        }
    }

    private func includes(
        _ provider: ProviderID, _ direction: Direction, _ state: CallState, for peer: Peer
    ) -> Bool {
        peer.sees(callsOf: provider) && (self.provider.map { $0 == provider } ?? true)
            && (self.state.map { $0 == state } ?? true)
            && (self.direction.map { $0 == direction } ?? true)
    }
}

/// The calls that clients can list, with the replies to `call.list`, `call.get`, `provider.list`
/// and `host.get`.
final class CallIndex: BrokerPart {
    private var list = CallList()
    /// The calls that are on other devices, as they were published last.
    private var externals: Set<CallID> = []

    /// The number of calls that have not ended.
    var count: Int {
        list.count
    }

    /// The calls that have not ended, the oldest first.
    var open: [CallID] {
        list.open
    }

    /// The calls that have not ended, by provider and state.
    var counts: CallCounts {
        list.counts
    }

    func add(_ call: CallID) {
        let outline = broker.outline(of: call)
        if outline?.state == .external { externals.insert(call) }
        list.add(call, outline)
    }

    func isExternal(_ call: CallID) -> Bool {
        externals.contains(call)
    }

    /// The clients that are sent events about a call.
    func audience(of call: CallID) -> EventFeed.Audience {
        isExternal(call) ? .knowing(.externalCalls) : .everybody
    }

    /// The clients that are sent events about a transaction.
    func audience(of entries: [TransactionReport.Entry]) -> EventFeed.Audience {
        !externals.isEmpty && entries.contains { isExternal($0.call) }
            ? .knowing(.externalCalls) : .everybody
    }

    /// Returns whether a call that was on another device is here now.
    func recordPull(of call: CallID) -> Bool {
        guard isExternal(call), let outline = broker.outline(of: call),
            outline.state != .external
        else { return false }
        externals.remove(call)
        return true
    }

    /// Counts a call in the state that it has now.
    func recordState(of call: CallID) {
        if let outline = broker.outline(of: call) { list.count(call, in: outline.state) }
    }

    /// Marks a call as ended.
    ///
    /// - Parameter entry: the final state of the call.
    func end(_ call: CallID, _ entry: HistoryEntry?) {
        let isKept = externals.remove(call) == nil
        list.end(call, isKept ? entry : nil, at: broker.clock.now)
    }

    func restore(_ calls: [CallID]) {
        for call in calls { add(call) }
    }

    /// The number of calls that are examined for a page: a filter that matches none of 100,000
    /// calls must not delay the requests of others.
    static let examinedPerPage = 2_048

    func perform(_ request: CallRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .list(let params): try listCalls(params, target)
        case .get(let params): try showCall(params, target)
        case .explain(let params): try broker.trace.explain(params, target)
        case .timeline(let params): try broker.trace.showTimeline(params, target)
        case .participants(let params): try broker.participants.list(params, target)
        case .listTransactions(let page): try broker.transactionLog.list(page, target)
        case .listProviders(let page): listProviders(page, target)
        case .getHost: showHost(target)
        }
    }

    private func listCalls(_ params: ListCallsParams, _ target: ReplyTarget) throws(RPCError) {
        let after = try params.page.serial()
        let limit = params.page.limit ?? .max
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writePage(
                after: after, params.filter, limit: limit, for: target.peer, to: &writer)
            writer.member("seq", broker.events.seq)
        }
    }

    /// Writes the calls after `serial`, as many as fit into a frame.
    func writePage(
        after serial: Int64, _ filter: CallFilterParams, limit: Int, for peer: Peer,
        to writer: inout JSONWriter
    ) {
        let bytesMax = broker.limits.pageBytes
        var last: Int64?
        var next: Int64?
        var (count, examined) = (0, 0)
        list.removeExpired(at: broker.clock.now)
        writer.name("calls")
        writer.array { writer in
            list.forEach(after: serial, includesEnded: filter.includesEnded) { item, place in
                guard examined < Self.examinedPerPage else {
                    next = last
                    return false
                }
                examined += 1
                guard filter.includes(item, broker.arbiter, for: peer) else {
                    last = place
                    return true
                }
                let start = writer.bytes.count
                if count < limit { writer.object { write(item, for: peer, to: &$0) } }
                guard count < limit, writer.bytes.count <= bytesMax || count == 0 else {
                    writer.bytes.removeLast(writer.bytes.count - start)
                    next = last
                    return false
                }
                (last, count) = (place, count + 1)
                return true
            }
        }
        if let next { writer.member("next", String(next)) }
    }

    private func write(
        _ item: CallList.Item, for peer: Peer, to writer: inout JSONWriter
    ) {
        switch item {
        case .open(let call):
            if let view = broker.view(of: call) {
                broker.announcer.write(view, for: peer, to: &writer)
            }
        case .ended(let entry): broker.announcer.write(entry, to: &writer)
        }
    }

    private func showHost(_ target: ReplyTarget) {
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writeHost(for: target.peer, to: &writer)
            writer.member("seq", broker.events.seq)
        }
    }

    /// Writes the state of the host, without the calls of others for a peer that may not see them.
    func writeHost(for peer: Peer, to writer: inout JSONWriter) {
        func isSeen(_ group: CallID) -> Bool {
            peer.sees(callsOf: broker.outline(of: group)?.provider)
        }
        var facts = broker.hostFacts
        facts.liveGroup = facts.liveGroup.flatMap { isSeen($0) ? $0 : nil }
        writer.members(of: facts)
        if let group = broker.arbiter.audioGroup, isSeen(group) {
            writer.member("audio_group", group)
        }
        broker.endpoints.write(to: &writer)
        writer.member("screen", ifSet: broker.screens.holder)
        guard !peer.rights.isForOwnCalls else { return }
        broker.presence.publishChange()
        writer.name("presence")
        writer.object { broker.presence.write(to: &$0) }
    }

    private func showCall(_ params: NamedCall, _ target: ReplyTarget) throws(RPCError) {
        guard let view = broker.view(of: params.call), target.peer.sees(callsOf: view.provider),
            target.peer.sees(callIn: view.state)
        else {
            throw broker.notFound(params.call)
        }
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            broker.announcer.write(view, for: target.peer, to: &writer)
            writer.member("seq", broker.events.seq)
        }
    }

    private func listProviders(_ page: PageParams, _ target: ReplyTarget) {
        let limit = page.limit ?? .max
        let names = broker.sessions.registered(after: page.after).filter {
            target.peer.sees(callsOf: $0)
        }
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            let written = writer.page(
                "providers", names.prefix(limit), broker.limits.pageBytes
            ) { provider, writer in
                broker.announcer.write(provider, to: &writer)
                broker.pushes.writeCount(of: provider, to: &writer)
            }
            if written < names.count, let last = names.prefix(written).last {
                writer.member("next", last.name)
            }
            if page.after == nil { broker.startable.write(for: target.peer, to: &writer) }
            writer.member("seq", broker.events.seq)
        }
    }
}

extension PageParams {
    /// Returns the number at the end of the page before; 0 for the first page.
    func serial() throws(RPCError) -> Int64 {
        guard let after else { return 0 }
        guard let serial = Int64(after) else {
            throw RPCError(
                .invalidParams, reason: .wrongForm,
                "params.after must be the member next of an earlier page"
            ).with { $0.field = "/after" }
        }
        return serial
    }
}
