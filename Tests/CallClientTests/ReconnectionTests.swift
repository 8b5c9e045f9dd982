import CallClient
import CallModel
import Glibc
import Testing

/// A broker that goes away, and comes back with nothing.
@Suite(.timeLimit(.minutes(1))) struct ReconnectionTests {
    private let call = CallID.random()

    /// An app that notes whether it is connected.
    private final class App: CallProviderDelegate {
        let diary = Diary()

        func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {}
        func provider(
            _ provider: CallProvider, setHeld isHeld: Bool, _ request: ActionRequest
        ) async throws {}

        func provider(_ provider: CallProvider, isConnected: Bool) async {
            diary.note(isConnected ? "connected" : "lost")
        }

        func provider(_ provider: CallProvider, didDrop calls: [CallID]) async {
            diary.note("dropped \(calls.count)")
        }

        func lines(_ count: Int) async -> [String] {
            await diary.lines(count)
        }
    }

    private func answered(_ host: Host, _ app: App) async throws -> CallProvider {
        let provider = try await CallProvider(
            identity: "org.example.a", .phone, delegate: app, host.options)
        let user = try await CallController(host.options)
        var update = CallUpdate(from: .ann)
        update.displayName = .set("Ann")
        try await provider.reportIncoming(call, update)
        try await user.answer(call, nil, .completed)
        return provider
    }

    @Test func `an app's calls go on when the broker was killed`() async throws {
        let first = try Host()
        let app = App()
        let provider = try await answered(first, app)
        _ = try first.daemon.stop(SIGKILL)
        let second = try Host(in: first.daemon.folder)
        #expect(await app.lines(3) == ["connected", "lost", "connected"])
        let user = try await CallController(second.options)
        let known = try await user.call(call)
        #expect(known.state == .active)
        #expect(known.properties.displayName == "Ann")
        try await user.setHeld(call, true, .completed)
        provider.close()
    }

    @Test func `what ended while the broker was away does not come back`() async throws {
        let first = try Host()
        let app = App()
        let provider = try await answered(first, app)
        _ = try first.daemon.stop(SIGKILL)
        _ = await app.lines(2)
        await #expect {
            try await provider.reportEnded(call, .remoteEnded)
        } throws: {
            ($0 as? CallError)?.code == .disconnected
        }
        let second = try Host(in: first.daemon.folder)
        _ = await app.lines(3)
        #expect(try await CallController(second.options).calls() == [])
        provider.close()
    }

    @Test func `an observer reads all anew`() async throws {
        let first = try Host()
        let app = App()
        let provider = try await answered(first, app)
        let observer = try await CallObserver(first.options)
        var events = observer.makeAsyncIterator()
        #expect(await events.next()?.calls.map(\.state) == [.active])
        _ = try first.daemon.stop(SIGKILL)
        let second = try Host(in: first.daemon.folder)
        // Whoever is back first: the call is in the snapshot, or is added behind it.
        var known: [CallID] = []
        while known != [call] {
            switch try #require(await events.next()) {
            case .snapshot(let calls): known = calls.map(\.id)
            case .added(let call, _): known.append(call.id)
            case .changed, .removed, .other: break
            }
        }
        provider.close()
        withExtendedLifetime((second, app)) {}
    }

    @Test func `without a broker a client says where it looked`() async throws {
        let folder = try TemporaryFolder()
        var options = ClientOptions(name: "test")
        options.socketPath = folder.file("nobody.sock")
        await #expect {
            _ = try await CallController(options)
        } throws: { error in
            let error = error as? CallError
            return error?.code == .disconnected
                && error?.message.contains("nobody.sock") == true
        }
    }

    @Test func `a closed client says so`() async throws {
        let host = try Host()
        let user = try await CallController(host.options)
        user.close()
        await #expect {
            _ = try await user.calls()
        } throws: {
            [.closed, .disconnected].contains(($0 as? CallError)?.code)
        }
    }
}
