public import CallArbitration
internal import CallModel

/// Names of events.
public enum EventKind: String, CaseIterable, Sendable {
    case providerStarting = "provider_starting"
    case providerRegistered = "provider_registered"
    case providerUpdated = "provider_updated"
    case providerUnregistered = "provider_unregistered"
    case providerLost = "provider_lost"
    case providerExited = "provider_exited"
    case providerRevoked = "provider_revoked"
    case incomingReported = "incoming_reported"
    case missedReported = "missed_reported"
    case callReported = "call_reported"
    case screeningSettled = "screening_settled"
    case callerIdentified = "caller_identified"
    case callerPrioritized = "caller_prioritized"
    case transactionRequested = "transaction_requested"
    case swapRequested = "swap_requested"
    case mergeRequested = "merge_requested"
    case splitRequested = "split_requested"
    case buttonPressed = "button_pressed"
    case silenceRequested = "silence_requested"
    case prioritizeRequested = "prioritize_requested"
    case cancelRequested = "cancel_requested"
    case actionFulfilled = "action_fulfilled"
    case actionFailed = "action_failed"
    case actionExtended = "action_extended"
    case offerSettled = "offer_settled"
    case timerFired = "timer_fired"
    case policyChanged = "policy_changed"
    case brokerRestarted = "broker_restarted"
}

extension EventKind: TranscriptWord {}

extension ArbiterEvent {
    /// The name of the event, without its contents.
    public var kind: EventKind {
        switch self {
        case .providerStarting: .providerStarting
        case .providerRegistered: .providerRegistered
        case .providerUpdated: .providerUpdated
        case .providerUnregistered: .providerUnregistered
        case .providerLost: .providerLost
        case .providerExited: .providerExited
        case .providerRevoked: .providerRevoked
        case .incomingReported: .incomingReported
        case .missedReported: .missedReported
        case .callReported: .callReported
        case .screeningSettled: .screeningSettled
        case .callerIdentified: .callerIdentified
        case .callerPrioritized: .callerPrioritized
        case .transactionRequested: .transactionRequested
        case .swapRequested: .swapRequested
        case .mergeRequested: .mergeRequested
        case .splitRequested: .splitRequested
        case .buttonPressed: .buttonPressed
        case .silenceRequested: .silenceRequested
        case .prioritizeRequested: .prioritizeRequested
        case .cancelRequested: .cancelRequested
        case .actionFulfilled: .actionFulfilled
        case .actionFailed: .actionFailed
        case .actionExtended: .actionExtended
        case .offerSettled: .offerSettled
        case .timerFired: .timerFired
        case .policyChanged: .policyChanged
        case .brokerRestarted: .brokerRestarted
        }
    }

    func writeMembers(to writer: inout TranscriptWriter) {
        switch self {
        case .providerRegistered(let registration): registration.writeMembers(to: &writer)
        case .providerStarting(let provider, let configuration),
            .providerUpdated(let provider, let configuration):
            writer.member("provider", provider)
            configuration.writeMembers(to: &writer)
        case .providerUnregistered(let name), .providerLost(let name), .providerExited(let name),
            .providerRevoked(let name):
            writer.member("provider", name)
        case .incomingReported(let report): report.writeMembers(to: &writer)
        case .missedReported(let report): report.writeMembers(to: &writer)
        case .callReported(let report): report.writeMembers(to: &writer)
        case .screeningSettled(let call, let verdict): writer.verdict(call, verdict)
        case .callerIdentified(let call, let caller): writer.caller(call, caller)
        case .callerPrioritized(let call): writer.member("call", call)
        case .transactionRequested(let request): request.writeMembers(to: &writer)
        case .swapRequested(let token, let by, let call, let options):
            writer.request(token, by, call, options: options)
        case .mergeRequested(let token, let requester, let call, let other, let options):
            writer.request(token, requester, call, with: other, options: options)
        case .splitRequested(let token, let by, let call, let options):
            writer.request(token, by, call, options: options)
        case .buttonPressed(let token, let press): writer.press(token, press)
        case .silenceRequested(let token, let requester, let call),
            .prioritizeRequested(let token, let requester, let call):
            writer.request(token, requester, call)
        case .cancelRequested(let token): writer.member("token", token)
        case .actionFulfilled(let action, let by, let at): writer.answer(action, by, at: at)
        case .actionFailed(let action, let provider, let failure):
            writer.answer(action, provider)
            failure.writeMembers(to: &writer)
        case .actionExtended(let action, let provider, let byMS):
            writer.answer(action, provider)
            writer.member("extend_ms", byMS)
        case .offerSettled(let id, let by, let isTaken): writer.offer(id, by, isTaken: isTaken)
        case .timerFired(let timer): writer.member("timer", timer)
        case .policyChanged(let policy): policy.writeMembers(to: &writer)
        case .brokerRestarted(let isSameBoot): writer.member("same_boot", isSameBoot)
        }
    }

