internal import CallArbitration
internal import CallModel

/// Rules 14, 19, 22, 22b and 23: swapping, merging and splitting.
extension NaiveArbiter {
    mutating func takeSwap(_ wish: Wish, _ named: CallID?) {
        carryOut(wish) { model throws(Refused) in try model.swap(named, wish) }
    }

    mutating func takeMerge(_ wish: Wish, _ call: CallID, with other: CallID) {
        carryOut(wish) { model throws(Refused) in try model.merge(call, with: other, wish) }
    }

    mutating func takeSplit(_ wish: Wish, _ call: CallID) {
        carryOut(wish) { model throws(Refused) in try model.split(call, wish) }
    }

    private mutating func carryOut(
        _ wish: Wish, _ plan: (NaiveArbiter) throws(Refused) -> Planned
    ) {
        do throws(Refused) {
            if wish.options.onConflict == .end, !wish.isUser {
                throw Refused(.notYourCall, .rights)
            }
            switch try plan(self) {
            case .joins where wish.options.isDryRun: promise([], wish)
            case .joins(let number): join(number, wish)
            case .steps(let steps):
                if wish.options.isDryRun { promise(steps, wish) } else { carryOut(steps, wish) }
            }
        } catch {
            refuse(wish, error)
        }
    }

    /// Rule 19.
    private func swap(_ named: CallID?, _ wish: Wish) throws(Refused) -> Planned {
        let candidates = heldGroups
        let oldest = candidates.first.flatMap { members(of: $0.number).first?.id }
        guard let wanted = named ?? oldest else { throw Refused(.invalidState, .swap) }
        let call = try known(wanted, to: wish.requester)
        guard call.state == .held, let live = liveGroup else {
            throw Refused(.invalidState, .swap)
        }
        // Nobody can know which one is meant.
        if named == nil, candidates.count > 1 { throw Refused(.invalidAction, .swap) }
        guard live != call.group else {
            throw candidates.isEmpty ? Refused(.invalidState, .swap) : Refused(.busy, .busy)
        }
        return try planned(RequestedAction(call: call.id, action: .setHeld(false)), wish)
    }

    /// Rule 22.
    func merge(_ id: CallID, with otherID: CallID, _ wish: Wish) throws(Refused) -> Planned {
        let call = try known(id, to: wish.requester)
        let other = try known(otherID, to: wish.requester)
        guard call.group != other.group else { return .steps([]) }
        guard call.provider == other.provider, let provider = provider(of: call) else {
            throw Refused(.invalidAction, .merge)
        }
        let all = members(of: call.group) + members(of: other.group)
        guard all.allSatisfy({ $0.properties.supportsGrouping }) else {
            throw Refused(.notSupported, .notSupported)
        }
        if let plan = planMerging(call, other) { return .joins(plan: plan) }
        try checkSettled(all, .merge)
        guard all.count <= provider.configuration.maxCallsPerGroup else {
            throw Refused(.maxCallsPerGroup, .providerLimits)
        }
        let target = members(of: other.group).count == 1 && members(of: call.group).count > 1
        let (from, to) = target ? (other, call) : (call, other)
        let live = liveGroup
        let own = live == call.group || live == other.group ? live : call.group
        let way = try wayFor(
            Newcomer(
                call: to.id, provider: provider, group: own, kind: .merge, isEmergency: false),
            .plain, wish)
        let joins = members(of: from.group).map { Step(.join($0.id, with: to.id)) }
        return .steps(way + joins + [Step(.resume(group: to.group), mayFail: true)])
    }

    /// Rule 30, whichever is named first.
    private func planMerging(_ one: Call, _ other: Call) -> Int? {
        plans.first { plan in
            (plan.steps + [plan.running].compactMap { $0 }).contains {
                switch $0.work {
                case .join(one.id, other.id), .join(other.id, one.id): true
                default: false
                }
            }
        }?.number
    }

