internal import CallModel

/// Priority callers, who are answered before others (rule 43).
extension Arbiter {
    /// Gives a call that is not answered yet the priority that a filter has found its caller to
    /// have.
    mutating func prioritize(_ id: CallID) {
        guard let call = calls.slot(of: id), calls[call].state.isUnanswered else { return }
        prioritize(call, Cause(.policy, rule: .priorityCaller))
    }

    /// Gives a call that rings or waits the priority that the user wants it to have. An app's word
    /// counts as far as it does in its reports.
    mutating func prioritize(_ token: RequestToken, _ requester: Requester, _ id: CallID) {
        do throws(Refusal) {
            let call = try visible(id)
            try checkRights(requester, on: call)
            if case .app(let app) = requester, !policy.priorityClaims.contains(app) {
                throw Refusal(.notYourCall, rule: .priorityCaller, blocking: [blocker(call)])
            }
            guard calls[call].state.isUnanswered else {
                throw Refusal(.invalidState, rule: .priorityCaller, blocking: [blocker(call)])
            }
            emit(.acknowledge(token))
            prioritize(call, Cause(requester.origin, rule: .priorityCaller))
        } catch {
            emit(.refuse(token, error))
        }
    }

    private mutating func prioritize(_ call: Slot<CallRecord>, _ cause: Cause) {
        guard calls[call].properties.priority.urgency < Priority.priorityCaller.urgency else {
            return
        }
        calls[call].properties.priority = .priorityCaller
        note(.priorityCaller, .passed, calls[call].id, cause)
        publish(call, [.priority], cause)
    }

    /// Removes a provider's claim that the caller of a call has priority, unless the policy lets
    /// it count.
    mutating func judgePriority(
        in update: inout CallUpdate, of call: CallID, by provider: ProviderID
    ) {
        guard update.priority == .set(.priorityCaller), !policy.priorityClaims.contains(provider)
        else { return }
        update.priority = .unchanged
        note(.priorityCaller, .ignored, call, Cause(.provider, rule: .priorityCaller))
    }

    /// Returns the oldest of the most urgent calls among some that are in the order of arrival.
    func mostUrgent(of candidates: some Sequence<Slot<CallRecord>>) -> Slot<CallRecord>? {
        var first: Slot<CallRecord>?
        for call in candidates where first.map({ urgency(of: $0) < urgency(of: call) }) ?? true {
            first = call
        }
        return first
    }

    private func urgency(of call: Slot<CallRecord>) -> Int {
        calls[call].properties.priority.urgency
    }
}

/// Background calls, which make way for all others and are in the way of none (rule 44).
extension Arbiter {
    @inline(__always)
    func isBackground(_ call: Slot<CallRecord>) -> Bool {
        calls[call].properties.priority == .background
    }

    func isBackground(_ group: Slot<GroupRecord>) -> Bool {
        members(of: group).allSatisfy { isBackground($0) }
    }

    /// Checks that no call is in the way of a background call; nil stands for a call that does not
    /// exist yet.
    func checkMayBeBackground(_ call: Slot<CallRecord>?) throws(Refusal) {
        if let refusal = backgroundRefusal(of: call) { throw refusal }
    }

    /// The refusal of a background call while another group is live, or another call rings or
    /// waits; nil if there is none.
    func backgroundRefusal(of call: Slot<CallRecord>?) -> Refusal? {
        let own = call.map { calls[$0].group }
        let speaking =
            live.map { $0 == own ? [] : groups.members(of: $0, most: Self.blockersMax) } ?? []
        let ringing = incoming.prefix(Self.blockersMax + 1).filter { $0 != call }
        let others = (speaking + ringing).prefix(Self.blockersMax)
        guard !others.isEmpty else { return nil }
        return Refusal(.busy, rule: .background, blocking: others.map { blocker($0) })
    }
}

extension Priority {
    /// The place of a call among others that are not answered; the highest is answered first.
    fileprivate var urgency: Int {
        switch self {
        case .background: 0
        case .normal: 1
        case .priorityCaller: 2
        case .emergencyCallback: 3
        case .emergency: 4
        }
    }
}
