internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// What providers say: of themselves, of their calls, and of what they were asked to do.
struct ProviderMethods {
    let broker: Broker

    func perform(
        _ method: ClientMethod.ProviderMethod, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method {
        case .register: try register(params, target)
        case .update: try update(params, target)
        case .unregister: try unregister(target)
        case .settleAction: try settleAction(params, target)
        }
    }

    private func register(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        guard let params, let session = target.peer.session, session.peer === target.peer else {
            throw Self.notRegistered(.requestTransaction)
        }
        broker.sessions.setRegistered(session, true)
        broker.journal.append(.session(session.stored))
        broker.sessions.watch(session, target.peer.connection)
        if let reason = session.reset, params["calls"] == nil {
            broker.performer.reset(session.provider, reason)
        }
        session.reset = nil
        var calls = params["calls"].map { $0.elements.compactMap { liveCall($0) } }
        let claims = judge(&calls, by: session.provider)
        let forbidden = broker.policy.unauthorizedCalls(in: calls ?? [], of: session.provider)
        let audio = session.isNewcomer ? broker.arbiter.audioGrant : nil
        broker.requests.ask(target, .registration(dropping: forbidden)) { token in
            .providerRegistered(
                ProviderRegistration(
                    token: token, provider: session.provider,
                    configuration: ProviderConfiguration(checked: params),
                    calls: calls?.filter { !forbidden.contains($0.call) },
                    hasMore: params["more"]?.boolean ?? false))
        }
        for call in claims { broker.emergencies.reportClaim(of: call, by: session.provider) }
        if params["more"]?.boolean != true { repeatAudio(audio, to: session) }
        broker.heartbeats.update(session.provider)
        if let plugin = target.peer.plugin { broker.plugins.apply(.registered, to: plugin) }
    }

    /// One that has come in another's place, and has listed its calls, knows what it has.
    private func repeatAudio(_ audio: AudioGrant?, to session: ProviderSession) {
        guard session.isNewcomer else { return }
        session.isNewcomer = false
        guard let audio, audio.provider == session.provider, let now = broker.arbiter.audioGrant,
            now.group == audio.group
        else { return }
        broker.performer.sendAudio("audio.activated", now.provider, now.group, now.calls)
    }

    private static func notRegistered(_ domain: CallKitCode.Domain) -> RPCError {
        RPCError(Refusal(.unknownProvider, rule: .unknownCall), domain).with {
            $0.hint = "say provider.register first"
        }
    }

    private func provider(
        of peer: Peer, _ domain: CallKitCode.Domain = .requestTransaction
    ) throws(RPCError) -> ProviderID {
        guard let session = peer.session, session.isRegistered else {
            throw Self.notRegistered(domain)
        }
        return session.provider
    }

    private func update(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let provider = try provider(of: target.peer)
        if let params, var configuration = broker.arbiter.configuration(of: provider) {
            let former = configuration
            configuration.merge(checked: params)
            if configuration != former { broker.decide(.providerUpdated(provider, configuration)) }
        }
        acknowledge(target)
    }

    private func unregister(_ target: ReplyTarget) throws(RPCError) {
        broker.decide(.providerUnregistered(try provider(of: target.peer)))
        acknowledge(target)
    }

    /// It is done, and everybody was told.
    func acknowledge(_ target: ReplyTarget) {
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { $0.member("seq", broker.events.seq) }
    }

    // MARK: - Calls

    func perform(
        _ method: ClientMethod.ReportMethod, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        switch method {
        case .incoming: try reportIncoming(params, target)
        case .missed: try reportMissed(params, target)
        case .connecting: try report(.connecting, params, target)
        case .connected: try report(.connected, params, target)
        case .held: try report(.held(params?["held"]?.boolean ?? false), params, target)
        case .muted: try report(.muted(params?["muted"]?.boolean ?? false), params, target)
        case .group: try report(.group(with: CallID(params?["with"])), params, target)
        case .update: try reportUpdate(params, target)
        case .ended: try reportEnded(params, target)
        }
    }

