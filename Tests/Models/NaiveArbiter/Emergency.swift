internal import CallArbitration
internal import CallModel

/// Rule 20.
extension NaiveArbiter {
    /// Ringing calls end as missed, and its own group is heard.
    mutating func beginEmergency(_ id: CallID) {
        guard call(id)?.hasBegunAsEmergency == false else { return }
        change(id) { $0.hasBegunAsEmergency = true }
        let cause = Cause(.policy, rule: .emergency, becauseOf: id)
        for other in ringingCalls where other.id != id && !other.isMarked {
            change(other.id) { $0.missed.insert(.emergency) }
            dismiss(other.id, .unanswered, cause)
        }
        guard let call = call(id) else { return }
        forceSound(of: call.group, cause)
    }

    /// Mute is forced off.
    mutating func forceSound(of group: Int, _ cause: Cause) {
        let isMuted = newestMute(of: group)?.isMuted ?? self.group(group)?.isMuted
        guard isMuted == true else { return }
        var planned = Planned()
        planned.steps = [
            PlannedStep(.asked, listening(group).map { implied(.setMuted(false), $0) })
        ]
        carryOut(planned, cause)
    }

    /// Another live group makes way at once, and no plan but an emergency's goes on waiting for room.
    mutating func clearWay(for id: CallID) {
        if let waiting = reservation.flatMap({ plan($0) }) {
            if waiting.target.flatMap({ call($0) })?.isEmergency == true { return }
            giveUp(waiting.number, Refused(.cancelled, .emergency))
        }
        guard let call = call(id), reservation == nil, let live = liveGroup, live != call.group,
            !members(of: live).contains(where: \.isEmergency)
        else { return }
        makeWay(for: id, nil)
    }

    /// Its answer or its app's word is what begins an incoming one.
    mutating func beginIfMarked(_ id: CallID) {
        if call(id)?.isMarked == true { beginEmergency(id) }
    }

    /// Marked while it rings: before all others, and aloud.
    mutating func ringFirst(_ id: CallID) {
        change(id) { $0.isSilenced = false }
        guard let first = ringingCalls.first(where: { $0.state == .ringing }),
            let call = call(id), first.loudness < call.loudness
        else { return }
        change(first.id) { $0.state = .waiting }
    }

    /// Who only rings again, his answer having been called off, has the host no more to himself.
    mutating func withdrawEmergencies() {
        for call in calls where call.isEmergency && call.isUnanswered && !isBeingTakenUp(call) {
            change(call.id) { $0.hasBegunAsEmergency = false }
            bringBackHeld(for: call.id, Cause(.arbitration, rule: .emergency))
            settleWhatFollows()
        }
    }

    func isBeingTakenUp(_ call: Call) -> Bool {
        reservation.flatMap { plan($0) }?.target == call.id
            || actions(on: call.id).contains {
                $0.isUnderWay && ![.setEndpoint, .setVideo, .setText].contains($0.kind.kind)
                    || $0.kind == .answer && !$0.isSettled
            }
    }

    // It waits for nobody.

    func emergency(
        at provider: ProviderID, answering call: Call?, _ choice: AnswerChoice?
    ) -> Planned {
        let (held, ended) = way(at: provider, for: call?.id, choice)
        var planned = Planned()
        planned.takesReservation = reservation != nil
        planned.rules = [.emergency]
        planned.missed = ringingCalls.filter { $0.id != call?.id && !$0.isMarked }.map(\.id)
        planned.putAside = held.map { speaking($0) } ?? []
        planned.finished = ended.flatMap { open($0) }
        return planned
    }

    private func speaking(_ group: Int) -> [CallID] {
        members(of: group).filter { $0.state == .active }.map(\.id)
    }

    private func open(_ group: Int) -> [CallID] {
        members(of: group).filter { $0.state != .ending }.map(\.id)
    }

    /// The live group is held if it can be, and there is room for it; held ones end as long as there
    /// are too many, the one held last first.
    private func way(
        at provider: ProviderID, for id: CallID?, _ choice: AnswerChoice?
    ) -> (held: Int?, ended: [Int]) {
        let own = id.flatMap { call($0) }?.group
        var others = calls.filter { call in
            call.group != own && call.screening == nil && call.state != .ending
                && !(call.isUnanswered && !call.isTaken)
        }
        var (held, ended): (Int?, [Int]) = (nil, [])
        if choice == .endHeldAndAnswer, let last = heldGroups.last?.number,
            !members(of: last).contains(where: \.isEmergency)
        {
            ended.append(last)
            others.removeAll { $0.group == last }
        }
        if let live = liveGroup, live != own {
            let heldBeside = heldGroups.filter { !ended.contains($0.number) }.count
            let isCrowded =
                self.provider(ofGroup: live) == provider && hasTooManyGroups(others, provider)
            if heldBeside < policy.limits.heldGroups, !isCrowded, canYield(live),
                choice != .endAndAnswer
            {
                held = live
            } else {
                ended.append(live)
                others.removeAll { $0.group == live }
            }
        }
        for group in heldGroups.reversed().map(\.number)
        where group != own && !ended.contains(group) {
            let isItsApps = self.provider(ofGroup: group) == provider
            let ofApp = others.filter { $0.provider == provider }.count + 1
            let exceedsApp =
                hasTooManyGroups(others, provider) || ofApp > policy.limits.callsPerProvider
            guard others.count + 1 > policy.limits.calls || isItsApps && exceedsApp,
                !members(of: group).contains(where: \.isEmergency)
            else { continue }
            ended.append(group)
            others.removeAll { $0.group == group }
        }
        return (held, ended)
    }

