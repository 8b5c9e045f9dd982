internal import CallArbitration
internal import CallModel

/// Rules 4 to 10a, 14, 15, 20, 24 and 25: who stands in the way of a call that wants to be live, and
/// what is done about it.
extension NaiveArbiter {
    struct Newcomer {
        enum Kind: Equatable {
            case start, resume
            case answer(AnswerChoice)
        }

        /// Nil for a call that is not there yet.
        let call: Call?
        let provider: ProviderID
        let kind: Kind
        let requester: Requester
        let options: CallOptions
        /// Rules 24 and 25: there is one call more on this host.
        var isOneMore: Bool { call == nil || call?.isExternal == true }
        /// The account that a start names.
        var line: String?

        var choice: AnswerChoice? {
            if case .answer(let choice) = kind { choice } else { nil }
        }

        /// Rule 15.
        var isStronger: Bool {
            choice == .endAndAnswer && requester == .user
        }
    }

    /// What is done about the live group.
    private enum Way {
        case isFree
        case awaits(Int)
        case joins(Int)
        case holds(Int)
        case ends(Int)
        /// Rule 10: nobody waits for the end of a silent start.
        case drops(Int)
    }

    /// What makes the way free. Rights and limits come first, then who is faster, then whether the
    /// live group can be held (section 3).
    func makeRoom(for newcomer: Newcomer) throws(Refused) -> Planned {
        var way = way(for: newcomer)
        var last = newcomer.choice == .endHeldAndAnswer ? heldGroups.last?.number : nil
        if let group = groupOverLimit(newcomer, way) {
            if group == liveGroup { way = .ends(group) } else { last = group }
        }
        try checkMayEnd(way, last, newcomer)
        try checkLimits(newcomer, way, last)
        var planned = Planned()
        planned.takesReservation = try checkFree(newcomer)
        switch way {
        case .isFree: break
        case .awaits:
            planned.steps = [PlannedStep(.awaitEnding)]
            planned.rules = [.waitForEnding]
        case .joins:
            planned.steps = [PlannedStep(.awaitHold)]
            planned.rules = [newcomer.holdRule]
        case .holds(let group):
            guard canHoldNow(group: group) else {
                throw Refused(.cannotHold, newcomer.endRule, inTheWay(group))
            }
            planned.steps = [PlannedStep(.hold, holds(of: group))]
            planned.rules = [newcomer.holdRule]
        case .ends(let group):
            addEnd(of: group, newcomer.endRule, to: &planned)
        case .drops(let group):
            planned.dropped = members(of: group).map(\.id)
            planned.rules = [.alreadyDialing]
        }
        if let last {
            planned.steps.insert(PlannedStep(.end, ends(of: last)), at: 0)
            planned.rules.insert(newcomer.call == nil ? .providerLimits : .answerVariants, at: 0)
        }
        if leavesOut(newcomer.choice, last) { planned.rules.append(.variantTargetGone) }
        return planned
    }

    private func way(for newcomer: Newcomer) -> Way {
        guard let live = liveGroup, live != newcomer.call?.group else { return .isFree }
        // Rule 10a.
        if isEnding(group: live) { return .awaits(live) }
        // Rule 7.
        if newcomer.choice == .endAndAnswer { return .ends(live) }
        // Rule 10.
        if newcomer.kind == .start, isSilentStart(live) { return .drops(live) }
        if isHoldUnderWay(live) { return .joins(live) }
        if canHoldNow(group: live) { return .holds(live) }
        // Rules 6 and 9.
        let isWish = newcomer.options.onConflict == .end
        // Rule 10: one does not dial twice by mistake.
        let isDialed = members(of: live).contains {
            [.starting, .dialing, .alerting].contains($0.state)
        }
        let isPlain = newcomer.choice == .plain || newcomer.kind == .start && !isDialed
        let isOwn = members(of: live).first.map { newcomer.requester == .app($0.provider) } ?? false
        let isPolicy =
            isPlain && policy.onCannotHold == .end && (newcomer.requester == .user || isOwn)
        return isWish || isPolicy ? .ends(live) : .holds(live)
    }

    /// Somebody has asked for it to be held, and it is on its way.
    func isHoldUnderWay(_ group: Int) -> Bool {
        let speaking = members(of: group).filter { !($0.state == .held && !isChanging($0)) }
        return !speaking.isEmpty
            && speaking.allSatisfy { call in
                let changes = actions(on: call.id).filter { $0.isUnderWay && $0.kind.changesState }
                return call.state == .active && !changes.isEmpty
                    && changes.allSatisfy { $0.kind == .setHeld(true) }
            }
    }