    private func reportIncoming(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let provider = try provider(of: target.peer, .incomingCall)
        try broker.policy.checkAuthorized(provider, .incomingCall)
        let call = try params.required("call", CallID.init)
        let params = try params.required()
        var update = CallUpdate(checked: params)
        let isClaim = broker.emergencies.judge(&update, of: call, .incoming, by: provider)
        broker.requests.ask(target, .incomingCall) { token in
            .incomingReported(
                IncomingReport(
                    token: token, provider: provider, call: call,
                    update: update, needsScreening: broker.screener.needsScreening(),
                    receivedAt: broker.clock.instant(atUnixMS: params["received_at_ms"]?.integer)))
        }
        if isClaim { broker.emergencies.reportClaim(of: call, by: provider) }
    }

    private func reportMissed(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let provider = try provider(of: target.peer)
        try broker.policy.checkAuthorized(provider, .incomingCall)
        let call = try params.required("call", CallID.init)
        let params = try params.required()
        let reason = params["reason"]?.string.flatMap(MissedReasons.init(name:))
        broker.requests.ask(target, .plain) { token in
            .missedReported(
                MissedReport(
                    token: token, provider: provider, call: call,
                    update: CallUpdate(checked: params), reasons: reason ?? [],
                    at: broker.clock.instant(atUnixMS: params["at_ms"]?.integer)))
        }
    }

    private func report(
        _ news: CallReport.News, _ params: JSONValue?, _ target: ReplyTarget
    ) throws(RPCError) {
        let provider = try provider(of: target.peer)
        let call = try params.required("call", CallID.init)
        broker.requests.ask(target, .plain) { token in
            .callReported(
                CallReport(
                    token: token, provider: provider, call: call, news: news,
                    at: broker.clock.instant(atUnixMS: params?["at_ms"]?.integer)))
        }
    }

    private func reportUpdate(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let params = try params.required()
        var update = CallUpdate(checked: params)
        let claim = claim(in: &update, of: CallID(params["call"]), by: target.peer)
        try report(.updated(update), params, target)
        if let claim { broker.emergencies.reportClaim(of: claim.call, by: claim.provider) }
    }

    /// The call of which an app says that it is an emergency, if its word does not count.
    private func claim(
        in update: inout CallUpdate, of call: CallID?, by peer: Peer
    ) -> (call: CallID, provider: ProviderID)? {
        guard let call, let view = broker.arbiter.summary(of: call),
            let provider = peer.session?.provider,
            view.provider == provider,
            broker.emergencies.judge(&update, of: call, view.direction, by: provider)
        else { return nil }
        return (call, provider)
    }

    private func reportEnded(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let reason = try params.required("reason", EndReason.init)
        try report(.ended(reason), params, target)
    }

    // MARK: - Actions of a transaction that it took over

    private func settleAction(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let provider = try provider(of: target.peer)
        let action = try params.required("action", ActionID.init)
        if params?["outcome"]?.utf8?.reads("failed") ?? false {
            broker.decide(.actionFailed(action, by: provider, ActionFailure(settled: params)))
        } else {
            let at = broker.clock.instant(atUnixMS: params?["at_ms"]?.integer)
            broker.decide(.actionFulfilled(action, by: provider, at: at))
        }
        acknowledge(target)
    }
}

extension ProviderMethods {
    /// The calls of which an app says that they are emergencies, and its word does not count. One that it has
    /// dialled is one by its number.
    private func judge(_ calls: inout [LiveCall]?, by provider: ProviderID) -> [CallID] {
        var claims: [CallID] = []
        for index in calls?.indices ?? 0..<0 {
            guard var call = calls?[index] else { continue }
            if call.direction == .outgoing, case .set(let remote) = call.update.remote,
                broker.emergencies.isEmergency(number: remote)
            {
                call.update.priority = .set(.emergency)
            } else if broker.emergencies.judge(
                &call.update, of: call.call, call.direction, by: provider)
            {
                claims.append(call.call)
            }
            calls?[index] = call
        }
        return claims
    }

    private func liveCall(_ call: JSONValue) -> LiveCall? {
        guard let id = CallID(call["call"]), let direction = Direction(call["direction"]),
            let state = CallState(call["state"])
        else { return nil }
        return LiveCall(
            call: id, direction: direction, state: state, update: CallUpdate(checked: call),
            connectedAt: broker.clock.instant(atUnixMS: call["connected_at_ms"]?.integer))
    }
}
