internal import BrokerJSON
internal import CallArbitration
internal import CallModel
internal import CallProtocol
internal import CallTranscript

/// Each event as clients bring it about.
extension Staging {
    /// What comes behind the effects.
    typealias Ending = @Sendable (inout Staging, inout Act) -> Void

    mutating func say(
        _ step: Transcript.Step, in act: inout Act
    ) throws(Unplayable) -> Ending? {
        let isVain = step.effects.isEmpty
        switch step.event {
        case .providerStarting: throw .starting
        case .providerRegistered(let registration): try register(registration, in: &act)
        case .providerUpdated(let provider, let configuration):
            return try acknowledged(
                provider, "provider.update", Wire.changes(configuration), in: &act)
        case .providerUnregistered(let provider):
            return try acknowledged(provider, "provider.unregister", [:], in: &act)
        case .providerLost(let provider): try lose(provider, in: &act)
        case .providerExited(let provider): return try exit(provider, in: &act)
        case .providerRevoked: throw .revocation
        case .incomingReported(let report):
            try seatFilters(for: report, step.effects, in: &act)
            try reportIncoming(report, in: &act)
        case .missedReported(let report): try reportMissed(report, in: &act)
        case .callReported(let report): try self.report(report, in: &act)
        case .screeningSettled(let call, let verdict):
            return try settleScreening(of: call, verdict, in: &act)
        case .callerIdentified(let call, let caller): try identify(call, caller, in: &act)
        case .callerPrioritized(let call): try prioritize(call)
        case .transactionRequested(let request): try ask(request, in: &act)
        case .swapRequested, .mergeRequested, .splitRequested, .buttonPressed, .silenceRequested,
            .prioritizeRequested:
            try askForPlan(step.event, in: &act)
        case .cancelRequested(let token): try cancel(token, isVain: isVain, in: &act)
        case .actionFulfilled(let action, let provider, let at):
            return try answer(action, by: provider, .fulfilled(at: at), in: &act)
        case .actionFailed(let action, let provider, let failure):
            return try answer(action, by: provider, .failed(failure), in: &act)
        case .actionExtended(let action, let provider, let byMS):
            try extend(action, by: provider, byMS, isVain: isVain, in: &act)
        case .offerSettled(let transaction, let provider, let isTaken):
            try settle(transaction, by: provider, isTaken, isVain: isVain, in: &act)
        case .timerFired: preconditionFailure("timers fire as the clock moves")
        case .policyChanged(let policy): return try set(policy, in: &act)
        case .brokerRestarted(let isSameBoot): try restart(isSameBoot, in: &act)
        }
        return nil
    }

    /// A request whose frame the broker takes.
    func send(
        _ id: UInt64, _ method: String, _ params: Wire, from client: Client, in act: inout Act
    ) throws(Unplayable) {
        guard let document = try? JSONDocument(parsing: Array(params.text.utf8)),
            let row = MethodTable.standard.find(method), (try? row.check(document.root)) != nil
        else { throw .refusedFrame }
        act.moves.append(.send(client, .request(id, method, params)))
    }

    // MARK: - Providers

    private mutating func register(
        _ registration: ProviderRegistration, in act: inout Act
    ) throws(Unplayable) {
        let client = connect(registration.provider, in: &act)
        lines[registration.provider]?.isRegistered = true
        lines[registration.provider]?.isWatched = true
        asked[registration.token.number] = Asked(client: client, form: .registration)
        let params = Wire.registration(registration.configuration).with([
            "calls": registration.calls.map { .array($0.map { liveCall($0) }) },
            "more": registration.hasMore ? true : nil,
        ])
        try send(
            registration.token.number, "provider.register", params, from: client, in: &act)
    }

    /// A call with whom it is with: if the story does not say, as it was.
    private func liveCall(_ call: LiveCall) -> Wire {
        var copy = call
        if case .unchanged = call.update.remote, let remote = remotes[call.call] {
            copy.update.remote = .set(remote)
        }
        return Wire.liveCall(copy).with([
            "connected_at_ms": call.connectedAt.map { clock.unixMS($0) }
        ])
    }

    /// A request that is answered with no more than that it is done, whatever follows from it.
    private mutating func acknowledged(
        _ provider: ProviderID, _ method: String, _ params: Wire, in act: inout Act
    ) throws(Unplayable) -> Ending {
        let client = connect(provider, in: &act)
        guard lines[provider]?.isRegistered ?? false else { throw .notRegistered }
        let id = ownID()
        try send(id, method, params, from: client, in: &act)
        return { $1.expectReply(to: id, ["seq": .int($0.seq)], at: client) }
    }

    /// Its connection ends; now and then only one half of it.
    private mutating func lose(_ provider: ProviderID, in act: inout Act) throws(Unplayable) {
        guard let client = client(of: provider) else { throw .lostAlready }
        let isHalf = seq % 2 == 0 && lines[provider]?.waiting.isEmpty ?? true
        act.moves.append(.close(client, isHalf: isHalf))
        disconnect(provider)
    }

    private mutating func exit(
        _ provider: ProviderID, in act: inout Act
    ) throws(Unplayable) -> Ending? {
        guard lines[provider]?.isWatched ?? false else { throw .unwatchedProcess }
        lines[provider]?.isWatched = false
        act.moves.append(.exit(provider))
        guard let client = client(of: provider) else { return nil }
        disconnect(provider)
        leaving = client
        let goodbye: Wire = [
            "reason": "process_exited", "message": .anything, "resumable": false,
        ]
        return { staging, act in
            staging.leaving = nil
            act.expectNotice("broker.goodbye", goodbye, at: client)
        }
    }

