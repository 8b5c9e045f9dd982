public import CallModel

/// A call as those who watch it see it.
public struct CallView: Hashable, Sendable {
    public var call: CallID
    public var provider: ProviderID
    public var direction: Direction
    public var state: CallState
    /// The action under way on the call, beside its state.
    public var pending: PendingAction?
    /// The oldest member of its group; a lone call is its own.
    public var group: CallID
    public var canHoldNow: Bool
    /// The call that its group was held for: until it speaks again, also when that call is over.
    public var heldBecauseOf: CallID?
    /// True if nothing is in its way any more: it waits for somebody to resume it.
    public var isResumeOffered: Bool
    public var isMuted: Bool
    public var isSilenced: Bool
    public var isProviderConnected: Bool
    public var properties: CallProperties
    /// The other side, as far as the host has found out.
    public var caller: Caller?
    public var createdAt: Instant
    public var connectingAt: Instant?
    public var connectedAt: Instant?
    /// The verbs that a screen could ask for right now, and would not be refused.
    public var allowed: [Verb]
    /// With which groups it could be merged, by their names.
    public var mergeWith: [CallID]
    /// Counts the changes of this call.
    public var revision: UInt64

    public init(
        call: CallID, provider: ProviderID, direction: Direction, state: CallState,
        pending: PendingAction?, group: CallID, canHoldNow: Bool, heldBecauseOf: CallID?,
        isResumeOffered: Bool = false, isMuted: Bool, isSilenced: Bool, isProviderConnected: Bool,
        properties: CallProperties,
        caller: Caller? = nil, createdAt: Instant, connectingAt: Instant?, connectedAt: Instant?,
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

/// Microphone and speaker, in the hands of a group of calls.
package struct AudioGrant: Hashable, Sendable {
    package var provider: ProviderID
    /// The name under which it was activated, and will be deactivated.
    package var group: CallID
    package var calls: [CallID]
}

/// Queries, which can be made at any time and change nothing.
extension Arbiter {
    /// Returns nil where `view(of:)` does; costs a tenth of it, for nothing has to be worked out.
    package func outline(of id: CallID) -> CallOutline? {
        guard let call = calls.slot(of: id), !calls[call].isScreened else { return nil }
        return CallOutline(
            provider: providers[calls[call].provider].id, direction: calls[call].direction,
            state: calls[call].state)
    }

    /// Returns nil for a call that is unknown, over, or still examined by a filter.
    public func view(of id: CallID) -> CallView? {
        guard let call = calls.slot(of: id), !calls[call].isScreened else { return nil }
        return view(of: call)
    }

    /// Returns the view without what has to be worked out: the allowed verbs, the groups that the
    /// call could be merged with, and whether it can be held now.
    package func summary(of id: CallID) -> CallView? {
        guard let call = calls.slot(of: id), !calls[call].isScreened else { return nil }
        return summary(of: call)
    }

    /// Whether nothing was heard of a start for too long (rules 10 and 20).
    package func isStartSilent(_ id: CallID) -> Bool {
        calls.slot(of: id).map { calls[$0].isStartSilent } ?? false
    }

    /// Whether the app of a call that starts was asked to start it.
    package func isStartSent(_ id: CallID) -> Bool {
        calls.slot(of: id).map { calls[$0].current != nil } ?? false
    }

    /// A call that a filter looks at; nil for any other.
    package func screenedView(of id: CallID) -> CallView? {
        guard let call = calls.slot(of: id), calls[call].isScreened else { return nil }
        return summary(of: call)
    }

    /// The latest moment that it has heard of.
    package var lastMoment: Instant {
        now
    }

    /// The ids of all calls that can be seen, in the order of their coming.
    public var visibleCalls: [CallID] {
        calls.inOrder.filter { !calls[$0].isScreened }.map { calls[$0].id }
    }

    /// The sound that the app of a call may make now; nil once the call does not ring or wait any
    /// more.
    package func presentation(of id: CallID) -> Presentation? {
        guard let call = calls.slot(of: id), !calls[call].isScreened, calls[call].state.isUnanswered
        else { return nil }
        return presentation(of: call)
    }

    /// The calls that ring or wait, in the order of their coming.
    package var ringingCalls: [CallID] {
        incoming.inOrder.map { calls[$0].id }
    }

    /// The group that speaks, or is about to, by its name.
    @inline(__always)
    public var liveGroup: CallID? {
        live.flatMap { name(of: $0) }
    }

    /// The group that microphone and speaker belong to, by its name.
    public var audioGroup: CallID? {
        audio.flatMap { name(of: $0.group) }
    }

    @inline(__always)
    public var hostFacts: HostFacts {
        HostFacts(
            liveGroup: liveGroup, heldGroups: groups.held.count, ringing: incoming.count,
            isBusy: isBusy,
            hasEmergency: !emergencies.isEmpty)
    }

    /// The grant that its provider was told of, with the calls that are in the group by now.
    package var audioGrant: AudioGrant? {
        guard let audio else { return nil }
        return AudioGrant(
            provider: providers[groups[audio.group].provider].id, group: audio.name,
            calls: members(of: audio.group).map { calls[$0].id })
    }

    /// Returns a provider's own description; nil if there is none of that name.
    public func configuration(of provider: ProviderID) -> ProviderConfiguration? {
        guard let provider = providers.slot(of: provider) else { return nil }
        return providers[provider].configuration
    }

    /// Returns the number of actions that wait for their turn at the provider of a call.
    public func waitingActions(beside call: CallID) -> Int {
        guard let call = calls.slot(of: call) else { return 0 }
        return providers[calls[call].provider].queue.count
    }

    public func isConnected(_ provider: ProviderID) -> Bool {
        guard let provider = providers.slot(of: provider) else { return false }
        return providers[provider].isConnected
    }

    /// All that are there, are away for a while, or are on their way; by name.
    package var providerIDs: [ProviderID] {
        providers.ids
    }

    /// Returns whether a provider is on its way, and was not there before.
    public func isStarting(_ provider: ProviderID) -> Bool {
        guard let provider = providers.slot(of: provider) else { return false }
        return providers[provider].link == .starting
    }

    /// Returns whether a provider has calls, be they visible or not.
    public func hasCalls(_ provider: ProviderID) -> Bool {
        guard let provider = providers.slot(of: provider) else { return false }
        return providers[provider].calls.count > 0
    }

    /// The calls of a provider that can be seen, in the order of their coming.
    public func calls(of provider: ProviderID) -> [CallID] {
        guard let provider = providers.slot(of: provider) else { return [] }
        return providers.calls(of: provider)
            .filter { !calls[$0].isScreened }.map { calls[$0].id }
    }

    /// Why a call cannot be found.
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

    /// A call as it is, without what has to be worked out.
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
            connectingAt: record.connectingAt, connectedAt: record.connectedAt, allowed: [],
            revision: record.revision)
    }
}
