internal import BrokerRPC
internal import CallProtocol

/// The router: hands a decoded request to the part that serves its family.
extension Broker {
    func perform(_ request: ClientRequest, _ target: ReplyTarget) throws(RPCError) {
        if target.peer.rights.isLimited, request.isAboutEverybody { throw .limitedView }
        switch request {
        case .session(let request): try service.perform(request, target)
        case .operations(let request): try operations.perform(request, target)
        case .provider(let request): try providers.perform(request, target)
        case .report(let request): try providers.perform(request, target)
        case .controller(let request): try transactions.perform(request, target)
        case .audio(let request): try endpoints.perform(request, target)
        case .line(let request): try lineSettings.perform(request, target)
        case .push(let request): try pushes.perform(request, target)
        case .text(let request): try texts.perform(request, target)
        case .participant(let request): try participants.perform(request, target)
        case .call(let request): try calls.perform(request, target)
        case .events(let request): try events.perform(request, target)
        case .policy(let request): try policy.perform(request, target)
        case .grant(let request): try grants.perform(request, target)
        case .screen(let request): screens.perform(request, target)
        case .question(let request): try questions.perform(request, target)
        case .directory(let request): try directories.perform(request, target)
        case .people(let request): try people.perform(request, target)
        case .history(let request): try history.perform(request, target)
        case .plugin(let request): try pluginMethods.perform(request, target)
        case .test(let request): try testClock.perform(request, target)
        }
    }

    func perform(_ notification: ClientNotification, from peer: Peer) {
        switch notification {
        case .cancel(let params): service.cancel(params, from: peer)
        case .progress(let params): performer.extend(params, from: peer)
        case .log(let params): service.log(params, from: peer)
        case .goodbye: service.leave(peer)
        }
    }
}

extension ClientRequest {
    /// True for the user's people and settings, which a client with a limited view does not get.
    fileprivate var isAboutEverybody: Bool {
        switch self {
        case .directory, .people, .history, .policy(.set): true
        case .session, .operations, .provider, .report, .controller, .audio, .line, .push,
            .text,
            .participant,
            .call, .events, .policy(.get),
            .grant, .screen, .question, .plugin, .test:
            false
        }
    }
}

extension RPCError {
    /// The error for what a client with a limited view may not see or change.
    static var limitedView: RPCError {
        RPCError(
            .permissionDenied, reason: .limitedView, "the policy limits what this client may see"
        ).with { $0.hint = "the user can allow it with a rule in the policy's member rights" }
    }
}
