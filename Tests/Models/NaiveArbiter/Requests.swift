internal import CallArbitration
internal import CallModel

/// Sections 3 and 5: what is asked for is checked as a whole before anything is sent.
extension NaiveArbiter {
    private static let actionsMax = 8

    /// Everything that asks for one action is a transaction of one.
    mutating func ask(
        _ action: CallAction, _ call: CallID, _ token: RequestToken, _ requester: Requester,
        _ options: CallOptions, by rule: Rule? = nil
    ) {
        let request = TransactionRequest(
            token: token, requester: requester,
            actions: [RequestedAction(call: call, action: action)], options: options)
        takeRequest(request, by: rule)
    }

    mutating func takeRequest(_ request: TransactionRequest, by rule: Rule? = nil) {
        do throws(Refused) {
            try checkForm(request)
            var planned = try plan(request)
            if let rule {
                planned.rules.insert(rule, at: 0)
                for index in planned.steps.indices { planned.steps[index].rule = rule }
            }
            if request.options.isDryRun {
                reply(request.token, .accepted(report(of: planned)))
            } else if let plan = planned.joins {
                join(plan, request)
            } else {
                carryOut(planned, request)
            }
        } catch {
            refuse(request.token, error, isDryRun: request.options.isDryRun)
        }
    }

    private func checkForm(_ request: TransactionRequest) throws(Refused) {
        guard !request.actions.isEmpty else { throw Refused(.emptyTransaction) }
        guard request.actions.count <= Self.actionsMax else { throw Refused(.invalidAction) }
        try checkConflict(request.requester, request.options)
    }

    /// Only the user may have somebody else's call ended (principle 4).
    func checkConflict(_ requester: Requester, _ options: CallOptions) throws(Refused) {
        guard options.onConflict == .end, requester != .user else { return }
        throw Refused(.notYourCall, .rights)
    }

    /// Each action against what the earlier ones would leave: as if each went well.
    private func plan(_ request: TransactionRequest) throws(Refused) -> Planned {
        guard request.actions.count > 1 else {
            return try planned(request.actions[0], request.requester, request.options)
        }
        var future = self
        var whole = Planned()
        let urgent = request.actions.firstIndex { isEmergency($0) }
        if urgent != nil { whole.takesReservation = true }
        for (index, action) in request.actions.enumerated() {
            let isAhead = urgent.map { index < $0 } ?? false
            if isAhead, isLeftOut(action.action) { continue }
            do throws(Refused) {
                let part = try future.planned(action, request.requester, request.options)
                if isAhead { whole.ahead += part.steps } else { whole.steps += part.steps }
                whole.target = part.target ?? whole.target
                whole.choice = part.choice ?? whole.choice
                whole.takesReservation = whole.takesReservation || part.takesReservation
                whole.missed += part.missed
                whole.dropped += part.dropped
                whole.putAside += part.putAside
                whole.finished += part.finished
                future.imagine(part, request)
            } catch {
                // Rule 20: what is refused beside an emergency is left out.
                if urgent != nil, index != urgent { continue }
                var refused = error
                refused.index = index
                throw refused
            }
        }
        return whole
    }

    /// Rule 20: in front of an emergency, what would have to make way at once, regroups calls, or sends
    /// them away.
    private func isLeftOut(_ action: CallAction) -> Bool {
        let kinds: [ActionKind] = [.setGroup, .transfer, .attendedTransfer, .deflect]
        return action.bringsToLife || kinds.contains(action.kind)
    }

    /// All providers do at once what they are asked for.
    private mutating func imagine(_ planned: Planned, _ request: TransactionRequest) {
        var plain = request
        plain.token = RequestToken(0)
        for index in providers.indices {
            providers[index].configuration.takesTransactions = false
        }
        wanted = Wanted()
        carryOut(planned, plain)
        while true {
            settleWhatFollows()
            let sent = wanted.sent
            wanted = Wanted()
            if sent.isEmpty { return }
            for number in sent.map(\.number) where action(number)?.isSent == true {
                settleAndGoOn(number, .fulfilled)
            }
        }
    }

