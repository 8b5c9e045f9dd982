internal import CallArbitration
internal import CallModel
internal import Synchronization

/// Worlds, one after the other, each with the next seed.
package struct Simulation: Sendable {
    package struct Failure: Sendable {
        package let seed: UInt64
        package let complaint: Complaint
        package let script: Script

        /// The shortest way to the same complaint, as a transcript.
        package func explanation(_ checks: Checks = Checks()) -> String {
            var shrinker = Shrinker(complaint, checks)
            guard let short = shrinker.shrink(script) else {
                return "seed \(seed): \(complaint)\nIts steps do not fail when they are replayed."
            }
            return "seed \(seed), \(short.steps.count) of \(script.steps.count) steps:\n"
                + Replay.play(short, checks: checks).text
        }
    }

    /// How many events a world lives for; some live longer.
    private static let worldEvents = 2_000
    private static let longWorldEvents = 20_000

    package private(set) var rules = RuleTally()
    package private(set) var eventCount = 0
    package private(set) var worldCount = 0
    /// Nanoseconds of simulated time.
    package private(set) var simulatedTime: Int64 = 0
    /// The digests of all worlds, combined.
    package private(set) var digest: UInt64 = 0
    package private(set) var failure: Failure?
    private var nextSeed: UInt64
    private let checks: Checks

    package init(seed: UInt64, checks: Checks) {
        nextSeed = seed
        self.checks = checks
    }

    package init(seed: UInt64) {
        var checks = Checks()
        checks.closeness = 16
        self.init(seed: seed, checks: checks)
    }

    /// Goes on after a failure.
    package mutating func forgetFailure() {
        failure = nil
    }

    /// Runs worlds until so many events have happened, or something is wrong.
    package mutating func run(events: Int) {
        while eventCount < events, failure == nil { runWorld() }
    }

    package static func events(ofWorld seed: UInt64) -> Int {
        seed % 50 == 0 ? longWorldEvents : worldEvents
    }

    /// One world, to its quiet end.
    package mutating func runWorld() {
        let seed = nextSeed
        nextSeed += 1
        lastWords.seed.store(seed, ordering: .relaxed)
        var world = World(seed: seed, checks: checks)
        world.run(events: Self.events(ofWorld: seed))
        let script = world.script
        Closing.close(&world.bench, longestMS: World.longestMS)
        if seed % 8 == 0 { world.bench.checkReplay() }
        rules.add(world.bench.rules)
        eventCount += world.bench.eventCount
        worldCount += 1
        simulatedTime += world.bench.now.nanoseconds
        digest = (digest &* 31) ^ world.bench.digest.value
        if let complaint = world.bench.complaint {
            failure = Failure(
                seed: seed, complaint: complaint, script: script)
        }
    }
}
