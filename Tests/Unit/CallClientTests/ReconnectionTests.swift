import CallClient
import CallModel
import Foundation
import Glibc
import Testing

/// A broker that is killed, and comes back: from its journal, or with nothing.
@Suite(.timeLimit(.minutes(30))) struct ReconnectionTests {
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

    /// Another broker in the place of one that is killed.
    private func successor(of host: Host, forgets: Bool) throws -> Host {
        _ = try host.daemon.stop(SIGKILL)
        let folder = host.daemon.folder
        if forgets { try FileManager.default.removeItem(atPath: folder.file("state")) }
        return try Host(in: folder)
    }

    @Test(arguments: [true, false])
    func `an app's calls go on when the broker was killed`(forgets: Bool) async throws {
        let first = try Host()
        let app = App()
        let provider = try await answered(first, app)
        let second = try successor(of: first, forgets: forgets)
        #expect(await app.lines(3) == ["connected", "lost", "connected"])
        let user = try await CallController(second.options)
        let known = try await user.call(call)
        #expect(known.state == .active)
        #expect(known.properties.displayName == "Ann")
        try await user.setHeld(call, true, .completed)
        provider.close()
    }

    @Test func `an observer is told of its connection`() async throws {
        let first = try Host()
        let diary = Diary()
        let observer = try await CallObserver(first.options) { isConnected in
            diary.note(isConnected ? "connected" : "lost")
        }
        let second = try successor(of: first, forgets: false)
        #expect(await diary.lines(3) == ["connected", "lost", "connected"])
        observer.close()
        withExtendedLifetime(second) {}
    }

    @Test(arguments: [true, false])
    func `what ended while the broker was away does not come back`(forgets: Bool) async throws {
        let first = try Host()
        let app = App()
        let provider = try await answered(first, app)
        first.daemon.process.signal(SIGKILL)
        _ = await app.lines(2)
        await #expect {
            try await provider.reportEnded(call, .remoteEnded)
        } throws: {
            ($0 as? CallError)?.code == .disconnected
        }
        let second = try successor(of: first, forgets: forgets)
        _ = await app.lines(3)
        #expect(try await CallController(second.options).calls() == [])
        provider.close()
    }

    @Test func `an observer reads all anew from a broker that has forgotten`() async throws {
        let first = try Host()
        let app = App()
        let provider = try await answered(first, app)
        let observer = try await CallObserver(first.options)
        var events = observer.makeAsyncIterator()
        #expect(await events.next()?.calls.map(\.state) == [.active])
        let second = try successor(of: first, forgets: true)
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

    @Test func `an observer goes on where it was with a broker that has not`() async throws {
        let first = try Host()
        let app = App()
        let provider = try await answered(first, app)
        let observer = try await CallObserver(first.options)
        var events = observer.makeAsyncIterator()
        _ = await events.next()
        let second = try successor(of: first, forgets: false)
        _ = await app.lines(3)
        let user = try await CallController(second.options)
        try await user.setHeld(call, true, .completed)
        var last: Call?
        while last?.state != .held {
            guard case .changed(let call, _, _) = try #require(await events.next()) else {
                Issue.record("expected changes only")
                break
            }
            last = call
        }
        provider.close()
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
