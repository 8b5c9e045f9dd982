internal import CallModel

/// Requests of users and apps.
extension Arbiter {
    private static let actionsMax = 8

    mutating func request(
        _ action: CallAction, of call: CallID, token: RequestToken, requester: Requester,
        options: CallOptions, rule: Rule? = nil
    ) {
        request(
            TransactionRequest(
                token: token, requester: requester,
                actions: [RequestedAction(call: call, action: action)], options: options),
            rule: rule)
    }

    /// - Parameter rule: The rule of the request that this one carries out, such as a swap.
    mutating func request(_ request: TransactionRequest, rule: Rule? = nil) {
        do throws(Refusal) {
            try checkForm(request)
            var draft = try draft(of: request)
            if let rule { draft.follow(rule) }
            if request.options.isDryRun { return emit(.accept(request.token, report(of: draft))) }
            if let joined = draft.joins { return join(joined, request) }
            execute(draft, request)
        } catch {
            refuse(request, error)
        }
    }

    private mutating func refuse(_ request: TransactionRequest, _ refusal: Refusal) {
        let index = refusal.actionIndex ?? 0
        let call = request.actions.indices.contains(index) ? request.actions[index].call : nil
        refuse(request.token, call, refusal, request.requester, request.options)
    }

    /// Refuses a request. A dry run is no error: its reply contains the refusal.
    mutating func refuse(
        _ token: RequestToken, _ call: CallID?, _ refusal: Refusal, _ requester: Requester,
        _ options: CallOptions
    ) {
        guard !options.isDryRun else {
            return emit(
                .accept(
                    token,
                    TransactionReport(
                        transaction: nil, state: .failed, entries: [], refusal: refusal)))
        }
        note(
            refused: refusal, call,
            Cause(requester.origin, rule: refusal.rule, transaction: options.transaction))
        emit(.refuse(token, refusal))
    }

    private func checkForm(_ request: TransactionRequest) throws(Refusal) {
        guard !request.actions.isEmpty else { throw Refusal(.emptyTransaction) }
        guard request.actions.count <= Self.actionsMax else { throw Refusal(.invalidAction) }
        try checkConflict(request.requester, request.options)
    }

    /// Checks that only the user ends other calls (principle 4).
    func checkConflict(_ requester: Requester, _ options: CallOptions) throws(Refusal) {
        guard options.onConflict == .hold || requester == .user else {
            throw Refusal(.notYourCall, rule: .rights)
        }
    }

    /// Returns the draft of a request. Each action is checked against the state that the earlier
    /// ones would leave: a copy of the arbiter performs them with providers that fulfill
    /// everything.
    @inline(__always)
    private func draft(of request: TransactionRequest) throws(Refusal) -> PlanDraft {
        guard request.actions.count > 1 else {
            return try plan(request.actions[0], request.requester, request.options)
        }
        var simulated = self
        // The providers of the copy receive no offers.
        for provider in simulated.providers.all {
            simulated.providers[provider].configuration.takesTransactions = false
        }
        var whole = PlanDraft()
        let urgent = request.actions.firstIndex { beginsEmergency($0) }
        whole.takesReservation = urgent != nil
        for (index, action) in request.actions.enumerated() {
            let isAhead = urgent.map { index < $0 } ?? false
            if isAhead, !mayGoAhead(action.action) { continue }
            do throws(Refusal) {
                var part = try simulated.plan(action, request.requester, request.options)
                for index in part.steps.indices { part.steps[index].rule = part.rule }
                if isAhead { whole.ahead += part.steps } else { whole.steps += part.steps }
                whole.target = part.target ?? whole.target
                whole.choice = part.choice ?? whole.choice
                whole.takesReservation = whole.takesReservation || part.takesReservation
                whole.missed += part.missed
                whole.dropped += part.dropped
                whole.putAside += part.putAside
                whole.ended += part.ended
                whole.notes += part.notes
                simulated.simulate(part, request)
            } catch {
                guard urgent == nil || index == urgent else {
                    // Actions refused beside an emergency are left out, so that it is still sent.
                    whole.notes.append(.init(rule: .emergency, verdict: .partLeftOut))
                    continue
                }
                var refusal = error
                refusal.actionIndex = index
                throw refusal
            }
        }
        return whole
    }

    /// Carries a draft out with providers that fulfill everything at once.
    private mutating func simulate(_ draft: PlanDraft, _ request: TransactionRequest) {
        output.effects = []
        let cause = Cause(request.requester.origin)
        prepareStarts(of: draft, cause)
        if draft.takesReservation, let weaker = reservation {
            abort(weaker, Refusal(.cancelled, rule: .busy))
        }
        run(draft, for: PlanOrder(requester: request.requester, cause: cause))
        for _ in 0..<1_000 {
            settleFollowUps()
            let dispatched = output.effects.compactMap { effect -> (ActionID, ProviderID)? in
                if case .perform(let dispatch) = effect {
                    (dispatch.action, dispatch.provider)
                } else {
                    nil
                }
            }
            output.effects = []
            if dispatched.isEmpty { return }
            for (action, provider) in dispatched { fulfill(action, by: provider) }
        }
    }

