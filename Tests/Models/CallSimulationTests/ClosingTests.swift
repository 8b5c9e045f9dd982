import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// What does not come to rest is seen.
struct ClosingTests {
    /// One provider that calls ring at, and that was asked to answer one.
    private func answering() -> Bench {
        var bench = Bench()
        let provider = Doctored.provider
        bench.apply(
            .providerRegistered(
                ProviderRegistration(
                    token: RequestToken(1), provider: provider,
                    configuration: ProviderConfiguration(displayName: "a", handleKinds: []))),
            at: .zero)
        for number in UInt64(1)...2 {
            bench.apply(
                .incomingReported(
                    IncomingReport(
                        token: RequestToken(number + 1), provider: provider,
                        call: Doctored.call(number), update: CallUpdate())), at: .zero)
        }
        bench.apply(
            .transactionRequested(
                TransactionRequest(
                    token: RequestToken(9), requester: .user,
                    actions: [RequestedAction(call: Doctored.call(1), action: .answer)])),
            at: .zero)
        return bench
    }

    @Test func `everything settles, and nothing is left`() {
        var bench = answering()
        #expect(bench.openRequest != nil)
        Closing.close(&bench, longestMS: World.longestMS)
        #expect(bench.complaint == nil)
        #expect(bench.openRequest == nil)
        #expect(bench.arbiter.remainingState == [])
    }

    @Test func `a request that is open for too long`() {
        var bench = answering()
        Closing.close(&bench, longestMS: 1_000)
        #expect(bench.complaint?.what == "a request is open for too long")
    }

    @Test func `an arbiter that never comes to rest`() {
        var bench = answering()
        Closing.close(&bench, longestMS: World.longestMS, eventsMax: 2)
        #expect(bench.complaint?.what == "it never comes to rest")
    }

    @Test func `requests, reservations and calls that stay`() {
        let bench = answering()
        let unrest = Closing.unrest(
            RequestToken(3), isBusy: true, bench.arbiter.summaries)
        #expect(
            unrest.map(\.what) == [
                "a request stays open", "a reservation is left", "a call stays answering",
                "a call stays ringing", "a call stays waiting",
            ])
    }

    @Test func `records, timers and actions that are left`() {
        let remains = Closing.remains(
            ["2 plans"], [.ring(Doctored.call(1))], [Doctored.action(1)])
        #expect(
            remains.map(\.what) == [
                "something is left: plans", "a timer is left at the end",
                "an action never settles",
            ])
    }

    @Test func `an arbiter with calls has remains`() {
        let remains = answering().arbiter.remainingState
        #expect(remains.contains("2 calls"))
        #expect(remains.contains("1 plans"))
    }
}
