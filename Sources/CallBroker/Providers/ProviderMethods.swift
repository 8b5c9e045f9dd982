internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// The methods of providers: registration, reports about calls, and settled actions.
struct ProviderMethods {
    let broker: Broker

    func perform(_ request: ProviderRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .register(let params): try register(params, target)
        case .update(let params): try update(params, target)
        case .unregister: try unregister(target)
        case .requestAuthorization: try requestAuthorization(target)
        case .settleAction(let params): try settleAction(params, target)
        }
    }

    private func register(_ params: RegisterParams, _ target: ReplyTarget) throws(RPCError) {
        guard let session = target.peer.session, session.peer === target.peer else {
            throw Self.notRegistered(.requestTransaction)
        }
        try LineChoice.check(params.configuration.lines)
        try broker.startable.check(params.configuration, of: target.peer)
        try checkKind(params.configuration, of: session.provider)
        broker.sessions.setRegistered(session, true)
        broker.journal.append(.session(session.stored))
        broker.sessions.watch(session, target.peer.connection)
        if let reason = session.reset, params.calls == nil {
            broker.performer.reset(session.provider, reason)
        }
        session.reset = nil
        var calls = params.calls.map { $0.elements.compactMap { liveCall($0) } }
        let claims = judge(&calls, by: session.provider)
        let forbidden = broker.policy.unauthorizedCalls(in: calls ?? [], of: session.provider)
        let audio = broker.handover.isOwed(to: session) ? broker.arbiter.audioGrant : nil
        broker.requests.ask(target, .registration(dropping: forbidden)) { token in
            .providerRegistered(
                ProviderRegistration(
                    token: token, provider: session.provider,
                    configuration: params.configuration,
                    calls: calls?.filter { !forbidden.contains($0.call) },
                    hasMore: params.hasMore))
        }
        for claim in claims {
            broker.emergencies.reportClaim(of: claim.call, by: session.provider, claim.direction)
        }
        broker.questions.ask(aboutCallsOf: session.provider)
        if !params.hasMore {
            repeatAudio(audio, to: session)
            broker.pushes.bringUpToDate(session.provider)
        }
        broker.heartbeats.update(session.provider)
        if let plugin = target.peer.plugin { broker.plugins.apply(.registered, to: plugin) }
    }

    /// Sends the audio grant again to a client that may not know of it and has listed its calls.
    private func repeatAudio(_ audio: AudioGrant?, to session: ProviderSession) {
        session.isNewcomer = false
        guard let audio, audio.provider == session.provider, let now = broker.arbiter.audioGrant,
            now.group == audio.group
        else { return }
        broker.handover.repeatActivated(now)
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

    private func update(_ params: UpdateProviderParams, _ target: ReplyTarget) throws(RPCError) {
        let provider = try provider(of: target.peer)
        if var configuration = broker.configuration(of: provider) {
            let former = configuration
            params.apply(to: &configuration)
            try LineChoice.check(configuration.lines)
            try broker.startable.check(configuration, of: target.peer)
            try checkKind(configuration, of: provider)
            if configuration != former { broker.decide(.providerUpdated(provider, configuration)) }
            acknowledge(target)
            if configuration.pushTypes != former.pushTypes {
                broker.pushes.bringUpToDate(provider)
            }
        } else {
            acknowledge(target)
        }
    }

    /// Checks that a provider with calls remains what it is. One that is being started has not said it
    /// yet.
    private func checkKind(
        _ configuration: ProviderConfiguration, of provider: ProviderID
    ) throws(RPCError) {
        guard let former = broker.configuration(of: provider),
            !former.isSameKind(as: configuration), !broker.arbiter.isStarting(provider),
            broker.arbiter.hasCalls(provider)
        else { return }
        throw RPCError(
            .invalidState, reason: .hasCalls,
            "the provider has calls, and cannot become another kind of provider meanwhile"
        ).with {
            $0.field = former.kind == configuration.kind ? "/app_process" : "/kind"
            $0.hint = "register as before; register the change when the calls are over"
        }
    }

    /// Asks the user whether the app may have calls. The answer comes as
    /// `provider.authorization_changed`.
    private func requestAuthorization(_ target: ReplyTarget) throws(RPCError) {
        let provider = try provider(of: target.peer)
        let isAsked = broker.questions.ask(aboutCallsOf: provider)
        broker.outbox.reply(target) { writer in
            writer.member("status", broker.policy.choices.authorization(of: provider).rawValue)
            writer.member("asked", isAsked)
        }
    }

    private func unregister(_ target: ReplyTarget) throws(RPCError) {
        broker.decide(.providerUnregistered(try provider(of: target.peer)))
        acknowledge(target)
    }

    /// Replies after all events of the request were published.
    func acknowledge(_ target: ReplyTarget) {
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { $0.member("seq", broker.events.seq) }
    }

    // MARK: - Calls

    func perform(_ request: ReportRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .incoming(let params): try reportIncoming(params, target)
        case .missed(let params): try reportMissed(params, target)
        case .alerting(let params):
            try report(.alerting(hasEarlyMedia: params.hasEarlyMedia), params.report, target)
        case .videoRequest(let params):
            try report(.updated(params.update), params.report, target)
        case .textRequest(let params):
            try report(.updated(params.update), params.report, target)
        case .text(let params):
            try broker.texts.report(params, by: try provider(of: target.peer))
            acknowledge(target)
        case .connecting(let params): try report(.connecting, params, target)
        case .connected(let params): try report(.connected, params, target)
        case .held(let params): try report(.held(params.isHeld), params.report, target)
        case .muted(let params): try report(.muted(params.isMuted), params.report, target)
        case .group(let params): try report(.group(with: params.with), params.report, target)
        case .update(let params): try reportUpdate(params, target)
        case .ended(let params):
            try report(
                .ended(params.reason, params.detail, elsewhere: params.elsewhere), params.report,
                target)
        case .external(let params): try reportExternal(params, target)
        case .participants(let params):
            try broker.participants.report(params, by: try provider(of: target.peer))
            acknowledge(target)
        case .quality(let params):
            try broker.quality.report(params, by: try provider(of: target.peer))
            acknowledge(target)
        }
    }

    private func reportIncoming(_ params: IncomingParams, _ target: ReplyTarget) throws(RPCError) {
        let provider = try provider(of: target.peer, .incomingCall)
        if !params.isDryRun { broker.pushes.recordReport(by: target.peer) }
        var (report, isClaim) = try incoming(
            params.call, params.update, at: params.receivedAtMS, of: provider)
        if params.isDryRun { return broker.trials.begin(report, target) }
        broker.requests.ask(target, .incomingCall) { token in
            report.token = token
            return .incomingReported(report)
        }
        if isClaim { broker.emergencies.reportClaim(of: params.call, by: provider, .incoming) }
    }

    /// `call.may_ring`: the dry run of a report, for a program beside the app.
    func tryIncoming(_ params: MayRingParams, _ target: ReplyTarget) throws(RPCError) {
        let provider = params.provider
        guard target.peer.sees(callsOf: provider),
            broker.demand.configuration(of: provider) != nil
        else { throw RPCError(Refusal(.unknownProvider, rule: .unknownCall), .incomingCall) }
        let (report, _) = try incoming(broker.newCall(), params.update, at: nil, of: provider)
        broker.trials.begin(report, target)
    }

    /// Returns the report of an incoming call, and whether it claims an emergency.
    private func incoming(
        _ call: CallID, _ update: CallUpdate, at unixMS: Int64?, of provider: ProviderID
    ) throws(RPCError) -> (report: IncomingReport, isClaim: Bool) {
        try broker.policy.checkAuthorized(provider, .incomingCall)
        try broker.lineChoice.check(update, of: provider)
        var update = update
        let isClaim = broker.emergencies.judge(&update, of: call, .incoming, by: provider)
        let report = IncomingReport(
            token: Broker.noToken, provider: provider, call: call,
            update: update, needsScreening: broker.screener.needsScreening(),
            receivedAt: broker.clock.instant(atUnixMS: unixMS))
        return (report, isClaim)
    }

    private func reportExternal(_ params: ExternalParams, _ target: ReplyTarget) throws(RPCError) {
        let provider = try provider(of: target.peer)
        try broker.policy.checkAuthorized(provider, .requestTransaction)
        try broker.lineChoice.check(params.update, of: provider)
        try report(.external(params.direction, params.update), params.report, target)
    }

    private func reportMissed(_ params: MissedParams, _ target: ReplyTarget) throws(RPCError) {
        let provider = try provider(of: target.peer)
        try broker.policy.checkAuthorized(provider, .incomingCall)
        try broker.lineChoice.check(params.update, of: provider)
        broker.requests.ask(target, .plain) { token in
            .missedReported(
                MissedReport(
                    token: token, provider: provider, call: params.call,
                    update: params.update, reasons: params.reasons,
                    at: broker.clock.instant(atUnixMS: params.atMS)))
        }
    }

    private func report(
        _ news: CallReport.News, _ params: ReportParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let provider = try provider(of: target.peer)
        broker.requests.ask(target, .plain) { token in
            .callReported(
                CallReport(
                    token: token, provider: provider, call: params.call, news: news,
                    at: broker.clock.instant(atUnixMS: params.atMS)))
        }
    }

    private func reportUpdate(
        _ params: ReportUpdateParams, _ target: ReplyTarget
    ) throws(RPCError) {
        var update = params.update
        try broker.lineChoice.check(update, of: provider(of: target.peer))
        let claim = claim(in: &update, of: params.report.call, by: target.peer)
        try report(.updated(update), params.report, target)
        if let claim {
            broker.emergencies.reportClaim(of: claim.call, by: claim.provider, claim.direction)
        }
    }

    /// Returns the call that an app reports as an emergency without permission.
    private func claim(
        in update: inout CallUpdate, of call: CallID, by peer: Peer
    ) -> (call: CallID, provider: ProviderID, direction: Direction)? {
        guard let view = broker.summary(of: call),
            let provider = peer.session?.provider,
            view.provider == provider,
            broker.emergencies.judge(&update, of: call, view.direction, by: provider)
        else { return nil }
        return (call, provider, view.direction)
    }

    // MARK: - Actions of an accepted offer

    private func settleAction(
        _ params: SettleActionParams, _ target: ReplyTarget
    ) throws(RPCError) {
        let provider = try provider(of: target.peer)
        switch params.outcome {
        case .failed(let reason, let message, let appCode):
            let failure = ActionFailure(settledFor: reason, message, appCode)
            broker.decide(.actionFailed(params.action, by: provider, failure))
        case .fulfilled(let atMS):
            let at = broker.clock.instant(atUnixMS: atMS)
            broker.decide(.actionFulfilled(params.action, by: provider, at: at))
        }
        acknowledge(target)
    }
}

extension ProviderMethods {
    /// Removes the claims to be emergencies that an app may not make, and returns their calls. A call
    /// that it has dialed counts by its number.
    private func judge(_ calls: inout [LiveCall]?, by provider: ProviderID) -> [LiveCall] {
        var claims: [LiveCall] = []
        for index in calls?.indices ?? 0..<0 {
            guard var call = calls?[index] else { continue }
            if call.direction == .outgoing, case .set(let remote) = call.update.remote,
                broker.emergencies.isEmergency(number: remote)
            {
                call.update.priority = .set(.emergency)
            } else if broker.emergencies.judge(
                &call.update, of: call.call, call.direction, by: provider)
            {
                claims.append(call)
            }
            calls?[index] = call
        }
        return claims
    }

    private func liveCall(_ element: JSONValue) -> LiveCall? {
        guard let call = try? LiveCallParams(checked: element) else { return nil }
        return LiveCall(
            call: call.call, direction: call.direction, state: call.state, update: call.update,
            connectedAt: broker.clock.instant(atUnixMS: call.connectedAtMS))
    }
}
