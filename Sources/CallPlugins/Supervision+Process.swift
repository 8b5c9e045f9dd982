internal import CallModel

/// From the start of a process to its end.
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
            if !settings.standsForApp { arm(.opening, afterMS: policy.helloMS) }
        }
    }

    mutating func failToSpawn(_ random: UInt32) {
        guard case .running = phase else { return }
        disarmAll()
        lastExit = nil
        fail(.notSpawned, random)
    }

    // MARK: - Opening

    /// Its session is open.
    mutating func connect() {
        switch phase {
        case .running(let run) where run.stage == .awaitingHello:
            guard settings.registers else { return becomeReady() }
            phase = .running(Run(stage: .awaitingRegistration, formerState: run.formerState))
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
        lastHeard = now
        arm(.health, afterMS: policy.healthMS)
        if settings.isPinged { arm(.silence, afterMS: policy.silenceWithCallsMS) }
    }

    mutating func openingIsOver() {
        guard case .running(let run) = phase else { return }
        switch run.stage {
        case .awaitingHello where settings.standsForApp:
            phase = .running(Run(stage: .awaitingHello))
        case .awaitingHello: giveUp(run.hasLostConnection ? .connectionLost : .helloMissing)
        case .awaitingRegistration: giveUp(.registrationMissing)
        case .ready, .unresponsive: break
        }
    }

    /// Its connection has gone and its process has not: it may come again, by the broker's socket.
    mutating func loseConnection() {
        switch phase {
        case .running(let run):
            disarmAll()
            phase = .running(Run(stage: .awaitingHello, formerState: run.state))
            arm(.opening, afterMS: policy.helloMS)
        case .attached: phase = .resting(.stopped)
        case .resting, .leaving: break
        }
    }

    // MARK: - Health

    /// Anything it says is a sign of life.
    mutating func hear(at instant: Instant) {
        lastHeard = max(lastHeard, instant)
        guard case .running(var run) = phase, run.pings > 0, lastHeard >= run.pingedAt else {
            return
        }
        disarm(.ping)
        disarm(.grace)
        if run.stage == .unresponsive { arm(.health, afterMS: policy.healthMS) }
        run = Run(stage: .ready)
        phase = .running(run)
        arm(.silence, afterMS: policy.silenceWithCallsMS)
    }

    /// Calls may have come since the last look, so it is looked more often than is asked.
    mutating func breakSilence() {
        guard case .running(var run) = phase, run.stage == .ready else { return }
        let silentMS = Int((now.nanoseconds - lastHeard.nanoseconds) / 1_000_000)
        let restMS = policy.silenceMS(hasCalls: hasCalls) - silentMS
        guard restMS <= 0 else {
            return arm(.silence, afterMS: min(restMS, policy.silenceWithCallsMS))
        }
        ping(&run)
    }

    /// It is asked at once, unless it was asked already.
    mutating func doubt() {
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

    /// One miss may be an accident.
    mutating func missAnswer() {
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

    /// One that has no session has nothing to bring to an end: it gets no time for that.
    mutating func leave(then next: Leaving.Next) {
        let (shown, mayListen) = (state, hasSession)
        disarmAll()
        awaitsIdle = nil
        phase = .leaving(Leaving(next: next, shown: shown))
        emit(.sayGoodbye)
        emit(.closeWriting)
        guard mayListen else { return pressOn() }
        arm(.leaving, afterMS: settings.stopTimeoutMS)
    }

    private var hasSession: Bool {
        guard case .running(let run) = phase else { return false }
        return run.stage != .awaitingHello
    }

    /// It has not gone in time.
    mutating func pressOn() {
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

    /// Its process has gone, by itself or because it had to.
    mutating func exit(_ status: ExitStatus, _ random: UInt32) {
        let former = phase
        guard hasProcess else { return }
        disarmAll()
        lastExit = status
        awaitsIdle = nil
        switch former {
        case .running(let run): exitByItself(status, wasReady: run.state != .starting, random)
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

    /// One that ends before it was ready has failed, whatever it says.
    private mutating func exitByItself(_ status: ExitStatus, wasReady: Bool, _ random: UInt32) {
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
