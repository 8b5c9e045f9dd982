import CallClient
import CallModel
import Testing

/// Why, and by which choices.
@Suite(.timeLimit(.minutes(30))) struct HostTests {
    private final class App: CallProviderDelegate {
        func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {}
        func provider(
            _ provider: CallProvider, setHeld isHeld: Bool, _ request: ActionRequest
        ) async throws {}
        func provider(_ provider: CallProvider, end request: ActionRequest) async throws {}
    }

    private let host: Host
    private let user: CallController
    private let app = App()

    init() async throws {
        host = try Host()
        user = try await CallController(host.options)
    }

    private func provider() async throws -> CallProvider {
        try await CallProvider(identity: "org.example.a", .phone, delegate: app, host.options)
    }

    @Test func `apps are listed with their names`() async throws {
        #expect(try await user.apps() == [])
        let provider = try await provider()
        let app = try #require(try await user.apps().first)
        #expect(app.id == ProviderID("org.example.a") && app.isConnected)
        #expect(app.name == ProviderConfiguration.phone.displayName && app.lines == [])
        provider.close()
    }

    @Test func `apps are listed with their lines`() async throws {
        var configuration = ProviderConfiguration.phone
        var line = Line(id: "work", label: "Work")
        (line.state, line.reason, line.messagesWaiting) = (.failed, "403 Forbidden", 2)
        line.settings = [LineSetting(.callWaiting, isOn: true)]
        configuration.lines = [line]
        let provider = try await CallProvider(
            identity: "org.example.a", configuration, delegate: app, host.options)
        #expect(try await user.apps().first?.lines == [line])
        provider.close()
    }

    @Test func `a call says what its other side asks for`() async throws {
        var configuration = ProviderConfiguration.phone
        (configuration.supportsVideo, configuration.supportsText) = (true, true)
        let provider = try await CallProvider(
            identity: "org.example.a", configuration, delegate: app, host.options)
        let call = CallID.random()
        var update = CallUpdate(from: .ann)
        (update.supportsSetVideo, update.supportsSetText) = (.set(true), .set(true))
        try await provider.reportIncoming(call, update)
        try await user.answer(call, nil, .completed)
        try await provider.reportVideoRequest(call, .receive)
        try await provider.reportTextRequest(call)
        let properties = try await user.call(call).properties
        #expect(properties.videoRequest == .receive && properties.textRequest)
        try await provider.reportTextRequest(call, false)
        #expect(try await user.call(call).properties.textRequest == false)
        provider.close()
    }

    @Test func `plugins are listed for those who ask for the right to it`() async throws {
        await #expect(throws: CallError.self) { try await user.plugins() }
        var options = host.options
        options.administers = true
        let admin = try await CallController(options)
        #expect(try await admin.plugins() == [])
        await #expect(throws: CallError.self) { try await admin.restartPlugin("org.example.none") }
    }

    @Test func `a call's decisions name the rule and who made them necessary`() async throws {
        let provider = try await provider()
        let (first, second) = (CallID.random(), CallID.random())
        try await provider.reportIncoming(first, CallUpdate(from: .ann))
        try await user.answer(first, nil, .completed)
        try await provider.reportIncoming(second, CallUpdate(from: .bob))
        let outcome = try await user.answer(second, nil, .completed)
        let transaction = try #require(outcome.transaction)
        let steps = try await user.explain(transaction)
        let hold = try #require(steps.first { $0.decision == "holds_first" })
        #expect(hold.rule == .answerHoldsFirst)
        #expect(hold.cause?.transaction == transaction)
        #expect(hold.blocking == [.init(call: first, provider: ProviderID("org.example.a"))])
        #expect(try await user.explain(first).contains(hold))
        let latest = try #require(try await user.recentTransactions().first)
        #expect(latest.transaction == transaction && latest.state == .completed)
        #expect(latest.actions.map(\.kind) == [.setHeld, .answer] && latest.runMS != nil)
        #expect(latest.cause?.origin == .user && latest.moreActions == 0)
        let events = try await user.timeline(of: first).map(\.event)
        #expect(events.contains(.decision(hold)))
        #expect(events.contains(.audio(isActive: true)) && events.contains(.audio(isActive: false)))
        let states = events.compactMap { event in
            if case .change(let state, let changed, _) = event, changed.contains("state") {
                state
            } else {
                nil
            }
        }
        #expect(states == ["active", "held"])
        let actions = events.compactMap { event in
            if case .action(let action) = event { "\(action.kind) \(action.state)" } else { nil }
        }
        #expect(actions.starts(with: ["answer dispatched", "answer fulfilled"]))
        provider.close()
    }

    @Test func `nobody can explain a call that there never was`() async throws {
        await #expect {
            try await user.explain(CallID.random())
        } throws: {
            ($0 as? CallError)?.reason == "unknown_call"
        }
    }

    @Test func `a policy changes where it is changed`() async throws {
        let before = try await user.policy()
        let after = try await user.changePolicy { policy in
            policy.onCannotHold = .end
            policy.resumesAfterRemoteEnd = true
            policy.defaultProviders["tel"] = ProviderID("org.example.a")
        }
        var expected = before
        expected.onCannotHold = .end
        expected.resumesAfterRemoteEnd = true
        expected.defaultProviders = ["tel": ProviderID("org.example.a")]
        #expect(after == expected)
        #expect(try await user.policy() == expected)
        let last = try await user.changePolicy { $0 = before }
        #expect(last == before)
    }

    @Test func `the limits are the admin's`() async throws {
        await #expect {
            try await user.changePolicy { $0.limits.ringing = 1 }
        } throws: {
            ($0 as? CallError)?.code == .permissionDenied
        }
    }

    @Test func `a button with nothing to do does nothing, and answers what rings`() async throws {
        #expect(try await user.pressButton(.short).actions == [])
        let provider = try await provider()
        let call = CallID.random()
        try await provider.reportIncoming(call, CallUpdate(from: .ann))
        let outcome = try await user.pressButton(.short)
        #expect(outcome.actions.map(\.kind) == [.answer])
        provider.close()
    }
}