    /// Active or held, nobody is busy, and nothing is being done to them.
    private func checkSettled(_ all: [Call], _ rule: Rule) throws(Refused) {
        guard all.allSatisfy({ [.active, .held].contains($0.state) }) else {
            throw Refused(.invalidState, rule)
        }
        if rule == .merge, !emergencies.isEmpty { throw Refused(.emergency, .emergency) }
        guard !plans.contains(where: { isReserving($0) }) else { throw Refused(.busy, .busy) }
        let isChanging = all.contains { call in
            actions.contains { $0.call == call.id && $0.kind.changesState }
        }
        if isChanging { throw Refused(.invalidState, rule) }
    }

    /// Rule 23.
    func split(_ id: CallID, _ wish: Wish) throws(Refused) -> Planned {
        let call = try known(id, to: wish.requester)
        let all = members(of: call.group)
        guard all.count > 1 else { return .steps([]) }
        guard call.properties.supportsUngrouping else {
            throw Refused(.notSupported, .notSupported)
        }
        try checkSettled(all, .split)
        guard let provider = provider(of: call) else { throw Refused(.providerGone) }
        let newcomer = Newcomer(
            call: id, provider: provider, group: call.group, kind: .split, isEmergency: false,
            moreHeld: 1)
        let way = try wayFor(newcomer, .plain, wish)
        return .steps(way + [Step(.leave(id))])
    }

    // What it comes to.

    mutating func join(_ id: CallID, with other: CallID) {
        guard let call = call(id), let target = self.call(other)?.group, call.group != target
        else { return }
        let isMuted = muteOfBoth(call.group, target)
        let unlike = members(of: target).filter { _ in group(target)?.isMuted != isMuted }
        let isUnlike = group(call.group)?.isMuted != isMuted
        change(id) { $0.group = target }
        change(group: target) { $0.isMuted = isMuted }
        for other in unlike + (isUnlike ? [call] : []) { forceMute(isMuted, on: other.id) }
        if members(of: call.group).isEmpty { groups.removeAll { $0.number == call.group } }
        if audio == call.group { audio = target }
        // Nobody is held because of his own group.
        let names = members(of: target).map(\.id)
        change(group: target) { group in
            if let other = group.heldBecauseOf, names.contains(other) { group.heldBecauseOf = nil }
        }
    }

    /// Rule 34, one truth per group: that of the side that speaks; nobody is unmuted by silence.
    private func muteOfBoth(_ one: Int, _ other: Int) -> Bool {
        for number in [one, other] where isLive(group: number) {
            return group(number)?.isMuted ?? false
        }
        return [one, other].contains { group($0)?.isMuted == true }
    }

    private mutating func forceMute(_ isMuted: Bool, on id: CallID) {
        carryOut([Step(.muteOne(id, isMuted))], .automatic)
    }

    mutating func leave(_ id: CallID) {
        guard let call = call(id), members(of: call.group).count > 1 else { return }
        let isMuted = group(call.group)?.isMuted ?? false
        let number = newGroup()
        change(id) { $0.group = number }
        change(group: number) { $0.isMuted = isMuted }
    }

    /// Rule 22b: recorded as reported, nothing is echoed; over the limits it is flagged.
    mutating func takeGroupReport(_ call: Call, with otherID: CallID?) throws(Refused) {
        guard isGroupable(call) else { throw Refused(.invalidState) }
        // Rule 30a.
        let pending = actions.first { $0.call == call.id && $0.kind == .setGroup(with: otherID) }
        if let pending, pending.isSent { return settle(pending, .fulfilled) }
        guard let otherID else { return leave(call.id) }
        guard let other = self.call(otherID), other.screening == nil else {
            throw Refused(hasEnded(otherID) ? .callEnded : .unknownCall, .unknownCall)
        }
        guard other.provider == call.provider else { throw Refused(.notYourCall, .rights) }
        guard isGroupable(other) else { throw Refused(.invalidState) }
        join(call.id, with: otherID)
    }

    private func isGroupable(_ call: Call) -> Bool {
        [.active, .held].contains(call.state)
    }
}
