internal import CallArbitration
internal import CallModel

/// Actions on their way to providers (protocol, O4 and O6).
extension NaiveArbiter {
    private static let sentMax = 8

    /// Its turn has come: sends it, or settles it if nothing has to be done any more.
    mutating func prepare(_ number: Int, _ purpose: Purpose) {
        guard let action = action(number) else { return }
        guard let call = call(action.call) else {
            return settle(number, action.isImplied ? .skipped : .cancelled)
        }
        guard provider(action.provider) != nil else { return settle(number, .cancelled) }
        if purpose == .hold, call.state != .active { return settle(number, .skipped) }
        if action.kind == .setHeld(false), let live = liveGroup, live != call.group {
            return settle(number, .skipped)
        }
        // A report has come before its turn (rule 30a).
        if let early = action.early, !isTaken(action) {
            return saying(action.earlyAt, of: action.kind, action.call) { $0.settle(number, early) }
        }
        if call.state == .ending {
            return settle(number, action.kind == .end ? .fulfilled : .cancelled)
        }
        if action.kind == .end { return beginEnd(of: call, by: number) }
        if action.kind.kind == .setHeld { stopTones(on: call.id) }
        dispatch(number)
    }

    /// Rules 35, 45 and 46: a hold stops tones and changes of video or text, and none are sent behind it.
    mutating func stopTones(on call: CallID) {
        cancelWaiting(on: call) { [.playDTMF, .setVideo, .setText].contains($0.kind) }
        if let current = current(call),
            [.playDTMF, .setVideo, .setText].contains(current.kind.kind)
        {
            cancel(current.number)
        }
    }

    mutating func cancelWaiting(on call: CallID, _ matches: (CallAction) -> Bool) {
        let all = waiting(on: call).filter { matches($0.kind) }
        // None of them is to be sent when the one before it goes.
        for action in all { change(action: action.number) { $0.turn = nil } }
        for action in all { cancel(action.number) }
    }

    mutating func dispatch(_ number: Int) {
        let turn = nextNumber()
        change(action: number) { $0.turn = turn }
        guard let action = action(number) else { return }
        let isFirst = !actions.contains {
            $0.provider == action.provider && $0.isWaiting && $0.number != number
        }
        if isFirst, canSend(action), isAgreed(action), choosesLine(of: action) {
            send(number)
        } else {
            awaitLifeOfEmergency(action)
            pump(action.provider)
        }
        settleGroups()
    }

    /// Sends what can be sent, in order; the rest goes on waiting.
    mutating func pump(_ provider: ProviderID) {
        let waiting = actions.filter { $0.provider == provider && $0.isWaiting }
            .sorted { ($0.turn ?? 0) < ($1.turn ?? 0) }
        for number in waiting.map(\.number) {
            guard let action = action(number), action.isWaiting else { continue }
            if !isConnected(provider) {
                armDeadline(of: number)
            } else if canSend(action), !settledEarly.contains(number) {
                if isMoot(action) {
                    change(action: number) { $0.early = .fulfilled }
                    settledEarly.append(number)
                } else if isAgreed(action) {
                    if choosesLine(of: action) {
                        send(number)
                    } else {
                        change(action: number) { $0.early = .failed }
                        settledEarly.append(number)
                    }
                }
            }
        }
    }

    /// The app may have named its accounts since. False if it has others only.
    private mutating func choosesLine(of action: Action) -> Bool {
        guard case .start(var start) = action.kind, let provider = provider(action.provider),
            !provider.configuration.lines.isEmpty
        else { return true }
        let lines = provider.configuration.lines
        if let named = start.line {
            if lines.contains(where: { $0.id == named }) { return true }
            guard call(action.call)?.isEmergency == true else {
                change(action: action.number) { $0.failure = .unknownLine }
                return false
            }
        }
        let chosen = lines.first { $0.isDefault }?.id
        guard chosen != start.line else { return true }
        start.line = chosen
        change(action: action.number) { $0.kind = .start(start) }
        change(action.call) { $0.properties.line = chosen }
        return true
    }

    /// At most so many are on their way to one provider, and one on a call; but for an end.
    private func canSend(_ action: Action) -> Bool {
        let sent = actions.filter { $0.provider == action.provider && $0.isSent }
        guard isConnected(action.provider), sent.count < Self.sentMax || isUrgent(action) else {
            return false
        }
        return action.kind == .end || call(action.call) != nil && current(action.call) == nil
    }

    /// Rule 20: an emergency does not wait until others are done.
    private func isUrgent(_ action: Action) -> Bool {
        let isOfCall = action.kind.kind == .start || action.kind == .answer || action.kind == .end
        return purpose(of: action) == .yield
            || isOfCall && !action.isForEndedCall && call(action.call)?.isMarked == true
    }

    /// While it waited somebody else's hold or resume was quicker (rule 30). Who is sent back has to
    /// be told all the same.
    private func isMoot(_ action: Action) -> Bool {
        guard purpose(of: action) != .sendBack, purpose(of: action) != .yield else { return false }
        switch action.kind {
        case .setHeld(true): return call(action.call)?.state == .held
        case .setHeld(false): return call(action.call)?.state == .active
        case .start, .answer, .end, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo,
            .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            return false
        }
    }

