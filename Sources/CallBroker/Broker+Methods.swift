internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
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
        case .shutdown: shutDown(target)
        case .advance: try startAdvance(params, target)
        case .awaitSettled: awaitSettled(params, target)
        case .register: try register(params, target)
        case .updateProvider: try update(params, target)
        case .unregister: try unregister(target)
        case .listProviders: try listProviders(params, target)
        case .reportIncoming, .reportMissed, .reportConnecting, .reportConnected, .reportHeld,
            .reportMuted, .reportGroup, .reportUpdate, .reportEnded:
            try performReport(method, params, target)
        case .settleAction: try settleAction(params, target)
        case .request: try requestTransaction(params, target)
        case .start: try request(.start, params, target)
        case .answer: try request(.answer, params, target)
        case .end: try request(.end, params, target)
        case .setHeld: try request(.setHeld, params, target)
        case .setMuted: try request(.setMuted, params, target)
        case .setGroup: try request(.setGroup, params, target)
        case .playDTMF: try request(.playDTMF, params, target)
        case .dial: try dial(params, target)
        case .swap: try swap(params, target)
        case .merge: try merge(params, target)
        case .split: try split(params, target)
        case .pressButton: try pressButton(params, target)
        case .silence: silence(params, target)
        case .explain: try explain(params, target)
        case .listCalls: try listCalls(params, target)
        case .getCall: try showCall(params, target)
        case .subscribe: try subscribe(params, target)
        case .unsubscribe: try unsubscribe(params, target)
        case .getHost: showHost(target)
        case .getPolicy: showPolicy(target)
        case .setPolicy: try setPolicy(params, target)
        case .putEntries, .changeEntries, .clearDirectory, .listDirectories, .enableDirectory,
            .addBlock, .removeBlock, .listBlocks, .putContact, .removeContact, .listContacts,
            .listHistory, .removeHistory, .clearHistory, .markHistorySeen:
            try performInStore(method, params, target)
        case .listPlugins, .startPlugin, .stopPlugin, .restartPlugin, .enablePlugin,
            .disablePlugin, .rescanPlugins, .pluginLogs, .pluginDoctor, .setPluginOption:
            try seeToPlugins(method.name, params, target)
        case .claimScreen: claimScreen(params, target)
        case .releaseScreen: releaseScreen(target)
        case .cancel, .progress, .log, .goodbye, .warning, .perform, .execute, .timedOut, .reset,
            .audioActivated, .audioDeactivated, .presentation, .authorizationChanged, .event, .gap,
            .check, .lookUp, .present, .dismissCall, .pluginOptionsChanged:
            preconditionFailure("the router takes notifications elsewhere")
        }
    }

    private func performReport(
        _ method: Method, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method.name {
        case .reportIncoming: try reportIncoming(params, target)
        case .reportMissed: try reportMissed(params, target)
        case .reportConnecting: try report(.connecting, params, target)
        case .reportConnected: try report(.connected, params, target)
        case .reportHeld: try report(.held(params?["held"]?.boolean ?? false), params, target)
        case .reportMuted: try report(.muted(params?["muted"]?.boolean ?? false), params, target)
        case .reportGroup: try report(.group(with: CallID(params?["with"])), params, target)
        case .reportUpdate: try reportUpdate(params, target)
        case .reportEnded: try reportEnded(params, target)
        default: preconditionFailure("the router takes what reports nothing elsewhere")
        }
    }

    private func performInStore(
        _ method: Method, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method.name {
        case .putEntries: try putEntries(params, target)
        case .changeEntries: try changeEntries(params, target)
        case .clearDirectory: try clearDirectory(params, target)
        case .listDirectories: try listDirectories(target)
        case .enableDirectory: try enableDirectory(params, target)
        case .addBlock: try addBlock(params, target)
        case .removeBlock: try removeBlock(params, target)
        case .listBlocks: try listBlocks(params, target)
        case .putContact: try putContact(params, target)
        case .removeContact: try removeContact(params, target)
        case .listContacts: try listContacts(params, target)
        case .listHistory: try listHistory(params, target)
        case .removeHistory: try removeHistory(params, target)
        case .clearHistory: try clearHistory(params, target)
        case .markHistorySeen: try markHistorySeen(params, target)
        default: preconditionFailure("the router takes what needs no store elsewhere")
        }
    }

    func perform(_ method: Method, _ params: JSONValue?, from peer: Peer) {
        switch method.name {
        case .cancel: cancel(params, from: peer)
        case .progress: extend(params, from: peer)
        case .log: log(params, from: peer)
        case .goodbye: leave(peer)
        default: preconditionFailure("the router takes requests elsewhere")
        }
    }

    private func leave(_ peer: Peer) {
        peer.stage = .leaving
        peer.connection.endInput()
        lose(peer)
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
            writer.member("epoch", epoch)
            writer.member("seq", feed.seq)
            writer.member("uptime_ms", now.milliseconds - startedAt.milliseconds)
            writer.name("counts")
            writer.object { writer in
                writer.member("connections", users.connections)
                writer.member("providers", sessions.registered.count)
                writer.member("calls", calls.count)
                writer.member("subscriptions", subscribers.count)
            }
            writer.member("screen", ifSet: screenHolder)
            writer.name("journal")
            writer.object { writeJournal(to: &$0, for: target.peer) }
            writer.name("store")
            writer.object { writeStore(to: &$0) }
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
        reply(target, isBounded: false) { $0.bytes += document }
    }

    private func showStats(_ target: ReplyTarget) {
        stats.connections = users.connections
        stats.timers = timers.count
        stats.longestTurnMS = meter.longestMS
        stats.stalls = meter.stalls.sorted { $0.key < $1.key }.map {
            StatsResult.Stall(what: $0.key, count: $0.value.count, longestMS: $0.value.longestMS)
        }
        let current = stats
        reply(target) { current.write(to: &$0) }
    }

    /// The admin stops the daemon: everybody is told, and what is queued is sent.
    private func shutDown(_ target: ReplyTarget) {
        reply(target) { _ in }
        mustStop = true
    }

    // MARK: - Notifications

    private func cancel(_ params: JSONValue?, from peer: Peer) {
        guard let value = params?["request"],
            let id = RequestID(value, bytesMax: limits.frame.idBytes)
        else { return }
        if let target = takeBackFromTest(id, of: peer) {
            answer(
                target,
                RPCError(.cancelled, reason: "cancelled", "the client took the request back"))
        } else if let token = tokens[RequestKey(peer, id)] ?? peer.accepted[id] {
            decide(.cancelRequested(RequestToken(token)))
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
