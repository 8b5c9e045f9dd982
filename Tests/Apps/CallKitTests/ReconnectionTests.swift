import CallClient
import CallModel
import Glibc
import Testing

@testable import CallKit

extension SemanticsTests {
    @Suite struct ReconnectionTests {
        @Test func `calls go on when the broker was killed, and the delegate hears no reset`()
            async throws
        {
            let first = try Host()
            ProviderRegistry.shared.options = first.options
            defer {
                if let shared = Shared.host { ProviderRegistry.shared.options = shared.options }
            }
            let app = App()
            let call = try await app.rings()
            try await CallController(first.options).answer(CallID(call), nil, .completed)
            #expect(await app.lines(3).last == "audio on")
            _ = try first.daemon.stop(SIGKILL)
            await #expect(throws: CXErrorCodeIncomingCallError.self) {
                try await app.provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate())
            }
            let second = try Host(in: first.daemon.folder)
            let observer = try await CallObserver(second.options)
            var events = observer.makeAsyncIterator()
            // As the journal has it, then with its app; or adopted.
            var known: [Call] = []
            while known.map(\.isProviderConnected) != [true] {
                switch try #require(await events.next()) {
                case .snapshot(let calls): known = calls
                case .added(let call, _), .changed(let call, _, _): known = [call]
                case .removed, .other: break
                }
            }
            #expect(known.map(\.id) == [CallID(call)])
            try await CXCallController().request(
                CXTransaction(action: CXEndCallAction(call: call)))
            #expect(await app.lines(5).contains("end"))
            #expect(!app.diary.lines.contains("reset"))
        }

        @Test func `without a broker a request has no provider`() async throws {
            let folder = try TemporaryFolder()
            var options = ClientOptions(name: "test")
            options.socketPath = folder.file("nobody.sock")
            ProviderRegistry.shared.options = options
            defer {
                if let shared = Shared.host { ProviderRegistry.shared.options = shared.options }
            }
            let app = App()
            let start = CXStartCallAction(
                call: UUID(), handle: CXHandle(type: .generic, value: "ann"))
            await #expect {
                try await CXCallController().request(CXTransaction(action: start))
            } throws: {
                code($0) == 2
            }
            withExtendedLifetime(app) {}
        }
    }
}
