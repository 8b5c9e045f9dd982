internal import CallArbitration
internal import CallModel

/// What can be said of the calls as they are (sections 1 and 2).
extension NaiveArbiter {
    func call(_ id: CallID) -> Call? {
        calls.first { $0.id == id }
    }

    func provider(_ id: ProviderID) -> Provider? {
        providers.first { $0.id == id }
    }

    func group(_ number: Int) -> Group? {
        groups.first { $0.number == number }
    }

    func plan(_ number: Int) -> Plan? {
        plans.first { $0.number == number }
    }

    func action(_ number: Int) -> Action? {
        actions.first { $0.number == number }
    }

    func isConnected(_ id: ProviderID) -> Bool {
        provider(id)?.isConnected == true
    }

    func members(of group: Int) -> [Call] {
        calls.filter { $0.group == group && $0.screening == nil }
    }

    /// A group is named by its oldest member.
    func name(of group: Int) -> CallID? {
        members(of: group).first?.id
    }

    func provider(ofGroup group: Int) -> ProviderID? {
        members(of: group).first?.provider
    }

    // Changing one of them in its place.

    mutating func change(_ id: CallID, _ body: (inout Call) -> Void) {
        guard let index = calls.firstIndex(where: { $0.id == id }) else { return }
        body(&calls[index])
    }

    mutating func change(provider id: ProviderID, _ body: (inout Provider) -> Void) {
        guard let index = providers.firstIndex(where: { $0.id == id }) else { return }
        body(&providers[index])
    }

    mutating func change(group number: Int, _ body: (inout Group) -> Void) {
        guard let index = groups.firstIndex(where: { $0.number == number }) else { return }
        body(&groups[index])
    }

    mutating func change(plan number: Int, _ body: (inout Plan) -> Void) {
        guard let index = plans.firstIndex(where: { $0.number == number }) else { return }
        body(&plans[index])
    }

    mutating func change(action number: Int, _ body: (inout Action) -> Void) {
        guard let index = actions.firstIndex(where: { $0.number == number }) else { return }
        body(&actions[index])
    }

    // What is being done to a call.

    func actions(on call: CallID) -> [Action] {
        actions.filter { $0.call == call && !$0.isForEndedCall }
    }

    /// The one thing, other than an end, that its provider is doing to it.
    func current(_ call: CallID) -> Action? {
        actions(on: call).first { $0.isSent && $0.kind != .end }
    }

    /// What waits for its turn at the provider, the oldest first.
    func waiting(on call: CallID) -> [Action] {
        actions(on: call).filter(\.isWaiting).sorted { ($0.turn ?? 0) < ($1.turn ?? 0) }
    }

    func isChanging(_ call: Call) -> Bool {
        call.state == .ending
            || actions(on: call.id).contains { $0.isUnderWay && $0.kind.changesState }
    }

    // The live group.

    func isLive(_ call: Call) -> Bool {
        switch call.state {
        case .dialing, .alerting, .connecting, .active: true
        case .ending: call.ending?.wasLive ?? false
        case .starting, .ringing, .waiting, .held, .external: isBroughtToLife(call)
        case .ended: false
        }
    }

    /// Its start, answer or resume was sent and is not settled, or waits for nothing but its provider
    /// or an earlier action on the same call.
    private func isBroughtToLife(_ call: Call) -> Bool {
        actions(on: call.id).contains { $0.isUnderWay && $0.kind.bringsToLife }
    }

    func isBroughtToLife(group: Int) -> Bool {
        members(of: group).contains { isBroughtToLife($0) }
    }

    func isLive(group: Int) -> Bool {
        members(of: group).contains { isLive($0) }
    }

    var liveGroup: Int? {
        calls.first { $0.screening == nil && isLive($0) }?.group
    }

    func speaks(_ call: Call) -> Bool {
        [.active, .dialing, .alerting, .connecting].contains(call.state)
    }

