internal import ArgumentParser
internal import CallModel
internal import CallSimulation

/// Does the work, in a process that may be stopped by it.
struct Worker {
    enum Task: String, ExpressibleByArgument {
        case random, exhaustive, survey
        /// Plays some steps of a world.
        case replay
        /// The same, and says each event before it happens.
        case tell
    }

    let options: Simulate

    /// Whether nothing is wrong.
    func run(_ task: Task) -> Bool {
        switch task {
        case .random: runWorlds()
        case .exhaustive: visitAll()
        case .survey: survey()
        case .replay, .tell: replay(isTold: task == .tell)
        }
    }

    private var checks: Checks {
        var checks = Checks()
        checks.closeness = options.exhaustive ? 1 : 16
        checks.known = Set(options.known)
        return checks
    }

    // MARK: - Random worlds

    private func runWorlds() -> Bool {
        var simulation = Simulation(seed: options.seed, checks: checks)
        let duration = ContinuousClock().measure { simulation.run(events: options.events) }
        print("events: \(simulation.eventCount) in \(simulation.worldCount) worlds")
        print("events per second: \(Int(Double(simulation.eventCount) / (duration / .seconds(1))))")
        print("simulated hours: \(simulation.simulatedTime / 3_600_000_000_000)")
        print("digest: \(String(simulation.digest, radix: 16))")
        printRules(simulation.rules)
        if let failure = simulation.failure {
            print(failure.explanation(checks))
            return false
        }
        let missing = simulation.rules.missing
        if !missing.isEmpty { print("never seen: \(missing.map(\.rawValue))") }
        return missing.isEmpty || options.events < 200_000
    }

    private func printRules(_ rules: RuleTally) {
        let words = Rule.allCases.map { "\($0.rawValue): \(rules.count(of: $0))" }
        for start in stride(from: 0, to: words.count, by: 6) {
            print("rules \(words[start..<min(start + 6, words.count)].joined(separator: ", "))")
        }
    }

    private func survey() -> Bool {
        var simulation = Simulation(seed: options.seed, checks: checks)
        var found: [(complaint: Complaint, count: Int)] = []
        while simulation.eventCount < options.events {
            simulation.runWorld()
            guard let failure = simulation.failure else { continue }
            simulation.forgetFailure()
            let complaint = failure.complaint
            if let index = found.firstIndex(where: { $0.complaint.isSameKind(as: complaint) }) {
                found[index].count += 1
            } else {
                found.append((complaint, 1))
                print(failure.explanation(checks))
                Crash.flush()
            }
        }
        for entry in found { print("\(entry.count) worlds: \(entry.complaint.what)") }
        return found.isEmpty
    }

    // MARK: - All states

    private func visitAll() -> Bool {
        var limits = Exhaustive.Limits()
        limits.depth = options.depth
        limits.checksLiveness = options.liveness
        if options.last > 0 { limits.toldTransition = options.last }
        var checks = checks
        checks.log = { Crash.say($0) }
        var run = Exhaustive(limits: limits, checks: checks)
        let clock = ContinuousClock()
        let start = clock.now
        while run.advance() {
            guard let level = run.levels.last else { break }
            print("depth \(level.depth): \(level.states) new states, \(level.transitions) moves")
        }
        let seconds = Int((clock.now - start) / .seconds(1))
        print("\(run.stateCount) states, \(run.transitionCount) moves, \(seconds) s")
        if run.complaint != nil { print(run.text) }
        return run.complaint == nil
    }

    // MARK: - Some steps of one world

    private func replay(isTold: Bool) -> Bool {
        var script = World.script(
            seed: options.seed, steps: options.last,
            events: Simulation.events(ofWorld: options.seed))
        let kept = Set(options.keep.split(separator: ",").compactMap { Int($0) })
        script.steps.removeAll { !kept.contains($0.number) }
        var checks = Checks()
        checks.isBlind = true
        if isTold { checks.log = { Crash.say($0) } }
        _ = Replay.play(script, checks: checks)
        return true
    }
}
