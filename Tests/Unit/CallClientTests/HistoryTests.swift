import CallClient
import CallModel
import Testing

/// Calls that are over, with a real broker.
@Suite(.timeLimit(.minutes(30))) struct HistoryTests {
    private final class App: CallProviderDelegate {
        func provider(
            _ provider: CallProvider, start: StartArguments, _ request: ActionRequest
        ) async throws {}
        func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {}
        func provider(_ provider: CallProvider, end request: ActionRequest) async throws {}
    }

    private let host: Host
    private let user: CallController
    private let app = App()
    private let phone: CallProvider

    init() async throws {
        host = try Host()
        user = try await CallController(host.options)
        phone = try await CallProvider(
            identity: "org.example.phone", .phone, delegate: app, host.options)
    }

    /// Somebody calls, and gives up.
    @discardableResult
    private func miss(_ remote: Handle) async throws -> CallID {
        let call = CallID.random()
        try await phone.reportIncoming(call, CallUpdate(from: remote))
        try await phone.reportEnded(call, .remoteEnded)
        return call
    }

    @Test func `a call that is over has an entry, with whom, how long and why`() async throws {
        let call = CallID.random()
        try await phone.reportIncoming(call, CallUpdate(from: .ann))
        try await host.advance(1_000)
        try await user.answer(call, nil, .completed)
        try await host.advance(5_000)
        try await user.end(call, .completed)
        let page = try await user.history()
        let entry = try #require(page.calls.first)
        #expect(page.calls.count == 1 && page.next == nil && page.missed == 0)
        #expect(entry.call == call && entry.provider == ProviderID("org.example.phone"))
        #expect(entry.direction == .incoming && entry.remote == .ann)
        #expect(entry.providerName == "Phone")
        #expect(entry.connectedAtMS == entry.startedAtMS + 1_000)
        #expect(entry.endedAtMS == entry.startedAtMS + 6_000)
        #expect(entry.durationMS == 5_000 && entry.endReason == .localEnded)
        #expect(entry.endCause?.origin == .user)
        #expect(entry.missedReasons == [])
        phone.close()
    }

    @Test func `past calls are added up by app and by number`() async throws {
        _ = try await miss(.ann)
        _ = try await miss(.ann)
        _ = try await miss(.bob)
        let byNumber = try await user.historySums(by: .number)
        #expect(byNumber.sums.map(\.calls) == [2, 1] && !byNumber.hasMore)
        #expect(byNumber.sums.map(\.remote) == [.ann, .bob])
        #expect(byNumber.total.missed == 3 && byNumber.total.talkedMS == 0)
        let byApp = try await user.historySums(by: .app)
        #expect(byApp.sums.map(\.provider) == [ProviderID("org.example.phone")])
        #expect(byApp.sums.first?.providerName == "Phone" && byApp.sums.first?.incoming == 3)
    }

    @Test func `a filter shows the missed calls, those with somebody, and the later ones`()
        async throws
    {
        let first = try await miss(.ann)
        try await host.advance(10_000)
        let second = try await miss(.bob)
        var missed = CallHistoryEntry.Filter()
        missed.isMissedOnly = true
        let page = try await user.history(missed)
        #expect(page.calls.map(\.call) == [second, first])
        #expect(page.calls.allSatisfy { $0.missedReasons.contains(.callerGaveUp) })
        #expect(page.missed == 2)
        var ofAnn = CallHistoryEntry.Filter()
        ofAnn.remote = .ann
        #expect(try await user.history(ofAnn).calls.map(\.call) == [first])
        var late = CallHistoryEntry.Filter()
        late.sinceMS = page.calls[0].startedAtMS
        #expect(try await user.history(late).calls.map(\.call) == [second])
        var ofOther = CallHistoryEntry.Filter()
        ofOther.provider = ProviderID("org.example.other")
        #expect(try await user.history(ofOther).calls == [])
        phone.close()
    }

    @Test func `a long history comes in pages`() async throws {
        var calls: [CallID] = []
        for _ in 0..<3 { calls.append(try await miss(.ann)) }
        let first = try await user.history(limit: 2)
        let second = try await user.history(after: first.next, limit: 2)
        #expect((first.calls + second.calls).map(\.call) == Array(calls.reversed()))
        #expect(first.calls.count == 2 && second.next == nil)
        phone.close()
    }

    @Test func `missed calls are new until they are seen`() async throws {
        try await miss(.ann)
        #expect(try await user.history().calls.map(\.isSeen) == [false])
        #expect(try await user.markHistorySeen() == 1)
        let page = try await user.history()
        #expect(page.calls.map(\.isSeen) == [true])
        #expect(page.missed == 0)
        phone.close()
    }

    @Test func `whoever called is called back with the same app`() async throws {
        try await miss(.ann)
        let past = try #require(try await user.history().calls.first)
        let outcome = try await user.callBack(past, .completed)
        #expect(outcome.actions.map(\.kind) == [.start])
        let call = try #require(try await user.calls().first)
        #expect(call.properties.remote == .ann && call.direction == .outgoing)
        #expect(call.provider == past.provider)
        phone.close()
    }

    @Test func `entries go one by one, or as a filter shows them`() async throws {
        for remote in [Handle.ann, .bob, .ann] { try await miss(remote) }
        let newest = try #require(try await user.history().calls.first)
        #expect(try await user.removeHistory([newest.id, newest.id + 1_000]) == 1)
        var ofBob = CallHistoryEntry.Filter()
        ofBob.remote = .bob
        #expect(try await user.clearHistory(ofBob) == 1)
        #expect(try await user.history().calls.map(\.remote) == [.ann])
        #expect(try await user.clearHistory() == 1)
        #expect(try await user.history().calls == [])
        phone.close()
    }
}
