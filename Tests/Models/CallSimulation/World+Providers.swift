internal import CallArbitration
internal import CallModel
internal import TestSupport

/// Apps do what they are asked, each in its own way.
extension World {
    mutating func receive(_ dispatch: Dispatch) {
        recentActions.append(dispatch.action)
        if recentActions.count > 8 { recentActions.removeFirst() }
        guard let provider = provider(dispatch.provider) else { return }
        // Somebody who never ends a call would keep it alive unseen: ends are mostly done.
        let temperament =
            dispatch.kind == .end && random.chance(60) ? Temperament.prompt : provider.temperament
        switch temperament {
        case .prompt, .selfWilled: answer(dispatch, .fulfil, Int.random(in: 0..<50, using: &random))
        case .slow: answerSlowly(dispatch)
        case .failing: answerBadly(dispatch)
        case .silent:
            if random.chance(10) { answer(dispatch, .fulfil, dispatch.deadlineMS + 100) }
        case .lying: answerFalsely(dispatch)
        case .dying: answerAndDie(dispatch)
        }
        overtake(dispatch)
    }

    private mutating func answer(
        _ dispatch: Dispatch, _ answer: Errand.Answer, _ afterMS: Int
    ) {
        errands.add(.answer(dispatch, answer), at: later(afterMS))
    }

    private mutating func answerSlowly(_ dispatch: Dispatch) {
        let most = dispatch.deadlineMS
        let afterMS = random.chance(50) ? min(most, 2_000) * 2 / 3 : most * 9 / 10
        if random.chance(20) {
            answer(dispatch, .extend(ms: most * 2), afterMS / 2)
            answer(dispatch, .fulfil, most + afterMS / 2)
        } else {
            answer(dispatch, .fulfil, Int.random(in: 0...afterMS, using: &random))
        }
    }

    private mutating func answerBadly(_ dispatch: Dispatch) {
        let failure = ActionFailure(
            code: random.chance(15) ? -32_601 : -32_000,
            reason: random.pick(["no", "no", "busy", "unspecified"]),
            appCode: random.pick([nil, "SIP 404", "own 7"]))
        answer(
            dispatch, random.chance(60) ? .fail(failure) : .fulfil,
            Int.random(in: 0..<400, using: &random))
    }

    private mutating func answerFalsely(_ dispatch: Dispatch) {
        answer(dispatch, .fulfil, Int.random(in: 0..<300, using: &random))
        if random.chance(30) {
            let failure = ActionFailure(code: -32_000, reason: "no")
            answer(dispatch, random.chance(50) ? .fulfil : .fail(failure), 301)
        }
        guard random.chance(30) else { return }
        // In the name of another.
        var stolen = dispatch
        stolen.provider = random.pick(providers).id
        answer(stolen, .fulfil, 1)
    }

    /// Does it and dies before saying so, or says so and dies, or dies.
    private mutating func answerAndDie(_ dispatch: Dispatch) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6: answer(dispatch, .fulfil, Int.random(in: 0..<200, using: &random))
        case 6: with(dispatch.provider) { $0.carryOut(dispatch) }
        default: break
        }
    }

    /// A report may come before the answer, or in its place (rule 30a).
    private mutating func overtake(_ dispatch: Dispatch) {
        guard random.chance(12) else { return }
        let news: CallReport.News? =
            switch dispatch.kind {
            case .start: random.pick([.alerting(), .connecting, .connected])
            case .answer: .connected
            case .setHeld(let isHeld): .held(isHeld)
            case .setMuted(let isMuted): .muted(isMuted)
            case .end: .ended(.remoteEnded)
            case .transfer, .attendedTransfer:
                .ended(.remoteEnded, random.chance(80) ? EndDetail(.transferred) : nil)
            case .deflect: .ended(.remoteEnded, random.chance(80) ? EndDetail(.deflected) : nil)
            case .setEndpoint(let id): .updated(endpoints(using: id))
            case .setVideo(let video): .updated(reported(video))
            case .setText(let hasText): .updated(reported(hasText))
            case .setGroup, .playDTMF: nil
            }
        guard let news else { return }
        errands.add(.report(dispatch.provider, dispatch.call, news), at: later(1))
    }

    private func reported(_ hasText: Bool) -> CallUpdate {
        var update = CallUpdate()
        update.hasText = .set(hasText)
        return update
    }

    private func reported(_ video: VideoDirection) -> CallUpdate {
        var update = CallUpdate()
        update.video = .set(video)
        return update
    }

    private mutating func endpoints(using id: String) -> CallUpdate {
        var update = CallUpdate()
        var endpoints = randomEndpoints()
        endpoints.use(id)
        update.endpoints = .set(endpoints)
        return update
    }

    /// A whole transaction is offered.
    mutating func consider(
        _ transaction: TransactionID, _ id: ProviderID, _ dispatches: [Dispatch]
    ) {
        guard random.chance(85) else { return }
        errands.add(
            .settleOffer(transaction, id, dispatches, isTaken: random.chance(60)),
            at: later(Int.random(in: 0..<300, using: &random)))
    }

    // MARK: - What is due is said

    /// The event of an errand; nil if it cannot happen any more.
    mutating func event(of errand: Errand) -> ArbiterEvent? {
        switch errand {
        case .answer(let dispatch, let answer): return self.event(of: dispatch, answer)
        case .settleOffer(let transaction, let id, let dispatches, let isTaken):
            guard provider(id)?.link == .connected else { return nil }
            if isTaken { for dispatch in dispatches { receive(dispatch) } }
            return .offerSettled(transaction, by: id, isTaken: isTaken)
        case .report(let id, let call, let news): return report(news, of: call, by: id)
        case .comeBack(let id): return comeBack(id)
        case .listMore(let id, let calls):
            guard let provider = provider(id), provider.link == .connected else { return nil }
            return registration(provider, calls: calls, hasMore: false)
        case .verdict(let call, let verdict): return .screeningSettled(call, verdict)
        case .priority(let call): return .callerPrioritized(call)
        case .request(let request): return .transactionRequested(request)
        }
    }

    private mutating func event(
        of dispatch: Dispatch, _ answer: Errand.Answer
    ) -> ArbiterEvent? {
        guard provider(dispatch.provider)?.link == .connected else { return nil }
        switch answer {
        case .fulfil:
            with(dispatch.provider) { $0.carryOut(dispatch) }
            return .actionFulfilled(dispatch.action, by: dispatch.provider)
        case .fail(let failure):
            if dispatch.kind.kind == .start || dispatch.kind == .answer {
                with(dispatch.provider) { $0.drop(dispatch.call) }
            }
            return .actionFailed(dispatch.action, by: dispatch.provider, failure)
        case .extend(let ms):
            return .actionExtended(dispatch.action, by: dispatch.provider, byMS: ms)
        }
    }

    mutating func report(
        _ news: CallReport.News, of call: CallID, by id: ProviderID
    ) -> ArbiterEvent? {
        guard provider(id)?.link == .connected else { return nil }
        with(id) { $0.believe(news, of: call) }
        return .callReported(
            CallReport(token: makeToken(), provider: id, call: call, news: news))
    }
}
