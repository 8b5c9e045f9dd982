internal import CallModel

/// Emergencies (rule 20). An outgoing call is one from the moment it is marked, an incoming call
/// from its answer; each until it ends.
extension Arbiter {
    /// Begins an emergency: calls that ring end as missed, and the group of the call is unmuted.
    mutating func beginEmergency(_ call: Slot<CallRecord>) {
        guard !emergencies.contains(call) else { return }
        emergencies.append(call)
        let id = calls[call].id
        let cause = Cause(.policy, rule: .emergency, becauseOf: id)
        note(.emergency, .forced, id, cause)
        for other in missed(for: call) {
            guard let other = calls.slot(of: other) else { continue }
            calls[other].missed.insert(.emergency)
            dismiss(other, .unanswered, cause)
        }
        guard let call = calls.slot(of: id) else { return }
        forceSound(of: calls[call].group, cause)
    }

    /// Returns the ringing calls that an emergency ends.
    private func missed(for call: Slot<CallRecord>?) -> [CallID] {
        incoming.inOrder.filter { $0 != call && !isMarked($0) }
            .map { calls[$0].id }
    }

    /// Unmutes a group, and overrides a mute under way.
    private mutating func forceSound(of group: Slot<GroupRecord>, _ cause: Cause) {
        let wantsMute = muteUnderWay(of: group)?.isMuted ?? groups[group].isMuted
        guard wantsMute else { return }
        var draft = PlanDraft()
        draft.notes = [.init(rule: .emergency, verdict: .forced)]
        draft.steps = [
            PlanDraft.Step(.requested, membersToMute(group).map { implied(.setMuted(false), $0) })
        ]
        run(draft, cause)
    }

    /// Unmutes the group of an emergency, which an app may not mute by itself either.
    mutating func enforceSound(of group: Slot<GroupRecord>) {
        guard groups[group].isMuted,
            let call = emergencies.calls.first(where: { calls[$0].group == group })
        else { return }
        forceSound(of: group, Cause(.policy, rule: .emergency, becauseOf: calls[call].id))
    }

    /// Clears the way for a call that has become an emergency and needs the audio: another live
    /// group makes way at once, and no plan but its own continues to wait for room.
    mutating func clearWay(for call: Slot<CallRecord>) {
        let id = calls[call].id
        let cause = Cause(.policy, rule: .emergency, becauseOf: id)
        if let other = reservation.flatMap({ plans[$0].target }).flatMap({ calls.slot(of: $0) }),
            emergencies.contains(other)
        {
            return
        }
        if let weaker = reservation {
            note(.busy, .cancelled, plans[weaker].target, cause)
            abort(weaker, Refusal(.cancelled, rule: .emergency))
        }
        guard let call = calls.slot(of: id), reservation == nil, let live,
            live != calls[call].group,
            !hasEmergency(live)
        else { return }
        makeWay(for: call, nil)
    }
}

/// Incoming emergencies, which ring before all others, and aloud. Before an emergency is answered,
/// it ends no call and is in the way of none (rule 20).
extension Arbiter {
    /// Returns whether a call is marked as an emergency, as the policy allows.
    @inline(__always)
    func isMarked(_ call: Slot<CallRecord>) -> Bool {
        calls[call].properties.priority == .emergency
    }

    func isMarked(_ update: CallUpdate) -> Bool {
        update.priority == .set(.emergency) && policy.allowsEmergency
    }

    /// The loudness of a call: the loudest one rings.
    enum Loudness: Comparable {
        case silent
        /// A background call, which rings only if no other does (rule 44).
        case background
        case audible
        case urgent
    }

    @inline(__always)
    func loudness(of call: Slot<CallRecord>) -> Loudness {
        if calls[call].isSilenced { return .silent }
        if isBackground(call) { return .background }
        return isMarked(call) ? .urgent : .audible
    }

    /// Lets a call that rings or waits, and has become an emergency, ring before all others.
    mutating func ringFirst(_ call: Slot<CallRecord>) {
        let cause = Cause(.policy, rule: .emergency, becauseOf: calls[call].id)
        if calls[call].isSilenced {
            calls[call].isSilenced = false
            publish(call, [.silenced], cause)
        }
        guard let first = incoming.ringing, loudness(of: first) < loudness(of: call) else { return }
        setState(.waiting, of: first, cause)
        incoming.ringing = nil
    }

