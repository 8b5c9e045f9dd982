import CallClient
import CallModel
import CallTesting
import Testing

/// An app that does what is asked; it is `deaf` if it never gets to an answer.
private final class App: CallProviderDelegate {
    private let isDeaf: Bool

    init(isDeaf: Bool = false) {
        self.isDeaf = isDeaf
    }

    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {
        guard isDeaf else { return }
        let (never, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in never {}
        throw CancellationError()
    }

    func provider(_ provider: CallProvider, end request: ActionRequest) async throws {}
}

/// An app with its real connection, and a clock that only the test moves.
struct ListeningBrokerTests {
    private let broker: ListeningBroker
    private let call = CallID.random()

    init() throws {
        broker = try ListeningBroker()
    }

    private func ring(_ app: App) async throws -> CallProvider {
        var options = ClientOptions(name: "app")
        options.socketPath = broker.socketPath
        let provider = try await CallProvider(
            identity: "org.example.app",
            ProviderConfiguration(displayName: "App", handleKinds: [.phone]), delegate: app, options
        )
        var update = CallUpdate()
        update.remote = .set(Handle(kind: .phone, value: "+15550100"))
        try await provider.reportIncoming(call, update)
        return provider
    }

    @Test func `an app answers over its own connection`() async throws {
        let app = App()
        let provider = try await ring(app)
        let done = try await broker.request(
            "call.answer", #"{"call":"\#(call)","wait":"completed"}"#)
        #expect(done["state"]?.string == "completed")
        let seen = try await broker.request("call.get", #"{"call":"\#(call)"}"#)
        #expect(seen["state"]?.string == "active")
        provider.close()
        broker.stop()
    }

    @Test func `who does not answer is said, and the clock waits for those who do`() async throws {
        let app = App(isDeaf: true)
        let provider = try await ring(app)
        try await broker.request("call.answer", #"{"call":"\#(call)"}"#)
        let told = "org.example.app has not answered provider.perform (answer \(call))"
        for wait in [
            { try await broker.settle(within: .zero) },
            { try await broker.advanceSettling(by: .seconds(1), within: .zero) },
        ] {
            let failure = await #expect(throws: ListeningBroker.Failure.self) { try await wait() }
            #expect(failure?.description.contains(told) == true)
        }
        try await broker.advanceSettling(by: .seconds(1), ignoring: ["org.example.app"])
        try await broker.request("call.end", #"{"call":"\#(call)"}"#)
        try await broker.advanceSettling(by: .seconds(90))
        provider.close()
        broker.stop()
    }

    @Test func `a minute passes when the test says so`() async throws {
        let app = App(isDeaf: true)
        let provider = try await ring(app)
        try await broker.request("call.answer", #"{"call":"\#(call)"}"#)
        try await broker.advance(by: .milliseconds(59_999))
        let before = try await broker.request("call.get", #"{"call":"\#(call)"}"#)
        #expect(before["pending_action"]?.string == "answering")
        try await broker.advance(by: .milliseconds(1))
        try await broker.settle(ignoring: ["org.example.app"])
        await #expect(throws: ListeningBroker.Failure.self) {
            try await broker.request("call.get", #"{"call":"\#(call)"}"#)
        }
        provider.close()
        broker.stop()
    }

    @Test func `the words of the broker's error are passed on`() async throws {
        let failure = await #expect(throws: ListeningBroker.Failure.self) {
            try await broker.request("call.get", #"{"call":"\#(call)"}"#)
        }
        #expect(failure?.description == "call.get: there is no such call")
        broker.stop()
    }
}
