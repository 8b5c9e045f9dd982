internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallProtocol
internal import Logging

/// The methods and notifications about the broker itself and the client's session.
struct ServiceMethods {
    let broker: Broker

    func perform(_ request: SessionRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .hello(let params): try broker.sessionMethods.hello(params, target)
        case .ping(let params): ping(params, target)
        case .info: info(target)
        case .describe(let params): try describe(params, target)
        case .discover: discover(target)
        case .stats: showStats(target)
        case .shutdown: shutDown(target)
        }
    }

    func leave(_ peer: Peer) {
        peer.stage = .leaving
        peer.connection.endInput()
        broker.sessions.disconnect(peer)
    }

    private func ping(_ params: PingParams, _ target: ReplyTarget) {
        if target.peer.stage == .new { restartHelloTimer(target.peer) }
        document(target) { writer in
            guard let payload = params.payload else { return }
            writer.name("payload")
            writer.value(payload)
        }
    }

    private func restartHelloTimer(_ peer: Peer) {
        if let timer = peer.timers.hello { broker.timers.cancel(timer) }
        peer.timers.hello = broker.timers.start(afterMS: broker.limits.helloMS, .hello(peer))
    }

    private func info(_ target: ReplyTarget) {
        broker.outbox.reply(target) { writer in
            writer.member("name", Release.name)
            writer.member("version", Release.version)
            writer.member("instance", broker.instance)
            writer.member("epoch", broker.epoch)
            writer.member("seq", broker.events.seq)
            writer.member(
                "uptime_ms", broker.clock.now.milliseconds - broker.clock.startedAt.milliseconds)
            writer.name("counts")
            writer.object { writer in
                writer.member("connections", broker.peers.connections)
                writer.member("providers", broker.sessions.registered.count)
                writer.member("calls", broker.calls.count)
                writer.member("subscriptions", broker.events.subscriptionCount)
            }
            writer.member("screen", ifSet: broker.screens.holder)
            writer.name("journal")
            writer.object { broker.journal.write(to: &$0, for: target.peer) }
            writer.name("store")
            writer.object { broker.store.write(to: &$0) }
            guard target.peer.roles.contains(.admin) else { return }
            writer.name("checks")
            writer.object { writeChecks(to: &$0) }
        }
    }

    /// Writes what keeps a phone silent and is not visible from outside.
    private func writeChecks(to writer: inout JSONWriter) {
        writer.member("quiet", broker.screener.isQuiet)
        writer.member("network", HostProcess.mayOpenNetworkSockets)
        writer.member("plugin_folders", words: broker.plugins.host?.folders ?? [])
    }

    private func describe(_ params: DescribeParams, _ target: ReplyTarget) throws(RPCError) {
        if let method = broker.table.find(params.name) {
            document(target) { OpenRPC(broker.table).write(method, to: &$0) }
        } else if let row = TopicTable.find(params.name) {
            document(target) { OpenRPC(broker.table).write(row, to: &$0) }
        } else {
            throw RPCError(.notFound, reason: .unknownMethod, "no such method or event")
                .with {
                    $0.field = "/name"
                    $0.hint = "rpc.discover lists the methods"
                }
        }
    }

    /// Sends a reply that is the same for every client.
    private func document(_ target: ReplyTarget, _ write: (inout JSONWriter) -> Void) {
        broker.outbox.reply(target, isBounded: true, mayNamePeople: false, write)
    }

    private func discover(_ target: ReplyTarget) {
        broker.outbox.reply(target, isBounded: false, mayNamePeople: false) {
            $0.bytes += broker.discovery
        }
    }

    private func showStats(_ target: ReplyTarget) {
        let current = currentStats()
        broker.outbox.reply(target) { current.write(to: &$0) }
    }

    /// Returns the counters, with those that other parts keep.
    func currentStats() -> StatsResult {
        broker.stats.connections = broker.peers.connections
        broker.stats.timers = broker.timers.count
        broker.stats.framesSent = broker.outbox.framesSent
        broker.stats.bytesSent = broker.outbox.bytesSent
        broker.stats.errorsSent = broker.outbox.errorsSent
        broker.stats.longestTurnMS = broker.turn.meter.longestMS
        broker.stats.stalls = broker.turn.meter.stalls.sorted { $0.key < $1.key }.map {
            StatsResult.Stall(what: $0.key, count: $0.value.count, longestMS: $0.value.longestMS)
        }
        return broker.stats
    }

    /// Stops the daemon on request of an admin: all clients are notified, and queued frames are
    /// sent.
    private func shutDown(_ target: ReplyTarget) {
        broker.outbox.reply(target) { _ in }
        broker.phase = .mustStop
    }

    func cancel(_ params: CancelParams, from peer: Peer) {
        guard let id = RequestID(params.request, bytesMax: broker.limits.frame.idBytes) else {
            return
        }
        if let target = broker.testClock.cancel(id, of: peer) {
            broker.outbox.answer(
                target,
                RPCError(.cancelled, reason: .cancelled, "the client cancelled the request"))
        } else if !broker.forwarded.cancel(id, of: peer), !broker.pushes.cancel(id, of: peer) {
            broker.requests.cancel(id, of: peer)
        }
    }

    func log(_ params: LogParams, from peer: Peer) {
        var bucket =
            peer.logBucket
            ?? TokenBucket(perSecond: broker.limits.logLinesPerSecond, at: broker.clock.now)
        defer { peer.logBucket = bucket }
        guard bucket.take(at: broker.clock.now) else { return }
        let level = params.level.flatMap(Logger.Level.init(rawValue:)) ?? .info
        broker.logger.log(
            level: level, "\(LogText(params.message))", metadata: ["peer": "\(peer.number)"])
    }
}
