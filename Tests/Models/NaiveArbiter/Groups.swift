internal import CallArbitration
internal import CallModel

/// Rules 19, 22 and 23: swapping, merging and splitting.
extension NaiveArbiter {
    /// Rule 19: hold, then resume, in one transaction.
    mutating func takeSwap(
        _ token: RequestToken, _ requester: Requester, _ named: CallID?, _ options: CallOptions
    ) {
        do throws(Refused) {
            try checkConflict(requester, options)
            let call = try swapTarget(named)
            ask(.setHeld(false), call, token, requester, options, by: .swap)
        } catch {
            refuse(token, error, isDryRun: options.isDryRun)
        }
    }

    /// The held call that is named; or the only one, if none is named or the live one.
    func swapTarget(_ id: CallID?) throws(Refused) -> CallID {
        let named = try id.map { id throws(Refused) in try known(id) }
        guard let live = liveGroup else { throw Refused(.invalidState, .swap) }
        if let named, named.group != live {
            guard named.state == .held else { throw Refused(.invalidState, .swap, [named.id]) }
            return named.id
        }
        guard let held = heldGroups.last, let name = name(of: held.number) else {
            throw Refused(.invalidState, .swap, members(of: live).map(\.id))
        }
        // Nobody can know which one is meant.
        if heldGroups.count > 1 {
            throw Refused(
                .invalidAction, .swap, heldGroups.prefix(8).compactMap { self.name(of: $0.number) })
        }
        return name
    }

    /// Rule 22.
    func merge(
        _ call: Call, with otherID: CallID, _ requester: Requester
    ) throws(Refused) -> Planned {
        let other = try known(otherID, to: requester)
        let (one, two) = (members(of: call.group), members(of: other.group))
        if call.group == other.group { return .nothing }
        if let plan = planMerging(call.group, other.group) { return .joining(plan) }
        try checkMerge(call, other, one + two)
        // If one side is a group already, the other joins it, whichever is named first.
        let (joining, staying) = two.count >= one.count ? (one, two) : (two, one)
        var planned = Planned()
        planned.rules = [.merge]
        planned.target = staying.first?.id
        try holdLive(besides: [call.group, other.group], .merge, in: &planned)
        let anchor = staying.first?.id
        planned.steps.append(
            PlannedStep(.asked, joining.map { asked(.setGroup(with: anchor), $0) }))
        speakAgain((one + two).filter { $0.state == .held }, in: &planned)
        return planned
    }

    private func speakAgain(_ held: [Call], in planned: inout Planned) {
        guard !held.isEmpty else { return }
        planned.steps.append(PlannedStep(.speakAgain, held.map { implied(.setHeld(false), $0) }))
    }

    /// Rule 30, whichever is named first.
    private func planMerging(_ one: Int, _ two: Int) -> Int? {
        regrouping { action in
            guard case .setGroup(.some(let other)) = action.kind else { return false }
            let groups = [call(action.call)?.group, call(other)?.group]
            return groups == [one, two] || groups == [two, one]
        }
    }

    private func regrouping(_ matches: (Action) -> Bool) -> Int? {
        guard let waiting = reservation.flatMap({ plan($0) }) else { return nil }
        return allActions(of: waiting).contains { call($0.call) != nil && matches($0) }
            ? waiting.number : nil
    }

    private func checkMerge(_ call: Call, _ other: Call, _ all: [Call]) throws(Refused) {
        guard call.provider == other.provider, let provider = provider(call.provider) else {
            throw Refused(.invalidAction, .merge, all.map(\.id))
        }
        if let one = all.first(where: { !$0.properties.supportsGrouping }) {
            throw Refused(.notSupported, .notSupported, [one.id])
        }
        if let one = all.first(where: { $0.state != .active && $0.state != .held }) {
            throw Refused(.invalidState, .merge, [one.id])
        }
        guard emergencies.isEmpty else { throw emergencyRefused }
        let most = provider.configuration.maxCallsPerGroup
        guard all.count <= most else {
            throw .limit(.maxCallsPerGroup, .providerLimits, most, all.map(\.id))
        }
        try checkNotBusy()
        if let one = all.first(where: { isChanging($0) }) {
            throw Refused(.invalidState, .merge, [one.id])
        }
    }

