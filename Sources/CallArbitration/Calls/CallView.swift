public import CallModel

/// A call as observers see it.
public struct CallView: Hashable, Sendable {
    /// The id of the call.
    public var call: CallID
    /// The provider that has the call.
    public var provider: ProviderID
    /// The direction of the call.
    public var direction: Direction
    /// The state of the call.
    public var state: CallState
    /// The action under way on the call, beside its state.
    public var pending: PendingAction?
    /// The name of the call's group: its oldest member. A single call is a group of one.
    public var group: CallID
    /// Indicates whether a hold would be accepted right now: the call is active, supports holding,
    /// and has no operation in progress.
    public var canHoldNow: Bool
    /// The call for which the call's group was held; stays until the group resumes, even if that
    /// call is over.
    public var heldBecauseOf: CallID?
    /// Indicates whether a resume of the call's group is offered (rule 17).
    public var isResumeOffered: Bool
    /// Indicates whether the call's group is muted (rule 34).
    public var isMuted: Bool
    /// Indicates whether the call rings without sound, because of the user or a filter (rules 32
    /// and 40).
    public var isSilenced: Bool
    /// Indicates whether the provider is connected; false while its calls wait for it (rule 27).
    public var isProviderConnected: Bool
    /// The properties that the provider sets.
    public var properties: CallProperties
    /// The identity of the remote side, as far as the host has determined it.
    public var caller: Caller?
    /// The time at which the call came in or was requested, as far as the host knows.
    public var createdAt: Instant
    /// The time at which the far end began to ring; nil before that, or if the app did not report it.
    public var alertingAt: Instant?
    /// The time at which the far end accepted the call; nil before that.
    public var connectingAt: Instant?
    /// The time at which both sides could talk; nil before that.
    public var connectedAt: Instant?
    /// The verbs that the user could request right now without being refused.
    public var allowed: [Verb]
    /// The names of the groups that the call could be merged with.
    public var mergeWith: [CallID]
    /// The number of the call's changes.
    public var revision: UInt64

    /// Creates a view; by default of a call whose caller is unknown and that cannot be merged.
    public init(
        call: CallID, provider: ProviderID, direction: Direction, state: CallState,
        pending: PendingAction?, group: CallID, canHoldNow: Bool, heldBecauseOf: CallID?,
        isResumeOffered: Bool = false, isMuted: Bool, isSilenced: Bool, isProviderConnected: Bool,
        properties: CallProperties,
        caller: Caller? = nil, createdAt: Instant, alertingAt: Instant? = nil,
        connectingAt: Instant?, connectedAt: Instant?,
        allowed: [Verb], mergeWith: [CallID] = [],
        revision: UInt64
    ) {
        self.call = call
        self.provider = provider
        self.direction = direction
        self.state = state
        self.pending = pending
        self.group = group
        self.canHoldNow = canHoldNow
        self.heldBecauseOf = heldBecauseOf
        self.isResumeOffered = isResumeOffered
        self.isMuted = isMuted
        self.isSilenced = isSilenced
        self.isProviderConnected = isProviderConnected
        self.properties = properties
        self.caller = caller
        self.createdAt = createdAt
        self.alertingAt = alertingAt
        self.connectingAt = connectingAt
        self.connectedAt = connectedAt
        self.allowed = allowed
        self.mergeWith = mergeWith
        self.revision = revision
    }
}

/// The members by which a list of calls is filtered.
package struct CallOutline: Hashable, Sendable {
    package var provider: ProviderID
    package var direction: Direction
    package var state: CallState
}

/// The grant of microphone and speaker to a group of calls.
package struct AudioGrant: Hashable, Sendable {
    package var provider: ProviderID
    /// The name of the group at the activation, which the deactivation repeats.
    package var group: CallID
    package var calls: [CallID]

    package init(provider: ProviderID, group: CallID, calls: [CallID]) {
        (self.provider, self.group, self.calls) = (provider, group, calls)
    }
}

/// Queries, which can be made at any time and change nothing.
extension Arbiter {
    /// Returns the outline of a call; nil where `view(of:)` is nil. Costs a tenth of a view, as
    /// nothing has to be computed.
    package func outline(of id: CallID) -> CallOutline? {
        guard let call = calls.slot(of: id), !calls[call].isScreened else { return nil }
        return CallOutline(
            provider: providers[calls[call].provider].id, direction: calls[call].direction,
            state: calls[call].state)
    }

    /// Returns the view of a call; nil for one that is unknown, over, or being screened.
    public func view(of id: CallID) -> CallView? {
        guard let call = calls.slot(of: id), !calls[call].isScreened else { return nil }
        return view(of: call)
    }

    /// Returns the view without the members that have to be computed: `allowed`, `mergeWith` and
    /// `canHoldNow`.
    package func summary(of id: CallID) -> CallView? {
        guard let call = calls.slot(of: id), !calls[call].isScreened else { return nil }
        return summary(of: call)
    }

    /// Returns whether a start has been without a response for too long (rules 10 and 20).
    package func isStartSilent(_ id: CallID) -> Bool {
        calls.slot(of: id).map { calls[$0].isStartSilent } ?? false
    }

