internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The policy of the host, with the methods that read and change it. Also decides which apps may be
/// providers.
final class PolicyStore: BrokerPart {
    /// The current policy; the arbiter has its part of it.
    private(set) var choices: HostChoices

    init(_ choices: HostChoices) {
        self.choices = choices
    }

    func restore(_ choices: HostChoices) {
        self.choices = choices
    }

    func perform(_ request: PolicyRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .get: showPolicy(target)
        case .set(let params): try setPolicy(params, target)
        }
    }

    private func showPolicy(_ target: ReplyTarget) {
        broker.events.bringUpToDate(target.peer)
        broker.outbox.reply(target) { writer in
            writer.name("policy")
            writer.object { $0.members(of: choices) }
            writer.member("seq", broker.events.seq)
        }
    }

    private func setPolicy(_ params: SetPolicyParams, _ target: ReplyTarget) throws(RPCError) {
        for member in PolicySchemas.adminMembers
        where params.changes?[member] != nil && !target.peer.roles.contains(RoleSet(.admin)) {
            throw RPCError(
                .permissionDenied, reason: .roleNotGranted, "only an admin may change this"
            ).with {
                $0.field = "/\(member)"
                $0.hint = "request the role admin in broker.hello"
            }
        }
        var choices = self.choices
        if let changes = params.changes { choices.merge(checked: changes) }
        try checkRights(choices, of: target.peer)
        choose(choices)
        broker.journal.whenSynced(target) { [weak self] in self?.showPolicy(target) }
    }

    /// Checks that a client keeps the rights to revoke its own change.
    private func checkRights(_ choices: HostChoices, of peer: Peer) throws(RPCError) {
        guard choices.rights != self.choices.rights, !broker.keepsRights(peer, by: choices)
        else { return }
        throw RPCError(
            .invalidState, reason: .lockedOut, "these rules would take roles from the client itself"
        ).with {
            $0.field = "/rights"
            $0.hint = "put a rule for this client first; connection.list shows which program it is"
        }
    }

    /// Changes the policy, journals it, and applies its consequences.
    func choose(_ choices: HostChoices) {
        guard choices != self.choices else { return }
        let (former, wasQuiet) = (self.choices, broker.screener.isQuiet)
        broker.journal.append(.choices(choices), isSynced: true)
        apply(choices)
        revokeDenied(since: former)
        if broker.screener.isQuiet, !wasQuiet { silenceRingingCalls() }
    }

    /// Silences ringing calls when do-not-disturb is switched on, except those that pass it.
    private func silenceRingingCalls() {
        for call in broker.arbiter.ringingCalls {
            guard let view = broker.summary(of: call), !view.isSilenced,
                !choices.screening.doNotDisturb.lets(pass: view.properties.priority)
            else { continue }
            broker.decide(.silenceRequested(Broker.noToken, .user, call: call))
        }
    }

    func apply(_ choices: HostChoices) {
        let former = self.choices
        self.choices = choices
        if choices.policy != former.policy { broker.apply(.policyChanged(choices.policy)) }
        broker.events.publish(.policyChanged) { writer in
            writer.name("changed")
            writer.array { writer in
                for name in choices.changes(since: former) { writer.value(name) }
            }
            writer.name("policy")
            writer.object { $0.members(of: choices) }
        }
        broker.presence.updateDoNotDisturb()
        if choices.screening.region != former.screening.region { broker.store.setRegion() }
        if choices.retention != former.retention { broker.history.trim(isChosen: true) }
        if choices.heartbeatMS != former.heartbeatMS { broker.heartbeats.restart() }
        publishAuthorizations(since: former)
        broker.startable.forgetDenied()
        broker.questions.update(since: former)
        if choices.rights != former.rights { broker.peers.dismissRestricted() }
    }

    // MARK: - Authorization

    /// Checks that the user has allowed an app to be a provider.
    ///
    /// - Throws: CallKit's `unentitled`.
    func checkAuthorized(
        _ provider: ProviderID, _ domain: CallKitCode.Domain
    ) throws(RPCError) {
        guard !choices.isAuthorized(provider) else { return }
        throw RPCError(Refusal(.unentitled, rule: .rights), domain).with {
            $0.hint = notAllowed(provider)
        }
    }

    /// Returns the reason why an app may not have calls, with advice.
    func notAllowed(_ provider: ProviderID) -> String {
        let state =
            choices.authorization(of: provider) == .denied ? "is denied" : "is not authorized yet"
        return "\(provider.name) \(state) and may not have calls; to allow it: "
            + "callbroker policy set authorization.\(provider.name)=authorized"
    }

    /// Returns the new calls in the registration of an app that is not authorized.
    func unauthorizedCalls(in calls: [LiveCall], of provider: ProviderID) -> [CallID] {
        guard !choices.isAuthorized(provider) else { return [] }
        let known = Set(broker.arbiter.calls(of: provider))
        return calls.map(\.call).filter { !known.contains($0) }
    }

    /// Ends the calls of providers that are denied now. A provider that only awaits authorization
    /// keeps its calls until they end.
    private func revokeDenied(since former: HostChoices) {
        for provider in changed(since: former, among: broker.arbiter.providerIDs)
        where choices.authorization(of: provider) == .denied
            && broker.configuration(of: provider) != nil
        {
            broker.decide(.providerRevoked(provider))
        }
    }

    /// Publishes providers whose authorization has changed, and notifies them.
    private func publishAuthorizations(since former: HostChoices) {
        for provider in changed(since: former, among: broker.sessions.registered) {
            guard let session = broker.sessions[provider], session.isRegistered else { continue }
            let status = choices.authorization(of: provider)
            if let peer = session.peer {
                broker.outbox.notify(peer, "provider.authorization_changed") { writer in
                    writer.member("status", status.rawValue)
                }
            }
            broker.events.publish(.providerChanged, nil, provider) {
                broker.announcer.write(provider, to: &$0)
            }
        }
    }

    /// Returns the providers whose authorization has changed, in order. Only a change for new
    /// providers concerns those without an entry of their own.
    private func changed(
        since former: HostChoices, among all: @autoclosure () -> [ProviderID]
    ) -> [ProviderID] {
        let isSame = choices.newProviders == former.newProviders
        guard !isSame || choices.authorizations != former.authorizations else { return [] }
        let named = Set(choices.authorizations.keys).union(former.authorizations.keys).sorted()
        return (isSame ? named : all()).filter {
            choices.authorization(of: $0) != former.authorization(of: $0)
        }
    }
}

