package import CallModel

/// The supervision of a plugin: the steps that its process requires, and their reasons.
///
/// Like the arbiter it is a value: events in, effects out. It starts no process and reads no clock;
/// the outcome of an effect is reported as an event. So every path is a test of a few lines.
///
/// **One process at a time.** The process is a *phase*: there is none (`resting`), it is to run
/// (`running`), or it is to exit (`leaving`). A new process is spawned from resting only, and only
/// the exit of the old one leads there. A request made while a process leaves determines the next
/// step; the latest request counts.
///
/// **Timers** are named by their purpose. Leaving a phase stops all timers.
///
/// **An exception**: an app that the broker does not start (no `exec`) has no process at all, and
/// is ready while it is connected. It has the same states, on a path of its own.
package struct Supervision: Equatable, Sendable {
    package let policy: SupervisionPolicy
    package private(set) var settings: Settings
    package internal(set) var phase: Phase
    /// Indicates that the plugin's provider has calls.
    package private(set) var hasCalls = false
    /// The consequence of a changed manifest, due once there are no calls.
    package internal(set) var awaitsIdle: Leaving.Next?
    /// The number of failed starts since the plugin was last healthy.
    package internal(set) var attempts = 0
    /// The times of the failures that still count.
    package internal(set) var failedAt: [Instant] = []
    package internal(set) var lastFailure: Failure?
    /// The exit status of the last process.
    package internal(set) var lastExit: ExitStatus?
    /// The time of the next start.
    package internal(set) var retryAt: Instant?
    /// The running timers, in the order of their start.
    package private(set) var armed: [Timer] = []
    var lastActivity = Instant.zero
    private(set) var now = Instant.zero
    private var effects: [Effect] = []
    private var announcedState: State

    package init(
        _ settings: Settings, at rest: Rest = .stopped,
        policy: SupervisionPolicy = SupervisionPolicy()
    ) {
        self.settings = settings
        self.policy = policy
        phase = .resting(rest)
        announcedState = rest.state
    }

    /// The state, as it is shown.
    package var state: State {
        switch phase {
        case .resting(let rest): rest.state
        case .running(let run): run.state
        case .leaving(let leaving): leaving.shown
        case .attached: .ready
        }
    }

    /// Indicates that there is a process, including one that is to exit.
    package var hasProcess: Bool {
        switch phase {
        case .running, .leaving: true
        case .resting, .attached: false
        }
    }

    /// Indicates that a ping has not been answered.
    package var awaitsSign: Bool {
        if case .running(let run) = phase { run.pings > 0 } else { false }
    }

    /// Indicates that there is no session because the adapter's app is not there.
    package var awaitsApp: Bool {
        guard settings.isAdapter, case .running(let run) = phase else { return false }
        return run.stage == .awaitingHello && !run.hasLostConnection
    }

    /// Processes an event, and returns the effects.
    package mutating func apply(_ event: Event, at now: Instant) -> [Effect] {
        self.now = max(self.now, now)
        decide(event)
        let state = state
        if state != announcedState {
            effects.append(.announce(from: announcedState, to: state))
            announcedState = state
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
        case .heard(let instant): recordActivity(at: instant)
        case .callsChanged(let hasCalls): setHasCalls(hasCalls)
        case .doubted: pingNow()
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
        // Ignores a timer that was stopped in the same turn.
        guard armed.contains(timer) else { return }
        armed.removeAll { $0 == timer }
        switch timer {
        case .opening: openingTimedOut()
        case .silence: pingIfSilent()
        case .ping: missPong()
        case .grace: giveUp(.unresponsive)
        case .leaving: escalate()
        case .backoff: start()
        case .health: attempts = 0
        }
    }

    // MARK: - Requests

    private mutating func requestStart() {
        if phase == .resting(.backoff) {
            disarmAll()
            start()
        } else {
            demand()
        }
    }

    /// Starts the plugin for a call, unless it is disabled, masked, failed, or pauses after a failure.
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
        resetFailures()
        switch phase {
        case .resting(.masked) where rest == .stopped: break
        case .resting(.disabled): break
        case .resting: enter(rest)
        case .running: leave(then: .rest(rest))
        case .leaving(var leaving):
            guard rest == .disabled || !leaving.next.isFinal else { return }
            leaving.next = .rest(rest)
            phase = .leaving(leaving)
        case .attached: if rest != .stopped { enter(rest) }
        }
    }

    private mutating func requestRestart() {
        resetFailures()
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

    /// Forgets the failures, as a user requested a fresh start.
    private mutating func resetFailures() {
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

    /// Enters a state without a process, when there is none.
    private mutating func enter(_ rest: Rest) {
        disarmAll()
        if phase == .attached { emit(.sayGoodbye) }
        phase = .resting(rest)
    }

    // MARK: - The manifest

    /// Applies a changed or restored manifest. A process continues unchanged until it has no calls.
    private mutating func reload(_ settings: Settings) {
        self.settings = settings
        resetFailures()
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
            leaveIfIdle()
        case .leaving(var leaving) where leaving.next == .rest(.masked):
            leaving.next = .start
            phase = .leaving(leaving)
        case .attached: if settings.hasProgram { enter(.stopped) }
        case .resting(.disabled), .resting(.stopped), .leaving: break
        }
    }

    private mutating func mask() {
        switch phase {
        case .running:
            awaitsIdle = .rest(.masked)
            leaveIfIdle()
        case .leaving(var leaving) where leaving.next != .rest(.disabled):
            leaving.next = .rest(.masked)
            phase = .leaving(leaving)
        case .resting(.disabled), .leaving: break
        case .resting, .attached: enter(.masked)
        }
    }

    private mutating func leaveIfIdle() {
        guard let next = awaitsIdle, !hasCalls, case .running = phase else { return }
        leave(then: next)
    }

    private mutating func setHasCalls(_ hasCalls: Bool) {
        self.hasCalls = hasCalls
        guard !hasCalls else { return }
        leaveIfIdle()
        if case .running(let run) = phase, run.stage == .unresponsive { giveUp(.unresponsive) }
    }
}
