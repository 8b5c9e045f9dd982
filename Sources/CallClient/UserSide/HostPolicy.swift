internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// The choices of the host: what decides where a rule leaves it open.
public struct HostPolicy: Hashable, Sendable {
    /// What becomes of a call whose hold fails.
    public enum OnHoldFailure: String, CaseIterable, Sendable {
        /// It stays, and what waited for the hold is refused.
        case keep
        case end
    }

    /// What a plain answer does while the live call cannot be held.
    public enum OnCannotHold: String, CaseIterable, Sendable {
        case refuse
        /// The live call ends.
        case end
    }

    /// What a short press of the button does to the only active call.
    public enum ButtonActive: String, CaseIterable, Sendable {
        case end
        case mute
    }

    /// What becomes of a start while another call rings.
    public enum DialWhileRinging: String, CaseIterable, Sendable {
        case allow
        /// But for emergencies.
        case refuse
    }

    /// How long actions may take, where a provider does not say.
    public enum Timeouts: String, CaseIterable, Sendable {
        case `default`
        /// CallKit's: a start may take ten minutes.
        case compatible
    }

    /// What there may be at a time.
    public struct Limits: Hashable, Sendable {
        public var heldGroups: Int
        public var ringing: Int
        public var dialing: Int
        public var callsPerProvider: Int
        public var calls: Int
    }

    public var onHoldFailure: OnHoldFailure
    public var onCannotHold: OnCannotHold
    /// Whether a group comes back when the user ends the call that it was held for.
    public var resumesAfterUserEnd: Bool
    /// The same when that call ends in another way.
    public var resumesAfterRemoteEnd: Bool
    /// Whether a call that comes in while another is live is refused and missed, but from favourites,
    /// contacts that break through, and for emergencies.
    public var busyInCall: Bool
    public var dialWhileRinging: DialWhileRinging
    public var buttonActive: ButtonActive
    public var allowsEmergency: Bool
    public var timeouts: Timeouts
    /// When calls do not reach the user.
    public var doNotDisturb: DoNotDisturb
    /// Whoever is in no contact of the user rings without sound.
    public var silencesUnknownCallers: Bool
    /// The two letters of the country that numbers without a country code belong to; empty: such
    /// numbers stay as they are.
    public var region: String
    /// The admin's to change.
    public var limits: Limits
    /// How long a provider with calls may be silent before it is pinged; 0: it is not. The admin's to change.
    public var heartbeatMS: Int
    /// Whose call it becomes, by the scheme that is dialled.
    public var defaultProviders: [String: ProviderID]
}

extension CallController {
    /// The policy as it is now.
    public func policy() async throws(CallError) -> HostPolicy {
        try await link.request(.getPolicy) { $0["policy"].flatMap(HostPolicy.init) }
    }

    /// Changes the policy by changing a copy of it: `change` is called once, with what is, and only
    /// what is different afterwards is asked for. Ended calls stay ended.
    ///
    /// - Returns: the policy as it is then.
    /// - Throws: `CallError.Code.permissionDenied` for what is the admin's to change, unless `options` opened an admin's
    ///   session.
    @discardableResult
    public func changePolicy(
        _ change: @Sendable (inout HostPolicy) -> Void
    ) async throws(CallError) -> HostPolicy {
        let old = try await policy()
        var new = old
        change(&new)
        return try await link.request(.setPolicy, { $0.members(from: old, to: new) }) {
            $0["policy"].flatMap(HostPolicy.init)
        }
    }
}

extension CallController {
    /// Switches do-not-disturb on or off by hand; its schedule stays.
    ///
    /// - Parameter untilMS: Unix time in milliseconds when it ends by itself.
    /// - Returns: the policy as it is then.
    @discardableResult
    public func setDoNotDisturb(
        _ isOn: Bool, untilMS: Int64? = nil
    ) async throws(CallError) -> HostPolicy {
        try await changePolicy { policy in
            policy.doNotDisturb.isOn = isOn
            policy.doNotDisturb.untilMS = isOn ? untilMS : nil
        }
    }
}