extension HostChoices {
    /// Applies the members of an object of the protocol, or of the configuration file.
    mutating func merge(checked value: JSONValue) {
        policy.merge(checked: value)
        screening.merge(checked: value)
        value["default_provider"]?.forEachMember { (name, provider) in
            let scheme = String(decoding: name, as: UTF8.self).lowercased()
            defaultProviders[scheme] = ProviderID(provider)
        }
        value["authorization"]?.forEachMember { (name, word) in
            let provider = ProviderID(String(decoding: name, as: UTF8.self))
            authorizations[provider] = word.string.flatMap(Authorization.init(rawValue:))
        }
        if let word = value["new_providers"]?.string.flatMap(NewProviders.init(rawValue:)) {
            newProviders = word
        }
        if let rules = value["rights"] { rights = rules.elements.map { RightsRule(checked: $0) } }
        if let number = value["heartbeat_ms"]?.integer { heartbeatMS = Int(number) }
        if let part = value["emergency"] { emergency.merge(checked: part) }
        if let part = value["handover"] { handover.merge(checked: part) }
        if let days = value["history"]?["days"]?.integer { retention.days = Int(days) }
        if let entries = value["history"]?["entries"]?.integer { retention.entries = Int(entries) }
    }

    /// The members that are different now, as the protocol names them.
    fileprivate func changes(since former: HostChoices) -> [StaticString] {
        let (new, old) = (screening, former.screening)
        let own: [(StaticString, Bool)] = [
            ("do_not_disturb", new.doNotDisturb != old.doNotDisturb),
            ("unknown_callers", new.silencesUnknownCallers != old.silencesUnknownCallers),
            ("region", new.region != old.region),
            ("new_providers", newProviders != former.newProviders),
            ("heartbeat_ms", heartbeatMS != former.heartbeatMS),
            ("emergency", emergency != former.emergency),
            ("handover", handover != former.handover),
            ("authorization", authorizations != former.authorizations),
            ("rights", rights != former.rights),
            ("history", retention != former.retention),
            ("default_provider", defaultProviders != former.defaultProviders),
        ]
        return policy.changes(since: former.policy) + own.filter(\.1).map(\.0)
    }
}

