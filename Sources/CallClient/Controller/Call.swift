package import BrokerJSON
public import CallModel
internal import CallProtocol

/// A call as the broker tells it.
public struct Call: Hashable, Sendable, Identifiable {
    public let id: CallID
    /// Whose call it is.
    public let provider: ProviderID
    public let direction: Direction
    public let state: CallState
    /// What is being done to it right now.
    public let pendingAction: PendingAction?
    public private(set) var canHoldNow: Bool
    /// The call that it is held for.
    public let heldBecauseOf: CallID?
    /// Nothing is in its way any more: it waits for somebody to resume it.
    public let isResumeOffered: Bool
    public let isMuted: Bool
    /// It rings without sound.
    public let isSilenced: Bool
    /// Its group, by the oldest call; a call that is alone names itself.
    public let group: CallID
    /// What its provider says of it.
    public let properties: CallProperties
    /// Who it is with, as a contact of the user or a caller directory says.
    public let caller: Caller?
    public let isProviderConnected: Bool
    /// What would be accepted for it right now. Who observes `call.*` is told when that alone changes.
    public private(set) var allowed: [Verb]
    /// With which groups it could be merged right now, each by its oldest call.
    public private(set) var mergeWith: [CallID]
    /// Unix times in milliseconds.
    public let createdAtMS: Int64
    public let connectingAtMS: Int64?
    public let connectedAtMS: Int64?
    public let endedAtMS: Int64?
    public let endReason: EndReason?
    public let endCause: Cause?
    /// Why its app would not start, answer or hold it.
    public let failure: ReportedFailure?
    public let missedReasons: MissedReasons
    /// Of two versions of a call the one with the higher revision counts.
    public let revision: Int64
}

extension Call {
    /// Nil for what has no id, or a state that this release does not know.
    package init?(_ value: JSONValue) {
        guard let id = CallID(value["call"]), let provider = ProviderID(value["provider"]),
            let direction = Direction(value["direction"]), let state = CallState(value["state"])
        else { return nil }
        (self.id, self.provider, self.direction, self.state) = (id, provider, direction, state)
        pendingAction = PendingAction(value["pending_action"])
        (canHoldNow, allowed, mergeWith) = (false, [], [])
        heldBecauseOf = CallID(value["held_because_of"])
        isResumeOffered = value["resume_offered"]?.boolean ?? false
        isMuted = value["muted"]?.boolean ?? false
        isSilenced = value["silenced"]?.boolean ?? false
        group = CallID(value["group"]) ?? id
        var properties = CallProperties()
        _ = properties.apply(CallUpdate(checked: value))
        self.properties = properties
        caller = Caller(value["caller"])
        isProviderConnected = value["provider_connected"]?.boolean ?? true
        createdAtMS = value["created_at_ms"]?.integer ?? 0
        connectingAtMS = value["connecting_at_ms"]?.integer
        connectedAtMS = value["connected_at_ms"]?.integer
        endedAtMS = value["ended_at_ms"]?.integer
        endReason = EndReason(value["end_reason"])
        endCause = Cause(value["end_cause"])
        failure = ReportedFailure(value["failure"])
        missedReasons = MissedReasons(value["missed_reasons"])
        revision = value["rev"]?.integer ?? 0
        allow(value)
    }

    /// What may be done with it, which can change without the call. The names of what did.
    @discardableResult
    mutating func allow(_ value: JSONValue) -> [String] {
        let former = self
        canHoldNow = value["can_hold_now"]?.boolean ?? false
        allowed = value["allowed"].map { $0.elements.compactMap { Verb($0) } } ?? []
        mergeWith = value["merge_with"].map { $0.elements.compactMap { CallID($0) } } ?? []
        return [
            ("can_hold_now", canHoldNow != former.canHoldNow),
            ("allowed", allowed != former.allowed), ("merge_with", mergeWith != former.mergeWith),
        ].filter(\.1).map(\.0)
    }
}

extension Caller {
    fileprivate init?(_ value: JSONValue?) {
        guard let value, let source = value["source"]?.string else { return nil }
        self.init(name: value["name"]?.string, label: value["label"]?.string, source: source)
    }
}

extension MissedReasons {
    init(_ value: JSONValue?) {
        let names = value.map { $0.elements.compactMap(\.string) } ?? []
        self = names.compactMap { MissedReasons(name: $0) }.reduce([]) { $0.union($1) }
    }
}

extension Cause {
    /// Nil if there is none, or its origin is one that this release does not know.
    init?(_ value: JSONValue?) {
        guard let value, let origin = Origin(value["origin"]) else { return nil }
        self.init(
            origin, rule: Rule(value["rule"]), transaction: TransactionID(value["transaction"]),
            becauseOf: CallID(value["because_of"]))
    }
}

extension CallID {
    /// A fresh id for a call.
    public static func random() -> CallID {
        CallID(.random())
    }
}
