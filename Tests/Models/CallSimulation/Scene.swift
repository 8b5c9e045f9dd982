internal import CallArbitration
internal import CallModel

/// Something that can happen in the small world of the exhaustive run.
enum Move: Hashable, Sendable {
    case come(CallID)
    case ask(CallID, CallAction, AnswerChoice)
    case swap(CallID)
    case answer(ActionID, ProviderID, Outcome)
    case fire(TimerID)
    case report(CallID, ProviderID, CallReport.News)

    enum Outcome: Hashable, Sendable {
        case fulfil, fail
    }
}

/// Two providers and three calls: 1 is dialed by a, 2 comes in at a, 3 comes in at b.
struct Scene {
    var bench: Bench
    private var unborn = [call(1), call(2), call(3)]
    /// Actions that were given up and whose answers can still come, the latest only.
    private var late: Dispatch?
    private var performing: [Dispatch] = []
    private var lastToken: UInt64 = 0

    private static let a = ProviderID("org.a")
    private static let b = ProviderID("org.b")

    private static func call(_ number: UInt64) -> CallID {
        CallID(UUIDBits(high: 0, low: number))
    }

    init(checks: Checks, isRecorded: Bool = false) {
        var checks = checks
        checks.isRecorded = isRecorded
        checks.log = nil
        bench = Bench(checks: checks)
        for provider in [Self.a, Self.b] {
            let configuration = ProviderConfiguration(
                displayName: provider.name, handleKinds: [.phone])
            apply(
                .providerRegistered(
                    ProviderRegistration(
                        token: makeToken(), provider: provider, configuration: configuration)))
        }
    }

    /// What tells this state from others.
    var key: Int {
        var hasher = Hasher()
        bench.arbiter.hashStructure(into: &hasher)
        hasher.combine(unborn)
        hasher.combine(late?.call)
        hasher.combine(late?.kind)
        return hasher.finalize()
    }

    // MARK: - What can happen

    var moves: [Move] {
        var moves = unborn.map { Move.come($0) }
        let views = bench.arbiter.summaries
        for view in views { add(movesOn(view, views), to: &moves) }
        for dispatch in performing {
            moves.append(.answer(dispatch.action, dispatch.provider, .fulfil))
            moves.append(.answer(dispatch.action, dispatch.provider, .fail))
        }
        if let late { moves.append(.answer(late.action, late.provider, .fulfil)) }
        for timer in bench.timersLeft { moves.append(.fire(timer)) }
        return moves
    }

    private func add(_ more: [Move], to moves: inout [Move]) {
        moves += more
    }

    private func movesOn(_ view: CallView, _ views: [CallView]) -> [Move] {
        let call = view.call
        var moves: [Move] = [
            .ask(call, .end, .plain), .ask(call, .setHeld(true), .plain),
            .ask(call, .setHeld(false), .plain), .ask(call, .setMuted(!view.isMuted), .plain),
            .ask(call, .setGroup(with: nil), .plain),
            .ask(call, .playDTMF(digits: "1", .single), .plain), .swap(call),
            .ask(call, .transfer(to: Handle(kind: .phone, value: "2")), .plain),
            .ask(call, .deflect(to: Handle(kind: .phone, value: "2")), .plain),
            .ask(call, .setEndpoint("2"), .plain),
            .ask(call, .setVideo(.both), .plain),
            .ask(call, .setText(true), .plain),
            .report(call, view.provider, .ended(.remoteEnded)),
            .report(call, view.provider, .connected),
        ]
        if view.state == .ringing || view.state == .waiting {
            moves += AnswerChoice.allCases.map { .ask(call, .answer, $0) }
        }
        for other in views where other.call != call {
            moves.append(.ask(call, .setGroup(with: other.call), .plain))
            moves.append(.ask(call, .attendedTransfer(with: other.call), .plain))
        }
        return moves
    }

    // MARK: - What happens

    mutating func make(_ move: Move) {
        switch move {
        case .come(let call): come(call)
        case .ask(let call, let action, let choice):
            request(RequestedAction(call: call, action: action, choice: choice))
        case .swap(let call):
            apply(.swapRequested(makeToken(), .user, call: call, CallOptions()))
        case .answer(let action, let provider, .fulfil):
            if late?.action == action { late = nil }
            apply(.actionFulfilled(action, by: provider))
        case .answer(let action, let provider, .fail):
            apply(
                .actionFailed(action, by: provider, ActionFailure(code: -32_000, reason: "no")))
        case .fire(let timer): apply(.timerFired(timer))
        case .report(let call, let provider, let news):
            apply(
                .callReported(
                    CallReport(token: makeToken(), provider: provider, call: call, news: news)))
        }
    }

    private mutating func come(_ call: CallID) {
        unborn.removeAll { $0 == call }
        if call == Self.call(1) {
            let arguments = StartArguments(remote: Handle(kind: .phone, value: "1"))
            return request(
                RequestedAction(call: call, provider: Self.a, action: .start(arguments)))
        }
        let provider = call == Self.call(2) ? Self.a : Self.b
        apply(
            .incomingReported(
                IncomingReport(
                    token: makeToken(), provider: provider, call: call, update: CallUpdate())))
    }

    private mutating func request(_ action: RequestedAction) {
        apply(
            .transactionRequested(
                TransactionRequest(token: makeToken(), requester: .user, actions: [action])))
    }

    private mutating func makeToken() -> RequestToken {
        lastToken += 1
        return RequestToken(lastToken)
    }

    private mutating func apply(_ event: ArbiterEvent) {
        for effect in bench.apply(event, at: .zero) {
            if case .perform(let dispatch) = effect { performing.append(dispatch) }
        }
        let outstanding = bench.outstanding
        guard performing.count != outstanding.count else { return }
        for gone in performing where !outstanding.contains(gone.action) {
            if !event.settles(gone.action) { late = gone }
        }
        performing.removeAll { !outstanding.contains($0.action) }
    }

    /// To a quiet end.
    mutating func close() {
        Closing.close(&bench, longestMS: World.longestMS)
    }
}

extension ArbiterEvent {
    /// Whether it is the answer to that action.
    fileprivate func settles(_ action: ActionID) -> Bool {
        switch self {
        case .actionFulfilled(action, _, _), .actionFailed(action, _, _): true
        default: false
        }
    }
}
