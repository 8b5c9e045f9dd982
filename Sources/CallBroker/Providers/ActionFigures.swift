internal import BrokerSocket
internal import CallModel

/// The results of actions, and the times that providers needed for them, by kind.
struct ActionFigures {
    private static let kinds = Array(ActionKind.allCases)

    /// The actions of one kind.
    struct Row {
        var results = CaseCounts<ActionState>()
        var durations = LatencyHistogram()
    }

    private var rows = kinds.map { _ in Row() }

    mutating func add(
        _ kind: ActionKind, _ state: ActionState, from start: MonotonicTime, to end: MonotonicTime
    ) {
        guard let place = Self.kinds.firstIndex(of: kind) else { return }
        rows[place].results.add(state)
        rows[place].durations.record(from: start, to: end)
    }

    /// The figures of each kind.
    var all: [(kind: ActionKind, row: Row)] {
        zip(Self.kinds, rows).map { (kind: $0.0, row: $0.1) }
    }
}