    init(_ kind: EventKind, members: inout TranscriptMembers) throws(TranscriptError) {
        switch kind {
        case .providerRegistered: self = .providerRegistered(try .init(members: &members))
        case .providerStarting:
            self = .providerStarting(try members.required("provider"), try .init(members: &members))
        case .providerUpdated:
            self = .providerUpdated(try members.required("provider"), try .init(members: &members))
        case .providerUnregistered: self = .providerUnregistered(try members.required("provider"))
        case .providerLost: self = .providerLost(try members.required("provider"))
        case .providerExited: self = .providerExited(try members.required("provider"))
        case .providerRevoked: self = .providerRevoked(try members.required("provider"))
        case .incomingReported: self = .incomingReported(try .init(members: &members))
        case .missedReported: self = .missedReported(try .init(members: &members))
        case .callReported: self = .callReported(try .init(members: &members))
        case .screeningSettled:
            self = .screeningSettled(try members.required("call"), try .init(members: &members))
        case .callerIdentified:
            self = .callerIdentified(try members.required("call"), try .init(members: &members))
        case .callerPrioritized: self = .callerPrioritized(try members.required("call"))
        case .transactionRequested: self = .transactionRequested(try .init(members: &members))
        case .swapRequested: self = try members.swapRequest()
        case .mergeRequested: self = try members.mergeRequest()
        case .splitRequested: self = try members.splitRequest()
        case .buttonPressed:
            self = .buttonPressed(try members.token(), try members.required("press"))
        case .silenceRequested: self = try members.silenceRequest()
        case .prioritizeRequested: self = try members.prioritizeRequest()
        case .cancelRequested: self = .cancelRequested(try members.required("token"))
        case .actionFulfilled:
            let (action, provider) = try members.answer()
            self = .actionFulfilled(action, by: provider, at: try members.optional("at_ms"))
        case .actionFailed:
            let (action, provider) = try members.answer()
            self = .actionFailed(action, by: provider, try .init(members: &members))
        case .actionExtended: self = try members.actionExtended()
        case .offerSettled: self = try members.offerSettled()
        case .timerFired: self = .timerFired(try members.required("timer"))
        case .policyChanged: self = .policyChanged(try .init(members: &members))
        case .brokerRestarted:
            self = .brokerRestarted(isSameBoot: try members.required("same_boot"))
        }
    }
}

// MARK: - Members of several events

extension TranscriptWriter {
    fileprivate mutating func press(_ token: RequestToken, _ press: ButtonPress) {
        member("token", token)
        member("press", press)
    }

    fileprivate mutating func request(
        _ token: RequestToken, _ requester: Requester, _ call: CallID?, with other: CallID? = nil,
        options: CallOptions = CallOptions()
    ) {
        member("token", token)
        member("by", requester, default: .user)
        member("call", call)
        member("with", other)
        options.writeMembers(to: &self)
    }

    fileprivate mutating func answer(
        _ action: ActionID, _ provider: ProviderID, at: Instant? = nil
    ) {
        member("action", action)
        member("provider", provider)
        member("at_ms", at)
    }

    fileprivate mutating func verdict(_ call: CallID, _ verdict: ScreeningVerdict) {
        member("call", call)
        verdict.writeMembers(to: &self)
    }

    fileprivate mutating func caller(_ call: CallID, _ caller: Caller) {
        member("call", call)
        caller.writeMembers(to: &self)
    }

    fileprivate mutating func offer(
        _ transaction: TransactionID, _ provider: ProviderID, isTaken: Bool
    ) {
        member("transaction", transaction)
        member("provider", provider)
        member("taken", isTaken)
    }
}

extension TranscriptMembers {
    fileprivate mutating func requester() throws(TranscriptError) -> Requester {
        try optional("by", default: .user)
    }

    fileprivate mutating func swapRequest() throws(TranscriptError) -> ArbiterEvent {
        .swapRequested(
            try token(), try requester(), call: try optional("call"),
            try CallOptions(members: &self))
    }

    fileprivate mutating func mergeRequest() throws(TranscriptError) -> ArbiterEvent {
        .mergeRequested(
            try token(), try requester(), call: try required("call"), with: try required("with"),
            try CallOptions(members: &self))
    }

    fileprivate mutating func splitRequest() throws(TranscriptError) -> ArbiterEvent {
        .splitRequested(
            try token(), try requester(), call: try required("call"),
            try CallOptions(members: &self))
    }

    fileprivate mutating func prioritizeRequest() throws(TranscriptError) -> ArbiterEvent {
        .prioritizeRequested(try token(), try requester(), call: try required("call"))
    }

    fileprivate mutating func silenceRequest() throws(TranscriptError) -> ArbiterEvent {
        .silenceRequested(try token(), try requester(), call: try required("call"))
    }

    fileprivate mutating func actionExtended() throws(TranscriptError) -> ArbiterEvent {
        let (action, provider) = try answer()
        return .actionExtended(action, by: provider, byMS: try required("extend_ms"))
    }

    fileprivate mutating func offerSettled() throws(TranscriptError) -> ArbiterEvent {
        .offerSettled(
            try required("transaction"), by: try required("provider"),
            isTaken: try required("taken"))
    }

    /// Reads an action and its provider; an author who refers to the action by its call may omit
    /// the provider.
    fileprivate mutating func answer() throws(TranscriptError) -> (ActionID, ProviderID) {
        let field = try requiredField("action")
        if let action = try field.referredAction() {
            return (action.id, try optional("provider", default: action.provider))
        }
        return (try ActionID.read(field), try required("provider"))
    }
}
