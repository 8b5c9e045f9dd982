internal import CallArbitration
internal import CallModel

/// Rules 16 to 18, 20 and 39, and the ends of section 5: how a call comes to its end, and who comes
/// back after it.
extension NaiveArbiter {
    /// Somebody here wants the call to end: the provider is asked, unless it cannot be or need not.
    mutating func end(_ id: CallID, _ reason: EndReason, isWished: Bool, for plan: Int?) {
        guard let call = call(id) else { return }
        if call.state == .ending {
            for action in actions where action.call == id && action.kind == .end {
                change(action: action.number) { if let plan { $0.plans.append(plan) } }
            }
            return
        }
        let ending = Ending(reason: reason, isWished: isWished, wasLive: isLive(group: call.group))
        let isUnknownThere = call.state == .starting && !wasStartSent(call)
        change(id) { $0.ending = ending }
        cancelPlans(for: id, .cancelled)
        if isUnknownThere || provider(of: call)?.isConnected != true {
            return finish(id, reason, .wished)
        }
        change(id) { $0.state = .ending }
        if !isHeld(group: call.group) { change(group: call.group) { $0.heldBecauseOf = nil } }
        for name in [Deadline.Name.ring(id), .dial(id), .startSilence(id)] { disarm(name) }
        overtake(id, .cancelled)
        act(.end, on: call, for: plan)
    }

    func reasonOfEnd(_ call: Call) -> EndReason {
        switch call.state {
        case .ringing, .waiting: .declined
        case .starting, .dialing, .connecting: .cancelled
        case .active, .held, .ending, .ended: .localEnded
        }
    }

    func wasStartSent(_ call: Call) -> Bool {
        actions.contains { $0.call == call.id && $0.kind.kind == .start && $0.isSent }
    }

    /// The end cancels what is pending on the call.
    private mutating func overtake(
        _ id: CallID, _ reason: RefusalReason, isToldThere: Bool = true
    ) {
        disarm(.startSilence(id))
        // What was not sent goes first, lest it be sent now.
        let pending = actions.filter { $0.call == id && $0.kind != .end }
        for action in pending.filter({ !$0.isSent }) + pending.filter(\.isSent) {
            if action.isSent, action.kind.kind == .start || action.kind.kind == .answer {
                overtaken.append((action.number, id, action.provider))
            }
            if isToldThere {
                cancel(action.number, reason)
            } else {
                settle(action, .overtaken(reason))
            }
        }
    }

    /// Ended by a rule, a limit, a time-out: at its provider too, whatever that answers.
    mutating func endByHost(_ id: CallID, _ reason: EndReason, wasStartSent: Bool = false) {
        guard let call = call(id) else { return }
        let isKnownThere = call.state != .starting || wasStartSent || self.wasStartSent(call)
        // A start that was taken back is told so.
        overtake(id, .cancelled, isToldThere: reason == .cancelled)
        if isKnownThere { actEnd(onEnded: id, of: call.provider) }
        finish(id, reason)
    }

    /// Where the end of a call is known from.
    enum News {
        case ours
        /// Somebody here wanted it, and nobody there has to be asked.
        case wished
        /// From its provider: it needs not be told.
        case reported
        /// Its provider is gone.
        case lost
        /// Its provider came back without it.
        case missing

        /// What becomes of the actions on it.
        var reason: RefusalReason {
            switch self {
            case .ours, .reported: .callEnded
            case .wished: .cancelled
            case .lost: .providerGone
            case .missing: .providerFailed
            }
        }
    }

