internal import CallArbitration
internal import CallModel

/// Rules 4 to 10a, 14, 15, 24 and 25: who stands in the way of a call that wants to be live, and
/// what is done about it.
extension NaiveArbiter {
    struct Newcomer {
        enum Kind {
            case start, answer, resume, merge, split
        }

        let call: CallID
        let provider: Provider
        /// Nil for a call that is not there yet.
        let group: Int?
        let kind: Kind
        let isEmergency: Bool
        /// Groups that will be on hold besides.
        var moreHeld = 0
    }

    /// What is done about the live group.
    private enum Means {
        case free
        case await(Int)
        case hold(Int)
        case clear(Int)
        case impossible(Int)
    }

    /// What makes the way free. The limits come first, then the live group, then whether it can be
    /// held (section 3).
    func wayFor(
        _ newcomer: Newcomer, _ choice: AnswerChoice, _ wish: Wish
    ) throws(Refused) -> [Step] {
        let means = means(for: newcomer, choice, wish)
        let sacrifice = sacrifice(for: newcomer, choice)
        // Rule 20.
        if newcomer.isEmergency, newcomer.kind == .start {
            return liveGroup.map { yielding($0, to: newcomer.call) } ?? []
        }
        try checkRights(to: means, sacrifice, wish)
        try checkProviderLimits(newcomer, means, sacrifice)
        try checkDialing(newcomer, means)
        try checkHeldLimit(newcomer, means, sacrifice)
        try checkBusy(newcomer, choice, wish)
        var way: [Step] = []
        if let sacrifice {
            way.append(Step(.clear(group: sacrifice), becauseOf: newcomer.call))
        }
        switch means {
        case .free: break
        case .await(let group):
            way.append(Step(.awaitEnding(group: group), becauseOf: newcomer.call))
        case .hold(let group): way.append(Step(.hold(group: group), becauseOf: newcomer.call))
        case .clear(let group):
            way.append(Step(.clear(group: group), becauseOf: newcomer.call))
        case .impossible: throw Refused(.cannotHold, rule(for: newcomer, choice))
        }
        return way
    }

    private func means(
        for newcomer: Newcomer, _ choice: AnswerChoice, _ wish: Wish
    ) -> Means {
        guard let blocker = liveGroup, blocker != newcomer.group else { return .free }
        // Rule 10a.
        if isEnding(group: blocker) || isYielding(blocker, to: newcomer.call) {
            return .await(blocker)
        }
        // Rule 10.
        if newcomer.kind == .start, members(of: blocker).contains(where: \.isSilentStart) {
            return .clear(blocker)
        }
        // Rule 7.
        if choice == .endAndAnswer { return .clear(blocker) }
        if canHoldNow(group: blocker) { return .hold(blocker) }
        return mayEndInstead(newcomer, choice, wish) ? .clear(blocker) : .impossible(blocker)
    }

    /// Rule 7: the most recently held group; rule 7a: if there is none that part is left out.
    private func sacrifice(for newcomer: Newcomer, _ choice: AnswerChoice) -> Int? {
        guard choice == .endHeldAndAnswer, let held = mostRecentlyHeld?.number else { return nil }
        return held == newcomer.group ? nil : held
    }

    /// Rule 10. Whoever is ended for this start does not count.
    private func checkDialing(_ newcomer: Newcomer, _ means: Means) throws(Refused) {
        guard newcomer.kind == .start, !newcomer.isEmergency else { return }
        var dialing = calls.filter { $0.state == .starting || $0.state == .dialing }
        if case .clear(let group) = means { dialing.removeAll { $0.group == group } }
        guard dialing.count < policy.limits.dialing else {
            throw Refused(.alreadyDialing, .alreadyDialing)
        }
    }

    /// Rule 15.
    private func checkBusy(
        _ newcomer: Newcomer, _ choice: AnswerChoice, _ wish: Wish
    ) throws(Refused) {
        if newcomer.isEmergency || choice == .endAndAnswer && wish.isUser { return }
        guard plans.contains(where: { isReserving($0) }) else { return }
        throw Refused(.busy, .busy)
    }

    /// Whether a call has the reservation by this plan, or is being answered or resumed.
    func isReserving(_ plan: Plan) -> Bool {
        if case .answer(let id)? = plan.running?.work { return call(id) != nil }
        if case .resume? = plan.running?.work { return true }
        // Nothing else while groups change.
        if case .join? = plan.running?.work { return true }
        if case .leave? = plan.running?.work { return true }
        return plan.steps.contains { $0.work.isReserving }
    }