    /// Begins an emergency if a call is marked: its app has taken it, or it is being answered, and
    /// no other call may be live.
    mutating func beginIfMarked(_ call: Slot<CallRecord>) {
        if isMarked(call) { beginEmergency(call) }
    }

    /// Withdraws emergencies whose answer was cancelled: they only ring, as before. The group that
    /// was held for them is resumed.
    mutating func withdrawEmergencies() {
        // The consequences may end another emergency.
        for call in emergencies.calls
        where emergencies.contains(call) && calls[call].state.isUnanswered && !isBeingTakenUp(call)
        {
            emergencies.remove(call)
            resumeGroupHeld(for: call, Cause(.arbitration, rule: .emergency))
            settleFollowUps()
        }
    }

    /// Returns whether a call is being answered, or its app has reported it active.
    func isBeingTakenUp(_ call: Slot<CallRecord>) -> Bool {
        if let pending = calls[call].pending,
            ![.switchingEndpoint, .changingVideo, .changingText].contains(pending)
        {
            return true
        }
        return waitsForRoom(call)
            || underWay(on: call).contains {
                ![.setEndpoint, .setVideo, .setText].contains(actions[$0].action.kind)
            }
            || actions.all.contains {
                isAbout(call, $0) && actions[$0].action == .answer
                    && [.queued, .dispatched].contains(actions[$0].state)
            }
    }
}

/// The way of an emergency, which waits for no call (rule 20): the calls in its way are sent a hold
/// or an end, and count as held, or as ending, from that moment. This is the one case in which the
/// audio is granted before the other app has confirmed that it is silent.
extension Arbiter {
    /// The group that is held for an emergency, and those that end for it.
    private struct DisplacedGroups {
        var held: Slot<GroupRecord>?
        var ended: [Slot<GroupRecord>] = []
    }

    /// - Parameters:
    ///   - provider: The provider that places or answers the call.
    ///   - call: The call that is answered; nil for a start, whose call does not exist yet.
    ///   - choice: The user's choice about the other calls.
    func emergencyDraft(
        at provider: Slot<ProviderRecord>, for call: Slot<CallRecord>?, _ choice: AnswerChoice?
    ) -> PlanDraft {
        let displaced = displacedGroups(at: provider, for: call, choice)
        var draft = PlanDraft()
        draft.takesReservation = reservation != nil
        draft.notes = [.init(rule: .emergency, verdict: .passed)]
        draft.missed = missed(for: call)
        draft.putAside = displaced.held.map { holdActions(of: $0) }?.map(\.call) ?? []
        draft.ended = displaced.ended.flatMap { endActions(of: $0) }.map(\.call)
        return draft
    }

    /// Returns whether one of a group's calls is an emergency.
    func hasEmergency(_ group: Slot<GroupRecord>) -> Bool {
        members(of: group).contains { emergencies.contains($0) }
    }

    /// Returns the groups that make way for an emergency: the live group is held, if it can be and
    /// there is room for it; beyond a limit of its app, or of the host, held groups end, the one
    /// held last first.
    private func displacedGroups(
        at provider: Slot<ProviderRecord>, for call: Slot<CallRecord>?, _ choice: AnswerChoice?
    ) -> DisplacedGroups {
        let own = call.map { calls[$0].group }
        var room = EmergencyRoom(
            groupsMost: providers[provider].configuration.maxCallGroups, limits: policy.limits)
        for group in groups.all where group != own { room.add(share(of: group, at: provider)) }
        var displaced = DisplacedGroups()
        if choice == .endHeldAndAnswer, let last = groups.held.last, !hasEmergency(last) {
            displaced.ended = [last]
            room.remove(share(of: last, at: provider))
        }
        if let live, live != own {
            let share = share(of: live, at: provider)
            if choice != .endAndAnswer, room.canHold(share), canYield(live) {
                displaced.held = live
            } else {
                displaced.ended.append(live)
                room.remove(share)
            }
        }
        for group in groups.heldInOrder.reversed()
        where group != own && !displaced.ended.contains(group) {
            let share = share(of: group, at: provider)
            guard room.needs(share), !hasEmergency(group) else { continue }
            room.remove(share)
            displaced.ended.append(group)
        }
        return displaced
    }

