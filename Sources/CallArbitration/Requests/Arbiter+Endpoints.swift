internal import CallModel

/// Requests that move the sound of a call to another endpoint of its app (rule 42).
extension Arbiter {
    func planEndpoint(_ call: Slot<CallRecord>, _ id: String) throws(Refusal) -> PlanDraft {
        let action = CallAction.setEndpoint(id)
        if let plan = planUnderWay(for: call, action) { return PlanDraft(.joins(plan)) }
        guard calls[call].state != .ending, calls[call].state != .external else {
            throw Refusal(.invalidState, rule: .endpoint, blocking: [blocker(call)])
        }
        let endpoint = calls[call].properties.endpoints.first { $0.id == id }
        guard let endpoint, endpoint.state != .unavailable else {
            throw Refusal(.notSupported, rule: .notSupported, blocking: [blocker(call)])
        }
        if endpoint.state == .inUse, !isSwitchingEndpoint(call) { return PlanDraft(.isDone) }
        return draft(of: action, on: call, .endpoint)
    }

    private func isSwitchingEndpoint(_ call: Slot<CallRecord>) -> Bool {
        underWay(on: call).contains { actions[$0].action.kind == .setEndpoint }
    }

    /// Returns whether the sound of a call can be moved.
    func hasOtherEndpoint(_ call: Slot<CallRecord>) -> Bool {
        calls[call].state != .ending
            && calls[call].properties.endpoints.contains { $0.state == .available }
    }

    mutating func use(_ endpoint: String, for call: Slot<CallRecord>, _ cause: Cause) {
        let former = calls[call].properties.endpoints
        calls[call].properties.endpoints.use(endpoint)
        if calls[call].properties.endpoints != former { publish(call, [.endpoints], cause) }
    }

    /// Counts a change of endpoint as done once its app reports that endpoint as in use (rule 30a).
    mutating func fulfillEndpointChange(of call: Slot<CallRecord>, by update: CallUpdate) {
        guard case .set(let endpoints) = update.endpoints, let used = endpoints.inUse else {
            return
        }
        _ = fulfillByReport(call) { $1 == .setEndpoint(used.id) }
    }
}
