import CallModel
import CallStore
import Testing

struct HistoryTests {
    let store = CallStore(.memory)

    /// Recorded, with the number that the store gave it.
    private func record(_ entry: HistoryRecord) throws -> HistoryRecord {
        try store.record(entry)
        var recorded = entry
        recorded.id = try #require(
            try store.history(HistoryFilter(includesHidden: true)).items.map(\.id).max())
        return recorded
    }

    @Test func `everything that is known of a call is kept`() throws {
        let entry = try record(
            .sample(1, endedAt: 100) {
                $0.name = "Ada"
                $0.label = "Engines Ltd."
                $0.labelSource = "org.directory"
                $0.hasVideo = true
                $0.connectedAtMS = 95_000
                $0.reason = .filtered
                $0.origin = .policy
                $0.rule = .filters
                $0.missedReasons = [.doNotDisturb, .screeningTimedOut]
                $0.filteredBy = "do_not_disturb"
                $0.isSeen = true
            })
        #expect(try store.history().items == [entry])
        #expect(entry.talkedMS == 5_000)
    }

    @Test func `a call with nobody known is kept too`() throws {
        let entry = try record(.sample(1, endedAt: 100) { $0.remote = nil })
        #expect(try store.history().items == [entry])
    }

    @Test func `the same end recorded again, as after a crash, is one entry`() throws {
        #expect(try store.record(.sample(1, endedAt: 100)))
        #expect(try !store.record(.sample(1, endedAt: 100) { $0.name = "again" }))
        #expect(try store.record(.sample(1, endedAt: 101)))
        #expect(try store.history().items.map(\.name) == [nil, nil])
    }

    @Test func `the newest is first, page by page, whatever the order of recording`() throws {
        let ends: [(UInt64, Int64)] = [(4, 30), (7, 10), (2, 50), (9, 20), (1, 40), (5, 50)]
        for (number, second) in ends {
            try store.record(.sample(number, endedAt: second))
        }
        var listed: [Int64] = []
        var after: String?
        repeat {
            let page = try store.history(after: after, limit: 2)
            listed += page.items.map { $0.endedAtMS / 1_000 }
            after = page.next
        } while after != nil
        #expect(listed == listed.sorted(by: >))
        #expect(Set(listed) == [10, 20, 30, 40, 50])
    }

    @Test func `a list that goes on shows nothing twice, though calls end meanwhile`() throws {
        for number: UInt64 in 1...4 { try store.record(.sample(number, endedAt: Int64(number))) }
        let first = try store.history(limit: 2)
        try store.record(.sample(9, endedAt: 9))
        let second = try store.history(after: first.next, limit: 2)
        #expect((first.items + second.items).map { $0.endedAtMS / 1_000 } == [4, 3, 2, 1])
    }

    @Test func `a filter lets through what it names`() throws {
        let missed = try record(.sample(1, endedAt: 1) { $0.missedReasons = .unanswered })
        let other = try record(.sample(2, endedAt: 2) { $0.provider = ProviderID("org.b") })
        let mail = try record(.sample(3, endedAt: 3) { $0.remote = .email("a@example.org") })
        let hidden = try record(.sample(4, endedAt: 4) { $0.isRecent = false })
        func list(_ filter: HistoryFilter) throws -> [HistoryRecord] {
            try store.history(filter).items
        }
        #expect(try list(HistoryFilter(id: mail.id)) == [mail])
        #expect(try list(HistoryFilter(id: hidden.id)) == [])
        #expect(try list(HistoryFilter(id: hidden.id, includesHidden: true)) == [hidden])
        #expect(try list(HistoryFilter(id: other.id, missed: true)) == [])
        #expect(try list(HistoryFilter(missed: true)) == [missed])
        #expect(try list(HistoryFilter(provider: ProviderID("org.b"))) == [other])
        #expect(try list(HistoryFilter(handle: .email("A@EXAMPLE.ORG"))) == [mail])
        #expect(try list(HistoryFilter(handle: .phone("+49 30 901820"))) == [other, missed])
        #expect(try list(HistoryFilter(sinceMS: 2_000)) == [mail, other])
        #expect(try list(HistoryFilter(sinceMS: 3_000, includesHidden: true)) == [hidden, mail])
        #expect(try list(HistoryFilter(missed: true, sinceMS: 2_000)) == [])
    }

    @Test func `calls are added up by app, the longest conversations first`() throws {
        for number: UInt64 in 1...3 {
            _ = try record(
                .sample(number, endedAt: Int64(number) * 100) {
                    $0.connectedAtMS = $0.endedAtMS - 10_000
                    $0.providerName = "Name \(number)"
                })
        }
        _ = try record(
            .sample(4, endedAt: 50) {
                $0.provider = ProviderID("org.b")
                $0.missedReasons = .unanswered
            })
        let sums = try store.historySums(by: .provider)
        #expect(sums.sums.map(\.calls) == [3, 1])
        #expect(sums.sums.map(\.talkedMS) == [30_000, 0])
        #expect(sums.sums.map(\.missed) == [0, 1])
        #expect(sums.sums.map(\.lastEndedAtMS) == [300_000, 50_000])
        #expect(sums.sums[0].providerName == "Name 3" && sums.sums[1].provider?.name == "org.b")
        #expect(sums.total.calls == 4 && sums.total.talkedMS == 30_000 && sums.total.missed == 1)
        #expect(!sums.hasMore)
        let one = try store.historySums(by: .provider, limit: 1)
        #expect(one.sums == [sums.sums[0]] && one.hasMore && one.total == sums.total)
    }

    @Test func `calls are added up by number, however it is written`() throws {
        _ = try record(.sample(1, endedAt: 1) { $0.remote = .phone("+4930901820") })
        _ = try record(
            .sample(2, endedAt: 2) {
                $0.remote = .phone("+49 30 901820")
                $0.name = "Ada"
            })
        _ = try record(.sample(3, endedAt: 3) { $0.remote = nil })
        let sums = try store.historySums(by: .handle).sums
        #expect(sums.map(\.calls) == [2, 1])
        #expect(sums.map(\.remote) == [.phone("+49 30 901820"), nil])
        #expect(sums.map(\.name) == ["Ada", nil])
    }

    @Test func `a sum is of the calls that the filter lets through`() throws {
        let nothing = try store.historySums(by: .handle)
        #expect(nothing.sums.isEmpty && nothing.total == HistorySum() && !nothing.hasMore)
        _ = try record(.sample(1, endedAt: 1) { $0.missedReasons = .unanswered })
        _ = try record(.sample(2, endedAt: 2))
        _ = try record(.sample(3, endedAt: 3) { $0.isRecent = false })
        let missed = try store.historySums(HistoryFilter(missed: true), by: .provider)
        #expect(missed.sums.map(\.calls) == [1] && missed.total.calls == 1)
        #expect(try store.historySums(by: .provider).total.calls == 2)
    }

    @Test func `entries are removed by their numbers`() throws {
        let entries = try (1...3).map { try record(.sample($0, endedAt: Int64($0))) }
        #expect(try store.removeHistory([entries[0].id, entries[2].id, 999]) == 2)
        #expect(try store.history().items == [entries[1]])
    }

    @Test func `a cleared entry does not come back with a number that was used`() throws {
        let first = try record(.sample(1, endedAt: 1))
        #expect(try store.clearHistory() == 1)
        let second = try record(.sample(2, endedAt: 2))
        #expect(second.id > first.id)
    }

    @Test func `clearing takes only what the filter lets through`() throws {
        try store.record(.sample(1, endedAt: 1) { $0.missedReasons = .unanswered })
        let kept = try record(.sample(2, endedAt: 2))
        #expect(try store.clearHistory(HistoryFilter(missed: true)) == 1)
        #expect(try store.history().items == [kept])
    }

    @Test func `what is too old, and what is too much, is trimmed`() throws {
        for number: UInt64 in 1...6 { try store.record(.sample(number, endedAt: Int64(number))) }
        #expect(try store.trimHistory(beforeMS: 2_000) == 1)
        #expect(try store.trimHistory(countMax: 10) == 0)
        #expect(try store.trimHistory(beforeMS: 3_000, countMax: 2) == 3)
        #expect(try store.history().items.map(\.endedAtMS) == [6_000, 5_000])
    }

    @Test func `of what is too old one of eight goes at a time, where not all is to go`() throws {
        for number: UInt64 in 1...17 { try store.record(.sample(number, endedAt: Int64(number))) }
        #expect(try store.trimHistory(beforeMS: 100_000, atOnce: false) == 2)
        #expect(try store.history().items.last?.endedAtMS == 3_000)
        #expect(try store.trimHistory(beforeMS: 100_000) == 15)
        try store.record(.sample(1, endedAt: 1))
        #expect(try store.trimHistory(beforeMS: 100_000, atOnce: false) == 1)
    }

    @Test func `of what is too much that goes which was recorded first, whatever its time`() throws
    {
        try store.record(.sample(1, endedAt: 1_000_000))
        for number: UInt64 in 2...3 { try store.record(.sample(number, endedAt: Int64(number))) }
        #expect(try store.trimHistory(countMax: 2) == 1)
        #expect(try store.history().items.map(\.endedAtMS) == [3_000, 2_000])
    }

    @Test func `the badge counts missed calls until they are seen`() throws {
        for number: UInt64 in 1...3 {
            try store.record(
                .sample(number, endedAt: Int64(number)) { $0.missedReasons = .shortRing })
        }
        try store.record(.sample(4, endedAt: 4))
        try store.record(
            .sample(5, endedAt: 5) {
                $0.missedReasons = .shortRing
                $0.isRecent = false
            })
        #expect(try store.missedUnseen() == 3)
        #expect(try store.markSeen(untilMS: 2_000) == 2)
        #expect(try store.missedUnseen() == 1)
        #expect(
            try store.history(HistoryFilter(missed: true)).items.map(\.isSeen) == [
                false, true, true,
            ])
        try store.markSeen()
        #expect(try store.missedUnseen() == 0)
    }
}