    private mutating func send(_ number: Int) {
        armDeadline(of: number)
        change(action: number) { $0.state = .dispatched }
        guard let action = action(number) else { return }
        if !isTaken(action) {
            perform(number)
        } else if action.early != nil {
            settledEarly.append(number)
        }
        // Rule 10: others may want to know that its app is silent.
        if action.kind.kind == .start { awaitLife(of: action.call) }
        awaitLifeOfEmergency(action)
    }

    /// Rule 20: from the moment that it is to be sent.
    private mutating func awaitLifeOfEmergency(_ action: Action) {
        guard action.kind.kind == .start || action.kind == .answer, !action.isForEndedCall,
            call(action.call)?.isEmergency == true
        else { return }
        awaitLife(of: action.call)
    }

    private mutating func awaitLife(of call: CallID) {
        guard instant(of: .startSilence(call)) == nil else { return }
        arm(.startSilence(call), policy.startSilenceMS)
    }

    /// For the first time, or again after its provider was away.
    mutating func perform(_ number: Int) {
        change(action: number) { $0.attempt += 1 }
        guard let action = action(number) else { return }
        let left = (instant(of: .action(number)) ?? now).nanoseconds - now.nanoseconds
        wanted.work.append(
            .perform(
                action.call, action.kind, attempt: action.attempt,
                deadlineMS: max(1, Int(left / 1_000_000)),
                ageMS: Int((now.nanoseconds - action.askedAt.nanoseconds) / 1_000_000),
                action.cause.plain))
        wanted.sent.append(action)
    }

    /// Its time runs from now, unless it runs already.
    mutating func armDeadline(of number: Int) {
        guard let action = action(number), instant(of: .action(number)) == nil else { return }
        let percents = isAwaitedEnd(action) ? 100 : policy.extensionPercentMax
        let latest = now.advanced(byMS: action.deadlineMS * percents / 100)
        change(action: number) { $0.latest = latest }
        arm(.action(number), action.deadlineMS)
    }

    /// An end for a call that is over here, or will be in a moment; whatever comes of it is ignored.
    mutating func endAtProvider(_ call: CallID, _ provider: ProviderID, _ cause: Cause) {
        guard isConnected(provider), !isBeingEnded(call, at: provider) else { return }
        var end = Action(
            number: nextNumber(), call: call, provider: provider, kind: .end, cause: cause,
            isImplied: true, deadlineMS: deadlineMS(.end, provider, nil), askedAt: now)
        end.isForEndedCall = true
        actions.append(end)
        dispatch(end.number)
    }

    // Whole transactions.

    func isTaken(_ action: Action) -> Bool {
        action.isOffered && offer(to: action.provider, for: action.plan)?.state == .taken
    }

    func offer(to provider: ProviderID, for plan: Int?) -> Offer? {
        plan.flatMap { self.plan($0) }?.offers.first { $0.provider == provider }
    }

    /// A provider that takes whole transactions is asked before the first of its actions.
    private mutating func isAgreed(_ action: Action) -> Bool {
        guard let number = action.plan, let plan = plan(number),
            provider(action.provider)?.configuration.takesTransactions == true
        else { return true }
        if let offer = offer(to: action.provider, for: number) {
            return offer.state != .asked
        }
        change(plan: number) { $0.offers.append(Offer(provider: action.provider)) }
        arm(.offer(number, action.provider), policy.offerMS)
        let own = allActions(of: plan).filter {
            $0.provider == action.provider && $0.state == .queued
        }
        for action in own { change(action: action.number) { $0.isOffered = true } }
        wanted.offered += own
        wanted.work.append(
            .offer(action.provider, own.map { Wanted.Offered(call: $0.call, kind: $0.kind) }))
        return false
    }

    mutating func settleOffer(_ id: TransactionID, _ provider: ProviderID, _ isTaken: Bool) {
        let plan = plans.first { plan in
            plan.id == id && plan.offers.contains { $0.provider == provider && $0.state == .asked }
        }
        if let plan { settleOffer(of: plan.number, to: provider, isTaken ? .taken : .declined) }
    }

    mutating func settleOffer(of plan: Int, to provider: ProviderID, _ state: Offer.State) {
        disarm(.offer(plan, provider))
        change(plan: plan) {
            for index in $0.offers.indices where $0.offers[index].provider == provider {
                $0.offers[index].state = state
            }
        }
        pump(provider)
    }

    /// Who is away is asked again when it is back.
    mutating func withdrawOffers(to provider: ProviderID) {
        let open = plans.filter { offer(to: provider, for: $0.number)?.state == .asked }
        for plan in open.map(\.number) {
            disarm(.offer(plan, provider))
            change(plan: plan) { $0.offers.removeAll { $0.provider == provider } }
        }
        if !open.isEmpty { pump(provider) }
    }

    /// Whether its provider may be at it: it was sent, or offered and not declined.
    func isWithProvider(_ action: Action) -> Bool {
        guard action.state == .queued, action.early == nil, action.isOffered else {
            return action.isSent
        }
        return offer(to: action.provider, for: action.plan).map { $0.state != .declined } ?? false
    }

    mutating func settleEarly(_ number: Int) {
        guard let action = action(number), let early = action.early, !action.isSettled else {
            return
        }
        change(action: number) { $0.early = nil }
        saying(action.earlyAt, of: action.kind, action.call) { $0.settleAndGoOn(number, early) }
    }
}
