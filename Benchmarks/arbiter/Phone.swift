import CallArbitration
import CallModel

/// An arbiter with many held calls, and the few hands that drive it. Providers fulfil at once.
struct Phone {
    static let providerCount = 16
    var arbiter: Arbiter
    private(set) var events = 0
    private var now = Instant.zero
    private var tokens: UInt64 = 0
    private var calls: UInt64 = 0

    init(held: Int) {
        var policy = ArbitrationPolicy()
        policy.limits.heldGroups = 1_000_000
        policy.limits.ringing = 1_000_000
        policy.limits.callsPerProvider = 1_000_000
        policy.limits.calls = 1_000_000
        arbiter = Arbiter(policy: policy, lineage: 1)
        for number in 0..<Self.providerCount { register(number, held: held) }
    }

    static func provider(_ number: Int) -> ProviderID {
        ProviderID("org.example.p\(number % providerCount)")
    }

    /// The held calls are taken over with their provider, as after a restart.
    private mutating func register(_ number: Int, held: Int) {
        var configuration = ProviderConfiguration(displayName: "P", handleKinds: [.phone])
        configuration.maxCallGroups = 1_000_000
        let share = (held + Self.providerCount - 1 - number) / Self.providerCount
        let live = (0..<share).map { _ in
            LiveCall(
                call: newCall(), direction: .incoming, state: .held, update: CallUpdate())
        }
        _ = apply(
            .providerRegistered(
                ProviderRegistration(
                    token: token(), provider: Self.provider(number),
                    configuration: configuration, calls: live)))
    }

    private mutating func newCall() -> CallID {
        calls += 1
        return CallID(UUIDBits(high: calls, low: calls))
    }

    private mutating func token() -> RequestToken {
        tokens += 1
        return RequestToken(tokens)
    }

    private mutating func apply(_ event: ArbiterEvent) -> [ArbiterEffect] {
        events += 1
        now = now.advanced(byMS: 1)
        return arbiter.apply(event, at: now)
    }

    mutating func ring(at provider: Int) -> CallID {
        let call = newCall()
        var update = CallUpdate()
        update.remote = .set(Handle(kind: .phone, value: "+15550100"))
        _ = apply(
            .incomingReported(
                IncomingReport(
                    token: token(), provider: Self.provider(provider), call: call, update: update))
        )
        return call
    }

    /// Asks for an action, and fulfils it with all that it takes.
    mutating func carryOut(_ action: CallAction, _ call: CallID) {
        let effects = apply(
            .transactionRequested(
                TransactionRequest(
                    token: token(), requester: .user,
                    actions: [RequestedAction(call: call, action: action)])))
        fulfil(effects)
    }

    private mutating func fulfil(_ effects: [ArbiterEffect]) {
        for case .perform(let dispatch) in effects {
            fulfil(apply(.actionFulfilled(dispatch.action, by: dispatch.provider)))
        }
    }

    mutating func hangUp(_ call: CallID, at provider: Int) {
        _ = apply(
            .callReported(
                CallReport(
                    token: token(), provider: Self.provider(provider), call: call,
                    news: .ended(.remoteEnded))))
    }
}
