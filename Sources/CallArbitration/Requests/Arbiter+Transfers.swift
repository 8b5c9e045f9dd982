internal import CallModel

/// Requests that send a call elsewhere: transfers, and the deflection of a ringing call (rule 41).
extension Arbiter {
    func planTransfer(_ call: Slot<CallRecord>, _ action: CallAction) throws(Refusal) -> PlanDraft {
        draft(of: action, on: call, .transfer, unless: try checkTransfer(call, action))
    }

    func checkTransfer(
        _ call: Slot<CallRecord>, _ action: CallAction
    ) throws(Refusal) -> RepeatedRequest? {
        if let plan = planUnderWay(for: call, action) { return .joins(plan) }
        try checkTransferable(call)
        try checkSupport(calls[call].properties.supportsTransfer, .notSupported, call)
        return nil
    }

    func planAttendedTransfer(
        _ call: Slot<CallRecord>, with otherID: CallID, _ requester: Requester
    ) throws(Refusal) -> PlanDraft {
        let other = try visible(otherID)
        try checkRights(requester, on: other)
        return draft(
            of: .attendedTransfer(with: otherID), on: call, .transfer,
            unless: try checkAttendedTransfer(call, with: other))
    }

    func checkAttendedTransfer(
        _ call: Slot<CallRecord>, with other: Slot<CallRecord>
    ) throws(Refusal) -> RepeatedRequest? {
        guard other != call else { throw Refusal(.invalidAction, rule: .transfer) }
        let action = CallAction.attendedTransfer(with: calls[other].id)
        if let plan = planUnderWay(for: call, action) { return .joins(plan) }
        guard calls[call].provider == calls[other].provider else {
            throw Refusal(
                .invalidAction, rule: .transfer, blocking: [blocker(call), blocker(other)])
        }
        try checkTransferable(call)
        try checkTransferable(other)
        try checkSupport(calls[call].properties.supportsAttendedTransfer, .notSupported, call)
        return nil
    }

    func planDeflection(
        _ call: Slot<CallRecord>, _ action: CallAction
    ) throws(Refusal) -> PlanDraft {
        draft(of: action, on: call, .transfer, unless: try checkDeflection(call, action))
    }

    func checkDeflection(
        _ call: Slot<CallRecord>, _ action: CallAction
    ) throws(Refusal) -> RepeatedRequest? {
        if let plan = planUnderWay(for: call, action) { return .joins(plan) }
        guard calls[call].state.isUnanswered, !isChangingState(call) else {
            throw Refusal(.invalidState, rule: .transfer, blocking: [blocker(call)])
        }
        try checkNoEmergency(call)
        try checkSupport(calls[call].properties.supportsDeflect, .notSupported, call)
        return nil
    }

    private func checkTransferable(_ call: Slot<CallRecord>) throws(Refusal) {
        let isConnected = calls[call].state == .active || calls[call].state == .held
        guard isConnected, !isChangingState(call) else {
            throw Refusal(.invalidState, rule: .transfer, blocking: [blocker(call)])
        }
        try checkNoEmergency(call)
    }

    /// An emergency stays with the person who needs help.
    private func checkNoEmergency(_ call: Slot<CallRecord>) throws(Refusal) {
        guard !isMarked(call) else {
            throw Refusal(.emergency, rule: .emergency, blocking: [blocker(call)])
        }
    }

    /// Returns the transfer whose success a report of the call's end confirms before the reply (rule
    /// 30a).
    func transferUnderWay(
        of call: Slot<CallRecord>, _ detail: EndDetail?
    ) -> Slot<ActionRecord>? {
        guard let current = calls[call].current, actions[current].state == .dispatched else {
            return nil
        }
        switch (actions[current].action, detail?.reason) {
        case (.transfer, .transferred?), (.attendedTransfer, .transferred?),
            (.deflect, .deflected?):
            return current
        default: return nil
        }
    }
}
