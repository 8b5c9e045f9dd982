import AVFoundation
import CallClient
import CallModel
import Testing

@testable import CallKit

/// What is documented of CallKit's behaviour, by the numbers of the page `Semantics`; the statements
/// that are not here have their tests beside the type they are about.
extension SemanticsTests {
    @Suite struct DocumentedTests {
        private let host: Host
        private let user: CallController
        private let controller: CXCallController

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
            controller = CXCallController()
        }

        private func start(_ call: UUID = UUID()) -> CXStartCallAction {
            CXStartCallAction(call: call, handle: CXHandle(type: .generic, value: "ann"))
        }

        private func other(_ delegate: Other) async throws -> CallProvider {
            try await CallProvider(
                identity: "org.example.other", .phone, delegate: delegate, host.options)
        }

        @Test func `2.1.4 tones wait until those before them are played`() async throws {
            let app = App(keeps: [CXPlayDTMFCallAction.self])
            let call = try await app.speaks(user)
            let count = await app.lines(3).count
            try await controller.request(
                CXTransaction(
                    CXPlayDTMFCallAction(call: call, digits: "1", type: .singleTone),
                    CXPlayDTMFCallAction(call: call, digits: "2", type: .singleTone)))
            #expect(await app.lines(count + 2).last == "tones 1 1")
            await app.isHeard()
            #expect(app.diary.lines.count == count + 2)
            app.open[0].fulfill()
            #expect(await app.lines(count + 3).last == "tones 2 1")
            app.open[1].fulfill()
        }

        @Test func `2.1.4 each action is settled by itself, whenever the app has done it`()
            async throws
        {
            let app = App(takesTransactions: true)
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(1)
            app.open[0].fulfill()
            _ = await app.lines(2)
            try await controller.request(
                CXTransaction(
                    CXSetMutedCallAction(call: call, muted: true),
                    CXPlayDTMFCallAction(call: call, digits: "1", type: .singleTone)))
            _ = await app.lines(3)
            app.open[1].fulfill()
            await app.isHeard()
            #expect(try await user.call(CallID(call)).isMuted)
            #expect(app.open.map(\.isComplete) == [true, true, false])
            app.open[2].fail()
        }

        @Test func `2.1.5 a transaction is complete when all its actions are`() async throws {
            let app = App(takesTransactions: true)
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(1)
            app.open[0].fulfill()
            _ = await app.lines(2)
            try await controller.request(
                CXTransaction(
                    CXSetMutedCallAction(call: call, muted: true),
                    CXSetMutedCallAction(call: call, muted: false)))
            _ = await app.lines(3)
            let transaction = try #require(app.provider.pendingTransactions.first)
            #expect(transaction.actions.count == 2)
            app.open[1].fulfill()
            #expect(!transaction.isComplete)
            app.open[2].fulfill()
            #expect(transaction.isComplete)
        }

