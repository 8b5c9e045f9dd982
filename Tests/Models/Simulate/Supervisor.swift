internal import CallSimulation

/// Watches over the worker. If it stops, the way there is told.
struct Supervisor {
    let options: Simulate

    /// Whether nothing is wrong.
    func run() -> Bool {
        let task: Worker.Task =
            options.exhaustive ? .exhaustive : options.survey ? .survey : .random
        var arguments = ["--worker", task.rawValue] + CommandLine.arguments.dropFirst()
        switch Crash.spawn(arguments) {
        case .ended(let status): return status == 0
        case .crashed(let place) where options.exhaustive:
            print("the process was stopped by the last of these events:")
            Crash.flush()
            arguments += ["--last", "\(place.transition)"]
            _ = Crash.spawn(arguments)
        case .crashed(let place): shorten(place)
        }
        return false
    }

    /// Looks for the shortest script that stops the process, each try in its own.
    private func shorten(_ place: Crash.Place) {
        print("seed \(place.seed) stops the process at step \(place.steps):")
        let whole = World.script(
            seed: place.seed, steps: place.steps, events: Simulation.events(ofWorld: place.seed))
        var shrinker = Shrinker { isCrash(play($0, .replay, place)) }
        guard let script = shrinker.shrink(whole) else {
            return print("the \(whole.steps.count) steps do not stop it when they are replayed")
        }
        print("\(script.steps.count) of \(whole.steps.count) steps, \(shrinker.tries) replays")
        Crash.flush()
        _ = play(script, .tell, place)
    }

    private func play(
        _ script: Script, _ task: Worker.Task, _ place: Crash.Place
    ) -> Crash.End {
        let numbers = script.steps.map { "\($0.number)" }.joined(separator: ",")
        let arguments = [
            "--worker", task.rawValue, "--seed", "\(place.seed)", "--last", "\(place.steps)",
            "--keep", numbers,
        ]
        return Crash.spawn(arguments, isQuiet: task == .replay)
    }

    private func isCrash(_ end: Crash.End) -> Bool {
        if case .crashed = end { true } else { false }
    }
}