    /// Returns the share of a group in the limits; calls that ring, or are ending, take nothing.
    private func share(
        of group: Slot<GroupRecord>, at provider: Slot<ProviderRecord>
    ) -> EmergencyRoom.Share {
        let standing = members(of: group).count {
            calls[$0].state != .ending && !calls[$0].isInIncoming && !calls[$0].isScreened
        }
        return EmergencyRoom.Share(
            calls: standing, isHeld: groups[group].isInHeldChain,
            isOwn: groups[group].provider == provider)
    }

    /// Returns whether a group can be held once its holds and resumes under way are cancelled.
    private func canYield(_ group: Slot<GroupRecord>) -> Bool {
        members(of: group).allSatisfy { call in
            let record = calls[call]
            let isHeldOnly = underWay(on: call).allSatisfy {
                actions[$0].action.kind == .setHeld || !changesState(actions[$0].action)
            }
            return switch record.state {
            case .ending: true
            case .held: isHeldOnly
            case .active:
                isHeldOnly && record.properties.supportsHolding
                    && providers[record.provider].isConnected
            case .starting, .ringing, .waiting, .dialing, .alerting, .connecting, .ended, .external:
                false
            }
        }
    }

    /// Returns whether a request starts or answers an emergency.
    func beginsEmergency(_ wanted: RequestedAction) -> Bool {
        switch wanted.action {
        case .start(let arguments): arguments.isEmergency && policy.allowsEmergency
        case .answer:
            calls.slot(of: wanted.call).map { isMarked($0) && calls[$0].state.isUnanswered }
                ?? false
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            false
        }
    }

    /// Returns whether an action in front of an emergency of the same transaction is carried out:
    /// no call becomes live that would have to make way at once.
    func mayGoAhead(_ action: CallAction) -> Bool {
        switch action {
        case .end, .setHeld(true), .setMuted, .playDTMF, .setEndpoint, .setVideo, .setText: true
        case .start, .answer, .setHeld(false), .setGroup, .transfer, .attendedTransfer, .deflect:
            false
        }
    }

    /// Sends the actions that were requested in front of an emergency. The calls that they hold
    /// count as held, and those that they end as ending.
    mutating func sendAhead(_ steps: [PlanDraft.Step], _ request: TransactionRequest) {
        let cause = Cause(request.requester.origin, rule: .emergency)
        for step in steps {
            let isHold = step.actions.first?.action == .setHeld(true)
            let group = step.actions.first.flatMap { calls.slot(of: $0.call) }.map {
                calls[$0].group
            }
            if isHold, let group { callOffMutes(of: group) }
            var draft = PlanDraft()
            draft.notes = [.init(rule: .emergency, verdict: .passed)]
            draft.steps = [PlanDraft.Step(isHold ? .yield : .requested, step.actions)]
            run(
                draft,
                for: PlanOrder(
                    requester: request.requester, cause: cause,
                    deadlineMS: request.options.deadlineMS))
            guard isHold, let group else { continue }
            for call in step.actions.compactMap({ calls.slot(of: $0.call) })
            where calls[call].state == .active { heldNow(call, cause) }
            free(group, cause)
        }
    }

    mutating func makeWay(for call: Slot<CallRecord>, _ choice: AnswerChoice?) {
        let id = calls[call].id
        let cause = Cause(.arbitration, rule: .emergency, becauseOf: id)
        let displaced = displacedGroups(at: calls[call].provider, for: call, choice)
        if let group = displaced.held { putAside(group, for: id, cause) }
        for group in displaced.ended where groups.contains(group) { end(group, cause) }
        // The cancellation of a hold may have resumed another group.
        if let live, live != calls.slot(of: id).map({ calls[$0].group }) { end(live, cause) }
    }

