internal import CallArbitration
internal import CallModel

/// The names that the engine makes, learnt from what it does.
extension NaiveArbiter {
    /// Its nth action of a kind on a call is ours.
    mutating func learnIDs(from effects: [ArbiterEffect]) {
        var performed: [Dispatch] = []
        var offered: [Dispatch] = []
        for effect in effects {
            switch effect {
            case .perform(let dispatch): performed.append(dispatch)
            case .offer(_, _, let dispatches): offered += dispatches
            default: break
            }
        }
        learn(wanted.offered, from: offered)
        learn(wanted.sent, from: performed)
        learnIDsOfWaiting(from: effects)
    }

    private mutating func learn(_ own: [Action], from dispatches: [Dispatch]) {
        var dispatches = dispatches
        for action in own {
            let match = dispatches.firstIndex { $0.call == action.call && $0.kind == action.kind }
            guard let match else { continue }
            let dispatch = dispatches.remove(at: match)
            ids[action.number] = dispatch.action
            if let plan = action.plan { change(plan: plan) { $0.id = dispatch.transaction } }
        }
    }

    /// What waits for its provider has a deadline, and so an id, before it is sent.
    private mutating func learnIDsOfWaiting(from effects: [ArbiterEffect]) {
        let known = actions.compactMap { ids[$0.number] }
        var timers: [ActionID] = []
        for effect in effects {
            if case .startTimer(.action(let id), _) = effect, !known.contains(id) {
                timers.append(id)
            }
            if case .stopTimer(.action(let id)) = effect { timers.removeAll { $0 == id } }
        }
        let waiting = actions.filter { ids[$0.number] == nil && $0.isWaiting }
            .sorted { ($0.turn ?? 0) < ($1.turn ?? 0) }
        for action in waiting where instant(of: .action(action.number)) != nil {
            if !timers.isEmpty { ids[action.number] = timers.removeFirst() }
        }
    }

    /// The engine's timers, and the ids of the plans that have one.
    mutating func noteTimers(_ event: ArbiterEvent, _ effects: [ArbiterEffect]) {
        if case .timerFired(let fired) = event { timers.removeAll { $0.timer == fired } }
        for effect in effects {
            switch effect {
            case .startTimer(let timer, let instant):
                timers.removeAll { $0.timer == timer }
                timers.append((timer, instant))
                guard case .endingWait(let id) = timer else { continue }
                let waiting = plans.first {
                    $0.id == nil && instant == self.instant(of: .endingWait($0.number))
                }
                if let waiting { change(plan: waiting.number) { $0.id = id } }
            case .stopTimer(let timer): timers.removeAll { $0.timer == timer }
            default: break
            }
        }
    }

    /// How the engine calls a timer.
    func timer(for name: Deadline.Name) -> TimerID? {
        switch name {
        case .action(let number): ids[number].map { .action($0) }
        case .ring(let call): .ring(call)
        case .dial(let call): .dial(call)
        case .startSilence(let call): .startSilence(call)
        case .screening(let call): .screening(call)
        case .videoRequest(let call): .videoRequest(call)
        case .textRequest(let call): .textRequest(call)
        case .grace(let provider): .grace(provider)
        case .emergencyCallback(let provider): .emergencyCallback(provider)
        case .endingWait(let number): plan(number)?.id.map { .endingWait($0) }
        case .offer(let number, let provider): plan(number)?.id.map { .offer($0, provider) }
        }
    }
}
