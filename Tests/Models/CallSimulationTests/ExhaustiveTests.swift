import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// All states of a small world, to a small depth; `make simulate-all` goes deeper.
struct ExhaustiveTests {
    @Test func `nothing is wrong in any state, and every state comes to rest`() {
        var limits = Exhaustive.Limits()
        limits.depth = 4
        limits.checksLiveness = true
        var run = Exhaustive(limits: limits)
        while run.advance() {}
        #expect(run.complaint == nil, "\(run.text)")
        #expect(run.levels.count == 4)
        #expect(run.stateCount > 500)
    }

    @Test func `a state in which something is wrong is found and told`() {
        var checks = Checks()
        checks.extra = { _, _, arbiter in
            arbiter.hostFacts.heldGroups > 0 ? Complaint(.artificial, "a group is held") : nil
        }
        var run = Exhaustive(limits: Exhaustive.Limits(), checks: checks)
        while run.advance() {}
        #expect(run.complaint?.what == "a group is held")
        // Two providers register, a call comes, speaks, and is to be held.
        #expect(run.text.split(separator: "\n").filter { $0.hasPrefix("> ") }.count <= 6)
    }

    @Test func `ids, times and places do not count in a shape, all else does`() {
        func shape(_ change: (inout Scene) -> Void) -> Int {
            var scene = Scene(checks: Checks())
            change(&scene)
            return scene.key
        }
        let call = Doctored.call(2)
        let rings = shape { $0.make(.come(call)) }
        let refused = shape {
            $0.make(.come(call))
            $0.make(.ask(call, .setHeld(true), .plain))
        }
        let answered = shape {
            $0.make(.come(call))
            $0.make(.ask(call, .answer, .plain))
        }
        #expect(rings == refused)
        #expect(rings != answered)
        #expect(rings != shape { $0.make(.come(Doctored.call(3))) })
    }
}