    private func isSilentStart(_ group: Int) -> Bool {
        members(of: group).first.map { $0.isSilentStart && $0.state == .starting } ?? false
    }

    /// Rule 7a.
    private func leavesOut(_ choice: AnswerChoice?, _ last: Int?) -> Bool {
        switch choice {
        case .endHeldAndAnswer: last == nil || liveGroup == nil
        case .holdAndAnswer, .endAndAnswer: liveGroup == nil
        case .plain, nil: false
        }
    }

    func holds(of group: Int) -> [Part] {
        members(of: group).filter { $0.state == .active }.map { implied(.setHeld(true), $0) }
    }

    private func ends(of group: Int) -> [Part] {
        members(of: group).filter { $0.state != .ending }.map { implied(.end, $0) }
    }

    private func addEnd(of group: Int, _ rule: Rule, to planned: inout Planned) {
        planned.steps.append(PlannedStep(.end, ends(of: group)))
        if hasEnding(group) { planned.steps.append(PlannedStep(.awaitEnding)) }
        planned.rules.append(rule)
    }

    private func hasEnding(_ group: Int) -> Bool {
        members(of: group).contains { $0.state == .ending }
    }

    // Whether it may be done like that.

    /// Principle 4: an app may have others held, never ended. A silent start is ended by rule,
    /// whoever asks.
    private func checkMayEnd(
        _ way: Way, _ last: Int?, _ newcomer: Newcomer
    ) throws(Refused) {
        guard case .app(let own) = newcomer.requester else { return }
        var ended = [last].compactMap { $0 }
        if case .ends(let group) = way { ended.append(group) }
        if let other = ended.first(where: { provider(ofGroup: $0) != own }) {
            throw Refused(.notYourCall, .rights, members(of: other).map(\.id))
        }
    }

    /// Rule 15. Whether the plan that waits gives way.
    private func checkFree(_ newcomer: Newcomer) throws(Refused) -> Bool {
        if newcomer.isStronger { return reservation != nil }
        let isTaken = liveGroup.map { $0 != newcomer.call?.group && isBeingTaken($0) } ?? false
        if reservation != nil || isTaken { throw busyRefused }
        return false
    }

    /// Rules 24 and 25: against the state after the plan. Groups that it ends, or whose end it
    /// awaits, do not count.
    private func checkLimits(
        _ newcomer: Newcomer, _ way: Way, _ last: Int?
    ) throws(Refused) {
        let gone = groupsGone(newcomer, way, last)
        try checkGroups(newcomer, way, gone)
        try checkLine(newcomer, gone)
        if newcomer.isOneMore { try checkCalls(newcomer.provider, gone) }
        try checkDialing(newcomer, way)
        guard case .holds(let group) = way else { return }
        let held = heldGroups.map(\.number).filter { !gone.contains($0) }
        let others = held.filter { $0 != newcomer.call?.group && $0 != group }
        try checkHeldLimit(after: others.count + 1)
    }

    private func groupsGone(_ newcomer: Newcomer, _ way: Way, _ last: Int?) -> [Int] {
        var gone = [last].compactMap { $0 }
        switch way {
        case .isFree, .joins, .holds: break
        case .ends(let group), .drops(let group): gone.append(group)
        case .awaits(let group):
            if members(of: group).allSatisfy({ $0.state == .ending }) { gone.append(group) }
        }
        return gone
    }

    func checkHeldLimit(after count: Int) throws(Refused) {
        guard count > policy.limits.heldGroups else { return }
        let held = heldGroups.compactMap { name(of: $0.number) }
        throw .limit(.maxHeld, .hostLimits, policy.limits.heldGroups, held)
    }

    /// A call that rings over the limit can be answered, unless its own provider has to hold another
    /// one for it.
    private func checkGroups(
        _ newcomer: Newcomer, _ way: Way, _ gone: [Int]
    ) throws(Refused) {
        if !newcomer.isOneMore {
            guard case .holds(let group) = way, newcomer.kind != .resume,
                provider(ofGroup: group) == newcomer.provider
            else { return }
        }
        let most = provider(newcomer.provider)?.configuration.maxCallGroups ?? 0
        if hasTooManyGroups(newcomer, gone) {
            let others = calls.filter { $0.provider == newcomer.provider }.prefix(8).filter {
                $0.id != newcomer.call?.id && $0.screening == nil && !$0.isExternal
            }
            throw .limit(.maxCallGroups, .providerLimits, most, others.map(\.id))
        }
    }

