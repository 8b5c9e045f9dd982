internal import CallModel

/// Offers of transactions to providers that perform their part as a whole (CallKit's
/// `provider(_:execute:)`): the offer precedes the first action, and the provider settles each
/// action itself.
extension Arbiter {
    /// Returns whether the provider of an action has replied to the offer of the transaction, or
    /// receives none; makes the offer if that is still to be done. Before the reply, the time of no
    /// action runs.
    mutating func isAgreed(_ action: Slot<ActionRecord>) -> Bool {
        guard let plan = actions[action].plan,
            providers[actions[action].provider].configuration.takesTransactions
        else { return true }
        let record = actions[action]
        if let offer = plans[plan].offers.first(where: { $0.provider == record.provider }) {
            return offer.state != .asked
        }
        plans[plan].offers.append(
            .init(provider: record.provider, providerID: record.providerID))
        let own = plans[plan].actions.filter {
            actions[$0].provider == record.provider && actions[$0].state == .queued
        }
        for action in own { actions[action].isOffered = true }
        emit(.offer(record.transaction, record.providerID, own.map { dispatchOf($0) }))
        emit(
            .startTimer(
                .offer(record.transaction, record.providerID),
                at: now.advanced(byMS: policy.offerMS)))
        return false
    }

    @inline(__always)
    func isTaken(_ action: Slot<ActionRecord>) -> Bool {
        guard actions[action].isOffered, let plan = actions[action].plan else { return false }
        return plans[plan].offers.contains {
            $0.provider == actions[action].provider && $0.state == .taken
        }
    }

    /// Returns whether the provider may be performing an action: it was sent, or is part of an
    /// offer that was not declined.
    func isWithProvider(_ action: Slot<ActionRecord>) -> Bool {
        let record = actions[action]
        switch record.state {
        case .dispatched: return true
        case .queued:
            guard record.early == nil, record.isOffered, let plan = record.plan else {
                return false
            }
            return plans[plan].offers.contains {
                $0.provider == record.provider && $0.state != .declined
            }
        case .planned, .fulfilled, .failed, .timedOut, .skipped, .cancelled: return false
        }
    }

    mutating func resolveOffer(
        of transaction: TransactionID, by name: ProviderID, isTaken: Bool
    ) {
        guard let plan = asked(transaction, name) else { return }
        emit(.stopTimer(.offer(transaction, name)))
        setOffer(of: plan, to: name, isTaken ? .taken : .declined)
    }

    /// Declines an offer that received no reply: the actions are sent one by one.
    mutating func offerTimedOut(_ transaction: TransactionID, by name: ProviderID) {
        guard let plan = asked(transaction, name) else { return }
        setOffer(of: plan, to: name, .declined)
    }

    /// Returns the plan whose offer waits for the reply of a provider.
    private func asked(_ transaction: TransactionID, _ name: ProviderID) -> Slot<PlanRecord>? {
        plans.all.first { plan in
            plans[plan].id == transaction
                && plans[plan].offers.contains { $0.providerID == name && $0.state == .asked }
        }
    }

    private mutating func setOffer(
        of plan: Slot<PlanRecord>, to name: ProviderID, _ state: PlanRecord.Offer.State
    ) {
        for index in plans[plan].offers.indices
        where plans[plan].offers[index].providerID == name {
            plans[plan].offers[index].state = state
        }
        if let provider = providers.slot(of: name) { pump(provider) }
    }

    /// Withdraws the offers to a lost provider, which cannot reply. They are made again when the
    /// provider reconnects; until then the time of the actions that wait for the provider runs.
    mutating func withdrawOffers(to provider: Slot<ProviderRecord>) {
        var wereAny = false
        for plan in plans.all {
            let open = plans[plan].offers.filter { $0.provider == provider && $0.state == .asked }
            for offer in open { emit(.stopTimer(.offer(plans[plan].id, offer.providerID))) }
            plans[plan].offers.removeAll { $0.provider == provider && $0.state == .asked }
            wereAny = wereAny || !open.isEmpty
        }
        if wereAny { pump(provider) }
    }

    /// Withdraws the offers of a plan that is over.
    mutating func withdrawOffers(of plan: Slot<PlanRecord>) {
        for offer in plans[plan].offers where offer.state == .asked {
            emit(.stopTimer(.offer(plans[plan].id, offer.providerID)))
        }
        plans[plan].offers = []
    }

    /// Accepts the outcome of an offered action before its turn; returns false if that is not
    /// possible. A provider that settles an action before its reply to the offer accepts the offer.
    mutating func acceptEarlyOutcome(
        _ id: ActionID, by provider: ProviderID, _ outcome: EarlyOutcome,
        _ failure: ActionFailure? = nil
    ) -> Bool {
        guard let action = actions.slot(of: id), actions[action].state == .queued,
            actions[action].providerID == provider, actions[action].early == nil,
            actions[action].isOffered, let plan = actions[action].plan
        else { return false }
        let transaction = plans[plan].id
        guard isTaken(action) || asked(transaction, provider) == plan else { return false }
        actions[action].early = outcome
        actions[action].failure = failure
        resolveOffer(of: transaction, by: provider, isTaken: true)
        return true
    }

    mutating func applyEarlyOutcome(_ id: ActionID) {
        guard let action = actions.slot(of: id), let early = actions[action].early,
            actions[action].state == .dispatched || actions[action].state == .queued
        else { return }
        actions[action].early = nil
        settleAndAdvance(action, early.state, at: early.at)
    }
}