extension RightsRule {
    fileprivate init(checked value: JSONValue) {
        self.init()
        identity = value["identity"]?.string
        executable = value["executable"]?.string
        sandbox = value["sandbox"]?.string.flatMap(Place.init(rawValue:))
        app = value["app"]?.string
        unit = value["unit"]?.string
        roles = value["roles"]?.elements.compactMap(\.string)
        calls = value["calls"]?.string.flatMap(Calls.init(rawValue:)) ?? .all
        isRedacted = value["redacted"]?.boolean ?? false
    }
}

extension EmergencyChoices {
    fileprivate mutating func merge(checked value: JSONValue) {
        if let list = value["numbers"] { numbers = list.elements.compactMap { $0.string } }
        if let list = value["providers"] { providers = list.elements.compactMap { ProviderID($0) } }
        value["claims"]?.forEachMember { (name, part) in
            let provider = ProviderID(String(decoding: name, as: UTF8.self))
            guard part.kind == .object else { return claims[provider] = nil }
            claims[provider, default: EmergencyClaims()].merge(checked: part)
        }
    }
}

extension HandoverChoices {
    fileprivate mutating func merge(checked value: JSONValue) {
        if let list = value["observers"] { observers = list.elements.compactMap(\.string) }
        if let number = value["wait_ms"]?.integer { waitMS = Int(number) }
    }
}

extension EmergencyClaims {
    fileprivate mutating func merge(checked value: JSONValue) {
        if let word = value["outgoing"]?.string.flatMap(Word.init(rawValue:)) { outgoing = word }
        if let word = value["incoming"]?.string.flatMap(Word.init(rawValue:)) { incoming = word }
    }
}

extension ArbitrationPolicy {
    /// The members that are different now, as the protocol names them.
    fileprivate func changes(since former: ArbitrationPolicy) -> [StaticString] {
        let all: [(StaticString, Bool)] = [
            ("on_hold_failure", onHoldFailure != former.onHoldFailure),
            ("on_cannot_hold", onCannotHold != former.onCannotHold),
            ("resume_after_user_end", resumeAfterUserEnd != former.resumeAfterUserEnd),
            ("resume_after_remote_end", resumeAfterRemoteEnd != former.resumeAfterRemoteEnd),
            ("busy_in_call", busyInCall != former.busyInCall),
            ("dial_while_ringing", dialWhileRinging != former.dialWhileRinging),
            ("video_fallback", videoFallback != former.videoFallback),
            ("button_active", buttonActive != former.buttonActive),
            ("allows_emergency", allowsEmergency != former.allowsEmergency),
            ("priority_claims", priorityClaims != former.priorityClaims),
            ("timeouts", isCompatible != former.isCompatible),
            ("deadlines", deadlines != former.deadlines), ("limits", limits != former.limits),
        ]
        let times = Self.times.filter { self[keyPath: $0.1] != former[keyPath: $0.1] }
        return all.filter(\.1).map(\.0) + times.map(\.0)
    }

    /// True if the deadlines are exactly CallKit's.
    fileprivate var isCompatible: Bool { deadlines == .compatible }

