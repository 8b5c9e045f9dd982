import CallModel
import TestSupport
import Testing

@testable import CallArbitration

/// Random providers, users and remote sides against the arbiter.
struct SimulationTests {
    @Test(arguments: 1...100) func `nothing breaks, whatever happens in whatever order`(
        seed: UInt64
    ) {
        var world = World(seed: seed)
        for step in 0..<1_000 {
            let before = world.arbiter
            let event = world.nextEvent()
            let effects = world.apply(event)
            let broken = world.arbiter.brokenInvariants()
            guard broken.isEmpty else {
                Issue.record("seed \(seed), step \(step), \(event): \(broken)")
                return
            }
            if effects.contains(where: { if case .refuse = $0 { true } else { false } }),
                effects.allSatisfy(\.leavesState)
            {
                #expect(before.isSame(as: world.arbiter), "seed \(seed), step \(step), \(event)")
            }
        }
    }
}

/// Three apps, a user, and what is under way between them.
private struct World {
    var arbiter = Arbiter(lineage: 7)
    private var random: SeededRandom
    private var now = Instant.zero
    private var token: UInt64 = 0
    private var nextCall: UInt64 = 0
    private var known: [CallID] = []
    private var dispatched: [(ActionID, ProviderID)] = []
    private var timers: [TimerID: Instant] = [:]
    private let names = ["a", "b", "c"].map { Stage.provider($0) }

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
    }

    mutating func apply(_ event: ArbiterEvent) -> [ArbiterEffect] {
        now = now.advanced(byMS: Int.random(in: 0..<400, using: &random))
        if case .timerFired(let timer) = event {
            now = max(now, timers[timer] ?? now)
            timers[timer] = nil
        }
        let effects = arbiter.apply(event, at: now)
        for effect in effects {
            switch effect {
            case .perform(let dispatch): dispatched.append((dispatch.action, dispatch.provider))
            case .startTimer(let timer, let at): timers[timer] = at
            case .stopTimer(let timer): timers[timer] = nil
            default: break
            }
        }
        return effects
    }

    private mutating func makeToken() -> RequestToken {
        token += 1
        return RequestToken(token)
    }

    private mutating func newCall() -> CallID {
        nextCall += 1
        let call = Stage.call(nextCall)
        known.append(call)
        if known.count > 14 { known.removeFirst() }
        return call
    }

    private mutating func someCall() -> CallID {
        known.isEmpty ? newCall() : random.pick(known)
    }

    mutating func nextEvent() -> ArbiterEvent {
        if let due = timers.sorted(by: { $0.value < $1.value }).first, due.value <= now {
            return .timerFired(due.key)
        }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<6: return registration()
        case 6..<14: return incoming()
        case 14..<40: return request()
        case 40..<66: return answer()
        case 66..<84: return report()
        case 84..<87: return .providerLost(random.pick(names))
        case 87..<89: return .providerExited(random.pick(names))
        case 89..<92:
            return .buttonPressed(makeToken(), random.chance(70) ? .short : .long)
        case 92..<95: return .swapRequested(makeToken(), .user, call: nil, CallOptions())
        case 95..<97: return .silenceRequested(makeToken(), .user, call: someCall())
        default:
            guard let first = timers.sorted(by: { $0.value < $1.value }).first else {
                return registration()
            }
            return .timerFired(first.key)
        }
    }

    private mutating func registration() -> ArbiterEvent {
        var configuration = ProviderConfiguration(displayName: "x", handleKinds: [.phone])
        configuration.maxCallGroups = Int.random(in: 1...4, using: &random)
        configuration.supportsVideo = random.chance(50)
        configuration.appIsSeparate = random.chance(20)
        let calls: [LiveCall]? =
            random.chance(50)
            ? nil
            : (0..<Int.random(in: 0..<3, using: &random)).map { _ in
                LiveCall(
                    call: someCall(), direction: random.chance(50) ? .incoming : .outgoing,
                    state: random.pick([.ringing, .dialing, .connecting, .active, .held]),
                    update: CallUpdate())
            }
        return .providerRegistered(
            ProviderRegistration(
                token: makeToken(), provider: random.pick(names), configuration: configuration,
                calls: calls))
    }

    private mutating func incoming() -> ArbiterEvent {
        var update = CallUpdate()
        update.supportsHolding = random.chance(20) ? .set(false) : .unchanged
        update.priority = random.chance(3) ? .set(.emergency) : .unchanged
        return .incomingReported(
            IncomingReport(
                token: makeToken(), provider: random.pick(names),
                call: random.chance(90) ? newCall() : someCall(), update: update,
                needsScreening: random.chance(20)))
    }

    private mutating func action() -> CallAction {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<4:
            .start(
                StartArguments(
                    remote: Handle(kind: .phone, value: "1"), isEmergency: random.chance(5)))
        case 4..<9: .answer
        case 9..<11: .end
        case 11..<13: .setHeld(true)
        case 13..<15: .setHeld(false)
        case 15: .setMuted(random.chance(50))
        case 16..<18: .setGroup(with: random.chance(70) ? someCall() : nil)
        default: .playDTMF(digits: "1", .single)
        }
    }

    private mutating func request() -> ArbiterEvent {
        var options = CallOptions()
        options.isDryRun = random.chance(10)
        options.wait = random.chance(50) ? .accepted : .completed
        let requester: Requester = random.chance(80) ? .user : .app(random.pick(names))
        if requester == .user, random.chance(20) { options.onConflict = .end }
        let count = random.chance(80) ? 1 : 2
        let actions = (0..<count).map { _ in
            let action = action()
            let isStart = action.kind == .start
            return RequestedAction(
                call: isStart ? newCall() : someCall(), provider: random.pick(names),
                action: action, choice: random.pick(AnswerChoice.allCases))
        }
        return .transactionRequested(
            TransactionRequest(
                token: makeToken(), requester: requester, actions: actions, options: options))
    }

    private mutating func answer() -> ArbiterEvent {
        guard !dispatched.isEmpty else { return incoming() }
        let index = Int.random(in: 0..<dispatched.count, using: &random)
        let (action, provider) = dispatched[index]
        switch Int.random(in: 0..<10, using: &random) {
        case 0:
            return .actionExtended(action, by: provider, byMS: 10_000)
        case 1, 2:
            dispatched.remove(at: index)
            return .actionFailed(
                action, by: provider,
                ActionFailure(code: random.chance(20) ? -32_601 : -32_000, reason: "no"))
        case 3:
            return .actionFulfilled(action, by: random.pick(names))
        default:
            dispatched.remove(at: index)
            return .actionFulfilled(action, by: provider)
        }
    }

    private mutating func report() -> ArbiterEvent {
        if random.chance(15) {
            return .screeningSettled(
                someCall(),
                random.pick([
                    .ring, .allow, .doNotDisturb, .silence(by: "x"), .block(.blockList, by: "x"),
                ]))
        }
        var update = CallUpdate()
        update.supportsHolding = random.chance(50) ? .set(random.chance(50)) : .unchanged
        update.priority = random.chance(5) ? .set(.emergency) : .set(.normal)
        let news: CallReport.News =
            switch Int.random(in: 0..<12, using: &random) {
            case 0..<2: .connecting
            case 2..<5: .connected
            case 5: .held(true)
            case 6: .held(false)
            case 7: .muted(random.chance(50))
            case 8: .group(with: random.chance(60) ? someCall() : nil)
            case 9: .updated(update)
            default: .ended(random.pick(EndReason.allCases))
            }
        return .callReported(
            CallReport(
                token: makeToken(), provider: random.pick(names), call: someCall(), news: news))
    }
}

extension ArbiterEffect {
    fileprivate var leavesState: Bool {
        switch self {
        case .refuse, .note: true
        default: false
        }
    }
}

extension Arbiter {
    /// The same state, apart from the time.
    fileprivate func isSame(as other: Arbiter) -> Bool {
        var copy = other
        copy.now = now
        return copy == self
    }
}
