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
        case .hello: try sessionMethods.hello(params, target)
        case .ping: service.ping(params, target)
        case .info: service.info(target)
        case .describe: try service.describe(params, target)
        case .discover: service.discover(target)
        case .stats: service.showStats(target)
        case .shutdown: service.shutDown(target)
        case .advance: try testClock.start(params, target)
        case .awaitSettled: testClock.awaitSettled(params, target)
        case .register: try providers.register(params, target)
        case .updateProvider: try providers.update(params, target)
        case .unregister: try providers.unregister(target)
        case .listProviders: try calls.listProviders(params, target)
        case .reportIncoming, .reportMissed, .reportConnecting, .reportConnected, .reportHeld,
            .reportMuted, .reportGroup, .reportUpdate, .reportEnded:
            try performReport(method, params, target)
        case .settleAction: try providers.settleAction(params, target)
        case .request: try transactions.requestTransaction(params, target)
        case .start: try transactions.request(.start, params, target)
        case .answer: try transactions.request(.answer, params, target)
        case .end: try transactions.request(.end, params, target)
        case .setHeld: try transactions.request(.setHeld, params, target)
        case .setMuted: try transactions.request(.setMuted, params, target)
        case .setGroup: try transactions.request(.setGroup, params, target)
        case .playDTMF: try transactions.request(.playDTMF, params, target)
        case .dial: try transactions.dial(params, target)
        case .swap: try transactions.swap(params, target)
        case .merge: try transactions.merge(params, target)
        case .split: try transactions.split(params, target)
        case .pressButton: try transactions.pressButton(params, target)
        case .silence: transactions.silence(params, target)
        case .explain: try trace.explain(params, target)
        case .listCalls: try calls.listCalls(params, target)
        case .getCall: try calls.showCall(params, target)
        case .subscribe: try events.subscribe(params, target)
        case .unsubscribe: try events.unsubscribe(params, target)
        case .getHost: calls.showHost(target)
        case .getPolicy: policy.showPolicy(target)
        case .setPolicy: try policy.setPolicy(params, target)
        case .putEntries, .changeEntries, .clearDirectory, .listDirectories, .enableDirectory,
            .addBlock, .removeBlock, .listBlocks, .putContact, .removeContact, .listContacts,
            .listHistory, .removeHistory, .clearHistory, .markHistorySeen:
            try performInStore(method, params, target)
        case .listPlugins, .startPlugin, .stopPlugin, .restartPlugin, .enablePlugin,
            .disablePlugin, .rescanPlugins, .pluginLogs, .pluginDoctor, .setPluginOption:
            try pluginMethods.seeToPlugins(method.name, params, target)
        case .claimScreen: screens.claim(params, target)
        case .releaseScreen: screens.release(target)
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
        case .reportIncoming: try providers.reportIncoming(params, target)
        case .reportMissed: try providers.reportMissed(params, target)
        case .reportConnecting: try providers.report(.connecting, params, target)
        case .reportConnected: try providers.report(.connected, params, target)
        case .reportHeld:
            try providers.report(.held(params?["held"]?.boolean ?? false), params, target)
        case .reportMuted:
            try providers.report(.muted(params?["muted"]?.boolean ?? false), params, target)
        case .reportGroup:
            try providers.report(.group(with: CallID(params?["with"])), params, target)
        case .reportUpdate: try providers.reportUpdate(params, target)
        case .reportEnded: try providers.reportEnded(params, target)
        default: preconditionFailure("the router takes what reports nothing elsewhere")
        }
    }

    private func performInStore(
        _ method: Method, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method.name {
        case .putEntries: try directories.putEntries(params, target)
        case .changeEntries: try directories.changeEntries(params, target)
        case .clearDirectory: try directories.clearDirectory(params, target)
        case .listDirectories: try directories.listDirectories(target)
        case .enableDirectory: try directories.enableDirectory(params, target)
        case .addBlock: try people.addBlock(params, target)
        case .removeBlock: try people.removeBlock(params, target)
        case .listBlocks: try people.listBlocks(params, target)
        case .putContact: try people.putContact(params, target)
        case .removeContact: try people.removeContact(params, target)
        case .listContacts: try people.listContacts(params, target)
        case .listHistory: try history.listHistory(params, target)
        case .removeHistory: try history.removeHistory(params, target)
        case .clearHistory: try history.clearHistory(params, target)
        case .markHistorySeen: try history.markHistorySeen(params, target)
        default: preconditionFailure("the router takes what needs no store elsewhere")
        }
    }

    func perform(_ method: Method, _ params: JSONValue?, from peer: Peer) {
        switch method.name {
        case .cancel: service.cancel(params, from: peer)
        case .progress: performer.extend(params, from: peer)
        case .log: service.log(params, from: peer)
        case .goodbye: service.leave(peer)
        default: preconditionFailure("the router takes requests elsewhere")
        }
    }

    // MARK: - Requests

    // MARK: - Notifications

}
