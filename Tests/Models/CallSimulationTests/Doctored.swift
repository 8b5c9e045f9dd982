import CallArbitration
import CallModel

@testable import CallSimulation

/// A watch that is told what no arbiter should do.
struct Doctored {
    var watch = EffectWatch(policy: ArbitrationPolicy())
    private(set) var now = Instant.zero

    static let provider = ProviderID("org.a")

    static func call(_ number: UInt64) -> CallID {
        CallID(UUIDBits(high: 0, low: number))
    }

    static func action(_ number: UInt64) -> ActionID {
        ActionID(UUIDBits(high: 1, low: number))
    }

    static func transaction(_ number: UInt64) -> TransactionID {
        TransactionID(UUIDBits(high: 2, low: number))
    }

    static func dispatch(
        _ action: UInt64, _ kind: CallAction = .answer, call: UInt64 = 1, attempt: Int = 1
    ) -> Dispatch {
        Dispatch(
            action: Self.action(action), provider: provider, call: Self.call(call), kind: kind,
            transaction: transaction(1), cause: Cause(.user), deadlineMS: 5_000, attempt: attempt)
    }

    static func entry(
        _ call: UInt64, _ reason: EndReason = .remoteEnded, rule: Rule? = nil
    ) -> HistoryEntry {
        HistoryEntry(
            last: ViewWatchTests.view(Self.call(call), .ended), reason: reason,
            cause: Cause(.remote, rule: rule), missed: [], filteredBy: nil, endedAt: .zero)
    }

    static func report(
        _ transaction: TransactionID, _ state: TransactionState
    ) -> TransactionReport {
        TransactionReport(transaction: transaction, state: state, entries: [])
    }

    /// An event that expects no reply.
    static let nothing = ArbiterEvent.offerSettled(
        transaction(99), by: ProviderID("org.nobody"), isTaken: false)

    /// The provider is connected.
    static func withProvider() -> Doctored {
        var doctored = Doctored()
        doctored.take(
            .providerRegistered(
                ProviderRegistration(
                    token: RequestToken(1), provider: provider,
                    configuration: ProviderConfiguration(displayName: "a", handleKinds: []))),
            [
                .announce(.providerAdded(provider)),
                .confirmRegistration(RequestToken(1), provider, calls: [], dropped: []),
            ])
        return doctored
    }

    /// The provider is connected, and calls 1 and 2 are listed.
    static func withCalls() -> Doctored {
        var doctored = withProvider()
        doctored.take(
            nothing,
            [
                .announce(.callAdded(call(1), Cause(.provider))),
                .announce(.callAdded(call(2), Cause(.provider))),
            ])
        return doctored
    }

    /// An action of call 1 is performed, as it should be.
    static func performing(_ kind: CallAction = .answer) -> Doctored {
        var doctored = withCalls()
        doctored.take(nothing, sending(dispatch(1, kind)))
        return doctored
    }

    static func sending(_ dispatch: Dispatch) -> [ArbiterEffect] {
        [
            .startTimer(
                .action(dispatch.action), at: Instant.zero.advanced(byMS: dispatch.deadlineMS)),
            .perform(dispatch),
            .announce(
                .actionChanged(dispatch.action, dispatch.kind.kind, dispatch.call, .dispatched)),
        ]
    }

    static func settling(_ action: UInt64, _ state: ActionState = .fulfilled) -> [ArbiterEffect] {
        [
            .stopTimer(.action(Self.action(action))),
            .announce(.actionChanged(Self.action(action), .answer, call(1), state)),
        ]
    }

    mutating func take(_ event: ArbiterEvent, _ effects: [ArbiterEffect]) {
        watch.take(event, effects, at: now)
    }

    /// What is wrong after these effects.
    mutating func complaints(_ effects: ArbiterEffect...) -> [String] {
        complaints(of: Self.nothing, effects)
    }

    mutating func complaints(
        of event: ArbiterEvent, _ effects: [ArbiterEffect]
    ) -> [String] {
        take(event, effects)
        return watch.complaints.map { "\($0.check.rawValue): \($0.what)" }
    }

    mutating func pass(ms: Int) {
        now = now.advanced(byMS: ms)
    }
}