    /// Nobody of it speaks any more, and the last ends are on their way (rule 10a).
    func isEnding(group: Int) -> Bool {
        let all = members(of: group)
        return all.contains { $0.state == .ending }
            && all.allSatisfy { $0.state == .ending || $0.state == .held && !isChanging($0) }
    }

    /// One of its calls is being answered or resumed.
    func isBeingTaken(_ group: Int) -> Bool {
        isBroughtToLife(group: group)
            && !members(of: group).contains { $0.state == .starting }
    }

    // The held groups.

    func isHeld(group: Int) -> Bool {
        !isLive(group: group) && members(of: group).contains { $0.state == .held }
    }

    /// The most recently held last.
    var heldGroups: [Group] {
        groups.filter(\.isHeld).sorted { $0.heldOrder < $1.heldOrder }
    }

    /// `can_hold_now`: mute and tones do not count.
    func canHoldNow(_ call: Call) -> Bool {
        call.properties.supportsHolding && call.state == .active && isConnected(call.provider)
            && !isChanging(call)
    }

    /// A group can be held now if every active member can.
    func canHoldNow(group: Int) -> Bool {
        members(of: group).allSatisfy { $0.state == .held && !isChanging($0) || canHoldNow($0) }
    }

    // Incoming calls.

    /// The oldest first; who is being answered does not ring any more.
    var ringingCalls: [Call] {
        calls.filter { $0.screening == nil && $0.isUnanswered && !$0.isTaken }
            .sorted { $0.ringOrder < $1.ringOrder }
    }

    var emergencies: [Call] {
        calls.filter(\.isEmergency)
    }

    var emergencyRefused: Refused {
        Refused(.emergency, .emergency, emergencies.map(\.id))
    }

    /// Rule 15: by the calls of the plan that has the reservation, or by those that are answered or
    /// resumed.
    var busyRefused: Refused {
        if let waiting = reservation.flatMap({ plan($0) }) { return busyRefused(with: waiting) }
        return Refused(.busy, .busy, liveGroup.map { members(of: $0).map(\.id) } ?? [])
    }

    func busyRefused(with plan: Plan) -> Refused {
        var calls: [CallID] = []
        for action in allActions(of: plan) where !calls.contains(action.call) {
            calls.append(action.call)
        }
        return Refused(.busy, .busy, calls.filter { call($0) != nil })
    }

    /// Protocol, S7.
    func hasEnded(_ call: CallID) -> Bool {
        endedCalls.contains {
            $0.call == call && now < $0.at.advanced(byMS: policy.endedCallsMS)
        }
    }

    /// An app may not have a new call with the id of one that it is still asked to end.
    func isUsed(_ call: CallID, at provider: ProviderID) -> Bool {
        self.call(call) != nil || hasEnded(call) || isBeingEnded(call, at: provider)
    }

    func isBeingEnded(_ call: CallID, at provider: ProviderID) -> Bool {
        actions.contains {
            $0.call == call && $0.provider == provider && $0.plan == nil && $0.kind == .end
                && !$0.isSettled
        }
    }

    var facts: HostFacts {
        HostFacts(
            liveGroup: liveGroup.flatMap { name(of: $0) }, heldGroups: heldGroups.count,
            ringing: ringingCalls.count,
            isBusy: reservation != nil || liveGroup.map { isBroughtToLife(group: $0) } ?? false,
            hasEmergency: !emergencies.isEmpty)
    }
}

extension CallAction {
    /// Rule 41: what is said of a call that it has sent elsewhere.
    var sendsElsewhere: EndDetail.Reason? {
        switch self {
        case .transfer, .attendedTransfer: .transferred
        case .deflect: .deflected
        case .start, .answer, .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint,
            .setVideo, .setText:
            nil
        }
    }

    var bringsToLife: Bool {
        switch self {
        case .start, .answer, .setHeld(false): true
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            false
        }
    }

    var changesState: Bool {
        switch self {
        case .start, .answer, .end, .setHeld, .setGroup: true
        case .transfer, .attendedTransfer, .deflect: true
        case .setMuted, .playDTMF, .setEndpoint, .setVideo, .setText: false
        }
    }
}