    private func hasTooManyGroups(_ others: [Call], _ id: ProviderID) -> Bool {
        let groups = Set(others.filter { $0.provider == id }.map(\.group))
        return groups.count + 1 > (provider(id)?.configuration.maxCallGroups ?? 0)
    }

    /// Holds and resumes that are under way are called off.
    private func canYield(_ group: Int) -> Bool {
        members(of: group).allSatisfy { call in
            let isHeldOnly = actions(on: call.id).filter(\.isUnderWay).allSatisfy {
                $0.kind.kind == .setHeld || !$0.kind.changesState
            }
            return switch call.state {
            case .ending: true
            case .held: isHeldOnly
            case .active:
                isHeldOnly && call.properties.supportsHolding && isConnected(call.provider)
            case .starting, .ringing, .waiting, .dialing, .alerting, .connecting, .ended, .external:
                false
            }
        }
    }

    func isEmergency(_ wanted: RequestedAction) -> Bool {
        switch wanted.action {
        case .start(let arguments): arguments.isEmergency && policy.allowsEmergency
        case .answer: call(wanted.call).map { $0.isMarked && $0.isUnanswered } ?? false
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            false
        }
    }

    /// Asked for in front of an emergency: nobody waits for it.
    mutating func sendAhead(_ step: PlannedStep, _ request: TransactionRequest) {
        var wish = Wish(Cause(request.requester.origin, rule: .emergency))
        wish.requester = request.requester
        wish.deadlineMS = request.options.deadlineMS
        let isHold = step.parts.first?.kind == .setHeld(true)
        let group = step.parts.first.flatMap { call($0.call) }?.group
        if isHold, let group { callOffMutes(of: group) }
        var planned = Planned()
        planned.steps = [PlannedStep(isHold ? .yield : .asked, step.parts)]
        carryOut(planned, wish)
        guard isHold, let group else { return }
        for part in step.parts where call(part.call)?.state == .active { becomeHeld(part.call) }
        free(group)
    }

    /// The hold cannot wait for a mute.
    private mutating func callOffMutes(of group: Int) {
        while let mute = members(of: group).flatMap({ actions(on: $0.id) })
            .first(where: { $0.isUnderWay && $0.kind.kind == .setMuted })
        {
            cancel(mute.number)
        }
    }

    mutating func makeWay(for id: CallID, _ choice: AnswerChoice?) {
        guard let call = call(id) else { return }
        let (held, ended) = way(at: call.provider, for: id, choice)
        if let held { putAside(held, for: id) }
        for group in ended { end(group, for: id) }
        if let live = liveGroup, live != self.call(id)?.group { end(live, for: id) }
    }

    private mutating func putAside(_ group: Int, for id: CallID) {
        while let plan = holdUnderWay(of: group) { giveUp(plan, Refused(.cancelled, .emergency)) }
        callOffMutes(of: group)
        let speaking = speaking(group)
        yield(speaking, .setHeld(true), for: id)
        for call in speaking where self.call(call)?.state == .active { becomeHeld(call) }
        free(group)
        if self.group(group)?.isHeld == true { remember(group, heldFor: id) }
    }

    private mutating func end(_ group: Int, for id: CallID) {
        yield(open(group), .end, for: id)
        free(group)
    }

    private mutating func yield(_ calls: [CallID], _ kind: CallAction, for id: CallID) {
        guard !calls.isEmpty else { return }
        var planned = Planned()
        planned.steps = [
            PlannedStep(.yield, calls.compactMap { call($0) }.map { implied(kind, $0) })
        ]
        carryOut(planned, Cause(.arbitration, rule: .emergency, becauseOf: id))
    }

    /// Who is ending does not speak any more.
    private mutating func free(_ group: Int) {
        for call in members(of: group) { change(call.id) { $0.ending?.wasLive = false } }
        settleGroups()
    }

    private func holdUnderWay(of group: Int) -> Int? {
        members(of: group).flatMap { actions(on: $0.id) }
            .first { $0.isUnderWay && $0.kind.kind == .setHeld }?.plan
    }
}

extension NaiveArbiter.Call {
    /// Who is heard before whom.
    var loudness: Int {
        isSilenced ? 0 : isMarked ? 3 : properties.priority == .background ? 1 : 2
    }
}