    private mutating func carryOut(_ planned: Planned, _ request: TransactionRequest) {
        // Of several actions each has its own rule.
        let rule = request.actions.count == 1 ? planned.rules.first : nil
        var wish = Wish(Cause(request.requester.origin, rule: rule))
        wish.requester = request.requester
        wish.waiting = [Waiting(token: request.token, wait: request.options.wait)]
        wish.deadlineMS = request.options.deadlineMS
        wish.id = request.options.transaction
        for step in planned.ahead { sendAhead(step, request) }
        for step in planned.steps {
            for part in step.parts {
                make(part, Cause(request.requester.origin, rule: step.rule))
            }
        }
        if planned.takesReservation, let weaker = reservation {
            giveUp(weaker, Refused(.cancelled, .busy))
        }
        carryOut(planned, wish)
    }

    /// A call is there from the moment its start is accepted.
    private mutating func make(_ part: Part, _ cause: Cause) {
        if part.kind == .answer { beginIfMarked(part.call) }
        guard case .start(let arguments) = part.kind else { return }
        var call = Call(
            id: part.call, provider: part.provider, direction: .outgoing, state: .starting,
            group: newGroup(), createdAt: now)
        call.properties.remote = arguments.remote
        call.properties.hasVideo = arguments.hasVideo
        call.properties.hasText = arguments.hasText
        call.properties.line = arguments.line
        if arguments.isBackground { call.properties.priority = .background }
        if arguments.isEmergency, policy.allowsEmergency { call.properties.priority = .emergency }
        calls.append(call)
        wanted.announced.append(.callAdded(call.id, cause))
        beginIfMarked(call.id)
    }

    mutating func newGroup() -> Int {
        let number = nextNumber()
        groups.append(Group(number: number))
        return number
    }

    /// Rule 30: both hear of the same result.
    private mutating func join(_ number: Int, _ request: TransactionRequest) {
        change(plan: number) {
            $0.waiting.append(
                Waiting(token: request.token, wait: request.options.wait, isJoined: true))
        }
        guard request.options.wait == .accepted else { return }
        var report = report(of: number, .accepted)
        report.isJoined = true
        reply(request.token, .accepted(report))
    }

    /// A dry run is no error: it says what would be.
    mutating func refuse(_ token: RequestToken, _ refused: Refused, isDryRun: Bool = false) {
        guard isDryRun else { return reply(token, .refused(refused)) }
        var report = Wanted.Report(state: .failed)
        report.refused = refused
        reply(token, .accepted(report))
    }

    mutating func reply(_ token: RequestToken, _ reply: Wanted.Reply) {
        wanted.replies.append((token, reply))
    }

    private func report(of planned: Planned) -> Wanted.Report {
        var report = Wanted.Report(state: .accepted)
        report.entries = planned.steps.flatMap(\.parts).map {
            Wanted.Report.Entry(
                kind: $0.kind.kind, call: $0.call, isImplied: $0.isImplied, state: .planned)
        }
        report.wouldHold = planned.held
        report.wouldEnd = planned.ended
        for part in planned.steps.flatMap(\.parts) {
            switch part.kind {
            case .start, .answer, .setHeld(false): report.wouldActivate.append(part.call)
            case .end, .setHeld, .setMuted, .setGroup, .playDTMF, .setEndpoint, .setVideo, .setText,
                .transfer,
                .attendedTransfer,
                .deflect:
                break
            }
        }
        return report
    }

    /// Protocol, section 7: who has joined leaves again; with the last one the plan stops.
    mutating func takeCancel(_ token: RequestToken) {
        guard let plan = plans.first(where: { $0.waiting.contains { $0.token == token } }) else {
            return
        }
        guard plan.waiting.count > 1 else { return giveUp(plan.number, Refused(.cancelled)) }
        change(plan: plan.number) { $0.waiting.removeAll { $0.token == token } }
        var report = report(of: plan.number, .failed)
        report.refused = Refused(.cancelled)
        reply(token, .completed(report))
    }

    /// Rule 40.
    mutating func takeSilence(_ token: RequestToken, _ requester: Requester, _ id: CallID) {
        do throws(Refused) {
            let call = try known(id, to: requester)
            guard call.isUnanswered else { throw Refused(.invalidState, .silence, [id]) }
            change(id) { $0.isSilenced = true }
            reply(token, .acknowledged)
        } catch {
            refuse(token, error)
        }
    }
}

extension Requester {
    var origin: Origin {
        switch self {
        case .user: .user
        case .app: .app
        }
    }
}