    /// Limits that are numbers at the top of the policy. Key paths are not Sendable.
    fileprivate static var times: [(StaticString, WritableKeyPath<ArbitrationPolicy, Int>)] {
        [
            ("extension_percent_max", \.extensionPercentMax),
            ("ring_timeout_ms", \.ringTimeoutMS),
            ("video_request_ms", \.videoRequestMS), ("dial_timeout_ms", \.dialTimeoutMS),
            ("start_silence_ms", \.startSilenceMS), ("ending_wait_ms", \.endingWaitMS),
            ("grace_ms", \.graceMS), ("separate_app_grace_ms", \.separateAppGraceMS),
            ("restart_grace_ms", \.restartGraceMS), ("screening_ms", \.screeningMS),
            ("report_age_ms", \.reportAgeMS), ("offer_ms", \.offerMS),
            ("emergency_callback_ms", \.emergencyCallbackMS), ("short_ring_ms", \.shortRingMS),
            ("ended_calls_max", \.endedCallsMax), ("ended_calls_ms", \.endedCallsMS),
        ]
    }

    /// Applies the members of an object of the protocol, or of the configuration file.
    mutating func merge(checked value: JSONValue) {
        if let word = value["on_hold_failure"]?.string.flatMap(OnHoldFailure.init(rawValue:)) {
            onHoldFailure = word
        }
        if let word = value["on_cannot_hold"]?.string.flatMap(OnCannotHold.init(rawValue:)) {
            onCannotHold = word
        }
        if let word = value["dial_while_ringing"]?.string.flatMap(DialWhileRinging.init(rawValue:))
        {
            dialWhileRinging = word
        }
        if let word = value["video_fallback"]?.string.flatMap(VideoFallback.init(rawValue:)) {
            videoFallback = word
        }
        if let word = value["button_active"]?.string.flatMap(ButtonActive.init(rawValue:)) {
            buttonActive = word
        }
        if let flag = value["resume_after_user_end"]?.boolean { resumeAfterUserEnd = flag }
        if let flag = value["resume_after_remote_end"]?.boolean { resumeAfterRemoteEnd = flag }
        if let flag = value["busy_in_call"]?.boolean { busyInCall = flag }
        if let flag = value["allows_emergency"]?.boolean { allowsEmergency = flag }
        if let list = value["priority_claims"] {
            priorityClaims = list.elements.compactMap { ProviderID($0) }
        }
        if let word = value["timeouts"]?.utf8 {
            deadlines = word.reads("compatible") ? .compatible : Deadlines()
        }
        // A preset sets all deadlines; deadlines that are named beside it take precedence.
        if let part = value["deadlines"] { deadlines.merge(checked: part) }
        if let part = value["limits"] { limits.merge(checked: part) }
        for (name, path) in Self.times {
            if let number = value[name]?.integer { self[keyPath: path] = Int(number) }
        }
    }
}

extension ArbitrationPolicy.Deadlines {
    fileprivate mutating func merge(checked value: JSONValue) {
        if let number = value["start"]?.integer { start = Int(number) }
        if let number = value["answer"]?.integer { answer = Int(number) }
        if let number = value["end"]?.integer { end = Int(number) }
        if let number = value["set_held"]?.integer { setHeld = Int(number) }
        if let number = value["set_muted"]?.integer { setMuted = Int(number) }
        if let number = value["set_group"]?.integer { setGroup = Int(number) }
        if let number = value["play_dtmf"]?.integer { playDTMF = Int(number) }
        if let number = value["set_endpoint"]?.integer { setEndpoint = Int(number) }
        if let number = value["set_video"]?.integer { setVideo = Int(number) }
        if let number = value["set_text"]?.integer { setText = Int(number) }
        if let number = value["transfer"]?.integer { transfer = Int(number) }
        if let number = value["attended_transfer"]?.integer { attendedTransfer = Int(number) }
        if let number = value["deflect"]?.integer { deflect = Int(number) }
    }
}

extension ArbitrationPolicy.Limits {
    fileprivate mutating func merge(checked value: JSONValue) {
        if let number = value["held_groups"]?.integer { heldGroups = Int(number) }
        if let number = value["ringing"]?.integer { ringing = Int(number) }
        if let number = value["dialing"]?.integer { dialing = Int(number) }
        if let number = value["calls_per_provider"]?.integer { callsPerProvider = Int(number) }
        if let number = value["calls"]?.integer { calls = Int(number) }
    }
}

