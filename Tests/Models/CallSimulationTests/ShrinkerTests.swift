import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// Long stories become short ones.
struct ShrinkerTests {
    /// Complains when three groups are held.
    private static let threeHeld: Checks.Extra = { _, _, arbiter in
        arbiter.hostFacts.heldGroups >= 3
            ? Complaint(.artificial, "three groups are held") : nil
    }

    @Test func `a script becomes as short as it can be, and fails in the same way`() throws {
        var checks = Checks()
        checks.extra = Self.threeHeld
        var failing: World?
        for seed in UInt64(1)...100 where failing == nil {
            var world = World(seed: seed, checks: checks)
            world.run(events: 1_000)
            if world.bench.complaint?.check == .artificial { failing = world }
        }
        let world = try #require(failing)
        let complaint = try #require(world.bench.complaint)
        var shrinker = Shrinker(complaint, checks)
        let found = shrinker.shrink(world.script)
        let short = try #require(found)
        #expect(short.steps.count < world.script.steps.count)
        // A provider or two, three calls that come, and what it takes to hold them.
        #expect(short.steps.count <= 24)
        #expect(Replay.play(short, checks: checks).complaint == complaint)
        for index in short.steps.indices {
            var shorter = short
            shorter.steps.remove(at: index)
            let found = Replay.play(shorter, checks: checks).complaint
            #expect(found?.isSameKind(as: complaint) != true, "step \(index) is not needed")
        }
    }

    @Test func `a script that does not fail is not shrunk`() {
        var world = World(seed: 3)
        world.run(events: 100)
        var shrinker = Shrinker { _ in false }
        #expect(shrinker.shrink(world.script) == nil)
        #expect(shrinker.tries == 1)
    }

    @Test func `what is needed stays, wherever it is`() {
        var world = World(seed: 3)
        world.run(events: 300)
        let needed: Set = [0, 7, 20, 21]
        var shrinker = Shrinker { needed.isSubset(of: $0.steps.map(\.number)) }
        let short = shrinker.shrink(world.script)
        #expect(short?.steps.map(\.number) == needed.sorted())
    }

    @Test(arguments: 1...12) func `a replay is the run itself`(seed: UInt64) {
        var world = World(seed: seed)
        world.run(events: 1_000)
        let script = world.script
        Closing.close(&world.bench, longestMS: World.longestMS)
        let bench = Replay.play(script)
        #expect(bench.digest == world.bench.digest)
        #expect(bench.eventCount == world.bench.eventCount)
        #expect(bench.arbiter == world.bench.arbiter)
    }

    @Test func `a failure is told as a transcript`() {
        var bench = Bench()
        bench.apply(.policyChanged(ArbitrationPolicy()), at: Instant.zero.advanced(byMS: 5))
        bench.fail(Complaint(.artificial, "nothing", "at all"))
        #expect(bench.text == "# artificial: nothing (at all)\n> @5 policy_changed\n")
    }
}
