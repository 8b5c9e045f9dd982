import AVFoundation
import CallClient
import CallModel
import Testing

@testable import CallKit

extension SemanticsTests {
    @Suite struct ProviderTests {
        private let host: Host
        private let user: CallController

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
        }

        @Test func `execute comes first, then perform, then after the fulfilment the audio`()
            async throws
        {
            let app = App(keeps: [CXAnswerCallAction.self])
            let call = try await app.rings()
            try await user.answer(CallID(call))
            #expect(await app.lines(2) == ["execute CXAnswerCallAction", "answer"])
            try await host.advance(0)
            #expect(app.diary.lines.count == 2)
            app.open[0].fulfill()
            #expect(await app.lines(3).last == "audio on")
            #expect(try await user.call(CallID(call)).state == .active)
        }

        @Test func `the next action is performed when the one before it is fulfilled`() async throws
        {
            let app = App(keeps: [CXSetHeldCallAction.self])
            _ = try await app.speaks(user)
            let other = try await app.rings()
            let before = await app.lines(3).count
            try await user.answer(CallID(other))
            _ = await app.lines(before + 2)
            #expect(
                app.diary.lines.dropFirst(before) == [
                    "execute CXSetHeldCallAction, CXAnswerCallAction", "hold",
                ])
            app.open[0].fulfill()
            let lines = await app.lines(before + 5).dropFirst(before + 2)
            #expect(lines == ["audio off", "answer", "audio on"])
        }

        @Test func `a transaction that is taken over is not performed`() async throws {
            let app = App(takesTransactions: true)
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(1)
            app.open[0].fulfill()
            #expect(await app.lines(2) == ["execute CXAnswerCallAction", "audio on"])
            #expect(try await user.call(CallID(call)).state == .active)
            #expect(app.provider.pendingTransactions.isEmpty)
        }

        @Test func `an action of a transaction that was taken over can be late, too`() async throws
        {
            let app = App(takesTransactions: true)
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(1)
            try await host.settle()
            try await host.advance(60_000)
            let lines = await app.lines(3).dropFirst()
            #expect(lines == ["timed out CXAnswerCallAction", "execute CXEndCallAction"])
            app.open[0].fulfill()
            #expect(app.open[0].isComplete)
            app.open[1].fulfill()
            await app.isHeard()
            #expect(try await user.calls().contains { $0.id == CallID(call) } == false)
        }

        @Test func `what is not implemented fails`() async throws {
            let app = SilentApp()
            let call = UUID()
            try await app.provider.reportNewIncomingCall(with: call, update: CXCallUpdate())
            await #expect {
                try await user.answer(CallID(call), nil, .completed)
            } throws: {
                ($0 as? CallError)?.code == .providerFailed
            }
        }

        @Test func `what is settled once stays so`() async throws {
            let app = App(keeps: [CXSetMutedCallAction.self])
            let call = try await app.speaks(user)
            try await user.setMuted(CallID(call), true)
            _ = await app.lines(5)
            let action = try #require(app.open.first)
            #expect(!action.isComplete)
            action.fail()
            #expect(action.isComplete)
            action.fulfill()
            try await host.settle()
            #expect(try await user.call(CallID(call)).isMuted == false)
        }

        @Test func `nobody waits for an action that no provider performs`() {
            let action = CXEndCallAction(call: UUID())
            action.fulfill()
            action.fail()
            #expect(!action.isComplete)
        }

        @Test func `a late answer is told, ends the call, and changes nothing any more`()
            async throws
        {
            let app = App(keeps: [CXAnswerCallAction.self])
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(2)
            try await host.advance(59_999)
            #expect(app.diary.lines.count == 2)
            try await host.advance(1)
            let lines = await app.lines(5).dropFirst(2)
            #expect(lines == ["timed out CXAnswerCallAction", "execute CXEndCallAction", "end"])
            app.open[0].fulfill()
            try await host.settle()
            await #expect {
                _ = try await user.call(CallID(call))
            } throws: {
                ($0 as? CallError)?.reason == "call_ended"
            }
            #expect(app.diary.lines.count == 5)
        }

        @Test func `what is pending can be listed, until it is complete`() async throws {
            let app = App(keeps: [CXAnswerCallAction.self])
            let call = try await app.rings()
            let former = CXAction().timeoutDate
            try await user.answer(CallID(call))
            _ = await app.lines(2)
            let provider = app.provider
            #expect(provider.pendingTransactions.map(\.actions.count) == [1])
            let answers = provider.pendingCallActions(
                of: CXAnswerCallAction.self, withCall: call)
            #expect(answers.map(\.callUUID) == [call])
            #expect(provider.pendingCallActions(of: CXEndCallAction.self, withCall: call) == [])
            #expect(
                provider.pendingCallActions(of: CXAnswerCallAction.self, withCall: UUID()) == [])
            let due = answers[0].timeoutDate
            #expect(due.timeIntervalSinceNow <= 60)
            #expect(due.timeIntervalSince(former) > 60 - 5 - 0.001)
            app.open[0].fulfill()
            #expect(provider.pendingTransactions == [])
            #expect(provider.pendingCallActions(of: CXCallAction.self, withCall: call) == [])
        }

        @Test func `a report that the call is over completes what was pending for it`() async throws
        {
            let app = App(keeps: [CXAnswerCallAction.self])
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(2)
            app.provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
            await app.isHeard()
            #expect(app.provider.pendingTransactions == [])
            #expect(app.open[0].isComplete)
        }

        @Test func `an invalidated provider's calls are over, and its delegate hears no more`()
            async throws
        {
            let app = App(keeps: [CXSetMutedCallAction.self])
            let call = try await app.speaks(user)
            try await user.setMuted(CallID(call), true)
            let count = await app.lines(5).count
            app.provider.invalidate()
            #expect(app.open[0].isComplete)
            #expect(try await user.calls().contains { $0.id == CallID(call) } == false)
            #expect(app.diary.lines.count == count)
            await #expect(throws: CXErrorCodeIncomingCallError.self) {
                try await app.provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate())
            }
        }

        @Test func `a provider is registered when it is made`() async throws {
            let provider = CXProvider(configuration: CXProviderConfiguration(localizedName: "A"))
            defer { provider.invalidate() }
            let start = CXStartCallAction(
                call: UUID(), handle: CXHandle(type: .generic, value: "ann"))
            try await CXCallController().request(CXTransaction(action: start))
        }

        @Test func `what is asked before there is a delegate waits for it`() async throws {
            let provider = CXProvider(configuration: CXProviderConfiguration(localizedName: "A"))
            let start = CXStartCallAction(
                call: UUID(), handle: CXHandle(type: .generic, value: "ann"))
            try await CXCallController().request(CXTransaction(action: start))
            // Over the same connection: what was asked before is there when the reply is.
            await #expect(throws: CXErrorCodeIncomingCallError.self) {
                let update = CXCallUpdate()
                try await provider.reportNewIncomingCall(with: start.callUUID, update: update)
            }
            let app = App(provider: provider)
            #expect(await app.lines(2) == ["execute CXStartCallAction", "start ann"])
        }

        @Test func `the delegate hears once that the provider has begun, on its queue`() async {
            let app = BeginningApp()
            #expect(await app.lines(1) == ["began on its queue"])
            app.provider.setDelegate(app, queue: app.queue)
            await withCheckedContinuation { done in app.queue.async { done.resume() } }
            #expect(app.diary.lines.count == 1)
            app.provider.invalidate()
        }

        @Test func `without a queue the delegate is called on the main queue`() async {
            let app = BeginningApp(isOnMain: true)
            #expect(await app.lines(1) == ["began on the main queue"])
            app.provider.invalidate()
        }

        @Test func `audio goes off before it goes on again`() async throws {
            let app = App()
            let call = try await app.speaks(user)
            let session = AVAudioSession.sharedInstance()
            try await user.setHeld(CallID(call), true, .completed)
            _ = await app.lines(6)
            #expect(throws: NSError.self) { try session.setActive(true) }
            try await user.setHeld(CallID(call), false, .completed)
            _ = await app.lines(9)
            #expect(throws: Never.self) { try session.setActive(true) }
            try await user.end(CallID(call), .completed)
            let lines = await app.lines(12).filter { !$0.hasPrefix("execute") }
            #expect(
                lines == [
                    "answer", "audio on", "hold", "audio off", "resume", "audio on", "end",
                    "audio off",
                ])
        }

        @Test func `a call that was over before the broker took it does not come back`()
            async throws
        {
            let app = App()
            let call = UUID()
            let update = CXCallUpdate()
            update.remoteHandle = CXHandle(type: .generic, value: "ann")
            app.provider.reportNewIncomingCall(with: call, update: update) { _ in }
            app.provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
            await app.isHeard()
            #expect(!app.provider.hasCall(call))
        }

        @Test func `a name that is changed later reaches the broker`() async throws {
            let app = App()
            let call = try await app.rings()
            let update = CXCallUpdate()
            update.localizedCallerName = "Ann"
            app.provider.reportCall(with: call, updated: update)
            app.provider.configuration = app.provider.configuration
            await app.isHeard()
            let told = try await user.call(CallID(call)).properties
            #expect(told.displayName == "Ann")
            #expect(told.remote?.value == "+15550101")
        }

        @Test func `only what was set is told`() async throws {
            let app = App()
            let first = CXCallUpdate()
            first.supportsHolding = false
            first.hasVideo = false
            let call = try await app.rings(first)
            app.provider.reportCall(with: call, updated: CXCallUpdate())
            await app.isHeard()
            #expect(try await user.call(CallID(call)).properties.supportsHolding == false)
        }

        @Test func `an outgoing call starts, connects and is connected`() async throws {
            let app = App()
            let call = UUID()
            let start = CXStartCallAction(
                call: call, handle: CXHandle(type: .emailAddress, value: "a@example.org"))
            try await CXCallController().request(CXTransaction(action: start))
            _ = await app.lines(2)
            app.provider.reportOutgoingCall(with: call, startedConnectingAt: nil)
            await app.isHeard()
            #expect(try await user.call(CallID(call)).state == .connecting)
            app.provider.reportOutgoingCall(with: call, connectedAt: Date(timeIntervalSince1970: 9))
            await app.isHeard()
            let told = try await user.call(CallID(call))
            #expect(told.state == .active)
            #expect(told.properties.remote == Handle(kind: .email, value: "a@example.org"))
        }

        @Test(arguments: [
            CXCallEndedReason.failed, .remoteEnded, .unanswered, .answeredElsewhere,
            .declinedElsewhere,
        ])
        func `a call ends for the reason that is reported, and no end is performed`(
            reason: CXCallEndedReason
        ) async throws {
            let app = App()
            let call = try await app.rings()
            let observer = try await CallObserver(host.options)
            var events = observer.makeAsyncIterator()
            _ = await events.next()
            app.provider.reportCall(with: call, endedAt: nil, reason: reason)
            // Apps of earlier tests may still be on their way out.
            var last: Call?
            while last?.id != CallID(call) {
                if case .changed(let call, _, _) = try #require(await events.next()) { last = call }
            }
            #expect(last?.endReason?.callKitNumber == reason.rawValue)
            try await host.settle()
            #expect(app.diary.lines == [])
        }
    }
}

/// Only what is required.
private final class SilentApp: NSObject, CXProviderDelegate {
    let provider = CXProvider(configuration: CXProviderConfiguration())

    override init() {
        super.init()
        provider.setDelegate(self, queue: DispatchQueue(label: "silent"))
    }

    deinit {
        provider.invalidate()
    }

    func providerDidReset(_ provider: CXProvider) {}
}

private final class BeginningApp: NSObject, CXProviderDelegate, @unchecked Sendable {
    let diary = Diary()
    let queue = DispatchQueue(label: "beginning")
    let provider = CXProvider(configuration: CXProviderConfiguration())
    private static let key = DispatchSpecificKey<String>()

    init(isOnMain: Bool = false) {
        super.init()
        queue.setSpecific(key: Self.key, value: "its queue")
        DispatchQueue.main.setSpecific(key: Self.key, value: "the main queue")
        provider.setDelegate(self, queue: isOnMain ? nil : queue)
    }

    func lines(_ count: Int) async -> [String] {
        await diary.lines(count)
    }

    func providerDidReset(_ provider: CXProvider) {}

    func providerDidBegin(_ provider: CXProvider) {
        diary.note("began on \(DispatchQueue.getSpecific(key: Self.key) ?? "another")")
    }
}