    /// The broker is killed: all connections end, and with them whatever waits for a reply.
    private mutating func restart(_ isSameBoot: Bool, in act: inout Act) throws(Unplayable) {
        guard isSameBoot else { throw .anotherBoot }
        guard asked.values.allSatisfy(\.isAccepted) else { throw .abandonedByRestart }
        act.moves.append(.restart(seq: seq))
        asked = [:]
        filters = [:]
        for provider in lines.keys {
            disconnect(provider)
            lines[provider]?.isWatched = false
        }
    }

    // MARK: - Reports

    private mutating func reported(
        _ token: RequestToken, _ form: Asked.Form, by provider: ProviderID, _ method: String,
        _ params: [String: Wire?], in act: inout Act
    ) throws(Unplayable) {
        let client = connect(provider, in: &act)
        guard lines[provider]?.isRegistered ?? false else { throw .notRegistered }
        asked[token.number] = Asked(client: client, form: form)
        try send(token.number, method, .members(params), from: client, in: &act)
    }

    private mutating func reportIncoming(
        _ report: IncomingReport, in act: inout Act
    ) throws(Unplayable) {
        var params = Wire.update(report.update)
        params["call"] = .call(report.call)
        params["received_at_ms"] = report.receivedAt.map { clock.unixMS($0) }
        try reported(
            report.token, .incoming, by: report.provider, "call.report_incoming", params, in: &act)
    }

    private mutating func reportMissed(
        _ report: MissedReport, in act: inout Act
    ) throws(Unplayable) {
        guard report.reasons.names.count == 1 else { throw .severalMissedReasons }
        var params = Wire.update(report.update)
        params["call"] = .call(report.call)
        params["reason"] = .string(report.reasons.names[0])
        params["at_ms"] = clock.unixMS(report.at ?? now)
        try reported(
            report.token, .plain, by: report.provider, "call.report_missed", params, in: &act)
    }

    private mutating func report(_ report: CallReport, in act: inout Act) throws(Unplayable) {
        var params: [String: Wire?] = [:]
        let method: String
        switch report.news {
        case .alerting(let hasEarlyMedia):
            (method, params["has_early_media"]) = ("alerting", hasEarlyMedia.map { .bool($0) })
        case .connecting: method = "connecting"
        case .connected: method = "connected"
        case .held(let held): (method, params["held"]) = ("held", .bool(held))
        case .muted(let muted): (method, params["muted"]) = ("muted", .bool(muted))
        case .group(let other):
            (method, params["with"]) = ("group", other.map { .call($0) } ?? Wire.null)
        case .updated(let update) where update.videoRequest != .unchanged:
            let video: Wire =
                if case .set(let video) = update.videoRequest {
                    .string(video.rawValue)
                } else {
                    .null
                }
            (method, params["video"]) = ("video_request", video)
        case .updated(let update) where update.textRequest != .unchanged:
            (method, params["requested"]) = (
                "text_request", .bool(update.textRequest == .set(true))
            )
        case .updated(let update): (method, params) = ("update", Wire.update(update))
        case .external(let direction, let update):
            (method, params) = ("external", Wire.update(update))
            params["direction"] = .string(direction.rawValue)
        case .ended(let reason, let detail, let device):
            params["elsewhere"] = device.map { .string($0) }
            (method, params["reason"]) = ("ended", .string(reason.rawValue))
            params["end_detail"] = detail.map { .detail($0) }
        }
        params["call"] = .call(report.call)
        params["at_ms"] = report.at.map { clock.unixMS($0) }
        try reported(
            report.token, .plain, by: report.provider, "call.report_" + method, params, in: &act)
    }

    // MARK: - The policy

    /// The broker tells everybody what the policy is now, beside what follows from it.
    private mutating func set(
        _ policy: ArbitrationPolicy, in act: inout Act
    ) throws(Unplayable) -> Ending {
        let changes = Wire.changes(of: policy, since: self.policy)
        self.policy = policy
        let id = ownID()
        try send(id, "policy.set", changes, from: .user, in: &act)
        return { staging, act in
            staging.tellPolicy(changes, in: &act)
            let result: Wire = ["policy": staging.wholePolicy, "seq": .int(staging.seq)]
            act.expectReply(to: id, result, at: .user)
        }
    }

    private mutating func tellPolicy(_ changes: Wire, in act: inout Act) {
        guard case .object(let members) = changes, !members.isEmpty else { return }
        let names = [
            "on_hold_failure", "on_cannot_hold", "resume_after_user_end",
            "resume_after_remote_end", "busy_in_call",
            "dial_while_ringing", "video_fallback", "button_active", "allows_emergency",
            "priority_claims",
            "timeouts", "deadlines",
            "limits", "extension_percent_max", "ring_timeout_ms", "video_request_ms",
            "dial_timeout_ms",
            "start_silence_ms", "ending_wait_ms", "grace_ms", "separate_app_grace_ms",
            "restart_grace_ms", "screening_ms", "report_age_ms", "offer_ms",
            "emergency_callback_ms", "short_ring_ms", "ended_calls_max", "ended_calls_ms",
        ]
        tell(
            "policy.changed",
            [
                "changed": .words(names.filter { members[$0] != nil }),
                "policy": wholePolicy,
            ], in: &act)
    }
}