    private func checkNotBusy() throws(Refused) {
        if reservation != nil || liveGroup.map({ isBeingTaken($0) }) == true {
            throw busyRefused
        }
    }

    /// Rule 23: the rest of the group is held, then the call leaves.
    func split(_ call: Call) throws(Refused) -> Planned {
        let all = members(of: call.group)
        if all.count < 2 { return .nothing }
        let same = regrouping { $0.call == call.id && $0.kind == .setGroup(with: nil) }
        if let same { return .joining(same) }
        try checkSplit(call, all)
        var planned = Planned()
        planned.rules = [.split]
        planned.target = call.id
        try holdLive(besides: [call.group], .split, in: &planned)
        let rest = all.filter { $0.id != call.id && $0.state == .active }
        if let one = rest.first(where: { !canHoldNow($0) }) {
            throw Refused(.cannotHold, .split, [one.id])
        }
        if !rest.isEmpty {
            planned.steps.append(PlannedStep(.hold, rest.map { implied(.setHeld(true), $0) }))
        }
        planned.steps.append(PlannedStep(.asked, [asked(.setGroup(with: nil), call)]))
        speakAgain(call.state == .held ? [call] : [], in: &planned)
        return planned
    }

    private func checkSplit(_ call: Call, _ all: [Call]) throws(Refused) {
        guard call.properties.supportsUngrouping else {
            throw Refused(.notSupported, .notSupported, [call.id])
        }
        guard call.state == .active || call.state == .held else {
            throw Refused(.invalidState, .split, [call.id])
        }
        guard emergencies.isEmpty else { throw emergencyRefused }
        let most = provider(call.provider)?.configuration.maxCallGroups ?? 0
        if groupsSeen(of: call.provider).count + 1 > most {
            throw .limit(.maxCallGroups, .providerLimits, most, all.map(\.id))
        }
        // The rest is held, or stays so; another live group becomes held besides.
        try checkHeldLimit(after: heldGroups.count + (liveGroup == nil ? 0 : 1))
        try checkNotBusy()
        if let one = all.first(where: { isChanging($0) }) {
            throw Refused(.invalidState, .split, [one.id])
        }
    }

    /// Rule 14.
    private func holdLive(
        besides own: [Int], _ rule: Rule, in planned: inout Planned
    ) throws(Refused) {
        guard let live = liveGroup, !own.contains(live) else { return }
        guard canHoldNow(group: live) else {
            throw Refused(.cannotHold, rule, inTheWay(live))
        }
        planned.steps.append(PlannedStep(.hold, holds(of: live)))
    }

    // What it comes to.

    /// Calls of one group have joined another, or, with nil, left theirs.
    mutating func regroup(_ moved: [CallID], with other: CallID?, _ cause: Cause) {
        guard let former = moved.first.flatMap({ call($0) })?.group else { return }
        if let other {
            guard let group = call(other)?.group, group != former else { return }
            move(moved, from: former, to: group)
        } else if members(of: former).count > moved.count {
            let isMuted = group(former)?.isMuted ?? false
            let number = newGroup()
            change(group: number) { $0.isMuted = isMuted }
            move(moved, from: former, to: number)
        }
    }

