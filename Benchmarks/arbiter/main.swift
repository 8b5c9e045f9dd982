import CAllocations
import CallArbitration
import CallModel

/// What one row of the table says of one kind of work.
struct Figure {
    var seconds = 0.0
    var units = 0
    var events = 0
    var allocations: UInt64 = 0
}

/// The kinds of work: each does `count` units on a phone that it leaves as it found it.
enum Work: String, CaseIterable {
    /// A waiting call is answered; the live one, of another provider, is held first.
    case answerWithHold = "answer with hold"
    /// The same call is muted and unmuted in turns.
    case mute
    /// A call rings, and its caller gives up.
    case ringAndGiveUp = "ring, give up"

    func measure(_ phone: inout Phone, count: Int) -> Figure {
        switch self {
        case .answerWithHold:
            let first = phone.ring(at: 0)
            phone.carryOut(.answer, first)
            let ringing = (1...count).map { phone.ring(at: $0) }
            let figure = timed(&phone, units: count) { phone in
                for call in ringing { phone.carryOut(.answer, call) }
            }
            phone.hangUp(first, at: 0)
            for (index, call) in ringing.enumerated() { phone.hangUp(call, at: index + 1) }
            return figure
        case .mute:
            let call = phone.ring(at: 0)
            phone.carryOut(.answer, call)
            let figure = timed(&phone, units: count) { phone in
                for turn in 0..<count { phone.carryOut(.setMuted(turn % 2 == 0), call) }
            }
            phone.hangUp(call, at: 0)
            return figure
        case .ringAndGiveUp:
            return timed(&phone, units: count) { phone in
                for turn in 0..<count { phone.hangUp(phone.ring(at: turn), at: turn) }
            }
        }
    }

    /// Never inlined, so that a profiler can count from here.
    @inline(never)
    private func timed(
        _ phone: inout Phone, units: Int, _ body: (inout Phone) -> Void
    ) -> Figure {
        let (events, allocations) = (phone.events, allocations_so_far())
        let clock = ContinuousClock()
        let start = clock.now
        body(&phone)
        let elapsed = clock.now - start
        let (seconds, attoseconds) = elapsed.components
        return Figure(
            seconds: Double(seconds) + Double(attoseconds) / 1e18, units: units,
            events: phone.events - events, allocations: allocations_so_far() - allocations)
    }
}

/// The rounds of all sizes are interleaved, so that a slow moment of the machine hits all alike; the
/// median counts.
struct Table {
    var sizes = [10, 1_000, 100_000]
    var rounds = 15
    private let units = 2_000

    func print() {
        var phones = sizes.map { Phone(held: $0) }
        for work in Work.allCases where wants(work) {
            for index in phones.indices { _ = work.measure(&phones[index], count: units) }
            var figures = sizes.map { _ in [Figure]() }
            for _ in 0..<rounds {
                for index in phones.indices {
                    figures[index].append(work.measure(&phones[index], count: units))
                }
            }
            printRows(work, figures.map(median))
        }
    }

    /// Work whose name begins as one of the arguments does; all of it if there are none.
    private func wants(_ work: Work) -> Bool {
        let names = CommandLine.arguments.dropFirst().filter { $0 != "quick" }
        return names.isEmpty || names.contains { work.rawValue.hasPrefix($0) }
    }

    private func median(_ figures: [Figure]) -> Figure {
        figures.sorted { $0.seconds < $1.seconds }[figures.count / 2]
    }

    private func printRows(_ work: Work, _ figures: [Figure]) {
        let first = figures[0].seconds / Double(figures[0].units)
        for (size, figure) in zip(sizes, figures) {
            let cost = figure.seconds / Double(figure.units)
            let cells = [
                work.rawValue, String(size), String(Int(1 / cost)),
                String(Int(Double(figure.events) / figure.seconds)),
                rounded(Double(figure.allocations) / Double(figure.events)),
                rounded(cost / first),
            ]
            Swift.print("| " + cells.joined(separator: " | ") + " |")
        }
    }

    private func rounded(_ value: Double) -> String {
        let hundredths = Int(value * 100 + 0.5)
        let rest = hundredths % 100
        return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)"
    }
}

if CommandLine.arguments.contains("stored") {
    StoredTable().print()
} else {
    // Under a profiler one short round of one size says enough: ArbiterBenchmark quick answer
    var table = Table()
    if CommandLine.arguments.contains("quick") {
        table.sizes = [10]
        table.rounds = 1
    }
    print("| work | held calls | per second | events/s | allocations/event | cost, to 10 held |")
    print("|---|---|---|---|---|---|")
    table.print()
}
