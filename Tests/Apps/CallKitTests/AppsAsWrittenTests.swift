import CallClient
import CallModel
import Intents
import Testing

@testable import CallKit

extension SemanticsTests {
    @Suite struct AppsAsWrittenTests {
        private let host: Host
        private let user: CallController

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
        }

        @Test func `an app as apps are written rings, speaks and hangs up`() async throws {
            let app = PhoneManager()
            let call = UUID()
            let first = await withCheckedContinuation { done in
                app.ring(uuid: call, from: "ann") { done.resume(returning: $0 == nil) }
            }
            #expect(first)
            let second: String = await withCheckedContinuation { done in
                app.ring(uuid: call, from: "ann") { error in
                    done.resume(returning: error.map { "\($0)" } ?? "rings")
                }
            }
            #expect(second == "busy")
            try await user.answer(CallID(call), nil, .completed)
            #expect(await app.hangUp(call))
            try await host.settle()
            #expect(await !app.hangUp(UUID()))
            try await host.settle()
            app.provider.invalidate()
            #expect(app.log.first == "answer")
            #expect(app.log.contains("end"))
            #expect(app.log.last == "no such call")
        }

        @Test func `what an intent asks for is a start, which this app has not implemented`()
            async throws
        {
            let app = PhoneManager()
            let observer = try await CallObserver(host.options)
            var events = observer.makeAsyncIterator()
            _ = await events.next()
            let person = INPerson(
                personHandle: INPersonHandle(value: "+15550107", type: .phoneNumber),
                nameComponents: nil, displayName: "Ann", contactIdentifier: nil,
                customIdentifier: nil)
            app.handle(INStartCallIntent(contacts: [person], callCapability: .audioCall))
            // Apps of earlier tests may still be on their way out.
            let remote = Handle(kind: .phone, value: "+15550107")
            var last: Call?
            while last?.state != .ended {
                switch try #require(await events.next()) {
                case .added(let call, _) where call.properties.remote == remote: last = call
                case .changed(let call, _, _) where call.id == last?.id: last = call
                default: break
                }
            }
            #expect(last?.endReason == .failed)
            app.provider.invalidate()
        }

        @Test func `a provider can be mocked`() async throws {
            let mock = MockProvider(configuration: CXProviderConfiguration())
            let call = UUID()
            try await mock.reportNewIncomingCall(with: call, update: CXCallUpdate())
            mock.reportCall(with: call, endedAt: nil, reason: .unanswered)
            #expect(mock.reported == [call])
            #expect(mock.ended == [.unanswered])
            mock.invalidate()
        }
    }
}
