internal import CallModel

/// The pending action of a call, as published to screens: always derived from the actions.
extension Arbiter {
    mutating func refreshPending(of call: Slot<CallRecord>, _ cause: Cause) {
        let pending = pendingNow(call)
        guard calls[call].pending != pending else { return }
        calls[call].pending = pending
        publishLater(call, .pendingAction, cause)
    }

    @inline(__always)
    private func pendingNow(_ call: Slot<CallRecord>) -> PendingAction? {
        switch calls[call].state {
        case .ended: return nil
        case .ending: return .ending
        case .starting, .dialing, .alerting, .ringing, .waiting, .connecting, .active, .held,
            .external:
            break
        }
        if let action = calls[call].current ?? firstQueued(on: call) {
            return Self.pending(actions[action].action)
        }
        return waitsForRoom(call) ? .queued : nil
    }

    private static func pending(_ action: CallAction) -> PendingAction {
        switch action {
        case .start: .starting
        case .answer: .answering
        case .end: .ending
        case .setHeld(let isHeld): isHeld ? .holding : .resuming
        case .setMuted: .muting
        case .setGroup: .grouping
        case .playDTMF: .sendingDTMF
        case .setEndpoint: .switchingEndpoint
        case .setVideo: .changingVideo
        case .setText: .changingText
        case .transfer, .attendedTransfer: .transferring
        case .deflect: .deflecting
        }
    }

    @inline(__always)
    func waitsForRoom(_ call: Slot<CallRecord>) -> Bool {
        guard let reservation, plans[reservation].target == calls[call].id else { return false }
        return plans[reservation].steps.contains {
            $0.role == .requested || $0.role == .grantReport
        }
    }

    /// Returns whether an action is on this call, and not on a former call in the same slot.
    @inline(__always)
    func isAbout(_ call: Slot<CallRecord>, _ action: Slot<ActionRecord>) -> Bool {
        actions[action].callRecord == call && actions[action].callSerial == calls[call].serial
    }

    /// Returns the oldest action on a call that waits for its turn at the provider.
    @inline(__always)
    func firstQueued(on call: Slot<CallRecord>) -> Slot<ActionRecord>? {
        let provider = calls[call].provider
        guard !providers[provider].queue.isEmpty else { return nil }
        return providers[provider].queue.first { isAbout(call, $0) }
    }

    /// Returns whether an action that changes the state of a call is dispatched or queued.
    func isChangingState(_ call: Slot<CallRecord>) -> Bool {
        if calls[call].ending != nil { return true }
        if let current = calls[call].current, changesState(actions[current].action) { return true }
        let provider = calls[call].provider
        guard !providers[provider].queue.isEmpty else { return false }
        return providers[provider].queue.contains {
            isAbout(call, $0) && changesState(actions[$0].action)
        }
    }

    func isQueuedToBecomeLive(_ call: Slot<CallRecord>) -> Bool {
        let provider = calls[call].provider
        guard !providers[provider].queue.isEmpty else { return false }
        return providers[provider].queue.contains {
            isAbout(call, $0) && becomesLive(actions[$0].action)
        }
    }

    /// Returns the actions on a call that its provider is performing, and those that wait for their
    /// turn there.
    func underWay(on call: Slot<CallRecord>) -> [Slot<ActionRecord>] {
        let record = calls[call]
        let queued = providers[record.provider].queue.filter { isAbout(call, $0) }
        return [record.current, record.ending].compactMap { $0 } + queued
    }

    /// Returns whether a hold of a call is under way.
    func isBeingHeld(_ call: Slot<CallRecord>) -> Bool {
        underWay(on: call).contains { actions[$0].action == .setHeld(true) }
    }

    func changesState(_ action: CallAction) -> Bool {
        switch action {
        case .setMuted, .playDTMF, .setEndpoint, .setVideo, .setText: false
        case .start, .answer, .end, .setHeld, .setGroup, .transfer, .attendedTransfer, .deflect:
            true
        }
    }
}