extension HostPolicy {
    /// Nil for what lacks something, or has a word that this release does not know.
    fileprivate init?(_ value: JSONValue) {
        guard let onHoldFailure = OnHoldFailure(value["on_hold_failure"]),
            let onCannotHold = OnCannotHold(value["on_cannot_hold"]),
            let busyInCall = value["busy_in_call"]?.boolean,
            let dialWhileRinging = DialWhileRinging(value["dial_while_ringing"]),
            let buttonActive = ButtonActive(value["button_active"]),
            let timeouts = Timeouts(value["timeouts"]),
            let resumesAfterUserEnd = value["resume_after_user_end"]?.boolean,
            let resumesAfterRemoteEnd = value["resume_after_remote_end"]?.boolean,
            let allowsEmergency = value["allows_emergency"]?.boolean,
            let limits = value["limits"].flatMap(Limits.init),
            let heartbeatMS = value["heartbeat_ms"]?.integer
        else { return nil }
        var screening = ScreeningPolicy()
        screening.merge(checked: value)
        self.init(
            onHoldFailure: onHoldFailure, onCannotHold: onCannotHold,
            resumesAfterUserEnd: resumesAfterUserEnd,
            resumesAfterRemoteEnd: resumesAfterRemoteEnd, busyInCall: busyInCall,
            dialWhileRinging: dialWhileRinging, buttonActive: buttonActive,
            allowsEmergency: allowsEmergency, timeouts: timeouts,
            doNotDisturb: screening.doNotDisturb,
            silencesUnknownCallers: screening.silencesUnknownCallers, region: screening.region,
            limits: limits, heartbeatMS: Int(heartbeatMS), defaultProviders: [:])
        value["default_provider"]?.forEachMember { scheme, provider in
            defaultProviders[String(decoding: scheme, as: UTF8.self)] = ProviderID(provider)
        }
    }
}

extension HostPolicy.Limits {
    fileprivate static var names: [(StaticString, WritableKeyPath<Self, Int>)] {
        [
            ("held_groups", \.heldGroups), ("ringing", \.ringing), ("dialing", \.dialing),
            ("calls_per_provider", \.callsPerProvider), ("calls", \.calls),
        ]
    }

    fileprivate init?(_ value: JSONValue) {
        self.init(heldGroups: 0, ringing: 0, dialing: 0, callsPerProvider: 0, calls: 0)
        for (name, limit) in Self.names {
            guard let number = value[name]?.integer else { return nil }
            self[keyPath: limit] = Int(number)
        }
    }
}

extension RawRepresentable<String> {
    fileprivate init?(_ value: JSONValue?) {
        guard let word = value?.string else { return nil }
        self.init(rawValue: word)
    }
}

extension JSONWriter {
    /// The params of `policy.set`: what is different.
    fileprivate mutating func members(from old: HostPolicy, to new: HostPolicy) {
        word("on_hold_failure", old, new, \.onHoldFailure)
        word("on_cannot_hold", old, new, \.onCannotHold)
        flag("resume_after_user_end", old, new, \.resumesAfterUserEnd)
        flag("resume_after_remote_end", old, new, \.resumesAfterRemoteEnd)
        flag("busy_in_call", old, new, \.busyInCall)
        word("dial_while_ringing", old, new, \.dialWhileRinging)
        word("button_active", old, new, \.buttonActive)
        flag("allows_emergency", old, new, \.allowsEmergency)
        word("timeouts", old, new, \.timeouts)
        screening(from: old, to: new)
        if old.heartbeatMS != new.heartbeatMS { member("heartbeat_ms", new.heartbeatMS) }
        if old.limits != new.limits { limits(from: old.limits, to: new.limits) }
        if old.defaultProviders != new.defaultProviders {
            providers(from: old.defaultProviders, to: new.defaultProviders)
        }
    }

    private mutating func screening(from old: HostPolicy, to new: HostPolicy) {
        if old.doNotDisturb != new.doNotDisturb {
            name("do_not_disturb")
            object { $0.members(of: new.doNotDisturb) }
        }
        if old.silencesUnknownCallers != new.silencesUnknownCallers {
            member(
                "unknown_callers",
                (new.silencesUnknownCallers ? "silence" : "ring") as StaticString)
        }
        if old.region != new.region { member("region", new.region) }
    }

    private mutating func word<Word: RawRepresentable<String> & Equatable>(
        _ name: StaticString, _ old: HostPolicy, _ new: HostPolicy,
        _ choice: KeyPath<HostPolicy, Word>
    ) {
        guard old[keyPath: choice] != new[keyPath: choice] else { return }
        member(name, new[keyPath: choice].rawValue)
    }

    private mutating func flag(
        _ name: StaticString, _ old: HostPolicy, _ new: HostPolicy,
        _ choice: KeyPath<HostPolicy, Bool>
    ) {
        guard old[keyPath: choice] != new[keyPath: choice] else { return }
        member(name, new[keyPath: choice])
    }

    private mutating func limits(from old: HostPolicy.Limits, to new: HostPolicy.Limits) {
        name("limits")
        object { writer in
            for (name, limit) in HostPolicy.Limits.names
            where old[keyPath: limit] != new[keyPath: limit] {
                writer.member(name, new[keyPath: limit])
            }
        }
    }

    private mutating func providers(
        from old: [String: ProviderID], to new: [String: ProviderID]
    ) {
        name("default_provider")
        object { writer in
            for scheme in Set(old.keys).union(new.keys).sorted() where old[scheme] != new[scheme] {
                writer.name(scheme)
                if let provider = new[scheme] { writer.value(provider) } else { writer.null() }
            }
        }
    }
}
