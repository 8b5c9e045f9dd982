internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// The calls that a list includes; a property that is nil includes all.
struct CallFilter {
    var provider: ProviderID?
    var state: CallState?
    var direction: Direction?
    /// True to include calls that have ended, as long as they are kept.
    var includesEnded = false

    init(checked params: JSONValue?) {
        let filter = params?["filter"]
        provider = ProviderID(filter?["provider"])
        state = CallState(filter?["state"])
        direction = Direction(filter?["direction"])
        includesEnded = params?["include_ended"]?.boolean ?? false
    }

    func includes(_ item: CallList.Item, _ arbiter: Arbiter) -> Bool {
        switch item {
        case .open(let call):
            arbiter.outline(of: call).map { includes($0.provider, $0.direction, $0.state) }
                ?? false
        case .ended(let entry): includes(entry.provider, entry.last.direction, entry.last.state)
        }
    }

    private func includes(
        _ provider: ProviderID, _ direction: Direction, _ state: CallState
    ) -> Bool {
        (self.provider.map { $0 == provider } ?? true) && (self.state.map { $0 == state } ?? true)
            && (self.direction.map { $0 == direction } ?? true)
    }
}

/// The calls that clients can list, with the replies to `call.list`, `call.get`, `provider.list`
/// and `host.get`.
final class CallIndex {
    private unowned let broker: Broker

    private var list = CallList()

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// The number of calls that have not ended.
    var count: Int {
        list.count
    }

    /// The calls that have not ended, the oldest first.
    var open: [CallID] {
        list.open
    }

    func add(_ call: CallID) {
        list.add(call)
    }

    /// Marks a call as ended.
    ///
    /// - Parameter entry: the final state of the call.
    func end(_ call: CallID, _ entry: HistoryEntry?) {
        list.end(call, entry, at: broker.clock.now)
    }

    func restore(_ calls: [CallID]) {
        for call in calls { list.add(call) }
    }

    /// The room in a frame for the members around a page.
    private static let pageMarginBytes = 1_024
    /// The number of calls that are examined for a page: a filter that matches none of 100,000
    /// calls must not delay the requests of others.
    static let examinedPerPage = 2_048

    func perform(
        _ method: ClientMethod.CallMethod, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method {
        case .list: try listCalls(params, target)
        case .get: try showCall(params, target)
        case .explain: try broker.trace.explain(params, target)
        case .listProviders: try listProviders(params, target)
        case .getHost: showHost(target)
        }
    }

    private func listCalls(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let after = try readCursor(params)
        let limit = params?["limit"]?.integer.map { Int($0) } ?? .max
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writePage(
                after: after, CallFilter(checked: params), limit: limit, to: &writer)
            writer.member("seq", broker.events.seq)
        }
    }

    /// Reads the end of the page before; 0 for the first page.
    private func readCursor(_ params: JSONValue?) throws(RPCError) -> Int64 {
        guard let after = params?["after"]?.string else { return 0 }
        guard let serial = Int64(after) else {
            throw RPCError(
                .invalidParams, reason: .wrongForm,
                "params.after must be the member next of an earlier page"
            ).with { $0.field = "/after" }
        }
        return serial
    }

    /// Writes the calls after `serial`, as many as fit into a frame.
    func writePage(
        after serial: Int64, _ filter: CallFilter, limit: Int, to writer: inout JSONWriter
    ) {
        let bytesMax = broker.limits.frame.frameOutBytes - Self.pageMarginBytes
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
                guard filter.includes(item, broker.arbiter) else {
                    last = place
                    return true
                }
                let start = writer.bytes.count
                if count < limit { writer.object { write(item, to: &$0) } }
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

    private func write(_ item: CallList.Item, to writer: inout JSONWriter) {
        switch item {
        case .open(let call):
            if let view = broker.arbiter.view(of: call) {
                broker.announcer.write(view, to: &writer)
            }
        case .ended(let entry): broker.announcer.write(entry, to: &writer)
        }
    }

    private func showHost(_ target: ReplyTarget) {
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writeHost(to: &writer)
            writer.member("seq", broker.events.seq)
        }
    }

    func writeHost(to writer: inout JSONWriter) {
        writer.members(of: broker.arbiter.hostFacts)
        if let group = broker.arbiter.audioGroup { writer.member("audio_group", group) }
    }

    private func showCall(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        guard let call = CallID(params?["call"]), let view = broker.arbiter.view(of: call) else {
            throw unknownCall(params)
        }
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            broker.announcer.write(view, to: &writer)
            writer.member("seq", broker.events.seq)
        }
    }

    private func unknownCall(_ params: JSONValue?) -> RPCError {
        let refusal = CallID(params?["call"]).map { broker.arbiter.whyNotFound($0) }
        return RPCError(refusal ?? Refusal(.unknownCall, rule: .unknownCall), .requestTransaction)
    }

    private func listProviders(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let after = params?["after"]?.string
        let limit = params?["limit"]?.integer.map { Int($0) } ?? .max
        let names = broker.sessions.registered(after: after)
        let bytesMax = broker.limits.frame.frameOutBytes - Self.pageMarginBytes
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            var written = 0
            writer.name("providers")
            writer.array { writer in
                for provider in names.prefix(limit) {
                    let start = writer.bytes.count
                    writer.object { broker.announcer.write(provider, to: &$0) }
                    guard writer.bytes.count <= bytesMax || written == 0 else {
                        writer.bytes.removeLast(writer.bytes.count - start)
                        break
                    }
                    written += 1
                }
            }
            let page = names.prefix(written)
            if written < names.count, let last = page.last { writer.member("next", last.name) }
            writer.member("seq", broker.events.seq)
        }
    }
}
