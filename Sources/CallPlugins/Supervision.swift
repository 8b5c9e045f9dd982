package import CallModel

/// The life of one plugin: what its process is to do next, and why.
///
/// As the arbiter it is a value: events in, effects out. It starts no process and reads no clock; what
/// becomes of an effect comes back as an event. So every path is a test of a few lines.
///
/// **One process at a time.** The process is a *phase*: there is none (`resting`), there is one that is
/// wanted (`running`), or one that is to go (`leaving`). A new one is only spawned from resting, and
/// only the exit of the old one leads there. What is asked for while a process leaves is what comes
/// next; the latest wish counts.
///
/// **Timers** are named by their purpose. Whoever leaves a phase stops all that are armed.
///
/// **What is not pretty**: an app that the broker does not start (no `exec`) has no process at all, and
/// is ready as long as it is connected. It takes the same states, on a path of its own.
package struct Supervision: Equatable, Sendable {
    package let policy: SupervisionPolicy
    package private(set) var settings: Settings
    package internal(set) var phase: Phase
    /// Its provider has calls.
    package private(set) var hasCalls = false
    /// What is to come of a changed manifest as soon as it has no calls.
    package internal(set) var awaitsIdle: Leaving.Next?
    /// How often it was started in vain since it was healthy last.
    package internal(set) var attempts = 0
    /// When it failed, as far back as that counts.
    package internal(set) var failedAt: [Instant] = []
    package internal(set) var lastFailure: Failure?
    /// How the last process ended.
    package internal(set) var lastExit: ExitStatus?
    /// When the next attempt is due.
    package internal(set) var retryAt: Instant?
    /// The timers that run, in the order in which they were armed.
    package private(set) var armed: [Timer] = []
    var lastHeard = Instant.zero
    private(set) var now = Instant.zero
    private var effects: [Effect] = []
    private var toldState: State

    package init(
        _ settings: Settings, at rest: Rest = .stopped,
        policy: SupervisionPolicy = SupervisionPolicy()
    ) {
        self.settings = settings
        self.policy = policy
        phase = .resting(rest)
        toldState = rest.state
    }

    /// As others see it.
    package var state: State {
        switch phase {
        case .resting(let rest): rest.state
        case .running(let run): run.state
        case .leaving(let leaving): leaving.shown
        case .attached: .ready
        }
    }

    /// Whether there is a process, be it one that is to go.
    package var hasProcess: Bool {
        switch phase {
        case .running, .leaving: true
        case .resting, .attached: false
        }
    }

    /// Whether it was asked for a sign of life.
    package var awaitsSign: Bool {
        if case .running(let run) = phase { run.pings > 0 } else { false }
    }

    /// Whether it has no session because the app that it stands for is not there.
    package var awaitsApp: Bool {
        guard settings.standsForApp, case .running(let run) = phase else { return false }
        return run.stage == .awaitingHello && !run.hasLostConnection
    }

    /// Decides what follows from `event`.
    package mutating func apply(_ event: Event, at now: Instant) -> [Effect] {
        self.now = max(self.now, now)
        decide(event)
        let state = state
        if state != toldState {
            effects.append(.announce(from: toldState, to: state))
            toldState = state
        }
        defer { effects = [] }
        return effects
    }

    private mutating func decide(_ event: Event) {
        switch event {
        case .booted:
            if settings.start == .boot, phase == .resting(.stopped) { start() }
        case .startRequested: requestStart()
        case .demanded: demand()
        case .stopRequested: requestStop(.stopped)
        case .restartRequested: requestRestart()
        case .disabled: requestStop(.disabled)
        case .enabled: enable()
        case .manifestChanged(let settings): reload(settings)
        case .manifestMasked: mask()
        case .spawnFailed(let random): failToSpawn(random)
        case .connected: connect()
        case .registered: register()
        case .connectionLost: loseConnection()
        case .heard(let instant): hear(at: instant)
        case .callsChanged(let hasCalls): noteCalls(hasCalls)
        case .doubted: doubt()
        case .exited(let status, let random): exit(status, random)
        case .timerFired(let timer): fire(timer)
        }
    }

    mutating func emit(_ effect: Effect) {
        effects.append(effect)
    }

    mutating func arm(_ timer: Timer, afterMS milliseconds: Int) {
        armed.removeAll { $0 == timer }
        armed.append(timer)
        emit(.startTimer(timer, at: now.advanced(byMS: milliseconds)))
    }

    mutating func disarm(_ timer: Timer) {
        guard armed.contains(timer) else { return }
        armed.removeAll { $0 == timer }
        emit(.stopTimer(timer))
    }

    mutating func disarmAll() {
        for timer in armed { emit(.stopTimer(timer)) }
        armed = []
    }

    private mutating func fire(_ timer: Timer) {
        // One that was stopped in the same turn.
        guard armed.contains(timer) else { return }
        armed.removeAll { $0 == timer }
        switch timer {
        case .opening: openingIsOver()
        case .silence: breakSilence()
        case .ping: missAnswer()
        case .grace: giveUp(.unresponsive)
        case .leaving: pressOn()
        case .backoff: start()
        case .health: attempts = 0
        }
    }

    // MARK: - What people want

    private mutating func requestStart() {
        if phase == .resting(.backoff) {
            disarmAll()
            start()
        } else {
            demand()
        }
    }

    /// Disabled and masked plugins, and those that fail again and again, do not come for a call.
    private mutating func demand() {
        switch phase {
        case .resting(.stopped): start()
        case .leaving(var leaving) where leaving.next == .rest(.stopped):
            leaving.next = .start
            phase = .leaving(leaving)
        case .resting, .running, .leaving, .attached: break
        }
    }

    private mutating func requestStop(_ rest: Rest) {
        forgetFailures()
        switch phase {
        case .resting(.masked) where rest == .stopped: break
        case .resting(.disabled): break
        case .resting: settle(rest)
        case .running: leave(then: .rest(rest))
        case .leaving(var leaving):
            guard rest == .disabled || !leaving.next.isFinal else { return }
            leaving.next = .rest(rest)
            phase = .leaving(leaving)
        case .attached: if rest != .stopped { settle(rest) }
        }
    }

    private mutating func requestRestart() {
        forgetFailures()
        switch phase {
        case .resting(.stopped), .resting(.failed), .resting(.backoff):
            disarmAll()
            start()
        case .running: leave(then: .start)
        case .leaving(var leaving):
            guard !leaving.next.isFinal else { return }
            leaving.next = .start
            phase = .leaving(leaving)
        case .resting(.disabled), .resting(.masked), .attached: break
        }
    }

    /// By somebody's wish it begins anew.
    private mutating func forgetFailures() {
        attempts = 0
        failedAt = []
    }

    private mutating func enable() {
        switch phase {
        case .resting(.disabled):
            phase = .resting(.stopped)
            if settings.start == .boot { start() }
        case .leaving(var leaving) where leaving.next == .rest(.disabled):
            leaving.next = settings.start == .boot ? .start : .rest(.stopped)
            phase = .leaving(leaving)
        case .resting, .running, .leaving, .attached: break
        }
    }

    /// No process, and none is on its way.
    private mutating func settle(_ rest: Rest) {
        disarmAll()
        if phase == .attached { emit(.sayGoodbye) }
        phase = .resting(rest)
    }

    // MARK: - The manifest

    /// Its manifest is another, or there again. A process goes on as it is until it has no calls.
    private mutating func reload(_ settings: Settings) {
        self.settings = settings
        forgetFailures()
        switch phase {
        case .resting(.masked):
            phase = .resting(.stopped)
            if settings.start == .boot { start() }
        case .resting(.failed):
            phase = .resting(.stopped)
            if settings.start != .demand { start() }
        case .resting(.backoff):
            disarmAll()
            start()
        case .running:
            awaitsIdle = settings.hasProgram ? .start : .rest(.stopped)
            goIfIdle()
        case .leaving(var leaving) where leaving.next == .rest(.masked):
            leaving.next = .start
            phase = .leaving(leaving)
        case .attached: if settings.hasProgram { settle(.stopped) }
        case .resting(.disabled), .resting(.stopped), .leaving: break
        }
    }

    private mutating func mask() {
        switch phase {
        case .running:
            awaitsIdle = .rest(.masked)
            goIfIdle()
        case .leaving(var leaving) where leaving.next != .rest(.disabled):
            leaving.next = .rest(.masked)
            phase = .leaving(leaving)
        case .resting(.disabled), .leaving: break
        case .resting, .attached: settle(.masked)
        }
    }

    private mutating func goIfIdle() {
        guard let next = awaitsIdle, !hasCalls, case .running = phase else { return }
        leave(then: next)
    }

    private mutating func noteCalls(_ hasCalls: Bool) {
        self.hasCalls = hasCalls
        guard !hasCalls else { return }
        goIfIdle()
        if case .running(let run) = phase, run.stage == .unresponsive { giveUp(.unresponsive) }
    }
}
