import CallClient
import CallModel
import Testing

/// Requests that no frame can carry: the broker could not report which request it refuses.
@Suite(.timeLimit(.minutes(30))) struct CallErrorEncodingTests {
    private final class App: CallProviderDelegate {}

    private let host: Host
    private let app = App()
    private let provider: CallProvider

    init() async throws {
        host = try Host()
        provider = try await CallProvider(
            identity: "org.example.a", .phone, delegate: app, host.options)
    }

    private func refusal(of update: CallUpdate) async -> CallError? {
        do throws(CallError) {
            try await provider.reportIncoming(.random(), update)
            return nil
        } catch {
            return error
        }
    }

    @Test func `a name with a NUL is refused, and the session goes on`() async throws {
        var update = CallUpdate(from: .ann)
        update.displayName = .set("Ann\u{0}")
        let error = await refusal(of: update)
        #expect(error?.code == .invalidParams)
        #expect(error?.reason == "nul")
        try await provider.reportIncoming(.random(), CallUpdate(from: .ann))
        provider.close()
    }

    @Test func `a request that is longer than a frame is refused, and the session goes on`()
        async throws
    {
        let address = String(repeating: "1", count: 70_000)
        let error = await refusal(of: CallUpdate(from: Handle(kind: .phone, value: address)))
        #expect(error?.code == .frameLimit)
        #expect(error?.limit == .init(name: "frame_bytes", value: 65_536))
        try await provider.reportIncoming(.random(), CallUpdate(from: .ann))
        provider.close()
    }

    @Test func `what looks like a NUL in JSON may be text`() async throws {
        var update = CallUpdate(from: .ann)
        update.displayName = .set(#"\u0000"#)
        #expect(await refusal(of: update) == nil)
        provider.close()
    }
}
