import CallArbitration
import CallModel
import NaiveArbiter
import TestSupport
import Testing

struct NaiveArbiterTests {
    static let seeds = 200
    static let steps = 300

    @Test func `the engine does what the rules want`() {
        var compared = 0
        for seed in 1...UInt64(Self.seeds) {
            let (policy, script, run) = Self.simulate(seed: seed, menu: .all)
            compared += run.compared
            guard run.differences.isEmpty else {
                let short = Shortening.of(script, policy: policy)
                Issue.record(
                    """
                    seed \(seed), step \(script.count)
                    \(run.story(last: 12))
                    shortened:
                    \(Run.of(short, policy: policy).story(last: 60))
                    """)
                return
            }
        }
        print("compared without difference: \(compared) events")
    }

    static func simulate(
        seed: UInt64, menu: Chance.Menu
    ) -> (policy: ArbitrationPolicy, script: [ScriptStep], run: Run) {
        var chance = Chance(seed: seed, menu: menu)
        let policy = chance.policy()
        var run = Run(policy: policy)
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