    /// Principle 4: an app may have others held, never ended. A silent start is ended by rule,
    /// whoever asks.
    private func checkRights(to means: Means, _ sacrifice: Int?, _ wish: Wish) throws(Refused) {
        guard case .app(let provider) = wish.requester else { return }
        var ended = sacrifice.map { members(of: $0) } ?? []
        if case .clear(let group) = means { ended += members(of: group) }
        guard ended.allSatisfy({ $0.provider == provider || $0.isSilentStart }) else {
            throw Refused(.notYourCall, .rights)
        }
    }

    /// What a plan would end, and hold.
    private func changes(
        by means: Means, _ sacrifice: Int?
    ) -> (ended: [Int], held: [Int]) {
        let ended = [sacrifice].compactMap { $0 }
        return switch means {
        case .free: (ended, [])
        case .hold(let group), .impossible(let group): (ended, [group])
        case .await(let group), .clear(let group): (ended + [group], [])
        }
    }

    /// Rule 24, against the state after the plan. A call that rings over the limit can be answered
    /// unless its own provider has to hold another one for it.
    private func checkProviderLimits(
        _ newcomer: Newcomer, _ means: Means, _ sacrifice: Int?
    ) throws(Refused) {
        let (ended, held) = changes(by: means, sacrifice)
        let isNew = newcomer.kind == .start || newcomer.kind == .split
        let holdsItself = held.contains { group in
            members(of: group).contains { $0.provider == newcomer.provider.id }
        }
        guard isNew || newcomer.kind == .answer && holdsItself else { return }
        let own = groups.filter { group in
            members(of: group.number).contains { $0.provider == newcomer.provider.id }
                && !ended.contains(group.number)
        }
        if own.count + (isNew ? 1 : 0) > newcomer.provider.configuration.maxCallGroups {
            throw Refused(.maxCallGroups, .providerLimits)
        }
    }

    /// Rule 25, against the state after the plan.
    private func checkHeldLimit(
        _ newcomer: Newcomer, _ means: Means, _ sacrifice: Int?
    ) throws(Refused) {
        let (ended, held) = changes(by: means, sacrifice)
        guard !held.isEmpty else { return }
        let after = Set(heldGroups.map(\.number))
            .subtracting(ended).subtracting([newcomer.group].compactMap { $0 }).union(held)
        if after.count + newcomer.moreHeld > policy.limits.heldGroups {
            throw Refused(.maxHeld, .hostLimits)
        }
    }

    /// Rules 6 and 9.
    private func mayEndInstead(
        _ newcomer: Newcomer, _ choice: AnswerChoice, _ wish: Wish
    ) -> Bool {
        if newcomer.isEmergency { return true }
        guard wish.isUser else { return false }
        if wish.options.onConflict == .end { return true }
        return newcomer.kind == .answer && choice == .plain && policy.onCannotHold == .end
    }

    private func rule(for newcomer: Newcomer, _ choice: AnswerChoice) -> Rule? {
        switch newcomer.kind {
        case .start: .startCannotHold
        case .answer: choice == .endHeldAndAnswer ? .answerVariants : .answerCannotHold
        case .resume: .resumeHoldsFirst
        case .merge, .split: nil
        }
    }

    /// What the actions of a transaction would leave (section 5): as if each went well.
    mutating func assume(_ requested: RequestedAction, _ steps: [Step]) {
        for step in steps {
            switch step.work {
            case .hold(let group):
                for call in members(of: group) { change(call.id) { $0.state = .held } }
            case .clear(let group), .clearRest(let group):
                for call in members(of: group) { forget(call.id) }
            case .awaitEnding(let group):
                for call in members(of: group) { change(call.id) { $0.ending?.wasLive = false } }
            case .start(let id, let arguments): assumeStart(id, arguments, requested.provider)
            case .answer(let id), .grant(let id): change(id) { $0.state = .active }
            case .resume(let group):
                for call in members(of: group) { change(call.id) { $0.state = .active } }
            case .end(let id):
                plans.removeAll { plan in plan.steps.contains { $0.work.subject == id } }
                let left = plans.map(\.number)
                actions.removeAll { action in
                    !action.plans.isEmpty && !action.plans.contains { left.contains($0) }
                }
                forget(id)
            case .mute(let group, let isMuted): change(group: group) { $0.isMuted = isMuted }
            case .join(let id, let other): join(id, with: other)
            case .leave(let id): leave(id)
            case .tones, .sendBack, .muteOne: break
            }
        }
    }

    private mutating func assumeStart(
        _ id: CallID, _ arguments: StartArguments, _ provider: ProviderID?
    ) {
        guard let provider else { return }
        var call = Call(
            id: id, provider: provider, direction: .outgoing, state: .dialing, group: newGroup(),
            createdAt: now)
        call.isEmergency = arguments.isEmergency && policy.allowsEmergency
        calls.append(call)
    }
}
