import CallModel
import CallSimulation
import Synchronization
import TestSupport
import Testing

@testable import CallArbitration

/// States of random worlds, stored as bytes. That a world goes on from what was read as if nothing
/// had happened is seen by the bench, in every world of every test.
struct StoredWorldTests {
    @Test func `the worlds go on from stored states`() {
        // A world with this seed is replayed as well.
        var simulation = Simulation(seed: 8)
        simulation.runWorld()
        #expect(simulation.failure == nil, "\(simulation.failure?.explanation() ?? "")")
        var world = World(seed: 8)
        world.run(events: 2_000)
        #expect(world.bench.storedCount > 15)
    }

    /// The names of properties that were seen to differ from those of a new arbiter.
    private final class Sights: Sendable {
        private let new: [String: String]
        private let seen = Mutex<Set<String>>([])

        init() {
            new = Dictionary(uniqueKeysWithValues: Self.properties(of: Arbiter(lineage: 2)))
        }

        /// Those of the arbiter, and of the tables and other values that it consists of.
        private static func properties(of arbiter: Arbiter) -> [(name: String, value: String)] {
            Mirror(reflecting: arbiter).children.flatMap { child in
                let name = child.label ?? "?"
                guard isPart(child.value) else { return [(name, "\(child.value)")] }
                return Mirror(reflecting: child.value).children.map {
                    ("\(name).\($0.label ?? "?")", "\($0.value)")
                }
            }
        }

        private static func isPart(_ value: Any) -> Bool {
            switch value {
            case is CallTable, is GroupTable, is ProviderTable, is ActionTable, is PlanTable,
                is IncomingQueue, is Emergencies, is IDSource, is Memory, is Output:
                true
            default: false
            }
        }

        func see(_ arbiter: Arbiter) {
            seen.withLock { seen in
                for property in Self.properties(of: arbiter)
                where !seen.contains(property.name) && property.value != new[property.name] {
                    seen.insert(property.name)
                }
            }
        }

        var unseen: [String] {
            Set(new.keys).subtracting(seen.withLock { $0 }).sorted()
        }
    }

    /// So a property that is added and not stored makes another state in some world.
    @Test
    func `every property of the arbiter differs somewhere, but for what is empty between events`() {
        let sights = Sights()
        var checks = Checks()
        checks.closeness = 1_000
        checks.extra = { _, _, arbiter in
            sights.see(arbiter)
            return nil
        }
        let isEmptyBetweenEvents = [
            "actions.earlySettled", "lastEnd", "output.effects", "output.pendingUpdates",
            "output.published",
        ]
        for seed in 1...60 where sights.unseen != isEmptyBetweenEvents {
            var world = World(seed: UInt64(seed), checks: checks)
            world.run(events: 400)
            #expect(world.bench.complaint == nil)
        }
        #expect(sights.unseen == isEmptyBetweenEvents)
    }

    /// A world after so many events, and what happened next in it.
    private func moment(seed: UInt64, events: Int) -> ([UInt8], [Bench.RecordedEvent]) {
        var world = World(seed: seed)
        world.run(events: events)
        let stored = world.bench.arbiter.stored()
        let count = world.bench.record.count
        world.run(events: events + 30)
        return (stored, Array(world.bench.record.dropFirst(count)))
    }

    @Test func `a part of a state is a fault`() {
        let (stored, _) = moment(seed: 3, events: 60)
        for count in 0..<stored.count {
            #expect(throws: StateError.self) { try Arbiter(stored: stored.prefix(count)) }
        }
    }

    @Test func `more than a state is a fault`() {
        let stored = Arbiter(lineage: 1).stored()
        #expect(throws: StateError.leftOver(bytes: 1, at: stored.count)) {
            try Arbiter(stored: (stored + [0])[...])
        }
    }

    @Test func `a state of another version is a fault that names both`() {
        var stored = Arbiter(lineage: 1).stored()
        stored[0] += 1
        let fault = StateError.version(found: 8, expected: 7)
        #expect(throws: fault) { try Arbiter(stored: stored[...]) }
        #expect(fault.description == "expected a state of version 7, found version 8")
    }

    /// Ended calls are most of an old state, and never harm; the records come first.
    @Test(arguments: 1...4) func `a flipped bit is a fault, or a state that goes on`(seed: UInt64) {
        var random = SeededRandom(seed: seed)
        let (stored, next) = moment(seed: seed, events: Int(seed) * 180)
        var bytes = stored
        var faults = 0
        for _ in 0..<400 {
            let bit = Int.random(in: 0..<min(stored.count, 3_000) * 8, using: &random)
            bytes[bit / 8] ^= 1 << (bit % 8)
            defer { bytes[bit / 8] = stored[bit / 8] }
            guard var arbiter = try? Arbiter(stored: bytes[...]) else {
                faults += 1
                continue
            }
            for event in next { _ = arbiter.apply(event.event, at: event.at) }
        }
        #expect(faults > 0)
    }
}