    private mutating func putAside(
        _ group: Slot<GroupRecord>, for emergency: CallID, _ cause: Cause
    ) {
        callOffHolds(of: group)
        callOffMutes(of: group)
        let speaking = members(of: group).filter { calls[$0].state == .active }
        yield(holdActions(of: group), group, .holdsFirst, cause)
        for call in speaking where calls[call].state == .active { heldNow(call, cause) }
        free(group, cause)
        guard groups.contains(group), groups[group].isInHeldChain else { return }
        remember(group, heldFor: emergency, cause)
    }

    private mutating func end(_ group: Slot<GroupRecord>, _ cause: Cause) {
        yield(endActions(of: group), group, .endsFirst, cause)
        free(group, cause)
    }

    private mutating func yield(
        _ actions: [PlanDraft.Action], _ group: Slot<GroupRecord>, _ verdict: Verdict,
        _ cause: Cause
    ) {
        guard !actions.isEmpty else { return }
        var draft = PlanDraft()
        draft.notes = [.init(rule: .emergency, verdict: verdict, blocking: blockers(group))]
        draft.steps = [PlanDraft.Step(.yield, actions)]
        run(draft, cause)
    }

    /// Frees the place of the live group. Its last members may be ending; nothing waits for that.
    private mutating func free(_ group: Slot<GroupRecord>, _ cause: Cause) {
        guard live == group else { return }
        live = nil
        updateLiveness(of: group, cause)
    }

    /// Cancels holds and resumes of a group, which would come too late.
    private mutating func callOffHolds(of group: Slot<GroupRecord>) {
        while let plan = holdUnderWay(of: group) {
            abort(plan, Refusal(.cancelled, rule: .emergency))
        }
    }

    /// Cancels the mutes of a group: a call has one action under way at a time, and a hold cannot
    /// wait.
    private mutating func callOffMutes(of group: Slot<GroupRecord>) {
        while let mute = muteOnItsWay(in: group) { cancel(mute, isToldProvider: true) }
    }

    private func muteOnItsWay(in group: Slot<GroupRecord>) -> Slot<ActionRecord>? {
        members(of: group).lazy.flatMap { underWay(on: $0) }
            .first { actions[$0].action.kind == .setMuted }
    }

    private func holdUnderWay(of group: Slot<GroupRecord>) -> Slot<PlanRecord>? {
        members(of: group).lazy.flatMap { underWay(on: $0) }
            .first { actions[$0].action.kind == .setHeld }.flatMap { actions[$0].plan }
    }
}

/// The calls and groups beside an emergency, against the limits of its app and of the host (rule
/// 20).
private struct EmergencyRoom {
    struct Share {
        let calls: Int
        let isHeld: Bool
        /// True for a group of the app that places the emergency.
        let isOwn: Bool
    }

    let groupsMost: Int
    let limits: ArbitrationPolicy.Limits
    private var ownGroups = 1
    private var ownCalls = 1
    private var allCalls = 1
    private var heldGroups = 0

    init(groupsMost: Int, limits: ArbitrationPolicy.Limits) {
        (self.groupsMost, self.limits) = (groupsMost, limits)
    }

    mutating func add(_ share: Share) {
        count(share, 1)
    }

    mutating func remove(_ share: Share) {
        count(share, -1)
    }

    private mutating func count(_ share: Share, _ times: Int) {
        guard share.calls > 0 else { return }
        allCalls += times * share.calls
        if share.isHeld { heldGroups += times }
        guard share.isOwn else { return }
        ownGroups += times
        ownCalls += times * share.calls
    }

    private var exceedsItsApp: Bool {
        ownGroups > groupsMost || ownCalls > limits.callsPerProvider
    }

    /// Returns whether the live group may be held beside the emergency.
    func canHold(_ share: Share) -> Bool {
        heldGroups < limits.heldGroups && !(share.isOwn && ownGroups > groupsMost)
    }

    /// Returns whether a limit is kept only if a group ends.
    func needs(_ share: Share) -> Bool {
        allCalls > limits.calls || share.isOwn && exceedsItsApp
    }
}
