internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The choices of the host.
extension Broker {
    func showPolicy(_ target: ReplyTarget) {
        bringUpToDate(target.peer)
        reply(target) { writer in
            writer.name("policy")
            writer.object { writer in writer.members(of: arbiter.policy, defaultProviders) }
            writer.member("seq", feed.seq)
        }
    }

    func setPolicy(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        if params?["limits"] != nil, !target.peer.roles.contains(RoleSet(.admin)) {
            throw RPCError(
                .permissionDenied, reason: "role_not_granted", "limits are the admin's"
            ).with {
                $0.field = "/limits"
                $0.hint = "ask for the role admin in broker.hello"
            }
        }
        var choices = self.choices
        if let params {
            choices.policy.merge(checked: params)
            choices.defaultProviders.merge(checked: params["default_provider"])
        }
        choose(choices)
        showPolicy(target)
    }

    var choices: HostChoices {
        HostChoices(policy: arbiter.policy, defaultProviders: defaultProviders)
    }

    func choose(_ choices: HostChoices) {
        guard choices != self.choices else { return }
        journal?.append(JournalEntry(.choices(choices), at: instant), isSynced: true)
        carryOut(choices)
    }

    func carryOut(_ choices: HostChoices) {
        var changed = choices.policy.changes(since: arbiter.policy)
        if choices.defaultProviders != defaultProviders { changed.append("default_provider") }
        defaultProviders = choices.defaultProviders
        if choices.policy != arbiter.policy { carryOut(.policyChanged(choices.policy)) }
        if !changed.isEmpty { tellPolicy(choices.policy, choices.defaultProviders, changed) }
    }

    private func tellPolicy(
        _ policy: ArbitrationPolicy, _ providers: [String: ProviderID], _ changed: [StaticString]
    ) {
        tell(.policyChanged) { writer in
            writer.name("changed")
            writer.array { writer in for name in changed { writer.value(name) } }
            writer.name("policy")
            writer.object { $0.members(of: policy, providers) }
        }
    }
}

extension [String: ProviderID] {
    /// Takes over what an object says by scheme; null takes a choice away.
    mutating func merge(checked value: JSONValue?) {
        value?.forEachMember { (name, provider) in
            let scheme = String(decoding: name, as: UTF8.self).lowercased()
            self[scheme] = ProviderID(provider)
        }
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
            ("button_active", buttonActive != former.buttonActive),
            ("allows_emergency", allowsEmergency != former.allowsEmergency),
            ("timeouts", deadlines != former.deadlines), ("limits", limits != former.limits),
        ]
        return all.filter(\.1).map(\.0)
    }

    /// Takes over what an object of the protocol, or of the configuration file, says.
    mutating func merge(checked value: JSONValue) {
        if let word = value["on_hold_failure"]?.string.flatMap(OnHoldFailure.init(rawValue:)) {
            onHoldFailure = word
        }
        if let word = value["on_cannot_hold"]?.string.flatMap(OnCannotHold.init(rawValue:)) {
            onCannotHold = word
        }
        if let word = value["button_active"]?.string.flatMap(ButtonActive.init(rawValue:)) {
            buttonActive = word
        }
        if let flag = value["resume_after_user_end"]?.boolean { resumeAfterUserEnd = flag }
        if let flag = value["resume_after_remote_end"]?.boolean { resumeAfterRemoteEnd = flag }
        if let flag = value["allows_emergency"]?.boolean { allowsEmergency = flag }
        if let word = value["timeouts"]?.utf8 {
            deadlines = word.reads("compatible") ? .compatible : Deadlines()
        }
        if let part = value["limits"] { limits.merge(checked: part) }
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
    fileprivate mutating func members(
        of policy: ArbitrationPolicy, _ providers: [String: ProviderID]
    ) {
        member("on_hold_failure", policy.onHoldFailure.rawValue)
        member("on_cannot_hold", policy.onCannotHold.rawValue)
        member("resume_after_user_end", policy.resumeAfterUserEnd)
        member("resume_after_remote_end", policy.resumeAfterRemoteEnd)
        member("button_active", policy.buttonActive.rawValue)
        member("allows_emergency", policy.allowsEmergency)
        member(
            "timeouts", (policy.deadlines == .compatible ? "compatible" : "default") as StaticString
        )
        name("limits")
        object { writer in
            writer.member("held_groups", policy.limits.heldGroups)
            writer.member("ringing", policy.limits.ringing)
            writer.member("dialing", policy.limits.dialing)
            writer.member("calls_per_provider", policy.limits.callsPerProvider)
            writer.member("calls", policy.limits.calls)
        }
        name("default_provider")
        object { writer in
            for (scheme, provider) in providers.sorted(by: { $0.key < $1.key }) {
                writer.name(scheme)
                writer.value(provider)
            }
        }
    }
}
