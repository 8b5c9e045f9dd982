internal import CallArbitration
internal import CallModel
internal import Synchronization
internal import TestSupport

/// A host with apps, people and remote sides, driven by a seed. It does things to a bench and reacts
/// to what the arbiter wants done; what it did is a script, which can be replayed without it.
package struct World: Sendable {
    package internal(set) var bench: Bench
    package private(set) var script: Script
    /// No request may take longer.
    package static let longestMS = 300_000

    let scenery: Scenery
    var random: SeededRandom
    var providers: [SimulatedProvider]
    var errands = ErrandQueue()
    var lastToken: UInt64 = 0
    var lastCall: UInt64 = 0
    /// Requests that may be cancelled, calls that are over: for what comes too late.
    var recentTokens: [RequestToken] = []
    var recentCalls: [CallID] = []
    var recentActions: [ActionID] = []
    private var directory = ActionDirectory()
    private var stepsMax = Int.max
    private var nextWishAt = Instant.zero
    /// When the timer was due that fired last: no earlier one is left.
    private var lastTimerAt = Instant.zero
    /// When the errand or wish is that is thought about.
    private var present = Instant.zero

    package init(seed: UInt64, checks: Checks = Checks()) {
        random = SeededRandom(seed: seed)
        scenery = Scenery(&random)
        providers = scenery.providers
        bench = Bench(checks: checks)
        script = Script()
        act(.policyChanged(scenery.policy), at: .zero, .zero)
    }

    /// Runs until so many events have been applied, or something is wrong.
    package mutating func run(events: Int) {
        while bench.eventCount < events, bench.complaint == nil,
            script.steps.count < stepsMax
        { advance() }
        script.end = bench.now
    }

    /// Lets the next thing happen: a timer, an errand or a wish.
    private mutating func advance() {
        let errandAt = errands.nextAt
        let next = min(errandAt ?? nextWishAt, nextWishAt)
        // The loop is late sometimes: then others come before a timer that is due.
        present = next
        let timersUpTo = max(lastTimerAt, random.chance(4) ? next.advanced(byMS: -20) : next)
        if let timer = bench.nextTimer, timer.deadline <= timersUpTo {
            lastTimerAt = timer.deadline
            return react(to: bench.fire(timer), of: nil)
        }
        if let errandAt, errandAt <= nextWishAt {
            guard let errand = errands.pop() else { return }
            if let event = event(of: errand) { act(event, at: errandAt, timersUpTo) }
        } else {
            let at = nextWishAt
            nextWishAt = at.advanced(byMS: pause())
            if let event = wish() { act(event, at: at, timersUpTo) }
        }
    }

    /// People and networks: bursts, then seconds, sometimes minutes.
    private mutating func pause() -> Int {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<30: Int.random(in: 0..<50, using: &random)
        case 30..<70: Int.random(in: 50..<1_000, using: &random)
        case 70..<92: Int.random(in: 1_000..<6_000, using: &random) / (scenery.isBrisk ? 4 : 1)
        case 92..<100 where scenery.isBrisk && random.chance(90): 2_000
        case 92..<99: Int.random(in: 6_000..<40_000, using: &random)
        default: Int.random(in: 40_000..<400_000, using: &random)
        }
    }

    /// The script up to a step that stops the process, without that being done.
    package static func script(seed: UInt64, steps: Int, events: Int) -> Script {
        var checks = Checks()
        checks.isBlind = true
        var world = World(seed: seed, checks: checks)
        world.stepsMax = steps
        world.run(events: events)
        world.script.end = world.bench.now.advanced(byMS: 3_600_000)
        return world.script
    }

    private mutating func act(_ event: ArbiterEvent, at instant: Instant, _ timersUpTo: Instant) {
        script.steps.append(
            Step(
                at: instant, timersUpTo: timersUpTo, event: event,
                answers: directory.reference(of: event), number: script.steps.count))
        lastWords.steps.store(script.steps.count, ordering: .relaxed)
        guard script.steps.count < stepsMax else { return }
        react(to: bench.apply(event, at: instant), of: script.steps.count - 1)
    }

    /// What the arbiter wants done reaches those who do it.
    private mutating func react(to effects: [ArbiterEffect], of step: Int?) {
        directory.take(effects, of: step)
        for effect in effects {
            switch effect {
            case .perform(let dispatch): receive(dispatch)
            case .offer(let transaction, let provider, let dispatches):
                consider(transaction, provider, dispatches)
            case .cancelPerform(let action, _):
                if random.chance(70) { errands.dropAnswers(to: action) }
            case .resetProvider(let id, _): with(id) { $0.legs = [] }
            case .screen(let call): look(at: call)
            case .accept(let token, _): remember(token)
            case .announce(.callRemoved(let call, _)): remember(call)
            case .announce(.providerRemoved(let id, _)): removed(id)
            case .announce(.providerAdded(let id)): with(id) { $0.link = .connected }
            case .confirmRegistration(_, let id, _, let dropped):
                for call in dropped { with(id) { $0.drop(call) } }
            default: break
            }
        }
    }

    private mutating func remember(_ token: RequestToken) {
        recentTokens.append(token)
        if recentTokens.count > 4 { recentTokens.removeFirst() }
    }

    private mutating func remember(_ call: CallID) {
        recentCalls.append(call)
        if recentCalls.count > 6 { recentCalls.removeFirst() }
    }

    // MARK: - Small things everybody needs

    mutating func with(_ id: ProviderID, _ change: (inout SimulatedProvider) -> Void) {
        guard let index = providers.firstIndex(where: { $0.id == id }) else { return }
        change(&providers[index])
    }

    func provider(_ id: ProviderID) -> SimulatedProvider? {
        providers.first { $0.id == id }
    }

    mutating func makeToken() -> RequestToken {
        lastToken += 1
        return RequestToken(lastToken)
    }

    mutating func makeCall() -> CallID {
        lastCall += 1
        return CallID(UUIDBits(high: 0, low: lastCall))
    }

    func later(_ milliseconds: Int) -> Instant {
        max(present, bench.now).advanced(byMS: milliseconds)
    }
}