extension JSONWriter {
    private mutating func members(of limits: ArbitrationPolicy.Limits) {
        member("held_groups", limits.heldGroups)
        member("ringing", limits.ringing)
        member("dialing", limits.dialing)
        member("calls_per_provider", limits.callsPerProvider)
        member("calls", limits.calls)
    }

    private mutating func times(of policy: ArbitrationPolicy) {
        member("timeouts", (policy.isCompatible ? "compatible" : "default") as StaticString)
        name("deadlines")
        object { writer in
            for kind in ActionKind.allCases { writer.member(kind.word, policy.deadlines[kind]) }
        }
        for (name, path) in ArbitrationPolicy.times { member(name, policy[keyPath: path]) }
    }

    private mutating func members(of emergency: EmergencyChoices) {
        name("numbers")
        array { writer in for number in emergency.numbers { writer.value(number) } }
        name("providers")
        array { writer in for provider in emergency.providers { writer.value(provider) } }
        name("claims")
        object { writer in
            for (provider, claims) in emergency.claims.sorted(by: { $0.key < $1.key }) {
                writer.name(provider.name)
                writer.object { writer in
                    writer.member("outgoing", claims.outgoing.rawValue)
                    writer.member("incoming", claims.incoming.rawValue)
                }
            }
        }
    }

    private mutating func members(of handover: HandoverChoices) {
        member("observers", words: handover.observers)
        member("wait_ms", handover.waitMS)
    }

    private mutating func members(of rule: RightsRule) {
        member("identity", ifSet: rule.identity)
        member("executable", ifSet: rule.executable)
        member("sandbox", ifSet: rule.sandbox?.rawValue)
        member("app", ifSet: rule.app)
        member("unit", ifSet: rule.unit)
        if let roles = rule.roles { member("roles", words: roles) }
        if rule.calls != .all { member("calls", rule.calls.rawValue) }
        if rule.isRedacted { member("redacted", true) }
    }

    private mutating func authorizations(of choices: HostChoices) {
        name("authorization")
        object { writer in
            for (provider, word) in choices.authorizations.sorted(by: { $0.key < $1.key }) {
                writer.name(provider.name)
                writer.value(word.rawValue)
            }
        }
    }

    fileprivate mutating func members(of choices: HostChoices) {
        let policy = choices.policy
        member("on_hold_failure", policy.onHoldFailure.rawValue)
        member("on_cannot_hold", policy.onCannotHold.rawValue)
        member("resume_after_user_end", policy.resumeAfterUserEnd)
        member("resume_after_remote_end", policy.resumeAfterRemoteEnd)
        member("busy_in_call", policy.busyInCall)
        member("dial_while_ringing", policy.dialWhileRinging.rawValue)
        member("video_fallback", policy.videoFallback.rawValue)
        member("button_active", policy.buttonActive.rawValue)
        member("allows_emergency", policy.allowsEmergency)
        name("priority_claims")
        array { writer in for provider in policy.priorityClaims { writer.value(provider) } }
        times(of: policy)
        name("limits")
        object { $0.members(of: policy.limits) }
        name("default_provider")
        object { writer in
            for (scheme, provider) in choices.defaultProviders.sorted(by: { $0.key < $1.key }) {
                writer.name(scheme)
                writer.value(provider)
            }
        }
        members(of: choices.screening)
        member("new_providers", choices.newProviders.rawValue)
        member("heartbeat_ms", choices.heartbeatMS)
        name("emergency")
        object { $0.members(of: choices.emergency) }
        authorizations(of: choices)
        name("rights")
        array { writer in for rule in choices.rights { writer.object { $0.members(of: rule) } } }
        name("handover")
        object { $0.members(of: choices.handover) }
        name("history")
        object { writer in
            writer.member("days", choices.retention.days)
            writer.member("entries", choices.retention.entries)
        }
    }
}
