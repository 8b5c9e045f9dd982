extension ArbiterEvent {
    /// The token to which the reply is sent; nil for an event that has no reply.
    package var token: RequestToken? {
        switch self {
        case .providerRegistered(let registration): registration.token
        case .incomingReported(let report): report.token
        case .missedReported(let report): report.token
        case .callReported(let report): report.token
        case .silenceRequested(let token, _, _), .prioritizeRequested(let token, _, _): token
        case .transactionRequested, .swapRequested, .mergeRequested, .splitRequested,
            .buttonPressed:
            transaction?.token
        case .providerStarting, .providerUpdated, .providerUnregistered, .providerLost,
            .providerExited, .providerRevoked, .screeningSettled, .callerIdentified,
            .callerPrioritized, .cancelRequested, .actionFulfilled, .actionFailed, .actionExtended,
            .offerSettled,
            .timerFired, .policyChanged, .brokerRestarted:
            nil
        }
    }

    /// The token and the options of a request that becomes a transaction.
    package var transaction: (token: RequestToken, options: CallOptions)? {
        switch self {
        case .transactionRequested(let request): (request.token, request.options)
        case .swapRequested(let token, _, _, let options): (token, options)
        case .mergeRequested(let token, _, _, _, let options): (token, options)
        case .splitRequested(let token, _, _, let options): (token, options)
        case .buttonPressed(let token, _): (token, CallOptions())
        case .providerStarting, .providerRegistered, .providerUpdated, .providerUnregistered,
            .providerLost, .providerExited, .providerRevoked, .incomingReported, .missedReported,
            .callReported, .screeningSettled, .callerIdentified, .callerPrioritized,
            .silenceRequested, .prioritizeRequested,
            .cancelRequested, .actionFulfilled, .actionFailed, .actionExtended, .offerSettled,
            .timerFired, .policyChanged, .brokerRestarted:
            nil
        }
    }
}
