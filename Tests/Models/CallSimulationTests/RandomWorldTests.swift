import CallArbitration
import CallModel
import CallSimulation
import Synchronization
import Testing

/// Random worlds with fixed seeds. `make simulate` runs as many more as anybody likes.
struct RandomWorldTests {
    @Test(arguments: [1, 101, 201, 301]) func `nothing is wrong in any world, whatever happens`(
        seed: UInt64
    ) {
        var simulation = Simulation(seed: seed)
        simulation.run(events: 50_000)
        #expect(simulation.failure == nil, "\(simulation.failure?.explanation() ?? "")")
        #expect(simulation.rules.missing == [], "rules that were never seen")
    }

    /// How many events happened in states worth testing.
    private final class Sights: Sendable {
        let events = Atomic(0)
        let twoHeld = Atomic(0)
        let fourHeld = Atomic(0)
        let conference = Atomic(0)
        let threeInConference = Atomic(0)
        let waiting = Atomic(0)
        let emergency = Atomic(0)
        let away = Atomic(0)

        func see(_ arbiter: Arbiter) {
            let facts = arbiter.hostFacts
            let views = arbiter.summaries
            let sizes = views.map { view in views.count { $0.group == view.group } }
            count(events, true)
            count(twoHeld, facts.heldGroups >= 2)
            count(fourHeld, facts.heldGroups >= 4)
            count(conference, sizes.contains { $0 >= 2 })
            count(threeInConference, sizes.contains { $0 >= 3 })
            count(waiting, facts.ringing >= 2)
            count(emergency, facts.hasEmergency)
            count(away, views.contains { !$0.isProviderConnected })
        }

        private func count(_ number: borrowing Atomic<Int>, _ isSeen: Bool) {
            if isSeen { number.add(1, ordering: .relaxed) }
        }

        func perMille(_ number: borrowing Atomic<Int>) -> Int {
            number.load(ordering: .relaxed) * 1_000 / events.load(ordering: .relaxed)
        }
    }

    @Test func `the worlds are no dull ones`() {
        let sights = Sights()
        var checks = Checks()
        checks.closeness = 1_000
        checks.extra = { _, _, arbiter in
            sights.see(arbiter)
            return nil
        }
        var simulation = Simulation(seed: 1, checks: checks)
        simulation.run(events: 60_000)
        #expect(sights.perMille(sights.twoHeld) > 150)
        #expect(sights.perMille(sights.fourHeld) > 10)
        #expect(sights.perMille(sights.conference) > 80)
        #expect(sights.perMille(sights.threeInConference) > 5)
        #expect(sights.perMille(sights.waiting) > 80)
        #expect(sights.perMille(sights.emergency) > 20)
        #expect(sights.perMille(sights.away) > 15)
    }
}
