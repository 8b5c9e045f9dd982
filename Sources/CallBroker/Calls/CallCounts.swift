internal import CallModel

/// The numbers of open calls by provider and state, kept up to date with each change.
///
/// A provider has a row while it has calls, so there are never more rows than calls; the row of a
/// provider without calls is used again.
struct CallCounts {
    /// The place of a call in the counts.
    struct Place {
        fileprivate let row: Int
        fileprivate let state: Int
    }

    /// The calls of one provider.
    struct Row {
        fileprivate(set) var provider: ProviderID
        /// The number of calls in each state, in the order of `CallState`.
        fileprivate(set) var calls = [Int](repeating: 0, count: CallState.allCases.count)
        fileprivate(set) var total = 0
    }

    private static let states = Array(CallState.allCases)

    private var rows: [Row] = []
    private var places: [ProviderID: Int] = [:]
    private var unused: [Int] = []

    mutating func add(_ provider: ProviderID, _ state: CallState) -> Place {
        let place = Place(row: row(of: provider), state: Self.index(state))
        rows[place.row].calls[place.state] += 1
        rows[place.row].total += 1
        return place
    }

    mutating func move(_ place: Place, to state: CallState) -> Place {
        let moved = Place(row: place.row, state: Self.index(state))
        rows[place.row].calls[place.state] -= 1
        rows[moved.row].calls[moved.state] += 1
        return moved
    }

    mutating func remove(_ place: Place) {
        rows[place.row].calls[place.state] -= 1
        rows[place.row].total -= 1
        guard rows[place.row].total == 0 else { return }
        places[rows[place.row].provider] = nil
        unused.append(place.row)
    }

    private mutating func row(of provider: ProviderID) -> Int {
        if let row = places[provider] { return row }
        let row = unused.popLast() ?? rows.count
        if row == rows.count { rows.append(Row(provider: provider)) }
        rows[row].provider = provider
        places[provider] = row
        return row
    }

    private static func index(_ state: CallState) -> Int {
        states.firstIndex(of: state) ?? 0
    }

    /// The providers with most calls first, at most `most` of them.
    func rows(most: Int) -> [Row] {
        Array(rows.filter { $0.total > 0 }.sorted(by: Row.hasPriority).prefix(most))
    }
}

extension CallCounts.Row {
    /// The states of the calls, with their numbers.
    var states: [(state: CallState, count: Int)] {
        zip(CallState.allCases, calls).filter { $0.1 > 0 }.map { (state: $0.0, count: $0.1) }
    }

    fileprivate static func hasPriority(_ left: Self, _ right: Self) -> Bool {
        left.total == right.total ? left.provider < right.provider : left.total > right.total
    }
}
