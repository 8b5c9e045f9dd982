import CallModel

@testable import CallArbitration

/// An arbiter, a clock, and short names for calls and providers.
struct Stage {
    var arbiter: Arbiter
    var now = Instant.zero
    private var lastToken: UInt64 = 0
    /// Every effect so far.
    var log: [ArbiterEffect] = []

    init(policy: ArbitrationPolicy = ArbitrationPolicy()) {
        arbiter = Arbiter(policy: policy, lineage: 1)
    }

    static func call(_ number: UInt64) -> CallID {
        CallID(UUIDBits(high: 0, low: number))
    }

    static func provider(_ name: String) -> ProviderID {
        ProviderID("org.example.\(name)")
    }

    mutating func token() -> RequestToken {
        lastToken += 1
        return RequestToken(lastToken)
    }

    @discardableResult
    mutating func apply(_ event: ArbiterEvent) -> [ArbiterEffect] {
        let effects = arbiter.apply(event, at: now)
        log += effects
        return effects
    }

    mutating func pass(ms: Int) {
        now = now.advanced(byMS: ms)
    }

    @discardableResult
    mutating func register(
        _ name: String, _ change: (inout ProviderConfiguration) -> Void = { _ in }
    ) -> [ArbiterEffect] {
        var configuration = ProviderConfiguration(displayName: name, handleKinds: [.phone])
        change(&configuration)
        return apply(
            .providerRegistered(
                ProviderRegistration(
                    token: token(), provider: Self.provider(name), configuration: configuration)))
    }

    @discardableResult
    mutating func ring(
        _ call: UInt64, at provider: String, _ change: (inout CallUpdate) -> Void = { _ in }
    ) -> [ArbiterEffect] {
        var update = CallUpdate()
        change(&update)
        return apply(
            .incomingReported(
                IncomingReport(
                    token: token(), provider: Self.provider(provider), call: Self.call(call),
                    update: update)))
    }

    @discardableResult
    mutating func ask(
        _ action: CallAction, _ call: UInt64, choice: AnswerChoice = .plain,
        by requester: Requester = .user, provider: String? = nil,
        _ change: (inout CallOptions) -> Void = { _ in }
    ) -> [ArbiterEffect] {
        var options = CallOptions()
        change(&options)
        return apply(
            .transactionRequested(
                TransactionRequest(
                    token: token(), requester: requester,
                    actions: [
                        RequestedAction(
                            call: Self.call(call), provider: provider.map { Self.provider($0) },
                            action: action, choice: choice)
                    ], options: options)))
    }

    /// Fulfils everything that is dispatched, and what follows, until nothing is.
    mutating func fulfilAll(_ effects: [ArbiterEffect]) {
        var waiting = effects.dispatches
        while !waiting.isEmpty {
            let next = waiting.removeFirst()
            waiting += apply(.actionFulfilled(next.action, by: next.provider)).dispatches
        }
    }

    /// Call 1 of app "a" is active, call 2 of app "b" waits.
    static func oneActiveOneWaiting(
        policy: ArbitrationPolicy = ArbitrationPolicy(),
        _ change: (inout CallUpdate) -> Void = { _ in }
    ) -> Stage {
        var stage = Stage(policy: policy)
        stage.register("a")
        stage.register("b")
        stage.ring(1, at: "a", change)
        stage.fulfilAll(stage.ask(.answer, 1))
        stage.ring(2, at: "b")
        return stage
    }

    func state(_ call: UInt64) -> CallState? {
        arbiter.calls.slot(of: Self.call(call)).map { arbiter.calls[$0].state }
    }
}

extension [ArbiterEffect] {
    var dispatches: [Dispatch] {
        compactMap { if case .perform(let dispatch) = $0 { dispatch } else { nil } }
    }

    var reports: [TransactionReport] {
        compactMap {
            switch $0 {
            case .accept(_, let report), .complete(_, let report, _): report
            default: nil
            }
        }
    }

    var refusals: [Refusal] {
        compactMap { if case .refuse(_, let refusal) = $0 { refusal } else { nil } }
    }
}