        @Test func `2.1.8 the calls of a transaction are counted together`() async throws {
            let configuration = CXProviderConfiguration()
            configuration.maximumCallGroups = 1
            let app = App(configuration)
            await #expect {
                try await controller.request(CXTransaction(start(), start()))
            } throws: {
                code($0) == 7
            }
            #expect(app.diary.lines == [])
        }

        @Test func `2.2.4 a call that rings for too long is over`() async throws {
            let app = App()
            let call = try await app.rings()
            try await host.advance(60_000)
            #expect(await app.lines(2) == ["execute CXEndCallAction", "end"])
            try await host.settle()
            #expect(try await !user.calls().contains { $0.id == CallID(call) })
        }

        @Test func `2.3.1 another app's call is held before ours begins`() async throws {
            let app = App()
            let diary = app.diary
            let delegate = Other { diary.note("other \($0)") }
            let phone = try await other(delegate)
            let call = CallID.random()
            try await phone.reportIncoming(call, CallUpdate(from: .ann))
            try await user.answer(call, nil, .completed)
            try await controller.request(CXTransaction(action: start()))
            #expect(
                await app.lines(4) == [
                    "other answer", "other hold", "execute CXStartCallAction", "start ann",
                ])
            phone.close()
            withExtendedLifetime(delegate) {}
        }

        @Test func `2.3.2 a second call can be declined, or taken with or without the first`()
            async throws
        {
            let app = App()
            _ = try await app.speaks(user)
            let second = try await app.rings()
            let allowed = try await user.call(CallID(second)).allowed
            #expect(Set(allowed).isSuperset(of: [.holdAndAnswer, .endAndAnswer, .decline]))
            _ = await app.lines(3)
            #expect(app.diary.lines.count == 3)
        }

        @Test func `2.3.3 End & Accept is one transaction of both`() async throws {
            let app = App()
            let first = try await app.speaks(user)
            let second = try await app.rings()
            let count = await app.lines(3).count
            try await user.answer(CallID(second), .endAndAnswer, .completed)
            let lines = await app.lines(count + 5).dropFirst(count)
            #expect(
                lines == [
                    "execute CXEndCallAction, CXAnswerCallAction", "end", "audio off", "answer",
                    "audio on",
                ])
            #expect(try await !user.calls().contains { $0.id == CallID(first) })
        }

        @Test func `2.4.1 what a call does not support is not offered`() async throws {
            let app = App()
            let update = CXCallUpdate()
            update.supportsHolding = false
            update.supportsDTMF = false
            let call = try await app.rings(update)
            try await user.answer(CallID(call), nil, .completed)
            let allowed = try await user.call(CallID(call)).allowed
            #expect(!allowed.contains(.hold) && !allowed.contains(.playDTMF))
            await #expect {
                try await controller.request(
                    CXTransaction(action: CXSetHeldCallAction(call: call, onHold: true)))
            } throws: {
                code($0) == 6
            }
        }

        @Test func `2.5.1 a report is answered on the delegate's queue, or on one of its own`()
            async throws
        {
            let queue = DispatchQueue(label: "reports")
            let key = DispatchSpecificKey<String>()
            queue.setSpecific(key: key, value: "the delegate's")
            let app = App(queue: queue)
            let lonely = CXProvider(configuration: CXProviderConfiguration())
            for (provider, place) in [(app.provider, "the delegate's"), (lonely, nil)] {
                let told: String? = await withCheckedContinuation { done in
                    provider.reportNewIncomingCall(with: UUID(), update: CXCallUpdate()) { _ in
                        done.resume(returning: DispatchQueue.getSpecific(key: key))
                    }
                }
                #expect(told == place)
            }
            lonely.invalidate()
        }

        @Test func `2.5.2 reports about a call that there is not are ignored`() async throws {
            let app = App()
            let nobody = UUID()
            app.provider.reportCall(with: nobody, updated: CXCallUpdate())
            app.provider.reportOutgoingCall(with: nobody, startedConnectingAt: nil)
            app.provider.reportOutgoingCall(with: nobody, connectedAt: nil)
            app.provider.reportCall(with: nobody, endedAt: nil, reason: .failed)
            await app.isHeard()
            _ = try await app.speaks(user)
            #expect(await app.lines(3) == ["execute CXAnswerCallAction", "answer", "audio on"])
        }

        @Test func `2.5.3 an answer may wait until the app has connected`() async throws {
            let app = App(keeps: [CXAnswerCallAction.self])
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(2)
            try await host.settle(without: app.id)
            #expect(try await user.call(CallID(call)).pendingAction == .answering)
            #expect(app.diary.lines.count == 2)
            app.open[0].fulfill()
            #expect(await app.lines(3).last == "audio on")
        }

        /// A date before the call came, or in the future, cannot be.
        @Test(arguments: [(400, 400), (-1, 1_000), (1_001, 1_000)])
        func `2.6.1 a call is connected when its answer is fulfilled, at the given date`(
            givenMS: Int64, connectedMS: Int64
        ) async throws {
            let app = App(keeps: [CXAnswerCallAction.self])
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(2)
            try await host.advance(1_000)
            let ringing = try await user.call(CallID(call))
            #expect(ringing.connectedAtMS == nil)
            let given = Date(
                timeIntervalSince1970: Double(ringing.createdAtMS + givenMS) / 1_000)
            (app.open[0] as? CXAnswerCallAction)?.fulfill(withDateConnected: given)
            _ = await app.lines(3)
            try await host.settle()
            let told = try await user.call(CallID(call)).connectedAtMS
            #expect(told == ringing.createdAtMS + connectedMS)
        }

        @Test func `2.6.3 a call that is ended here is over at the given date`() async throws {
            let app = App(keeps: [CXEndCallAction.self])
            let call = try await app.speaks(user)
            let began = try await user.call(CallID(call)).createdAtMS
            let count = await app.lines(3).count
            try await host.advance(2_000)
            try await user.end(CallID(call))
            _ = await app.lines(count + 2)
            let given = Date(timeIntervalSince1970: Double(began + 1_500) / 1_000)
            (app.open[0] as? CXEndCallAction)?.fulfill(withDateEnded: given)
            await app.isHeard()
            let past = try await user.history().calls.first { $0.call == CallID(call) }
            #expect(past?.endedAtMS == began + 1_500)
        }

        @Test func `2.7.1 without a fulfilled answer there is no audio`() async throws {
            let app = App(keeps: [CXAnswerCallAction.self])
            let call = try await app.rings()
            try await user.answer(CallID(call))
            _ = await app.lines(2)
            app.open[0].fail()
            try await host.settle()
            #expect(!app.diary.lines.contains("audio on"))
            #expect(throws: NSError.self) { try AVAudioSession.sharedInstance().setActive(true) }
        }

        @Test func `2.9.1 observers hear on their queue, once for each call`() async throws {
            let queue = DispatchQueue(label: "screen")
            let key = DispatchSpecificKey<Bool>()
            queue.setSpecific(key: key, value: true)
            let watcher = Watcher { DispatchQueue.getSpecific(key: key) == true }
            watcher.observer.setDelegate(watcher, queue: queue)
            _ = watcher.observer.calls
            let app = App()
            let call = try await app.speaks(user)
            try await user.end(CallID(call), .completed)
            #expect(await watcher.diary(of: call).lines(3) == ["here", "here", "here over"])
        }
    }
}

/// Another app, which is no CallKit app.
private final class Other: CallProviderDelegate {
    private let note: @Sendable (String) -> Void

    init(_ note: @escaping @Sendable (String) -> Void) {
        self.note = note
    }

    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {
        note("answer")
    }

    func provider(
        _ provider: CallProvider, setHeld isHeld: Bool, _ request: ActionRequest
    ) async throws {
        note(isHeld ? "hold" : "resume")
    }
}

private final class Watcher: NSObject, CXCallObserverDelegate, @unchecked Sendable {
    let observer = CXCallObserver()
    private let isHere: @Sendable () -> Bool
    private let lock = NSLock()
    private var diaries: [UUID: Diary] = [:]

    init(_ isHere: @escaping @Sendable () -> Bool) {
        self.isHere = isHere
    }

    func diary(of call: UUID) -> Diary {
        lock.withLock {
            let diary = diaries[call] ?? Diary()
            diaries[call] = diary
            return diary
        }
    }

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        diary(of: call.uuid).note(
            (isHere() ? "here" : "elsewhere") + (call.hasEnded ? " over" : ""))
    }
}
