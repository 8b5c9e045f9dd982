internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// The policy of the host: the settings that decide where a rule of arbitration leaves a choice.
/// Raw values of its enumerations are the words of the wire.
public struct HostPolicy: Hashable, Sendable {
    /// The treatment of a call whose hold failed.
    public enum OnHoldFailure: String, CaseIterable, Sendable {
        /// Keeps the call, and refuses the request that needed the hold.
        case keep
        /// Ends the call.
        case end
    }

    /// The effect of a plain answer or a start while the active call cannot be held.
    public enum OnCannotHold: String, CaseIterable, Sendable {
        /// Refuses the answer.
        case refuse
        /// Ends the active call.
        case end
    }

    /// The effect of a short press of a headset's button on the only active call.
    public enum ButtonActive: String, CaseIterable, Sendable {
        /// Ends the call.
        case end
        /// Mutes or unmutes the call.
        case mute
    }

    /// The treatment of a start while another call rings or waits.
    public enum DialWhileRinging: String, CaseIterable, Sendable {
        /// Starts the call.
        case allow
        /// Refuses it, unless it is an emergency.
        case refuse
    }

    /// The deadlines of actions of an app that states none.
    public enum Timeouts: String, CaseIterable, Sendable {
        /// The broker's own deadlines.
        case `default`
        /// CallKit's deadlines, where a start may take ten minutes.
        case compatible
    }

    /// The most calls at a time. Every value is at most 1,000,000.
    public struct Limits: Hashable, Sendable {
        /// The most held groups, from 0.
        public var heldGroups: Int
        /// The most calls that ring or wait, from 1.
        public var ringing: Int
        /// The most calls that are being dialed, from 1.
        public var dialing: Int
        /// The most calls of one app, from 1.
        public var callsPerProvider: Int
        /// The most calls of the host, from 1.
        public var calls: Int
    }

    /// The treatment of a call whose hold failed.
    public var onHoldFailure: OnHoldFailure
    /// The effect of a plain answer while the active call cannot be held.
    public var onCannotHold: OnCannotHold
    /// True if a held group is resumed when the user ends the call that it was held for.
    public var resumesAfterUserEnd: Bool
    /// True if a held group is resumed when the call that it was held for ends in another way.
    public var resumesAfterRemoteEnd: Bool
    /// True if an incoming call is refused and missed while another one is active. Favorites,
    /// contacts that break through and emergencies ring nevertheless.
    public var busyInCall: Bool
    /// The treatment of a start while another call rings or waits.
    public var dialWhileRinging: DialWhileRinging
    /// The effect of a short press of a headset's button on the only active call.
    public var buttonActive: ButtonActive
    /// True if the host has emergency calls.
    public var allowsEmergency: Bool
    /// The deadlines of actions of an app that states none.
    public var timeouts: Timeouts
    /// The times at which calls do not reach the user.
    public var doNotDisturb: DoNotDisturb
    /// True if callers that are not contacts of the user ring without sound.
    public var silencesUnknownCallers: Bool
    /// The country of numbers without a country code: two letters (ISO 3166-1), or empty to leave
    /// such numbers as they are.
    public var region: String
    /// The most calls at a time. Only an administrator may change it.
    public var limits: Limits
    /// The time after which an app that has calls and sends nothing is pinged, 0 to 86,400,000 ms;
    /// 0 turns pings off. Only an administrator may change it.
    public var heartbeatMS: Int
    /// The app to call with by the scheme that is dialed.
    public var defaultProviders: [String: ProviderID]
}

extension CallController {
    /// Returns the current policy.
    public func policy() async throws(CallError) -> HostPolicy {
        try await link.request(.getPolicy) { $0["policy"].flatMap(HostPolicy.init) }
    }

    /// Changes the policy. Only settings that `change` makes different are sent, so changes of
    /// other clients are kept. A change does not bring ended calls back.
    ///
    /// - Parameter change: called once, with a copy of the current policy.
    /// - Returns: the policy after the change.
    /// - Throws: `CallError`; `permissionDenied` for a setting that only an administrator may
    ///   change.
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
    /// Turns do-not-disturb on or off by hand. Its schedule is kept.
    ///
    /// - Parameters:
    ///   - isOn: whether it is on.
    ///   - untilMS: the time at which it turns off by itself: Unix time in milliseconds. Nil leaves
    ///     it on.
    /// - Returns: the policy after the change.
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
    /// Reads a policy; nil if a setting is missing or has a word unknown to this release.
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
    /// Writes the params of `policy.set`: the settings that differ.
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
