internal import CallModel

/// The consequences for a call of an action that succeeded, failed, or got no reply.
extension Arbiter {
    mutating func applyFulfillment(of action: Slot<ActionRecord>, at reportedAt: Instant? = nil) {
        guard let call = call(of: action) else { return }
        let cause = actions[action].cause
        switch actions[action].action {
        case .start: started(call, cause)
        case .answer: connected(call, cause, at: reportedAt)
        case .end where calls[call].state == .external: break
        case .end: finish(call, localReason(of: call), cause, at: reportedAt)
        case .setHeld(true): heldNow(call, cause)
        case .setHeld(false): connected(call, cause)
        case .setMuted, .setGroup, .playDTMF: break
        case .setEndpoint(let endpoint): use(endpoint, for: call, cause)
        case .setVideo(let video): agree(on: video, for: call, cause)
        case .setText(let hasText): agree(onText: hasText, for: call, cause)
        case .transfer, .attendedTransfer, .deflect:
            sentElsewhere(call, actions[action].action, cause, at: reportedAt)
        }
    }

    /// Ends a call that continues elsewhere, and the one that an attended transfer joined it with
    /// (rule 41).
    mutating func sentElsewhere(
        _ call: Slot<CallRecord>, _ action: CallAction, _ cause: Cause, at reportedAt: Instant?
    ) {
        var gone = [call]
        if case .attendedTransfer(let other) = action, let other = calls.slot(of: other) {
            gone.append(other)
        }
        let detail = EndDetail(action.kind == .deflect ? .deflected : .transferred)
        for call in gone {
            finish(call, localReason(of: call), cause, at: reportedAt, detail: detail)
        }
    }

    private mutating func started(_ call: Slot<CallRecord>, _ cause: Cause) {
        let group = calls[call].group
        if calls[call].state == .starting {
            setState(.dialing, of: call, cause)
            start(.dial, of: call, afterMS: policy.dialTimeoutMS)
        }
        groups[group].isBecomingLive = false
        updateLiveness(of: group, cause)
        if live == group { grantAudio(to: group, cause) }
    }

    /// Makes a call active: one that was answered, resumed, or accepted by the remote side.
    mutating func connected(
        _ call: Slot<CallRecord>, _ cause: Cause, at reportedAt: Instant? = nil
    ) {
        let group = calls[call].group
        // No plan leads here; if one did, its provider would have to hold, and no call be lost.
        guard live == nil || live == group else {
            heldNow(call, cause)
            return sendBackToHold(call)
        }
        stop(.dial, of: call)
        leaveIncoming(call)
        calls[call].connectedAt =
            calls[call].connectedAt ?? timestamp(reportedAt ?? calls[call].takenAt, of: call)
        setState(.active, of: call, cause)
        groups[group].isBecomingLive = hasLiveActionUnderWay(group)
        updateLiveness(of: group, cause)
        clearDebt(of: group, cause)
        grantAudio(to: group, cause)
    }

    @inline(__always)
    func hasLiveActionUnderWay(_ group: Slot<GroupRecord>) -> Bool {
        members(of: group).contains { member in
            calls[member].current.map { becomesLive(actions[$0].action) } ?? false
                || isQueuedToBecomeLive(member)
        }
    }

    mutating func heldNow(_ call: Slot<CallRecord>, _ cause: Cause) {
        stop(.ring, of: call)
        stop(.dial, of: call)
        leaveIncoming(call)
        // The provider may hold the call by itself, which stops a tone that is being sent (rule
        // 35).
        overtake(call, by: .setHeld(true))
        calls[call].connectedAt =
            calls[call].connectedAt ?? timestamp(calls[call].takenAt, of: call)
        setState(.held, of: call, cause)
        updateLiveness(of: calls[call].group, cause)
    }

    /// Returns the reason of a call that ends on this side.
    @inline(__always)
    func localReason(of call: Slot<CallRecord>) -> EndReason {
        let record = calls[call]
        if let reason = record.endReason { return reason }
        if record.wasConnected { return .localEnded }
        return record.direction == .incoming ? .declined : .cancelled
    }

