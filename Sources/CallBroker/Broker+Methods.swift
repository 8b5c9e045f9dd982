internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallProtocol
internal import Logging

/// What each method does. Params were checked against the method's row before they come here.
extension Broker {
    func perform(
        _ method: Method, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method.name {
        case .hello: try hello(params, target)
        case .ping: ping(params, target)
        case .info: info(target)
        case .describe: try describe(params, target)
        case .discover: discover(target)
        case .stats: showStats(target)
        case .advance: try startAdvance(params, target)
        case .register, .updateProvider, .unregister, .listProviders, .reportIncoming,
            .reportConnecting, .reportConnected, .reportHeld, .reportMuted, .reportGroup,
            .reportMissed, .reportUpdate, .reportEnded, .settleAction, .request, .start, .answer,
            .end, .setHeld, .setMuted, .setGroup, .playDTMF, .dial, .swap, .merge, .split,
            .pressButton, .silence, .explain, .listCalls, .getCall, .subscribe, .unsubscribe,
            .getPolicy, .setPolicy, .shutdown, .awaitSettled:
            throw RPCError(
                .methodNotFound, reason: "unknown_method",
                "this release does not serve the method yet")
        case .cancel, .progress, .log, .goodbye, .warning, .perform, .execute, .timedOut, .reset,
            .audioActivated, .audioDeactivated, .event, .gap:
            preconditionFailure("the router takes notifications elsewhere")
        }
    }

    func perform(_ method: Method, _ params: JSONValue?, from peer: Peer) {
        switch method.name {
        case .cancel: cancel(params, from: peer)
        case .log: log(params, from: peer)
        case .goodbye:
            peer.stage = .leaving
            peer.connection.endInput()
        case .progress: break
        case .hello, .ping, .info, .describe, .discover, .stats, .advance, .warning, .register,
            .updateProvider, .unregister, .listProviders, .reportIncoming, .reportConnecting,
            .reportConnected, .reportHeld, .reportMuted, .reportGroup, .reportMissed, .reportUpdate,
            .reportEnded, .settleAction, .request, .start, .answer, .end, .setHeld, .setMuted,
            .setGroup, .playDTMF, .dial, .swap, .merge, .split, .pressButton, .silence, .explain,
            .listCalls, .getCall, .subscribe, .unsubscribe, .getPolicy, .setPolicy, .shutdown,
            .awaitSettled, .perform, .execute, .timedOut, .reset, .audioActivated,
            .audioDeactivated, .event, .gap:
            preconditionFailure("the router takes requests elsewhere")
        }
    }

    // MARK: - Requests

    private func ping(_ params: JSONValue?, _ target: ReplyTarget) {
        if target.peer.stage == .new { restartHelloTimer(target.peer) }
        reply(target) { writer in
            guard let payload = params?["payload"] else { return }
            writer.name("payload")
            writer.value(payload)
        }
    }

    private func restartHelloTimer(_ peer: Peer) {
        if let timer = peer.helloTimer { timers.cancel(timer) }
        peer.helloTimer = startTimer(afterMS: limits.helloMS, .hello(peer))
    }

    private func info(_ target: ReplyTarget) {
        reply(target) { writer in
            writer.member("name", Release.name)
            writer.member("version", Release.version)
            writer.member("instance", instance)
            writer.member("epoch", instance)
            writer.member("seq", 0)
            writer.member("uptime_ms", now.milliseconds - startedAt.milliseconds)
            writer.name("counts")
            writer.object { $0.member("connections", users.connections) }
        }
    }

    private func describe(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let name = params?["name"]?.utf8
        if let method = name.flatMap({ table.find($0) }) {
            reply(target) { OpenRPC(table).write(method, to: &$0) }
        } else if let row = name.flatMap({ TopicTable.find($0) }) {
            reply(target) { OpenRPC(table).write(row, to: &$0) }
        } else {
            throw RPCError(.notFound, reason: "unknown_method", "there is no such method or event")
                .with {
                    $0.field = "/name"
                    $0.hint = "rpc.discover lists the methods"
                }
        }
    }

    private func discover(_ target: ReplyTarget) {
        reply(target, isBounded: false) { OpenRPC(table).write(to: &$0) }
    }

    private func showStats(_ target: ReplyTarget) {
        stats.connections = users.connections
        stats.timers = timers.count
        let current = stats
        reply(target) { current.write(to: &$0) }
    }

    // MARK: - Notifications

    /// The one request that can wait is `test.advance`.
    private func cancel(_ params: JSONValue?, from peer: Peer) {
        guard let value = params?["request"],
            let id = RequestID(value, bytesMax: limits.frame.idBytes),
            peer.requests.contains(id)
        else { return }
        if let advance, advance.target.peer === peer, advance.target.id == id {
            self.advance = nil
            answer(
                advance.target,
                RPCError(.cancelled, reason: "cancelled", "the client took the request back"))
        }
    }

    private func log(_ params: JSONValue?, from peer: Peer) {
        var bucket =
            peer.logBucket ?? TokenBucket(perSecond: limits.logLinesPerSecond, at: now)
        defer { peer.logBucket = bucket }
        guard bucket.take(at: now), let message = params?["message"]?.utf8 else { return }
        let level = params?["level"]?.string.flatMap(Logger.Level.init(rawValue:)) ?? .info
        logger.log(level: level, "\(LogText(message))", metadata: ["peer": "\(peer.number)"])
    }
}
