import CallClient
import CallModel
import Testing

@Suite(.timeLimit(.minutes(30))) struct CallControllerTests {
    /// An app that never finishes a start.
    private final class Stuck: CallProviderDelegate {
        let diary = Diary()

        func provider(
            _ provider: CallProvider, start: StartArguments, _ request: ActionRequest
        ) async throws {
            diary.note("start")
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            diary.note("cancelled")
        }
    }

    private let host: Host

    init() throws {
        host = try Host()
    }

    @Test func `a cancelled task takes its request back`() async throws {
        let app = Stuck()
        let provider = try await CallProvider(
            identity: "org.example.a", .phone, delegate: app, host.options)
        let user = try await CallController(host.options)
        let asking = Task { try await user.start(.ann, RequestOptions.completed) }
        _ = await app.diary.lines(1)
        asking.cancel()
        await #expect {
            _ = try await asking.value
        } throws: {
            ($0 as? CallError)?.code == .cancelled
        }
        #expect(await app.diary.lines(2) == ["start", "cancelled"])
        provider.close()
        withExtendedLifetime(app) {}
    }

    @Test func `a dry run tells the plan and changes nothing`() async throws {
        let app = Stuck()
        let provider = try await CallProvider(
            identity: "org.example.a", .phone, delegate: app, host.options)
        let user = try await CallController(host.options)
        let plan = try await user.start(.ann, RequestOptions.dryRun)
        #expect(plan.transaction == nil)
        #expect(plan.actions.map(\.state) == [.planned])
        #expect(plan.refusal == nil)
        #expect(try await user.calls() == [])
        provider.close()
        withExtendedLifetime(app) {}
    }

    @Test func `an error names its reason, its rule and the limit`() async throws {
        let app = Stuck()
        var configuration = ProviderConfiguration.phone
        configuration.maxCallGroups = 1
        let provider = try await CallProvider(
            identity: "org.example.a", configuration, delegate: app, host.options)
        try await provider.reportIncoming(.random(), CallUpdate(from: .ann))
        let user = try await CallController(host.options)
        do {
            try await user.start(.bob)
            Issue.record("expected a refusal")
        } catch {
            #expect(error.code == .limitReached)
            #expect(error.reason == "max_call_groups")
            #expect(error.rule == .providerLimits)
            #expect(error.limit == .init(name: "max_call_groups", value: 1))
            #expect(error.callKit?.number == 7)
        }
        provider.close()
        withExtendedLifetime(app) {}
    }

    @Test func `the calls come in their order`() async throws {
        let app = Stuck()
        var configuration = ProviderConfiguration.phone
        configuration.maxCallGroups = 20
        let provider = try await CallProvider(
            identity: "org.example.a", configuration, delegate: app, host.options)
        let user = try await CallController(host.options)
        var calls: [CallID] = []
        for _ in 0..<4 {
            calls.append(.random())
            try await provider.reportIncoming(calls[calls.count - 1], CallUpdate(from: .ann))
        }
        #expect(try await user.calls().map(\.id) == calls)
        provider.close()
        withExtendedLifetime(app) {}
    }

    @Test func `the scheme of an address picks the app`() async throws {
        let app = Stuck()
        var configuration = ProviderConfiguration.phone
        configuration.urlSchemes = ["tel"]
        let provider = try await CallProvider(
            identity: "org.example.a", configuration, delegate: app, host.options)
        let user = try await CallController(host.options)
        let outcome = try await user.dial("tel:+15550100")
        #expect(outcome.actions.map(\.provider) == [ProviderID("org.example.a")])
        #expect(await app.diary.lines(1) == ["start"])
        provider.close()
        withExtendedLifetime(app) {}
    }
}
