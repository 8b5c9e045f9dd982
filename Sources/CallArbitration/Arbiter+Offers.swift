internal import CallModel

/// A provider may carry out its part of a transaction as a whole (CallKit's
/// `provider(_:execute:)`): it is asked before the first action, and settles each one itself.
extension Arbiter {
    /// Whether the provider has said how it wants the transaction; if it was not asked yet, it is.
    mutating func isAgreed(_ action: Slot<ActionRecord>) -> Bool {
        guard let plan = actions[action].plan,
            providers[actions[action].provider].configuration.takesTransactions
        else { return true }
        let record = actions[action]
        if let offer = plans[plan].offers.first(where: { $0.provider == record.provider }) {
            if offer.state == .asked { armDeadline(of: action) }
            return offer.state != .asked
        }
        plans[plan].offers.append(.init(provider: record.provider))
        armDeadline(of: action)
        let own = plans[plan].actions.filter {
            actions[$0].provider == record.provider && actions[$0].state == .queued
        }
        for action in own { actions[action].isOffered = true }
        emit(.offer(record.transaction, record.providerID, own.map { dispatchOf($0) }))
        return false
    }

    @inline(__always)
    func isTaken(_ action: Slot<ActionRecord>) -> Bool {
        guard actions[action].isOffered, let plan = actions[action].plan else { return false }
        return plans[plan].offers.contains {
            $0.provider == actions[action].provider && $0.state == .taken
        }
    }

    mutating func settleOffer(
        of transaction: TransactionID, by name: ProviderID, isTaken: Bool
    ) {
        guard let provider = providersByID[name], let plan = asked(transaction, provider) else {
            return
        }
        setOffer(of: plan, to: provider, isTaken ? .taken : .declined)
        pump(provider)
    }

    private mutating func setOffer(
        of plan: Slot<PlanRecord>, to provider: Slot<ProviderRecord>,
        _ state: PlanRecord.Offer.State
    ) {
        for index in plans[plan].offers.indices
        where plans[plan].offers[index].provider == provider {
            plans[plan].offers[index].state = state
        }
    }

    /// Silence takes nothing over: what is left is asked for one by one.
    mutating func declineOffer(for action: Slot<ActionRecord>) {
        guard let plan = actions[action].plan else { return }
        let isAsked = plans[plan].offers.contains {
            $0.provider == actions[action].provider && $0.state == .asked
        }
        if isAsked { setOffer(of: plan, to: actions[action].provider, .declined) }
    }

    /// The plan that waits for the provider's word: one of its queued actions belongs to it.
    private func asked(
        _ transaction: TransactionID, _ provider: Slot<ProviderRecord>
    ) -> Slot<PlanRecord>? {
        let waiting = providers[provider].queue.first { actions[$0].transaction == transaction }
        guard let plan = waiting.flatMap({ actions[$0].plan }) else { return nil }
        let isAsked = plans[plan].offers.contains { $0.provider == provider && $0.state == .asked }
        return isAsked ? plan : nil
    }

    /// After it was away a provider is asked again.
    mutating func withdrawOffers(to provider: Slot<ProviderRecord>) {
        for plan in providers[provider].queue.compactMap({ actions[$0].plan }) {
            plans[plan].offers.removeAll { $0.provider == provider && $0.state == .asked }
        }
    }

    /// An action of a transaction that its provider took over may be settled before its turn.
    mutating func settleBeforeItsTurn(_ id: ActionID, by provider: ProviderID, _ state: ActionState)
        -> Bool
    {
        guard let action = actionsByID[id], actions[action].state == .queued,
            actions[action].providerID == provider, isTaken(action), actions[action].early == nil
        else { return false }
        actions[action].early = state
        return true
    }

    mutating func settleEarly(_ id: ActionID) {
        guard let action = actionsByID[id], let state = actions[action].early,
            actions[action].state == .dispatched || actions[action].state == .queued
        else { return }
        actions[action].early = nil
        settleAndGoOn(action, state)
    }
}
