import CallModel
import Testing

@testable import CallStore

/// How SQLite reads the history: a ring waits for whatever is read before it, so no list may read
/// the whole table.
struct HistoryPlanTests {
    private let store = CallStore(.memory)

    /// The steps that SQLite chooses for a statement.
    private func plan(_ statement: String, _ values: [Field] = []) throws -> [String] {
        try store.database().rows("EXPLAIN QUERY PLAN " + statement, values) { $0.text(3) }
    }

    private func listPlan(_ filter: HistoryFilter) throws -> [String] {
        let query = try store.conditions(of: filter)
        return try plan(CallStore.historyList(query.conditions), query.values + [.integer(32)])
    }

    @Test func `the badge counts what was not seen, and nothing else`() throws {
        #expect(
            try plan(CallStore.missedUnseen) == [
                "SEARCH history USING COVERING INDEX history_unseen (seen=? AND recent=?)"
            ])
    }

    @Test func `all lists are read in their order, from an index`() throws {
        let app = ProviderID("org.example.app")
        #expect(
            try listPlan(HistoryFilter()) == ["SCAN history USING INDEX history_order"])
        #expect(
            try listPlan(HistoryFilter(missed: true)) == ["SCAN history USING INDEX history_missed"]
        )
        #expect(
            try listPlan(HistoryFilter(provider: app)) == [
                "SEARCH history USING INDEX history_provider (provider=?)"
            ])
        #expect(
            try listPlan(HistoryFilter(provider: app, sinceMS: 5)) == [
                "SEARCH history USING INDEX history_provider (provider=? AND ended_at>?)"
            ])
    }

    @Test func `calls with one person are found by the person`() throws {
        let plan = try listPlan(HistoryFilter(handle: .phone("+15550123")))
        #expect(plan.first?.hasPrefix("SEARCH history USING INDEX history_remote (kind=?") == true)
    }
}
