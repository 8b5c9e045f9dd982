package import BrokerJSON
public import CallModel
internal import CallProtocol

/// A snapshot of a call, as the broker sent it.
public struct Call: Hashable, Sendable, Identifiable {
    /// The id of the call, chosen by the app or the broker.
    public let id: CallID
    /// The app that has the call.
    public let provider: ProviderID
    /// The direction: incoming, or outgoing for a call that was started here.
    public let direction: Direction
    /// The state of the call, such as ringing or held.
    public let state: CallState
    /// The action that is in progress on the call.
    public let pendingAction: PendingAction?
    /// True if a request to hold the call would be accepted now.
    public private(set) var canHoldNow: Bool
    /// The call that this one was held for.
    public let heldBecauseOf: CallID?
    /// True if the held call can be resumed, because nothing prevents it any more.
    public let isResumeOffered: Bool
    /// True if the microphone of the call is off.
    public let isMuted: Bool
    /// True if the call rings without sound.
    public let isSilenced: Bool
    /// The oldest call of the group; the call itself if it is alone.
    public let group: CallID
    /// The properties that the app has reported.
    public let properties: CallProperties
    /// The other side, as a contact of the user or a caller directory names it.
    public let caller: Caller?
    /// True if the broker can reach the app.
    public let isProviderConnected: Bool
    /// The requests that would be accepted for the call now. An observer of `call.*` receives an
    /// event when only this changes.
    public private(set) var allowed: [Verb]
    /// The tones that wait behind a pause; nil if there are none.
    public private(set) var pausedTones: PausedTones?
    /// The groups that the call could be merged with now, each by its oldest call.
    public private(set) var mergeWith: [CallID]
    /// The time at which the call came or was requested: Unix time in milliseconds.
    public let createdAtMS: Int64
    /// The time at which the other side began to ring: Unix time in milliseconds.
    public let alertingAtMS: Int64?
    /// The time at which the app started connecting: Unix time in milliseconds.
    public let connectingAtMS: Int64?
    /// The time from which both sides could talk: Unix time in milliseconds.
    public let connectedAtMS: Int64?
    /// The time of the end: Unix time in milliseconds.
    public let endedAtMS: Int64?
    /// The reason of the end; nil for one unknown to this release.
    public let endReason: EndReason?
    /// The origin of the end, such as the user or a rule.
    public let endCause: Cause?
    /// The app's own words for the end.
    public let endDetail: EndDetail?
    /// The app's error if it failed to start, answer or hold the call.
    public let failure: ReportedFailure?
    /// The reasons why the call was missed; empty for others.
    public let missedReasons: MissedReasons
    /// The number of the snapshot: the higher of two is the newer one.
    public let revision: Int64
}

extension Call {
    /// Reads a call; nil without an id, or with a state unknown to this release.
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
        // No part of an update: an app asks for them by reports of their own.
        properties.videoRequest = value["video_request"]?.string
            .flatMap(VideoDirection.init(rawValue:))
        properties.textRequest = value["text_request"]?.boolean ?? false
        self.properties = properties
        caller = Caller(value["caller"])
        isProviderConnected = value["provider_connected"]?.boolean ?? true
        createdAtMS = value["created_at_ms"]?.integer ?? 0
        alertingAtMS = value["alerting_at_ms"]?.integer
        connectingAtMS = value["connecting_at_ms"]?.integer
        connectedAtMS = value["connected_at_ms"]?.integer
        endedAtMS = value["ended_at_ms"]?.integer
        endReason = EndReason(value["end_reason"])
        endCause = Cause(value["end_cause"])
        endDetail = EndDetail(value["end_detail"])
        failure = ReportedFailure(value["failure"])
        missedReasons = MissedReasons(value["missed_reasons"])
        revision = value["rev"]?.integer ?? 0
        allow(value)
    }

    /// Reads the requests that are possible, which can change while the call does not. Returns the
    /// wire names of the members that changed.
    @discardableResult
    mutating func allow(_ value: JSONValue) -> [String] {
        let previous = self
        canHoldNow = value["can_hold_now"]?.boolean ?? false
        allowed = value["allowed"].map { $0.elements.compactMap { Verb($0) } } ?? []
        mergeWith = value["merge_with"].map { $0.elements.compactMap { CallID($0) } } ?? []
        pausedTones = PausedTones(value["paused_tones"])
        return [
            ("can_hold_now", canHoldNow != previous.canHoldNow),
            ("allowed", allowed != previous.allowed),
            ("merge_with", mergeWith != previous.mergeWith),
            ("paused_tones", pausedTones != previous.pausedTones),
        ].filter(\.1).map(\.0)
    }
}

extension Caller {
    fileprivate init?(_ value: JSONValue?) {
        guard let value, let source = value["source"]?.string else { return nil }
        self.init(name: value["name"]?.string, label: value["label"]?.string, source: source)
    }
}

extension PausedTones {
    fileprivate init?(_ value: JSONValue?) {
        guard let digits = value?["digits"]?.string, let end = End(value?["until"]) else {
            return nil
        }
        self.init(digits, until: end)
    }
}

extension MissedReasons {
    init(_ value: JSONValue?) {
        let names = value.map { $0.elements.compactMap(\.string) } ?? []
        self = names.compactMap { MissedReasons(name: $0) }.reduce([]) { $0.union($1) }
    }
}

extension Cause {
    /// Reads a cause; nil without one, or with an origin unknown to this release.
    init?(_ value: JSONValue?) {
        guard let value, let origin = Origin(value["origin"]) else { return nil }
        self.init(
            origin, rule: Rule(value["rule"]), transaction: TransactionID(value["transaction"]),
            becauseOf: CallID(value["because_of"]))
    }
}

extension CallID {
    /// Returns a fresh random id, for a call that the app reports or starts.
    public static func random() -> CallID {
        CallID(.random())
    }
}
