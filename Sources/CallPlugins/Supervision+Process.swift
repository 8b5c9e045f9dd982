internal import CallModel

/// The life of a process, from its start to its exit.
extension Supervision {
    mutating func start() {
        retryAt = nil
        awaitsIdle = nil
        guard settings.hasProgram else { return phase = .resting(.stopped) }
        emit(.spawn)
        if settings.isImplicit {
            becomeReady()
        } else {
            phase = .running(Run(stage: .awaitingHello))
            if !settings.isAdapter { arm(.opening, afterMS: policy.helloMS) }
        }
    }

    mutating func failToSpawn(_ random: UInt32) {
        guard case .running = phase else { return }
        disarmAll()
        lastExit = nil
        fail(.notSpawned, random)
    }

    // MARK: - Opening

    /// Handles an opened session.
    mutating func connect() {
        switch phase {
        case .running(let run) where run.stage == .awaitingHello:
            guard settings.registers else { return becomeReady() }
            phase = .running(
                Run(stage: .awaitingRegistration, stateBeforeLoss: run.stateBeforeLoss))
            arm(.opening, afterMS: policy.registerMS)
        case .resting(.stopped) where !settings.hasProgram: phase = .attached
        case .resting, .running, .leaving, .attached: break
        }
    }

    mutating func register() {
        guard case .running(let run) = phase, run.stage == .awaitingRegistration else { return }
        becomeReady()
    }

    private mutating func becomeReady() {
        disarm(.opening)
        phase = .running(Run(stage: .ready))
        lastActivity = now
        arm(.health, afterMS: policy.healthMS)
        if settings.isPinged { arm(.silence, afterMS: policy.silenceWithCallsMS) }
    }

    mutating func openingTimedOut() {
        guard case .running(let run) = phase else { return }
        switch run.stage {
        case .awaitingHello where settings.isAdapter:
            phase = .running(Run(stage: .awaitingHello))
        case .awaitingHello: giveUp(run.hasLostConnection ? .connectionLost : .helloMissing)
        case .awaitingRegistration: giveUp(.registrationMissing)
        case .ready, .unresponsive: break
        }
    }

    /// Handles a lost connection of a running process: it may connect again through the broker's
    /// socket.
    mutating func loseConnection() {
        switch phase {
        case .running(let run):
            disarmAll()
            phase = .running(Run(stage: .awaitingHello, stateBeforeLoss: run.state))
            arm(.opening, afterMS: policy.helloMS)
        case .attached: phase = .resting(.stopped)
        case .resting, .leaving: break
        }
    }

    // MARK: - Health

    /// Records activity; any message counts.
    mutating func recordActivity(at instant: Instant) {
        lastActivity = max(lastActivity, instant)
        guard case .running(var run) = phase, run.pings > 0, lastActivity >= run.pingedAt else {
            return
        }
        disarm(.ping)
        disarm(.grace)
        if run.stage == .unresponsive { arm(.health, afterMS: policy.healthMS) }
        run = Run(stage: .ready)
        phase = .running(run)
        arm(.silence, afterMS: policy.silenceWithCallsMS)
    }

    /// Pings a silent plugin. Calls may have begun since the last check, so checks are more
    /// frequent than pings.
    mutating func pingIfSilent() {
        guard case .running(var run) = phase, run.stage == .ready else { return }
        let silentMS = Int((now.nanoseconds - lastActivity.nanoseconds) / 1_000_000)
        let restMS = policy.silenceMS(hasCalls: hasCalls) - silentMS
        guard restMS <= 0 else {
            return arm(.silence, afterMS: min(restMS, policy.silenceWithCallsMS))
        }
        ping(&run)
    }

    /// Pings at once, unless a ping is pending.
    mutating func pingNow() {
        guard settings.isPinged, case .running(var run) = phase, run.stage == .ready, run.pings == 0
        else { return }
        disarm(.silence)
        ping(&run)
    }

    private mutating func ping(_ run: inout Run) {
        run.pings += 1
        run.pingedAt = now
        phase = .running(run)
        emit(.ping)
        arm(.ping, afterMS: policy.pingMS)
    }

    /// Handles a ping without a reply. A single one is pinged again.
    mutating func missPong() {
        guard case .running(var run) = phase, run.stage == .ready else { return }
        guard run.pings > 1 else { return ping(&run) }
        disarm(.health)
        run.stage = .unresponsive
        phase = .running(run)
        guard hasCalls else { return giveUp(.unresponsive) }
        arm(.grace, afterMS: settings.graceMS)
    }

    // MARK: - Leaving

    mutating func giveUp(_ failure: Failure) {
        lastFailure = failure
        leave(then: .retry)
    }

    /// Ends the process. Without a session there is nothing to finish, so it gets no time for that.
    mutating func leave(then next: Leaving.Next) {
        let (shown, hasTimeLeft) = (state, hasSession)
        disarmAll()
        awaitsIdle = nil
        phase = .leaving(Leaving(next: next, shown: shown))
        emit(.sayGoodbye)
        emit(.closeWriting)
        guard hasTimeLeft else { return escalate() }
        arm(.leaving, afterMS: settings.stopTimeoutMS)
    }

    private var hasSession: Bool {
        guard case .running(let run) = phase else { return false }
        return run.stage != .awaitingHello
    }

    /// Takes the next step with a process that has not exited in time.
    mutating func escalate() {
        guard case .leaving(var leaving) = phase else { return }
        switch leaving.step {
        case .goodbye:
            leaving.step = .terminating
            emit(.terminate)
            arm(.leaving, afterMS: policy.killMS)
        case .terminating:
            leaving.step = .killing
            emit(.kill)
        case .killing: break
        }
        phase = .leaving(leaving)
    }

    // MARK: - The end

    /// Handles an exit, requested or not.
    mutating func exit(_ status: ExitStatus, _ random: UInt32) {
        let former = phase
        guard hasProcess else { return }
        disarmAll()
        lastExit = status
        awaitsIdle = nil
        switch former {
        case .running(let run): exitUnrequested(status, wasReady: run.state != .starting, random)
        case .leaving(let leaving):
            switch leaving.next {
            case .rest(let rest): phase = .resting(rest)
            case .start:
                phase = .resting(.stopped)
                start()
            case .retry: fail(lastFailure ?? .exited, random)
            }
        case .resting, .attached: break
        }
    }

    /// Handles an exit that was not requested. Before the plugin was ready it counts as a failure,
    /// whatever the exit status.
    private mutating func exitUnrequested(_ status: ExitStatus, wasReady: Bool, _ random: UInt32) {
        guard status == .code(0), wasReady else { return fail(.exited, random) }
        switch settings.restart {
        case .onFailure, .never: phase = .resting(.stopped)
        case .always: pause(random)
        }
    }

    mutating func fail(_ failure: Failure, _ random: UInt32) {
        lastFailure = failure
        failedAt.append(now)
        let oldest = now.advanced(byMS: -policy.failureWindowMS)
        failedAt.removeAll { $0 <= oldest }
        if settings.restart == .never || failedAt.count >= policy.failuresMax {
            phase = .resting(.failed)
        } else {
            pause(random)
        }
    }

    private mutating func pause(_ random: UInt32) {
        let milliseconds = policy.pauseMS(afterAttempts: attempts, random: random)
        attempts += 1
        phase = .resting(.backoff)
        retryAt = now.advanced(byMS: milliseconds)
        arm(.backoff, afterMS: milliseconds)
    }
}
