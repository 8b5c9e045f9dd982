import CallArbitration
import CallModel
import Testing

@testable import CallBroker

/// What is kept of the decisions is bounded.
struct DecisionLogTests {
    private static func step(_ number: Int64, _ text: String? = nil) -> DecisionLog.Step {
        DecisionLog.Step(
            decision: Decision(.filters, .passed, call: nil, cause: Cause(.policy)),
            explanation: text.map { Explanation(by: "org.guard", text: $0) },
            stamp: Stamp(number: number, seq: number, atMS: 0))
    }

    private static func texts(_ log: DecisionLog) -> [String] {
        log.steps { _ in true }.compactMap { $0.explanation?.text }
    }

    @Test func `the latest steps are kept, in their order`() {
        var log = DecisionLog()
        for number in 1...20_000 { log.add(Self.step(Int64(number))) }
        #expect(log.steps { _ in true }.map(\.stamp.seq) == Array(20_000 - 16_383...20_000))
    }

    @Test func `of the texts of screeners the latest 1,024 are kept`() {
        var log = DecisionLog()
        for number in 1...3_000 { log.add(Self.step(Int64(number), "\(number)")) }
        #expect(Self.texts(log) == (1_977...3_000).map { "\($0)" })
        #expect(log.steps { _ in true }.count == 3_000)
    }

    @Test func `a text goes with its step, and no other goes in its place`() {
        var log = DecisionLog()
        for number in 1...100 { log.add(Self.step(Int64(number), "\(number)")) }
        for number in 101...16_434 { log.add(Self.step(Int64(number))) }
        #expect(Self.texts(log) == (51...100).map { "\($0)" })
        // Where the forgotten ones stood.
        for number in 1...1_000 { log.add(Self.step(Int64(number), "again")) }
        #expect(Self.texts(log).count == 1_000)
    }
}
