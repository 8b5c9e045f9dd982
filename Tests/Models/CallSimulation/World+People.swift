internal import CallArbitration
internal import CallModel
internal import TestSupport

/// What people and apps ask for.
extension World {
    /// The next thing that somebody does on his own account.
    mutating func wish() -> ArbiterEvent? {
        if let absent = providers.first(where: { $0.link == .absent }), random.chance(20) {
            return comeBack(absent.id)
        }
        if scenery.isShaky, random.chance(5) { return trouble() }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: return tap()
        case 30..<40: return blindRequest()
        case 40..<46: return appRequest()
        case 46..<50: return gesture()
        case 50..<64: return isCrowded ? endSomething() : incoming()
        case 64..<70: return isCrowded ? endSomething() : start(by: .user)
        case 70..<90: return remoteNews()
        case 90..<93: return lie()
        case 93..<95:
            return recentTokens.isEmpty ? nil : .cancelRequested(random.pick(recentTokens))
        case 95: return scenery.isCalm ? nil : trouble()
        case 96: return dyingTrouble()
        case 97: return changeOfMood()
        case 98:
            return random.chance(10) ? .policyChanged(Scenery.policy(&random)) : revocation()
        default:
            let isRare = !scenery.isCalm && random.chance(20)
            return isRare ? restart() : exitOfLost()
        }
    }

    private mutating func dyingTrouble() -> ArbiterEvent? {
        providers.contains { $0.temperament == .dying } ? trouble() : nil
    }

    private mutating func changeOfMood() -> ArbiterEvent? {
        guard !scenery.isCalm else { return nil }
        let index = Int.random(in: providers.indices, using: &random)
        providers[index].temperament = random.pick(Temperament.allCases)
        return nil
    }

    // MARK: - A screen

    /// A person taps on what the screen offers for a call.
    private mutating func tap() -> ArbiterEvent? {
        let calls = bench.arbiter.visibleCalls
        guard !calls.isEmpty else { return nil }
        var call = random.pick(calls)
        if random.chance(40), let new = incomingCall { call = new }
        guard let view = bench.arbiter.view(of: call) else { return nil }
        // Ends are for when there are many calls: long lives are more interesting.
        let verbs = view.allowed.filter { verb in
            switch verb {
            case .end, .decline, .endAndAnswer, .endHeldAndAnswer, .transfer, .attendedTransfer,
                .deflect:
                isCrowded || random.chance(10)
            case .setEndpoint: random.chance(25)
            case .setVideo, .setText: random.chance(60)
            case .split: !scenery.lovesGroups || random.chance(15)
            default: true
            }
        }
        guard !verbs.isEmpty else { return nil }
        if scenery.lovesGroups, verbs.contains(.merge), random.chance(60) {
            return mergeWithAny(view)
        }
        return event(of: random.pick(verbs), on: view)
    }

    private var incomingCall: CallID? {
        bench.arbiter.summaries.first { $0.state == .ringing || $0.state == .waiting }?.call
    }

    private mutating func event(of verb: Verb, on view: CallView) -> ArbiterEvent? {
        switch verb {
        case .answer, .pull: ask(.answer, view.call, .plain)
        case .holdAndAnswer: ask(.answer, view.call, .holdAndAnswer)
        case .endAndAnswer: ask(.answer, view.call, .endAndAnswer)
        case .endHeldAndAnswer: ask(.answer, view.call, .endHeldAndAnswer)
        case .decline, .end: ask(.end, view.call)
        case .hold: ask(.setHeld(true), view.call)
        case .resume: ask(.setHeld(false), view.call)
        case .mute, .unmute: ask(.setMuted(verb == .mute), view.call)
        case .playDTMF: ask(.playDTMF(digits: "12", .single), view.call)
        case .setEndpoint: ask(.setEndpoint(anEndpoint()), view.call)
        case .setVideo: ask(.setVideo(random.pick(VideoDirection.allCases)), view.call)
        case .setText: ask(.setText(random.chance(50)), view.call)
        case .transfer: ask(.transfer(to: Self.anybody), view.call)
        case .attendedTransfer: transferToAny(view)
        case .deflect: ask(.deflect(to: Self.anybody), view.call)
        case .silence: .silenceRequested(makeToken(), .user, call: view.call)
        case .swap:
            .swapRequested(
                makeToken(), .user, call: view.state == .held ? view.call : nil, options())
        case .split: .splitRequested(makeToken(), .user, call: view.call, options())
        case .merge: mergeWithAny(view)
        }
    }

    private static let anybody = Handle(kind: .phone, value: "2")

    private mutating func anEndpoint() -> String {
        random.pick(["1", "2", "3"])
    }

    private mutating func transferToAny(_ view: CallView) -> ArbiterEvent? {
        let others = bench.arbiter.summaries.filter {
            $0.provider == view.provider && $0.call != view.call
                && ($0.state == .active || $0.state == .held)
        }
        guard !others.isEmpty else { return nil }
        return ask(.attendedTransfer(with: random.pick(others).call), view.call)
    }

    private mutating func mergeWithAny(_ view: CallView) -> ArbiterEvent? {
        let others = bench.arbiter.summaries.filter {
            $0.provider == view.provider && $0.group != view.group
        }
        guard !others.isEmpty else { return nil }
        return .mergeRequested(
            makeToken(), .user, call: view.call, with: random.pick(others).call, options())
    }

    private mutating func ask(
        _ action: CallAction, _ call: CallID, _ choice: AnswerChoice = .plain
    ) -> ArbiterEvent {
        request([RequestedAction(call: call, action: action, choice: choice)], by: .user)
    }

    /// Sometimes a dry run comes first, and the request itself at once after it.
    private mutating func request(
        _ actions: [RequestedAction], by requester: Requester
    ) -> ArbiterEvent {
        var request = TransactionRequest(
            token: makeToken(), requester: requester, actions: actions, options: options())
        if requester == .user, random.chance(10) { request.options.onConflict = .end }
        if actions.contains(where: { $0.action == .end }), random.chance(4) {
            request.options.endsGroup = true
        }
        if random.chance(3) { request.options.transaction = TransactionID(makeCall().bits) }
        guard request.options.isDryRun else {
            // Twice: the second joins the first (rule 30).
            if random.chance(6) { repeatLater(request) }
            return .transactionRequested(request)
        }
        var real = request
        real.token = makeToken()
        real.options.isDryRun = false
        real.options.wait = .accepted
        if random.chance(70) { errands.add(.request(real), at: later(0)) }
        return .transactionRequested(request)
    }

    private mutating func repeatLater(_ request: TransactionRequest) {
        var again = request
        again.token = makeToken()
        again.options.transaction = nil
        errands.add(.request(again), at: later(random.pick([0, 10, 500])))
    }

    private mutating func options() -> CallOptions {
        var options = CallOptions()
        options.isDryRun = random.chance(8)
        options.wait = random.chance(50) ? .accepted : .completed
        if random.chance(10) { options.deadlineMS = random.pick([1_000, 3_000, 30_000]) }
        return options
    }

    // MARK: - Blindly

    /// Somebody asks without having looked: mostly refused.
    private mutating func blindRequest() -> ArbiterEvent? {
        let count = random.pick([1, 1, 1, 2, 2, 3, 4])
        var actions: [RequestedAction] = []
        for _ in 0..<count {
            if let action = blindAction() { actions.append(action) }
        }
        if random.chance(2) { actions = [] }
        return request(
            actions, by: random.chance(90) ? .user : .app(random.pick(providers).id))
    }

    private mutating func blindAction() -> RequestedAction? {
        if random.chance(10) { return startAction(random.pick(providers).id) }
        guard let call = someCall() else { return nil }
        let action: CallAction =
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<4: .answer
            case 4..<6: .setHeld(true)
            case 6..<9: .setHeld(false)
            case 9: .setMuted(random.chance(50))
            case 10: .setGroup(with: someCall() ?? call)
            case 11: .setGroup(with: nil)
            case 12: .playDTMF(digits: random.chance(95) ? "1" : "", .softPause)
            case 14: .transfer(to: Self.anybody)
            case 15: .attendedTransfer(with: someCall() ?? call)
            case 16: .deflect(to: Self.anybody)
            case 17: .setEndpoint(anEndpoint())
            case 18: .setVideo(random.pick(VideoDirection.allCases))
            case 19: .setText(random.chance(50))
            default: isCrowded ? .end : .setHeld(true)
            }
        return RequestedAction(
            call: call, action: action, choice: random.pick(AnswerChoice.allCases))
    }

    private mutating func startAction(_ provider: ProviderID) -> RequestedAction {
        RequestedAction(
            call: random.chance(97) ? makeCall() : someCall() ?? makeCall(), provider: provider,
            action: .start(
                StartArguments(
                    remote: Handle(kind: .phone, value: "2"), hasVideo: random.chance(10),
                    line: random.pick([nil, nil, "1", "2"]),
                    isEmergency: scenery.hasEmergencies && random.chance(12),
                    isBackground: random.chance(2))))
    }

    private mutating func start(by requester: Requester) -> ArbiterEvent {
        var id = random.pick(providers).id
        if case .app(let own) = requester, random.chance(95) { id = own }
        return request([startAction(id)], by: requester)
    }

    private mutating func endSomething() -> ArbiterEvent? {
        guard let call = someCall() else { return nil }
        return ask(.end, call)
    }

    // MARK: - Apps, and things without a screen

    private mutating func appRequest() -> ArbiterEvent? {
        let app = random.pick(providers)
        guard random.chance(75), !app.legs.isEmpty else { return start(by: .app(app.id)) }
        let call = random.chance(85) ? random.pick(app.legs).call : someCall() ?? makeCall()
        guard var action = blindAction() else { return nil }
        action.call = action.action.kind == .start ? action.call : call
        return request([action], by: .app(app.id))
    }

    private mutating func gesture() -> ArbiterEvent? {
        switch Int.random(in: 0..<5, using: &random) {
        case 0, 1: return .buttonPressed(makeToken(), random.chance(70) ? .short : .long)
        case 2: return .swapRequested(makeToken(), .user, call: nil, options())
        case 3:
            guard let call = someCall() else { return nil }
            let who = random.chance(70) ? Requester.user : .app(random.pick(providers).id)
            return random.chance(70)
                ? .silenceRequested(makeToken(), who, call: call)
                : .prioritizeRequested(makeToken(), who, call: call)
        default:
            guard let call = someCall(), let other = someCall() else { return nil }
            return .mergeRequested(makeToken(), .user, call: call, with: other, options())
        }
    }
}