    /// Returns whether the start of a call was sent to its provider.
    package func isStartSent(_ id: CallID) -> Bool {
        calls.slot(of: id).map { calls[$0].current != nil } ?? false
    }

    /// Returns the view of a call that is being screened; nil for any other.
    package func screenedView(of id: CallID) -> CallView? {
        guard let call = calls.slot(of: id), calls[call].isScreened else { return nil }
        return summary(of: call)
    }

    /// The time of the latest event.
    package var lastMoment: Instant {
        now
    }

    /// The ids of all calls but those that are being screened, oldest first.
    public var visibleCalls: [CallID] {
        calls.inOrder.filter { !calls[$0].isScreened }.map { calls[$0].id }
    }

    /// Returns the sound that the app of a call may make now; nil unless the call rings or waits.
    package func presentation(of id: CallID) -> Presentation? {
        guard let call = calls.slot(of: id), !calls[call].isScreened, calls[call].state.isUnanswered
        else { return nil }
        return presentation(of: call)
    }

    /// The calls that ring or wait, oldest first.
    package var ringingCalls: [CallID] {
        incoming.inOrder.map { calls[$0].id }
    }

    /// The name of the live group.
    @inline(__always)
    public var liveGroup: CallID? {
        live.flatMap { name(of: $0) }
    }

    /// The name of the group that has microphone and speaker.
    public var audioGroup: CallID? {
        audio.flatMap { name(of: $0.group) }
    }

    /// The facts about the host as a whole.
    @inline(__always)
    public var hostFacts: HostFacts {
        HostFacts(
            liveGroup: liveGroup, heldGroups: groups.held.count, ringing: incoming.count,
            isBusy: isBusy,
            hasEmergency: !emergencies.isEmpty)
    }

    /// The current grant, with the present members of the group.
    package var audioGrant: AudioGrant? {
        guard let audio else { return nil }
        return AudioGrant(
            provider: providers[groups[audio.group].provider].id, group: audio.name,
            calls: members(of: audio.group).map { calls[$0].id })
    }

    /// Returns a provider's description of itself; nil if there is no such provider.
    public func configuration(of provider: ProviderID) -> ProviderConfiguration? {
        guard let provider = providers.slot(of: provider) else { return nil }
        return providers[provider].configuration
    }

    /// Returns the number of actions that wait for their turn at the provider of a call.
    public func waitingActions(beside call: CallID) -> Int {
        guard let call = calls.slot(of: call) else { return 0 }
        return providers[calls[call].provider].queue.count
    }

    /// Returns whether a provider is registered and connected.
    public func isConnected(_ provider: ProviderID) -> Bool {
        guard let provider = providers.slot(of: provider) else { return false }
        return providers[provider].isConnected
    }

    /// The ids of all providers that are connected, lost or being started, in order.
    package var providerIDs: [ProviderID] {
        providers.ids
    }

    /// Returns whether a provider is being started and was not registered before.
    public func isStarting(_ provider: ProviderID) -> Bool {
        guard let provider = providers.slot(of: provider) else { return false }
        return providers[provider].link == .starting
    }

    /// Returns whether a provider has calls, including those that are being screened.
    public func hasCalls(_ provider: ProviderID) -> Bool {
        guard let provider = providers.slot(of: provider) else { return false }
        return providers[provider].calls.count > 0
    }

    /// Returns the calls of a provider but those that are being screened, oldest first.
    public func calls(of provider: ProviderID) -> [CallID] {
        guard let provider = providers.slot(of: provider) else { return [] }
        return providers.calls(of: provider)
            .filter { !calls[$0].isScreened }.map { calls[$0].id }
    }

    /// Returns the number of a provider's calls on this host, but those that are being screened.
    package func countOfCalls(at provider: ProviderID) -> Int {
        guard let provider = providers.slot(of: provider) else { return 0 }
        return providers[provider].ownCalls - providers[provider].screened
    }

    /// Returns the refusal for a call that cannot be found (rule 31).
    public func whyNotFound(_ call: CallID) -> Refusal {
        notFound(call)
    }

    private func view(of call: Slot<CallRecord>) -> CallView {
        var view = summary(of: call)
        view.canHoldNow = canHoldNow(call)
        view.mergeWith = mergePartners(of: call)
        view.allowed = allowedVerbs(for: call, canMerge: !view.mergeWith.isEmpty)
        return view
    }

    /// Returns the view without the members that have to be computed.
    func summary(of call: Slot<CallRecord>) -> CallView {
        let record = calls[call]
        let group = groups[record.group]
        return CallView(
            call: record.id, provider: providers[record.provider].id, direction: record.direction,
            state: record.state, pending: record.pending,
            group: group.members.first.map { calls[$0].id } ?? record.id, canHoldNow: false,
            heldBecauseOf: group.heldBecauseOf, isResumeOffered: group.isResumeOffered,
            isMuted: group.isMuted,
            isSilenced: record.isSilenced,
            isProviderConnected: providers[record.provider].isConnected,
            properties: record.properties, caller: record.caller, createdAt: record.createdAt,
            alertingAt: record.alertingAt, connectingAt: record.connectingAt,
            connectedAt: record.connectedAt, allowed: [],
            revision: record.revision)
    }
}
