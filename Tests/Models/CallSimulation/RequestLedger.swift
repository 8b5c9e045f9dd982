internal import CallArbitration
internal import CallModel

/// Who waits for a reply, or for a completion.
struct RequestLedger: Sendable {
    enum Reply: Sendable {
        case acknowledgement, refusal, confirmation, acceptance
    }

    private enum Expectation: Sendable {
        /// One of them, in the same event.
        case reply([Reply])
        /// A confirmation or a refusal, when a filter has looked at the call.
        case verdict
        /// A completion, or a refusal instead.
        case result
        /// The acceptance of a dry run, or a refusal instead.
        case plan
        case completion
        case nothing
    }

    private var expected: [RequestToken: Expectation] = [:]
    private var present: RequestToken?
    /// Requests that are still open.
    private(set) var open: [RequestToken] = []

    mutating func begin(_ event: ArbiterEvent) {
        present = nil
        switch event {
        case .providerRegistered(let registration):
            expect(.reply([.confirmation, .refusal]), registration.token)
        case .incomingReported(let report):
            expect(
                report.needsScreening ? .verdict : .reply([.confirmation, .refusal]), report.token)
        case .missedReported(let report):
            expect(.reply([.acknowledgement, .refusal]), report.token)
        case .callReported(let report): expect(.reply([.acknowledgement, .refusal]), report.token)
        case .silenceRequested(let token, _, _), .prioritizeRequested(let token, _, _):
            expect(.reply([.acknowledgement, .refusal]), token)
        case .buttonPressed(let token, _):
            expect(.reply([.acknowledgement, .refusal, .acceptance]), token)
        case .transactionRequested(let request): expect(request.options, request.token)
        case .swapRequested(let token, _, _, let options),
            .splitRequested(let token, _, _, let options),
            .mergeRequested(let token, _, _, _, let options):
            expect(options, token)
        case .providerStarting, .providerUpdated, .providerUnregistered, .providerLost,
            .providerExited, .providerRevoked, .screeningSettled, .callerIdentified,
            .callerPrioritized,
            .cancelRequested, .actionFulfilled, .actionFailed, .actionExtended, .offerSettled,
            .timerFired, .policyChanged, .brokerRestarted:
            break
        }
    }

    private mutating func expect(_ options: CallOptions, _ token: RequestToken) {
        if options.isDryRun { return expect(.plan, token) }
        expect(options.wait == .completed ? .result : .reply([.acceptance, .refusal]), token)
    }

    private mutating func expect(_ expectation: Expectation, _ token: RequestToken) {
        expected[token] = expectation
        present = token
        open.append(token)
    }

    mutating func reply(
        _ reply: Reply, to token: RequestToken, _ complaints: inout [Complaint]
    ) {
        switch (expected[token], reply) {
        case (.reply(let replies), .acceptance) where replies.contains(.acceptance):
            expected[token] = .completion
        case (.reply(let replies), _) where replies.contains(reply): close(token)
        case (.verdict, .confirmation), (.verdict, .refusal), (.result, .refusal),
            (.plan, .acceptance), (.plan, .refusal):
            close(token)
        case (nil, _):
            complaints.append(Complaint(.replies, "a reply to nobody", "\(token)"))
        case (.nothing, _), (.completion, _):
            complaints.append(Complaint(.replies, "a second reply", "\(reply) \(token)"))
        case (.reply, _), (.verdict, _), (.result, _), (.plan, _):
            complaints.append(Complaint(.replies, "a reply of the wrong kind", "\(reply) \(token)"))
        }
    }

    mutating func complete(_ token: RequestToken, _ complaints: inout [Complaint]) {
        switch expected[token] {
        case .completion, .result: close(token)
        case nil: complaints.append(Complaint(.replies, "a completion to nobody", "\(token)"))
        case .nothing: complaints.append(Complaint(.replies, "a second completion", "\(token)"))
        case .reply, .verdict, .plan:
            complaints.append(Complaint(.replies, "a completion before the reply", "\(token)"))
        }
    }

    private mutating func close(_ token: RequestToken) {
        expected[token] = .nothing
        open.removeAll { $0 == token }
    }

    /// What can be answered at once was answered at once.
    mutating func finish(_ complaints: inout [Complaint]) {
        guard let present else { return }
        switch expected[present] {
        case .reply, .plan: complaints.append(Complaint(.replies, "no reply", "\(present)"))
        case .verdict, .result, .completion, .nothing, nil: break
        }
    }
}
