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

    func provider(of call: Call) -> Provider? {
        provider(call.provider)
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

    func members(of group: Int) -> [Call] {
        calls.filter { $0.group == group && $0.screening == nil }
    }

    /// A group is named by its oldest member.
    func name(of group: Int) -> CallID? {
        members(of: group).first?.id
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

    // The live group.

    func isLive(_ call: Call) -> Bool {
        switch call.state {
        case .dialing, .connecting, .active: true
        case .ending: call.ending?.wasLive ?? false
        case .starting, .ringing, .waiting, .held: isBroughtToLife(call.id)
        case .ended: false
        }
    }

    /// Its start, answer or resume was sent and is not settled, or waits for nothing but its provider
    /// or an earlier action on the same call.
    private func isBroughtToLife(_ call: CallID) -> Bool {
        actions.contains { $0.call == call && $0.kind.bringsToLife }
    }

    func isLive(group: Int) -> Bool {
        members(of: group).contains { isLive($0) }
    }

    var liveGroup: Int? {
        calls.first { $0.screening == nil && isLive($0) }?.group
    }

    /// Nothing of it lives any more, but it has not ended yet.
    func isEnding(group: Int) -> Bool {
        members(of: group).allSatisfy { $0.state == .ending }
    }

    func hasEnding(group: Int) -> Bool {
        members(of: group).contains { $0.state == .ending }
    }

    /// It will not be live for long: it ends, or is held for an emergency call.
    func isGoing(group: Int) -> Bool {
        hasEnding(group: group) || isYielding(group, to: nil)
    }

    /// Rule 20: it is being held for an emergency call.
    func isYielding(_ group: Int, to id: CallID?) -> Bool {
        plans.contains { plan in
            guard plan.wish.isAutomatic, let cause = plan.running?.becauseOf,
                case .hold(group)? = plan.running?.work, call(cause)?.isEmergency == true
            else { return false }
            return id == nil || id == cause
        }
    }

    // The held groups.

    func isHeld(group: Int) -> Bool {
        !isLive(group: group) && members(of: group).contains { $0.state == .held }
    }

    var heldGroups: [Group] {
        groups.filter { isHeld(group: $0.number) }
    }

    var mostRecentlyHeld: Group? {
        heldGroups.max { $0.heldOrder < $1.heldOrder }
    }

    /// `can_hold_now`: mute and tones do not count.
    func canHoldNow(_ call: Call) -> Bool {
        call.properties.supportsHolding && call.state == .active
            && provider(of: call)?.isConnected == true
            && !actions.contains {
                $0.call == call.id && $0.kind.changesState
            }
    }

    /// It can be held, or is just being held.
    func yields(_ call: Call) -> Bool {
        canHoldNow(call)
            || provider(of: call)?.isConnected == true
                && actions.contains { $0.call == call.id && $0.kind == .setHeld(true) }
    }

    /// A group can be held now if every active member can.
    func canHoldNow(group: Int) -> Bool {
        let active = members(of: group).filter { isLive($0) && $0.state != .ending }
        return !active.isEmpty && active.allSatisfy { canHoldNow($0) }
    }

    // Incoming calls.

    var ringingCalls: [Call] {
        calls.filter { $0.screening == nil && [.ringing, .waiting].contains($0.state) }
            .sorted { $0.listOrder < $1.listOrder }
    }

    func isBeingAnswered(_ call: CallID) -> Bool {
        actions.contains { $0.call == call && $0.kind == .answer }
    }

    var emergencies: [Call] {
        calls.filter { $0.isEmergency && $0.screening == nil }
    }

    /// Protocol, S7.
    func hasEnded(_ call: CallID) -> Bool {
        endedCalls.contains {
            $0.call == call && now < $0.at.advanced(byMS: policy.endedCallsMS)
        }
    }
}

extension CallAction {
    var bringsToLife: Bool {
        switch self {
        case .start, .answer, .setHeld(false): true
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF: false
        }
    }

    var changesState: Bool {
        switch self {
        case .start, .answer, .end, .setHeld, .setGroup: true
        case .setMuted, .playDTMF: false
        }
    }
}