    private mutating func move(_ moved: [CallID], from former: Int, to group: Int) {
        let isNew = members(of: group).isEmpty
        let (wasLive, hadAudio) = (liveGroup == former, audio == former)
        // Two groups would speak: who leaves counts as held (rule 22b).
        let (debt, wasHeld) = (self.group(former), self.group(former)?.isHeld == true)
        let second = wasLive ? secondSpeakers(moved, former) : []
        for call in second { becomeHeld(call) }
        if wasLive { callOffResumes(moved) }
        let isMuted = muteOfBoth(former, group, isNew: isNew)
        let unlike =
            (isMuted == self.group(former)?.isMuted ? [] : moved)
            + (isMuted == self.group(group)?.isMuted ? [] : members(of: group).map(\.id))
        for id in moved { change(id) { $0.group = group } }
        change(group: group) { $0.isMuted = isMuted }
        // Nobody is held for one of its own.
        if let reason = self.group(group)?.heldFor, moved.contains(reason) {
            forgetDebt(of: group)
        }
        if let debt, wasHeld, isNew || self.group(group)?.isHeld == true { inherit(debt, group) }
        // The grant goes along: there is no gap in the sound.
        if hadAudio, goesAlong(from: former, to: group) { audio = group }
        leaveBehind(former)
        settleGroups()
        if liveGroup == group { payDebt(of: group) }
        if hadAudio, liveGroup == group { giveAudio(to: group) }
        if isNew, wasLive, let first = moved.first { rememberRest(former, heldFor: first) }
        tellMute(isMuted, unlike, group)
        for call in second { sendBack(call) }
    }

    /// Whether the audio is with the calls that have left: all have, or those who spoke.
    private func goesAlong(from former: Int, to group: Int) -> Bool {
        let rest = members(of: former)
        if isBroughtToLife(group: former) || rest.contains(where: { speaks($0) }) { return false }
        return rest.isEmpty || members(of: group).contains { speaks($0) }
    }

    /// Who is merged or split while held goes on being owed what it was.
    private mutating func inherit(_ debt: Group, _ group: Int) {
        guard self.group(group)?.heldBecauseOf == nil, let call = debt.heldBecauseOf,
            self.call(call)?.group != group
        else { return }
        remember(group, heldFor: call)
        change(group: group) { $0.isOffered = debt.isOffered }
    }

    private func secondSpeakers(_ moved: [CallID], _ former: Int) -> [CallID] {
        let goesOn =
            members(of: former).contains { !moved.contains($0.id) && speaks($0) }
            || isBroughtToLife(group: former)
        return goesOn ? moved.filter { call($0)?.state == .active } : []
    }

    /// Who leaves a live group does not become live with it.
    private mutating func callOffResumes(_ moved: [CallID]) {
        for resume in moved.compactMap({ current($0) }) where resume.kind == .setHeld(false) {
            cancel(resume.number)
        }
    }

    /// What only ends there does not keep those from speaking who have left.
    private mutating func leaveBehind(_ former: Int) {
        guard !members(of: former).contains(where: { speaks($0) }),
            !isBroughtToLife(group: former)
        else { return }
        for call in members(of: former) { change(call.id) { $0.ending?.wasLive = false } }
    }

    /// After a split, the rest counts as held because of the call that left.
    private mutating func rememberRest(_ former: Int, heldFor call: CallID) {
        guard let rest = group(former), rest.isHeld, rest.heldBecauseOf == nil,
            heldFor(call).isEmpty
        else { return }
        remember(former, heldFor: call)
    }

    /// Rule 34, one truth per group: that of the side that speaks; nobody is unmuted by silence.
    private func muteOfBoth(_ former: Int, _ other: Int, isNew: Bool) -> Bool {
        let (one, two) = (group(former)?.isMuted == true, group(other)?.isMuted == true)
        if isNew || liveGroup == former { return one }
        return liveGroup == other ? two : one || two
    }

    /// Who is not as the group is, is told.
    private mutating func tellMute(_ isMuted: Bool, _ unlike: [CallID], _ group: Int) {
        guard !unlike.isEmpty else { return }
        var planned = Planned()
        planned.steps = [
            PlannedStep(
                .asked, unlike.compactMap { call($0) }.map { implied(.setMuted(isMuted), $0) })
        ]
        carryOut(planned, Cause(.arbitration, rule: .mute, becauseOf: name(of: group)))
    }
}
