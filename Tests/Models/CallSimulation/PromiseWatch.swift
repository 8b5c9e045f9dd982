package import CallArbitration
internal import CallModel

/// What was said before a request is what is done: a dry run promises a plan (I11), a call's
/// `allowed` promises acceptance, and a refusal promises that nothing has changed.
package struct PromiseWatch: Sendable {
    private var dryRun: (request: TransactionRequest, report: TransactionReport)?
    private var allowed: [Verb]?
    private var before: Arbiter?

    package init() {}

    /// Looks at the arbiter before the event: closely, as that costs much, or for dry runs only.
    package mutating func prepare(_ event: ArbiterEvent, _ arbiter: Arbiter, isClose: Bool) {
        before = isClose && event.isRefusable ? arbiter : nil
        allowed = nil
        guard isClose, let wish = event.plainWish else { return }
        allowed = arbiter.view(of: wish.call)?.allowed
    }

    package mutating func take(
        _ event: ArbiterEvent, _ effects: [ArbiterEffect], _ arbiter: Arbiter,
        _ complaints: inout [Complaint]
    ) {
        checkRefusal(event, effects, arbiter, &complaints)
        checkAllowed(event, effects, &complaints)
        checkDryRun(event, effects, &complaints)
        before = nil
    }

    // MARK: - A refusal changes nothing

    private func checkRefusal(
        _ event: ArbiterEvent, _ effects: [ArbiterEffect], _ arbiter: Arbiter,
        _ complaints: inout [Complaint]
    ) {
        guard let before else { return }
        var isRefused = event.isDryRun
        for effect in effects {
            switch effect {
            case .refuse: isRefused = true
            case .note: break
            case .accept where event.isDryRun: break
            default: return
            }
        }
        if isRefused, !before.isSame(as: arbiter) {
            let what = event.isDryRun ? "a dry run" : "a refused event"
            complaints.append(Complaint(.refusal, "\(what) changes the state"))
        }
    }

    // MARK: - What is allowed is accepted, and nothing else (apart from taking back a mute)

    private func checkAllowed(
        _ event: ArbiterEvent, _ effects: [ArbiterEffect], _ complaints: inout [Complaint]
    ) {
        guard let allowed = allowed?.map({ $0 == .pull ? .answer : $0 }),
            let wish = event.plainWish
        else { return }
        for effect in effects {
            if case .refuse(_, let refusal) = effect, allowed.contains(wish.verb) {
                complaints.append(
                    Complaint(.allowed, "\(wish.verb) is allowed and refused", "\(refusal)"))
            }
            guard case .accept(_, let report) = effect, !report.entries.isEmpty, !report.isJoined,
                !allowed.contains(wish.verb), wish.verb != .mute, wish.verb != .unmute
            else { continue }
            complaints.append(
                Complaint(.allowed, "\(wish.verb) is accepted and not allowed", "\(report)"))
        }
    }

    // MARK: - A dry run tells what will be done

    private mutating func checkDryRun(
        _ event: ArbiterEvent, _ effects: [ArbiterEffect], _ complaints: inout [Complaint]
    ) {
        guard case .transactionRequested(let request) = event else { return dryRun = nil }
        let promise = dryRun
        dryRun = nil
        if request.options.isDryRun {
            for case .accept(_, let report) in effects { dryRun = (request, report) }
            return
        }
        guard let promise, promise.request.isSameWish(as: request) else { return }
        for effect in effects {
            switch effect {
            case .accept(request.token, let report):
                check(promise.report, report, &complaints)
            case .refuse(request.token, let refusal) where promise.report.refusal != refusal:
                complaints.append(
                    Complaint(
                        .dryRun, "a request is refused otherwise than its dry run",
                        "\(promise.report) \(refusal)"))
            default: break
            }
        }
    }

    private func check(
        _ promised: TransactionReport, _ real: TransactionReport, _ complaints: inout [Complaint]
    ) {
        if let refusal = promised.refusal {
            complaints.append(
                Complaint(
                    .dryRun, "a request is accepted that its dry run refused", "\(refusal)"))
        } else if !real.isJoined,
            promised.entries.map(\.withoutOutcome) != real.entries.map(\.withoutOutcome)
        {
            complaints.append(
                Complaint(.dryRun, "the plan is not the promised one", "\(promised) \(real)"))
        }
    }
}

extension TransactionReport.Entry {
    fileprivate var withoutOutcome: TransactionReport.Entry {
        TransactionReport.Entry(
            action: nil, kind: kind, call: call, provider: provider, isImplied: isImplied,
            state: .planned)
    }
}

extension TransactionRequest {
    /// The same, apart from being a dry run.
    fileprivate func isSameWish(as other: TransactionRequest) -> Bool {
        requester == other.requester && actions == other.actions
            && options.onConflict == other.options.onConflict
            && options.deadlineMS == other.options.deadlineMS
            && options.endsGroup == other.options.endsGroup
    }
}

extension ArbiterEvent {
    fileprivate var isDryRun: Bool {
        switch self {
        case .transactionRequested(let request): request.options.isDryRun
        case .swapRequested(_, _, _, let options), .splitRequested(_, _, _, let options),
            .mergeRequested(_, _, _, _, let options):
            options.isDryRun
        default: false
        }
    }

    fileprivate var isRefusable: Bool {
        switch self {
        case .providerRegistered, .incomingReported, .missedReported, .callReported,
            .transactionRequested, .swapRequested, .mergeRequested, .splitRequested,
            .buttonPressed, .silenceRequested, .prioritizeRequested:
            true
        case .providerStarting, .providerUpdated, .providerUnregistered, .providerLost,
            .providerExited, .providerRevoked, .screeningSettled, .callerIdentified,
            .callerPrioritized,
            .cancelRequested, .actionFulfilled, .actionFailed, .actionExtended, .offerSettled,
            .timerFired, .policyChanged, .brokerRestarted:
            false
        }
    }

    /// The verb that a request of the user is about, if it is one action without further wishes, and
    /// `allowed` speaks of it without conditions.
    fileprivate var plainWish: (call: CallID, verb: Verb)? {
        guard case .transactionRequested(let request) = self, request.requester == .user,
            request.actions.count == 1, !request.options.isDryRun,
            request.options.onConflict == .hold
        else { return nil }
        let wanted = request.actions[0]
        return wanted.verb.map { (wanted.call, $0) }
    }
}

extension RequestedAction {
    /// A choice about a call that is not there is done as a plain answer, and not offered.
    fileprivate var verb: Verb? {
        switch action {
        case .answer: choice == .plain ? .answer : nil
        case .setHeld(true): .hold
        case .setHeld(false): .resume
        case .setMuted(let isMuted): isMuted ? .mute : .unmute
        case .setGroup(with: nil): .split
        case .setGroup, .start, .end: nil
        case .playDTMF(let digits, _): digits.isEmpty ? nil : .playDTMF
        // It depends on the endpoint.
        case .setEndpoint: nil
        // It depends on the direction.
        case .setVideo, .setText: nil
        case .transfer: .transfer
        // It depends on the other call.
        case .attendedTransfer: nil
        case .deflect: .deflect
        }
    }
}
