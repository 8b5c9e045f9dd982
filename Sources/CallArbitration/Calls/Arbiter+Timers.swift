internal import CallModel

/// Timers.
extension Arbiter {
    mutating func start(_ timer: CallTimer, of call: Slot<CallRecord>, afterMS: Int) {
        calls[call].timers.insert(timer)
        emit(.startTimer(Self.timerID(timer, calls[call].id), at: now.advanced(byMS: afterMS)))
    }

    mutating func stop(_ timer: CallTimer, of call: Slot<CallRecord>) {
        guard calls[call].timers.contains(timer) else { return }
        calls[call].timers.remove(timer)
        emit(.stopTimer(Self.timerID(timer, calls[call].id)))
    }

    mutating func stopTimers(of call: Slot<CallRecord>) {
        for timer in CallTimer.allCases { stop(timer, of: call) }
    }

    private static func timerID(_ timer: CallTimer, _ call: CallID) -> TimerID {
        switch timer {
        case .ring: .ring(call)
        case .dial: .dial(call)
        case .startSilence: .startSilence(call)
        case .screening: .screening(call)
        case .videoRequest: .videoRequest(call)
        case .textRequest: .textRequest(call)
        }
    }

    mutating func fire(_ timer: TimerID) {
        switch timer {
        case .action(let id):
            if let action = actions.slot(of: id), actions[action].deadline != nil {
                actions[action].deadline = nil
                timeOut(action)
            }
        case .ring(let id): withTimer(.ring, id) { $0.ringTimedOut($1) }
        case .dial(let id): withTimer(.dial, id) { $0.dialTimedOut($1) }
        case .startSilence(let id): startIsSilent(id)
        case .screening(let id): withTimer(.screening, id) { $0.screeningTimedOut($1) }
        case .videoRequest(let id): withTimer(.videoRequest, id) { $0.videoRequestTimedOut($1) }
        case .textRequest(let id): withTimer(.textRequest, id) { $0.textRequestTimedOut($1) }
        case .grace(let id): graceOver(id)
        case .emergencyCallback(let id):
            emergencies.removeCallback(id)
        case .endingWait(let id): endingWaitOver(id)
        case .offer(let transaction, let provider): offerTimedOut(transaction, by: provider)
        }
    }

    private mutating func withTimer(
        _ timer: CallTimer, _ id: CallID, _ act: (inout Arbiter, Slot<CallRecord>) -> Void
    ) {
        guard let call = calls.slot(of: id), calls[call].timers.contains(timer) else { return }
        calls[call].timers.remove(timer)
        act(&self, call)
    }

    /// Records that a provider has not responded to a start. If the timer of an emergency fires
    /// again, another provider is to place the emergency, and this call ends (rule 20).
    private mutating func startIsSilent(_ id: CallID) {
        guard let call = calls.slot(of: id) else { return }
        guard !calls[call].timers.contains(.startSilence) else {
            return withTimer(.startSilence, id) { $0.calls[$1].isStartSilent = true }
        }
        guard calls[call].isStartSilent, calls[call].state == .starting,
            emergencies.contains(call)
        else { return }
        let cause = Cause(.arbitration, rule: .emergency)
        note(.emergency, .silentCallEnded, id, cause)
        if calls[call].current != nil {
            announce(.startSilent, of: call)
            dismiss(call, .failed, cause)
        } else if let start = firstQueued(on: call), let plan = actions[start].plan {
            abort(plan, Refusal(.deadlineExceeded, rule: .emergency))
        }
    }

    private mutating func ringTimedOut(_ call: Slot<CallRecord>) {
        calls[call].missed.insert(.unanswered)
        dismiss(call, .unanswered, Cause(.timeout, rule: .ringTimeout))
    }

    private mutating func dialTimedOut(_ call: Slot<CallRecord>) {
        announce(.dialStuck, of: call)
        dismiss(call, .failed, Cause(.timeout))
    }
}
