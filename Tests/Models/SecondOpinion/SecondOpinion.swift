internal import CallArbitration

/// Compares the arbiter with the naive one in random worlds, and tells how far they agree. Where they
/// do not, one of them is wrong, or the rules can be read in two ways.
@main
struct SecondOpinion {
    static let steps = 300

    /// The first and the last seed may be given.
    static func main() {
        let numbers = CommandLine.arguments.dropFirst().compactMap { UInt64($0) }
        let first = numbers.first ?? 1
        let seeds = first...max(first, numbers.count > 1 ? numbers[1] : first + 199)
        var (agreed, compared) = (0, 0)
        for seed in seeds {
            let (policy, script, run) = simulate(seed: seed, steps: steps)
            compared += run.compared
            if run.differences.isEmpty {
                agreed += 1
                continue
            }
            print("seed \(seed), step \(script.count):")
            print(Run.of(Shortening.of(script, policy: policy), policy: policy).story(last: 60))
        }
        print("\(agreed) of \(seeds.count) worlds agree to their end; \(compared) events compared")
    }

    /// - Parameter loses: which effects do not reach the comparison; a test looks whether they are
    ///   missed.
    static func simulate(
        seed: UInt64, steps: Int, loses: @escaping (ArbiterEffect) -> Bool = { _ in false }
    ) -> (policy: ArbitrationPolicy, script: [ScriptStep], run: Run) {
        var chance = Chance(seed: seed, menu: .all)
        let policy = chance.policy()
        var run = Run(policy: policy)
        run.loses = loses
        var script = chance.arrivals()
        for step in script { run.take(step) }
        while run.differences.isEmpty, script.count < steps {
            let step = chance.step(in: run)
            script.append(step)
            run.take(step)
        }
        return (policy, script, run)
    }
}
