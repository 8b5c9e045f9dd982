internal import CallModel

/// Sums over calls that have ended.
extension CallStore {
    /// Returns the sums of the entries that match a filter.
    ///
    /// - Parameters:
    ///   - filter: the entries to add up.
    ///   - grouping: what each sum is about. The spellings of one number are one number.
    ///   - limit: the number of sums.
    package func historySums(
        _ filter: HistoryFilter = HistoryFilter(), by grouping: HistorySum.Grouping,
        limit: Int = 100
    ) throws(StoreError) -> HistorySums {
        let query = try conditions(of: filter)
        let database = try database()
        let sums = try database.rows(
            Self.sums + query.conditions + " GROUP BY \(grouping.columns)"
                + " ORDER BY talked DESC, calls DESC, latest DESC LIMIT ?",
            query.values + [.integer(limit + 1)], grouping.sum)
        let total = try database.first(Self.sums + query.conditions, query.values, Self.numbers)
        return HistorySums(
            sums: Array(sums.prefix(limit)), total: total ?? HistorySum(),
            hasMore: sums.count > limit)
    }

    /// The columns that are not added up are those of the latest call: SQLite takes them from the
    /// row that has the maximum (https://www.sqlite.org/lang_select.html#bareagg).
    private static let sums = """
        SELECT count(*) AS calls, coalesce(sum(direction = 'incoming'), 0),
        coalesce(sum(missed != 0), 0),
        coalesce(sum(max(0, ended_at - connected_at)), 0) AS talked, max(ended_at) AS latest,
        provider, provider_name, kind, value, name FROM history
        """

    fileprivate static func numbers(_ row: Row) -> HistorySum {
        var sum = HistorySum()
        sum.calls = Int(row.integer(0))
        sum.incoming = Int(row.integer(1))
        sum.missed = Int(row.integer(2))
        sum.talkedMS = row.integer(3)
        sum.lastEndedAtMS = row.integer(4)
        return sum
    }
}

extension HistorySum.Grouping {
    fileprivate var columns: String {
        switch self {
        case .provider: "provider"
        case .handle: "kind, key"
        }
    }

    fileprivate func sum(_ row: Row) -> HistorySum {
        var sum = CallStore.numbers(row)
        switch self {
        case .provider: (sum.provider, sum.providerName) = (ProviderID(row.text(5)), row.text(6))
        case .handle:
            sum.remote = row.optionalText(7).map {
                Handle(kind: Handle.Kind(name: $0), value: row.text(8))
            }
            sum.name = row.optionalText(9)
        }
        return sum
    }
}
