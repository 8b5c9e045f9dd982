internal import CallModel

/// Real-time text that is added to a call or taken away, and requests of the remote side for it (rule
/// 46). The characters themselves are not the arbiter's matter.
extension Arbiter {
    func planText(_ call: Slot<CallRecord>, _ hasText: Bool) throws(Refusal) -> PlanDraft {
        draft(of: .setText(hasText), on: call, .text, unless: try checkText(call, hasText))
    }

    func checkText(
        _ call: Slot<CallRecord>, _ hasText: Bool
    ) throws(Refusal) -> RepeatedRequest? {
        let properties = calls[call].properties
        return try checkMedium(
            .setText(hasText), on: call,
            isSettled: properties.hasText == hasText && !properties.textRequest,
            isSupported: properties.supportsSetText && supportsText(call), rule: .text)
    }

    private func supportsText(_ call: Slot<CallRecord>) -> Bool {
        providers[calls[call].provider].configuration.supportsText
    }

    /// Gives a call text or takes it away, as its provider has done; which settles a request for it.
    mutating func agree(onText hasText: Bool, for call: Slot<CallRecord>, _ cause: Cause) {
        var update = CallUpdate()
        (update.hasText, update.textRequest) = (.set(hasText), .cleared)
        let changes = calls[call].properties.apply(update)
        if changes.contains(.textRequest) { followTextRequest(of: call) }
        if !changes.isEmpty { publish(call, changes, cause) }
    }

    /// Counts a change of text as done once its app reports it (rule 30a).
    mutating func fulfillTextChange(of call: Slot<CallRecord>, by update: CallUpdate) {
        guard update.hasText != .unchanged else { return }
        let hasText = calls[call].properties.hasText
        _ = fulfillByReport(call) { $1 == .setText(hasText) }
    }

    /// Removes the text that an update claims and the call's provider has not declared.
    mutating func dropUndeclaredText(in update: inout CallUpdate, of call: Slot<CallRecord>) {
        guard update.hasText == .set(true), !supportsText(call) else { return }
        update.hasText = .unchanged
        note(.text, .ignored, calls[call].id, Cause(.provider, rule: .text))
    }

    // MARK: - Requests of the remote side

    /// Checks that the remote side of a call can ask for text.
    func checkTextRequest(_ update: CallUpdate, of call: Slot<CallRecord>) throws(Refusal) {
        guard update.textRequest == .set(true) else { return }
        try checkMayAsk(call, isSupported: supportsText(call), rule: .text)
    }

    /// Starts the time of a request that has come, and stops that of one that is over.
    mutating func followTextRequest(of call: Slot<CallRecord>) {
        stop(.textRequest, of: call)
        guard calls[call].properties.textRequest else { return }
        start(.textRequest, of: call, afterMS: policy.videoRequestMS)
    }

    mutating func textRequestTimedOut(_ call: Slot<CallRecord>) {
        calls[call].properties.textRequest = false
        publish(call, .textRequest, Cause(.timeout, rule: .text))
    }
}
