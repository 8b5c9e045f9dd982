import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

struct RuleTallyTests {
    @Test func `a rule is found at its own index`() {
        for (index, rule) in Rule.allCases.enumerated() {
            #expect(RuleTally.index(of: rule) == index)
        }
    }

    @Test func `causes, refusals, decisions and history entries are counted once an event`() {
        var tally = RuleTally()
        let cause = Cause(.user, rule: .swap)
        tally.count([
            .refuse(RequestToken(1), Refusal(.busy, rule: .busy)),
            .perform(Doctored.dispatch(1)),
            .announce(.callChanged(Doctored.call(1), [.state], cause)),
            .announce(.callRemoved(Doctored.call(1), cause)),
            .note(Decision(.tones, .cancelled, call: nil, cause: Cause(.user, rule: .mute))),
            .record(Doctored.entry(1, rule: .elsewhere)),
        ])
        let seen: [Rule] = [.busy, .swap, .tones, .mute, .history, .elsewhere]
        for rule in Rule.allCases {
            #expect(tally.count(of: rule) == (seen.contains(rule) ? 1 : 0), "\(rule)")
        }
        #expect(tally.missing.count == Rule.allCases.count - seen.count)
    }

    @Test func `tallies are added`() {
        var tally = RuleTally()
        tally.count([.record(Doctored.entry(1))])
        var sum = tally
        sum.add(tally)
        #expect(sum.count(of: .history) == 2)
    }
}
