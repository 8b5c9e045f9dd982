internal import BrokerJSON
internal import BrokerRPC
internal import CallProtocol

/// The router: hands a request to the part that serves its family. Its params have been checked
/// against the method's row before.
extension Broker {
    func perform(
        _ method: ClientMethod, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method {
        case .session(let method): try service.perform(method, params, target)
        case .provider(let method): try providers.perform(method, params, target)
        case .report(let method): try providers.perform(method, params, target)
        case .controller(let method): try transactions.perform(method, params, target)
        case .call(let method): try calls.perform(method, params, target)
        case .events(let method): try events.perform(method, params, target)
        case .policy(let method): try policy.perform(method, params, target)
        case .screen(let method): screens.perform(method, params, target)
        case .directory(let method): try directories.perform(method, params, target)
        case .people(let method): try people.perform(method, params, target)
        case .history(let method): try history.perform(method, params, target)
        case .plugin(let method): try pluginMethods.perform(method, params, target)
        case .test(let method): try testClock.perform(method, params, target)
        }
    }

    func perform(_ notification: ClientNotification, _ params: JSONValue?, from peer: Peer) {
        switch notification {
        case .cancel: service.cancel(params, from: peer)
        case .progress: performer.extend(params, from: peer)
        case .log: service.log(params, from: peer)
        case .goodbye: service.leave(peer)
        }
    }
}
