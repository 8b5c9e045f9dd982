internal import CallModel

/// Video that is added to a call, changed or taken away, and requests of the remote side for it (rule
/// 45).
extension Arbiter {
    func planVideo(_ call: Slot<CallRecord>, _ video: VideoDirection) throws(Refusal) -> PlanDraft {
        draft(
            of: .setVideo(video), on: call, .videoRequest, unless: try checkVideo(call, video))
    }

    func checkVideo(
        _ call: Slot<CallRecord>, _ video: VideoDirection
    ) throws(Refusal) -> RepeatedRequest? {
        let properties = calls[call].properties
        return try checkMedium(
            .setVideo(video), on: call,
            isSettled: properties.video == video && properties.videoRequest == nil,
            isSupported: properties.supportsSetVideo
                && providers[calls[call].provider].configuration.supportsVideo,
            rule: .videoRequest)
    }

    /// Checks that video or text can be changed (rules 45 and 46).
    ///
    /// - Parameters:
    ///   - action: the change.
    ///   - call: the call that it is for.
    ///   - isSettled: whether the call is as the change would make it, and nothing else is asked for.
    ///   - isSupported: whether the call and its provider have the medium.
    ///   - rule: the rule that the change follows.
    func checkMedium(
        _ action: CallAction, on call: Slot<CallRecord>, isSettled: Bool, isSupported: Bool,
        rule: Rule
    ) throws(Refusal) -> RepeatedRequest? {
        if let plan = planUnderWay(for: call, action) { return .joins(plan) }
        guard isConnected(call) || calls[call].state.isUnanswered, !isChangingState(call) else {
            throw Refusal(.invalidState, rule: rule, blocking: [blocker(call)])
        }
        let isChanging = underWay(on: call).contains { actions[$0].action.kind == action.kind }
        if isSettled, !isChanging { return .isDone }
        try checkSupport(isSupported, .notSupported, call)
        return nil
    }

    private func isConnected(_ call: Slot<CallRecord>) -> Bool {
        calls[call].state == .active || calls[call].state == .held
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
        try checkMayAsk(
            call, isSupported: providers[calls[call].provider].configuration.supportsVideo,
            rule: .videoRequest)
    }

    /// Checks that the remote side of a call can ask for a medium (rules 45 and 46).
    func checkMayAsk(
        _ call: Slot<CallRecord>, isSupported: Bool, rule: Rule
    ) throws(Refusal) {
        guard isSupported else {
            throw Refusal(.notSupported, rule: rule, blocking: [blocker(call)])
        }
        guard isConnected(call) else {
            throw Refusal(.invalidState, rule: rule, blocking: [blocker(call)])
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
    /// The rule by which a hold cancels the action: a tone, or a change of video or text, for which the
    /// remote side may be asked. Nil if it does not.
    var ruleOfHold: Rule? {
        switch self {
        case .playDTMF: .tones
        case .setVideo: .videoRequest
        case .setText: .text
        case .start, .answer, .end, .setHeld, .setMuted, .setGroup, .setEndpoint, .transfer,
            .attendedTransfer, .deflect:
            nil
        }
    }
}

extension CallUpdate {
    /// Indicates whether the update gives the call video.
    var claimsVideo: Bool {
        if case .set(let video) = video, video != .off { return true }
        return hasVideo == .set(true)
    }
}