    /// Rule 24: an account may have fewer calls than its app.
    private func checkLine(_ newcomer: Newcomer, _ gone: [Int]) throws(Refused) {
        guard let full = fullLine(newcomer, gone) else { return }
        throw Refused(
            .maxCalls, .providerLimits,
            full.busy.prefix(8).filter { $0.screening == nil && !$0.isExternal }.map(\.id),
            limit: Refusal.Limit(name: "max_calls", value: full.most))
    }

    private func fullLine(_ newcomer: Newcomer, _ gone: [Int]) -> (busy: [Call], most: Int)? {
        let account = provider(newcomer.provider)?.configuration.lines.first {
            $0.id == newcomer.line
        }
        guard let account, let most = account.maxCalls else { return nil }
        let busy = calls.filter {
            $0.provider == newcomer.provider && $0.properties.line == account.id && !$0.isExternal
                && ($0.screening != nil || !gone.contains($0.group))
        }
        return busy.count < most ? nil : (busy, most)
    }

    private func hasTooManyGroups(_ newcomer: Newcomer, _ gone: [Int]) -> Bool {
        let own = groupsSeen(of: newcomer.provider).filter { !gone.contains($0) }
        let most = provider(newcomer.provider)?.configuration.maxCallGroups ?? 0
        return own.count + (newcomer.isOneMore ? 1 : 0) > most
    }

    /// Rule 24: what the user's `on_conflict: end` ends, one group and no more.
    private func groupOverLimit(_ newcomer: Newcomer, _ way: Way) -> Int? {
        guard newcomer.kind == .start, newcomer.options.onConflict == .end else { return nil }
        let gone = groupsGone(newcomer, way, nil)
        var candidates = groupsSeen(of: newcomer.provider)
        if fullLine(newcomer, gone) != nil {
            candidates = candidates.filter { group in
                members(of: group).contains { $0.properties.line == newcomer.line }
            }
        } else if !hasTooManyGroups(newcomer, gone) {
            return nil
        }
        if case .holds(let live) = way, candidates.contains(live) { return live }
        return heldGroups.last { candidates.contains($0.number) }?.number
    }

    func groupsSeen(of id: ProviderID) -> [Int] {
        groups.map(\.number).filter { group in
            provider(ofGroup: group) == id && !members(of: group).allSatisfy(\.isExternal)
        }
    }

    private func checkCalls(_ provider: ProviderID, _ gone: [Int]) throws(Refused) {
        let left = calls.filter {
            !$0.isExternal && ($0.screening != nil || !gone.contains($0.group))
        }
        let own = left.filter { $0.provider == provider }
        if let full = fullRefused(own.count, left.count, of: provider) { throw full }
    }

    /// Rule 25. Of a provider's calls those that can be seen are named.
    func fullRefused(_ own: Int, _ all: Int, of provider: ProviderID? = nil) -> Refused? {
        let limits = policy.limits
        if own >= limits.callsPerProvider {
            let seen = calls.filter {
                $0.provider == provider && $0.screening == nil && !$0.isExternal
            }
            return .limit(.maxCalls, .hostLimits, limits.callsPerProvider, seen.map(\.id))
        }
        return all >= limits.calls ? .limit(.maxCalls, .hostLimits, limits.calls, []) : nil
    }

    /// Who keeps the group from being held.
    func inTheWay(_ group: Int) -> [CallID] {
        members(of: group).filter {
            !canHoldNow($0) && ($0.state != .held || isChanging($0))
        }.map(\.id)
    }

    /// Rule 10. Whoever is ended for this start does not count.
    private func checkDialing(_ newcomer: Newcomer, _ way: Way) throws(Refused) {
        guard newcomer.kind == .start, policy.limits.dialing <= 1 else { return }
        var dialing = calls.filter { [.starting, .dialing, .alerting].contains($0.state) }
        switch way {
        case .ends(let group), .drops(let group): dialing.removeAll { $0.group == group }
        case .isFree, .awaits, .joins, .holds: break
        }
        guard !dialing.isEmpty else { return }
        throw Refused(
            .alreadyDialing, .alreadyDialing, dialing.map(\.id),
            limit: Refusal.Limit(name: "dialing", value: policy.limits.dialing))
    }
}

extension NaiveArbiter.Newcomer {
    /// By which it holds first.
    var holdRule: Rule {
        switch kind {
        case .start: .startHoldsFirst
        case .answer(.plain): .answerHoldsFirst
        case .answer: .answerVariants
        case .resume: .resumeHoldsFirst
        }
    }

    /// By which it is refused, or ends the other, if that cannot be held.
    var endRule: Rule {
        switch kind {
        case .start: .startCannotHold
        case .answer(.plain), .answer(.holdAndAnswer): .answerCannotHold
        case .answer: .answerVariants
        case .resume: .resumeHoldsFirst
        }
    }
}
