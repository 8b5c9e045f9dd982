import CallModel
import CallPlugins
import TestSupport
import Testing

/// A plugin among people, calls and accidents that come at random.
private struct World {
    var random: SeededRandom
    var supervision: Supervision
    var nowMS = 0
    var hasProcess = false
    var timers: [Supervision.Timer: Instant] = [:]
    var complaints: [String] = []
    var spawnCount = 0

    init(seed: UInt64) {
        random = SeededRandom(seed: seed)
        var settings = Supervision.Settings()
        settings.start = random.pick(PluginManifest.Start.allCases)
        settings.restart = random.pick(PluginManifest.Restart.allCases)
        settings.isImplicit = random.chance(30)
        settings.registers = random.chance(70)
        settings.hasProgram = random.chance(90)
        settings.isAdapter = random.chance(20)
        supervision = Supervision(settings)
    }

    mutating func live(events: Int) {
        for _ in 0..<events { happen(pickEvent()) }
    }

    private mutating func pickEvent() -> Supervision.Event {
        if random.chance(45), let due = timers.min(by: { $0.value < $1.value }) {
            nowMS = max(nowMS, Int(due.value.nanoseconds / 1_000_000))
            return .timerFired(due.key)
        }
        nowMS += Int.random(in: 0...3_000, using: &random)
        let at = Life.at(nowMS - Int.random(in: 0...20_000, using: &random))
        let word = random.next()
        var events: [Supervision.Event] = [
            .booted, .startRequested, .demanded, .stopRequested, .restartRequested, .enabled,
            .disabled, .manifestMasked, .connected, .registered, .connectionLost,
            .heard(at: at), .heard(at: Life.at(nowMS)), .connected, .registered,
            .callsChanged(hasCalls: random.chance(50)), .doubted,
        ]
        var settings = supervision.settings
        settings.hasProgram = random.chance(90)
        events.append(.manifestChanged(settings))
        if hasProcess {
            let status = random.pick([Supervision.ExitStatus.code(0), .code(1), .signal(9)])
            events.append(.exited(status, random: UInt32(truncatingIfNeeded: word)))
        }
        return random.pick(events)
    }

    mutating func happen(_ event: Supervision.Event) {
        if case .exited = event { hasProcess = false }
        if case .timerFired(let timer) = event { timers[timer] = nil }
        let before = supervision.state
        var told: [Supervision.State] = [before]
        for effect in supervision.apply(event, at: Life.at(nowMS)) {
            note(effect, &told, event)
        }
        check(told, event)
        if hasProcess, supervision.phase.isAwaitingHello, random.chance(3) {
            // The program cannot be started: told before anything else can happen.
            hasProcess = false
            happen(.spawnFailed(random: 7))
        }
    }

    private mutating func note(
        _ effect: Supervision.Effect, _ told: inout [Supervision.State],
        _ event: Supervision.Event
    ) {
        switch effect {
        case .spawn:
            if hasProcess { complaints.append("a second process after \(event)") }
            hasProcess = true
            spawnCount += 1
        case .startTimer(let timer, let instant):
            if instant < Life.at(nowMS) { complaints.append("\(timer) is due before now") }
            timers[timer] = instant
        case .stopTimer(let timer):
            if timers.removeValue(forKey: timer) == nil {
                complaints.append("\(timer) is stopped and did not run, at \(event)")
            }
        case .announce(let from, let to):
            if told.last != from || from == to { complaints.append("told \(from) to \(to)") }
            told.append(to)
        case .ping, .terminate, .kill, .closeWriting:
            if !hasProcess { complaints.append("\(effect) without a process, at \(event)") }
        case .sayGoodbye: break
        }
    }

    private mutating func check(_ told: [Supervision.State], _ event: Supervision.Event) {
        if told.last != supervision.state { complaints.append("unreported change at \(event)") }
        if hasProcess != supervision.hasProcess { complaints.append("process unknown at \(event)") }
        if Set(timers.keys) != Set(supervision.armed) {
            complaints.append("timers \(timers.keys) but \(supervision.armed), at \(event)")
        }
        if supervision.failedAt.count > supervision.policy.failuresMax {
            complaints.append("too many failures are kept")
        }
    }

    /// Nobody wants it any more: it has to come to rest.
    mutating func end() {
        happen(.stopRequested)
        for _ in 0..<3 where hasProcess {
            if let due = timers[.leaving] {
                nowMS = Int(due.nanoseconds / 1_000_000)
                happen(.timerFired(.leaving))
            }
        }
        if hasProcess { happen(.exited(.signal(9), random: 0)) }
    }
}

extension Supervision.Phase {
    fileprivate var isAwaitingHello: Bool {
        if case .running(let run) = self { run.stage == .awaitingHello } else { false }
    }
}

struct SupervisionWorldTests {
    @Test func `whatever happens, there is one process at most and no timer is lost`() {
        var seeds = SeededRandom(for: "SupervisionWorldTests")
        var spawns = 0
        for _ in 0..<300 {
            var world = World(seed: seeds.next())
            world.live(events: 400)
            world.end()
            #expect(world.complaints == [], "seed \(world.random.seed)")
            #expect(world.timers.isEmpty, "seed \(world.random.seed)")
            #expect(
                [.stopped, .disabled, .masked, .ready].contains(world.supervision.state),
                "seed \(world.random.seed)")
            spawns += world.spawnCount
        }
        // Lives in which nothing happens would prove nothing.
        #expect(spawns > 2_000)
    }
}
