internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// The methods of those who operate a broker. Each part writes its own figures.
struct OperationsMethods {
    let broker: Broker

    func perform(_ request: OperationsRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .metrics: broker.outbox.reply(target) { writeFigures(to: &$0) }
        case .backup: try broker.backups.makeBackup(target)
        case .listConnections(let page): try listConnections(page, target)
        case .dump: broker.outbox.reply(target) { BrokerDump(broker).write(to: &$0) }
        }
    }

    private func writeFigures(to writer: inout JSONWriter) {
        writer.member("version", Release.version)
        writer.member(
            "uptime_ms", broker.clock.now.milliseconds - broker.clock.startedAt.milliseconds)
        writer.name("bounds_us")
        writer.array { writer in for bound in LatencyHistogram.boundsUS { writer.value(bound) } }
        broker.calls.writeFigures(to: &writer)
        broker.requests.writeFigures(to: &writer)
        broker.performer.figures.write(to: &writer)
        writer.member("anomalies", "anomaly", broker.trace.anomalies) { $0.rawValue }
        writeHost(to: &writer)
    }

    /// Lists peers in the order of their slots. A page ends with the slot of the next peer.
    private func listConnections(_ page: PageParams, _ target: ReplyTarget) throws(RPCError) {
        let peers = Array(broker.peers.all(fromSlot: Int(try page.serial())))
        broker.outbox.reply(target) { writer in
            let count = writer.page(
                "connections", peers.prefix(page.limit ?? .max), broker.limits.pageBytes
            ) { $1.members(of: $0) }
            if count < peers.count {
                writer.member("next", String(peers[count].connection.slot))
            }
        }
    }

    private func writeHost(to writer: inout JSONWriter) {
        writer.member("turn_latency", broker.turn.meter.durations)
        writer.name("journal")
        writer.object { broker.journal.writeFigures(to: &$0) }
        writer.name("store")
        writer.object { broker.store.writeFigures(to: &$0) }
        var states = CaseCounts<Supervision.State>()
        for plugin in broker.plugins.all { states.add(plugin.state) }
        writer.member("plugins", "state", states) { $0.rawValue }
        writer.member("memory_bytes", HostProcess.residentBytes ?? 0)
        writer.name("stats")
        writer.object { broker.service.currentStats().write(to: &$0) }
    }
}

extension JSONWriter {
    /// Writes which client and which program a peer is.
    mutating func members(of peer: Peer) {
        member("client", peer.number)
        member("pid", Int(peer.connection.credentials.pid))
        member("uid", Int(peer.connection.credentials.uid))
        if let process = peer.process { members(of: process) }
        member("identity", ifSet: peer.identity)
        member("roles", words: peer.roles.roles.map(\.rawValue))
        if peer.rights.isForOwnCalls { member("calls", "own" as StaticString) }
        if peer.rights.isRedacted { member("redacted", true) }
        member("grant", ifSet: peer.grant?.name)
    }

    mutating func members(of process: PeerProcess) {
        member("sandbox", process.sandbox.rawValue)
        member("executable", ifSet: process.executable)
        member("app", ifSet: process.app)
        member("unit", ifSet: process.unit)
    }
}

extension CallIndex {
    fileprivate func writeFigures(to writer: inout JSONWriter) {
        let rows = counts.rows(most: MethodTable.providersMeasured)
        writer.name("calls")
        writer.array { writer in
            for row in rows {
                writer.object { writer in
                    writer.member("provider", row.provider)
                    writer.member("states", "state", row.states) { $0.rawValue }
                }
            }
        }
        writer.member("other_calls", max(0, count - rows.reduce(0) { $0 + $1.total }))
    }
}

extension PendingRequests {
    fileprivate func writeFigures(to writer: inout JSONWriter) {
        writer.member("pending", count)
        writer.member("transactions", "state", outcomes) { $0.rawValue }
        writer.member("transaction_latency", durations)
        writer.member("refusals", "rule", refusals) { $0.rawValue }
        writer.member("other_refusals", otherRefusals)
    }
}

extension ActionFigures {
    fileprivate func write(to writer: inout JSONWriter) {
        writer.name("actions")
        writer.array { writer in
            for (kind, row) in all {
                writer.object { writer in
                    writer.member("kind", kind.word)
                    writer.member("results", "state", row.results) { $0.rawValue }
                    writer.member("latency", row.durations)
                }
            }
        }
    }
}

extension JSONWriter {
    mutating func member(_ name: StaticString, _ latency: LatencyHistogram) {
        self.name(name)
        object { writer in
            writer.name("counts")
            writer.array { writer in for count in latency.counts { writer.value(count) } }
            writer.member("sum_us", latency.sumUS)
        }
    }

    mutating func member<Case>(
        _ name: StaticString, _ label: StaticString, _ counts: CaseCounts<Case>,
        _ word: (Case) -> String
    ) {
        member(name, label, counts.occurred.map { ($0.case, $0.count) }, word)
    }

    mutating func member<Case>(
        _ name: StaticString, _ label: StaticString, _ counts: [(Case, Int)],
        _ word: (Case) -> String
    ) {
        self.name(name)
        array { writer in
            for (counted, count) in counts {
                writer.object { writer in
                    writer.member(label, word(counted))
                    writer.member("count", count)
                }
            }
        }
    }
}