    /// The call is over: history, the audio, whoever waited for it, whoever was held for it.
    ///
    /// When an end was settled its own plan hears of it before those that wait for the way.
    mutating func finish(
        _ id: CallID, _ reason: EndReason, _ news: News = .ours, isSettledEnd: Bool = false
    ) {
        guard let call = call(id) else { return }
        let missed = missedReasons(of: call, reason, isLost: news == .lost || news == .missing)
        write(id, reason, call.wasNearlyAnswered ? nil : missed)
        let wasLive = isLive(call)
        let isWished = call.ending?.isWished == true
        let candidate = groups.filter { $0.heldBecauseOf == id }
            .max { $0.heldOrder < $1.heldOrder }
        let isResumedOver = candidate.map { isHeldForResume($0, of: call) } ?? false
        for group in groups where group.heldBecauseOf == id {
            change(group: group.number) { $0.heldBecauseOf = nil }
        }
        forget(id)
        releaseAudio(of: call.group)
        let before = overtaken
        overtake(id, news.reason, isToldThere: news == .ours || news == .wished)
        // Who is gone answers no more.
        if news == .lost { overtaken = before }
        for end in actions where end.call == id && end.kind == .end && !end.isIgnored {
            settle(end, .fulfilled)
        }
        cancelPlans(for: id, news.reason)
        if !isSettledEnd { goOnAfterEnding() }
        if let candidate, isResumedOver {
            if policy.resumeAfterUserEnd { resume(candidate.number) }
        } else if let candidate {
            free(candidate.number, after: call, wasLive: wasLive, isWished: isWished)
        }
        if call.isEmergency { endEmergency(of: call.provider) }
    }

    /// The last end, or the end of the last one that was not held.
    mutating func releaseAudio(of group: Int) {
        guard !isLive(group: group) else { return }
        takeAudio(from: group)
    }

    /// Takes the call out of every list; its id is not accepted again.
    mutating func forget(_ id: CallID) {
        guard let call = call(id) else { return }
        calls.removeAll { $0.id == id }
        endedCalls.append((id, now))
        for name in [Deadline.Name.ring(id), .dial(id), .startSilence(id), .screening(id)] {
            disarm(name)
        }
        if !calls.contains(where: { $0.group == call.group }) {
            groups.removeAll { $0.number == call.group }
        }
    }

    // Who comes back.

    /// The call ends while it is resumed, and this group was held to make room for that: the resume
    /// has failed.
    private func isHeldForResume(_ group: Group, of call: Call) -> Bool {
        guard members(of: call.group).count == 1 else { return false }
        return plans.contains { plan in
            guard case .resume(call.group)? = plan.running?.work else { return false }
            return plan.held.contains(group.number)
        }
    }

    private mutating func free(_ group: Int, after call: Call, wasLive: Bool, isWished: Bool) {
        // Rule 18: its group goes on.
        guard members(of: call.group).isEmpty else { return }
        if !call.wasConnected {
            // Rule 17a.
            if policy.resumeAfterUserEnd { resume(group) }
        } else if !wasLive {
            // It was held itself: nobody waits for its end.
            return
        } else if isWished {
            // Rule 16.
            if policy.resumeAfterUserEnd { resume(group) }
        } else {
            // Rule 17.
            if policy.resumeAfterRemoteEnd { resume(group) }
            offer(group)
        }
    }

    private mutating func offer(_ group: Int) {
        guard isHeld(group: group), liveGroup == nil,
            !plans.contains(where: { isReserving($0) }), let name = name(of: group)
        else {
            return
        }
        wanted.offers.append(name)
    }

    /// The one that was active before (rule 19, section 6).
    mutating func restore(_ group: Int) {
        guard isHeld(group: group), liveGroup == nil else { return }
        carryOut([Step(.resume(group: group))], .automatic)
    }

    /// If nothing rings, dials or is active, and its provider did not opt out.
    mutating func resume(_ group: Int) {
        guard isHeld(group: group), liveGroup == nil,
            ringingCalls.isEmpty,
            !plans.contains(where: { isReserving($0) }),
            let member = members(of: group).first,
            provider(of: member)?.configuration.resumesWhenFreed == true
        else { return }
        carryOut([Step(.resume(group: group))], .automatic)
    }
}
