internal import CallModel

/// Video that is added to a call, changed or taken away, and requests of the remote side for it (rule
/// 45).
extension Arbiter {
    func planVideo(_ call: Slot<CallRecord>, _ video: VideoDirection) throws(Refusal) -> PlanDraft {
        let action = CallAction.setVideo(video)
        if let plan = planUnderWay(for: call, action) { return .joining(plan) }
        guard isConnected(call) || calls[call].state.isUnanswered, !isChangingState(call) else {
            throw Refusal(.invalidState, rule: .videoRequest, blocking: [blocker(call)])
        }
        let properties = calls[call].properties
        if properties.video == video, properties.videoRequest == nil, !isChangingVideo(call) {
            return .nothingToDo
        }
        try checkSupport(
            properties.supportsSetVideo
                && providers[calls[call].provider].configuration.supportsVideo, .notSupported, call)
        var draft = PlanDraft()
        draft.notes = [.init(rule: .videoRequest, verdict: .passed)]
        draft.steps = [PlanDraft.Step(.requested, [explicit(action, call)])]
        return draft
    }

    private func isConnected(_ call: Slot<CallRecord>) -> Bool {
        calls[call].state == .active || calls[call].state == .held
    }

    private func isChangingVideo(_ call: Slot<CallRecord>) -> Bool {
        underWay(on: call).contains { actions[$0].action.kind == .setVideo }
    }

    /// Gives a call the video that its provider has set up, which settles a request for it.
    mutating func agree(
        on video: VideoDirection, for call: Slot<CallRecord>, _ cause: Cause
    ) {
        var update = CallUpdate()
        (update.video, update.videoRequest) = (.set(video), .cleared)
        let changes = calls[call].properties.apply(update)
        if changes.contains(.videoRequest) { followVideoRequest(of: call) }
        if !changes.isEmpty { publish(call, changes, cause) }
    }

    /// Counts a change of video as done once its app reports that video (rule 30a).
    mutating func fulfillVideoChange(of call: Slot<CallRecord>, by update: CallUpdate) {
        guard update.video != .unchanged || update.hasVideo != .unchanged else { return }
        let video = calls[call].properties.video
        _ = fulfillByReport(call) { $1 == .setVideo(video) }
    }

    // MARK: - Requests of the remote side

    /// Checks that the remote side of a call can ask for video.
    func checkVideoRequest(
        _ update: CallUpdate, of call: Slot<CallRecord>
    ) throws(Refusal) {
        guard case .set(let video) = update.videoRequest, video != .off else { return }
        guard providers[calls[call].provider].configuration.supportsVideo else {
            throw Refusal(.notSupported, rule: .videoRequest, blocking: [blocker(call)])
        }
        guard isConnected(call) else {
            throw Refusal(.invalidState, rule: .videoRequest, blocking: [blocker(call)])
        }
    }

    /// Starts the time of a request that has come or changed, and stops that of one that is over.
    mutating func followVideoRequest(of call: Slot<CallRecord>) {
        stop(.videoRequest, of: call)
        guard calls[call].properties.videoRequest != nil else { return }
        start(.videoRequest, of: call, afterMS: policy.videoRequestMS)
    }

    mutating func videoRequestTimedOut(_ call: Slot<CallRecord>) {
        calls[call].properties.videoRequest = nil
        publish(call, .videoRequest, Cause(.timeout, rule: .videoRequest))
    }
}

extension ActionKind {
    /// Indicates whether a hold cancels the action: a tone, or a change of video, for which the remote
    /// side may be asked.
    var makesWayForHold: Bool {
        self == .playDTMF || self == .setVideo
    }
}

extension CallUpdate {
    /// Indicates whether the update gives the call video.
    var claimsVideo: Bool {
        if case .set(let video) = video, video != .off { return true }
        return hasVideo == .set(true)
    }
}