    // MARK: - Failure

    /// Processes the failure or cancellation of an action. A failed start, answer or end ends its
    /// call, and so does a failed hold for an emergency; anything else leaves the call as it was.
    mutating func undo(_ action: Slot<ActionRecord>) {
        let record = actions[action]
        guard let call = call(of: action) else { return }
        let group = calls[call].group
        switch record.action {
        case .start, .answer:
            groups[group].isBecomingLive = false
            // A call on another device goes on there.
            guard record.state != .cancelled, calls[call].state != .external else {
                if calls[call].state.isUnanswered, !calls[call].isInIncoming {
                    rejoinRinging(call)
                }
                return updateLiveness(of: group, record.cause)
            }
            finish(
                call, .failed,
                Cause(.provider, rule: record.cause.rule, transaction: record.transaction),
                failure: record.failure)
        case .end where record.state != .cancelled:
            finish(call, localReason(of: call), record.cause)
        case .setHeld(false):
            groups[group].isBecomingLive = hasLiveActionUnderWay(group)
            updateLiveness(of: group, record.cause)
        case .setHeld(true) where actions[action].role == .yield && record.state == .failed:
            note(.emergency, .blockerEnded, record.call, record.cause)
            let other = record.cause.becauseOf
            dismiss(
                call, .failed, Cause(.provider, rule: .emergency, becauseOf: other),
                failure: record.failure)
        case .end, .setHeld(true), .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo,
            .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            break
        }
    }

    /// Marks a call as unable to be held if its provider does not support holds.
    mutating func withdrawSupport(_ action: Slot<ActionRecord>, _ failure: ActionFailure) {
        guard failure.code == ActionFailure.unknownKind, actions[action].action.kind == .setHeld,
            let call = call(of: action), calls[call].properties.supportsHolding
        else { return }
        calls[call].properties.supportsHolding = false
        publish(call, [.supportsHolding], Cause(.provider, rule: .notSupported))
    }

    /// Processes a time-out: the call of a provider that does not respond ends where something
    /// waits for it (principle 6).
    mutating func handleTimeout(_ action: Slot<ActionRecord>) {
        let record = actions[action]
        guard let call = call(of: action) else { return }
        let cause = Cause(.timeout, rule: nil, transaction: record.transaction)
        switch record.action {
        case .start, .answer:
            guard calls[call].state != .external else { return undo(action) }
            groups[calls[call].group].isBecomingLive = false
            dismiss(call, .failed, cause)
        case .end: finish(call, localReason(of: call), record.cause)
        case .setHeld(true) where actions[action].role == .holdForRoom && !isForReport(action):
            endSilentCall(call, .holdTimedOut, record)
        case .setHeld(true) where isAwaited(action): endSilentCall(call, .holdTimedOut, record)
        case .setHeld(true) where actions[action].role == .yield:
            endSilentCall(call, .emergency, record)
        case .setHeld(true) where actions[action].role == .sendBack:
            endSilentCall(call, .reportedActive, record)
        case .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
            .transfer,
            .attendedTransfer,
            .deflect:
            undo(action)
        }
    }

    private mutating func endSilentCall(
        _ call: Slot<CallRecord>, _ rule: Rule, _ record: ActionRecord
    ) {
        note(rule, .silentCallEnded, record.call, record.cause)
        dismiss(
            call, .failed,
            Cause(
                .timeout, rule: rule, transaction: record.transaction,
                becauseOf: record.cause.becauseOf))
    }

    /// Returns whether a hold is for a call that its app reported active without a request: no live
    /// call ends for that (rule 13), except for an emergency.
    func isForReport(_ action: Slot<ActionRecord>) -> Bool {
        guard let plan = actions[action].plan,
            plans[plan].steps.contains(where: { $0.role == .grantReport })
        else { return false }
        return !emergencies.calls.contains { calls[$0].id == plans[plan].target }
    }
}