    private mutating func execute(_ draft: PlanDraft, _ request: TransactionRequest) {
        // Of several actions each has a rule of its own.
        let cause = Cause(
            request.requester.origin, rule: request.actions.count == 1 ? draft.rule : nil)
        sendAhead(draft.ahead, request)
        prepareStarts(of: draft, cause)
        if draft.takesReservation, let weaker = reservation {
            note(.busy, .cancelled, plans[weaker].target, cause)
            abort(weaker, Refusal(.cancelled, rule: .busy))
        }
        run(
            draft,
            for: PlanOrder(
                requester: request.requester,
                waiting: [.init(request)], cause: cause,
                deadlineMS: request.options.deadlineMS, transaction: request.options.transaction))
    }

    /// Adds the calls that a plan starts, and begins the emergencies that it starts or answers.
    private mutating func prepareStarts(of draft: PlanDraft, _ cause: Cause) {
        for step in draft.steps {
            for action in step.actions {
                var cause = cause
                cause.rule = step.rule ?? cause.rule
                switch action.action {
                case .start: prepareStart(action, cause)
                case .answer: if let call = calls.slot(of: action.call) { beginIfMarked(call) }
                case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo,
                    .setText,
                    .transfer,
                    .attendedTransfer,
                    .deflect:
                    break
                }
            }
        }
    }

    private mutating func prepareStart(_ action: PlanDraft.Action, _ cause: Cause) {
        guard case .start(let arguments) = action.action else { return }
        var properties = CallProperties()
        properties.remote = arguments.remote
        properties.hasVideo = arguments.hasVideo
        properties.hasText = arguments.hasText
        properties.line = arguments.line
        if arguments.isBackground { properties.priority = .background }
        if arguments.isEmergency, policy.allowsEmergency { properties.priority = .emergency }
        let call = addCall(
            action.call, of: action.provider, .outgoing, state: .starting, properties)
        announce(.callAdded(calls[call].id, cause))
        beginIfMarked(call)
    }

    mutating func addCall(
        _ id: CallID, of provider: Slot<ProviderRecord>, _ direction: Direction, state: CallState,
        _ properties: CallProperties, createdAt: Instant? = nil
    ) -> Slot<CallRecord> {
        let group = makeGroup(of: provider)
        let call = calls.insert(
            CallRecord(
                id: id, provider: provider, direction: direction, serial: calls.nextSerial(),
                group: group, state: state, properties: properties, createdAt: createdAt ?? now))
        groups.append(call, to: group)
        providers.append(call, to: provider)
        return call
    }

    /// Joins a request to the plan that does the same already: one dispatch, one result for both
    /// (rule 30).
    private mutating func join(_ plan: Slot<PlanRecord>, _ request: TransactionRequest) {
        note(.repeated, .joined, plans[plan].target, plans[plan].cause)
        plans[plan].waiting.append(.init(request, isJoined: true))
        guard request.options.wait == .accepted else { return }
        var report = report(of: plan, .accepted)
        report.isJoined = true
        emit(.accept(request.token, report))
    }

    private func report(of draft: PlanDraft) -> TransactionReport {
        let entries = draft.steps.flatMap(\.actions).map { action in
            TransactionReport.Entry(
                action: nil, kind: action.action.kind, call: action.call,
                provider: providers[action.provider].id, isImplied: action.isImplied,
                state: .planned)
        }
        var report = TransactionReport(transaction: nil, state: .accepted, entries: entries)
        report.wouldHold = draft.wouldHold
        report.wouldEnd = draft.wouldEnd
        report.wouldActivate = draft.steps.flatMap(\.actions).filter { becomesLive($0.action) }
            .map(\.call)
        return report
    }

    mutating func cancel(_ token: RequestToken) {
        let plan = plans.all.first { plan in
            plans[plan].waiting.contains { $0.token == token }
        }
        guard let plan else { return }
        guard plans[plan].waiting.count > 1 else { return abort(plan, Refusal(.cancelled)) }
        // Other requests share the plan: only this one is withdrawn.
        plans[plan].waiting.removeAll { $0.token == token }
        let report = report(of: plan, .failed, Refusal(.cancelled))
        emit(.complete(token, report, plans[plan].cause))
    }

    mutating func silence(_ token: RequestToken, _ requester: Requester, _ id: CallID) {
        do throws(Refusal) {
            let call = try silencedCall(id, requester)
            emit(.acknowledge(token))
            guard !calls[call].isSilenced else { return }
            calls[call].isSilenced = true
            publish(call, [.silenced], Cause(requester.origin, rule: .silence))
        } catch {
            emit(.refuse(token, error))
        }
    }

    private func silencedCall(
        _ id: CallID, _ requester: Requester
    ) throws(Refusal) -> Slot<CallRecord> {
        let call = try visible(id)
        try checkRights(requester, on: call)
        guard calls[call].state.isUnanswered else {
            throw Refusal(.invalidState, rule: .silence, blocking: [blocker(call)])
        }
        return call
    }
}

extension PlanRecord.Waiting {
    fileprivate init(_ request: TransactionRequest, isJoined: Bool = false) {
        token = request.token
        reply =
            switch request.options.wait {
            case .accepted: .whenAccepted
            case .completed: isJoined ? .whenCompletedAsJoined : .whenCompleted
            }
    }
}
