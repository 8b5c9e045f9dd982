import CallClient
import CallKitCorpus
import CallKitCorpus6
import CallModel
import Testing

@testable import CallKit

/// Code as apps are written does with a broker what it was written for.
extension SemanticsTests {
    @Suite struct CorpusTests {
        private let host: Host
        private let user: CallController
        private let diary = Diary()

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
        }

        @MainActor @Test func `a singleton with closures and notifications`() async throws {
            let manager = CallKitManager.shared
            let diary = diary
            manager.setUp()
            manager.onAnswer { _ in diary.note("answered") }
            let call = UUID()
            for _ in 1...2 {
                await withCheckedContinuation { done in
                    manager.reportIncomingCall(from: "ann", uuid: call) { success, error in
                        diary.note(success ? "rings" : "refused \(error?.code ?? 0)")
                        done.resume()
                    }
                }
            }
            try await user.answer(CallID(call), nil, .completed)
            await withCheckedContinuation { done in
                manager.endCall { success, _ in
                    diary.note(success ? "ending" : "not ending")
                    done.resume()
                }
            }
            try await host.settle()
            #expect(diary.lines == ["rings", "refused 2", "answered", "ending"])
            #expect(try await isOver(call))
            manager.tearDown()
        }

        @Test func `protocols around CallKit's classes, and extensions of them`() async throws {
            let configuration = CXProviderConfiguration()
            let service = CallService(
                provider: CXProvider(configuration: configuration), controller: CXCallController())
            let diary = diary
            service.onEvent = { diary.note($0) }
            let (first, second) = (UUID(), UUID())
            for call in [first, second] {
                let error = await withCheckedContinuation { done in
                    service.ring(call, from: "+15550101") { done.resume(returning: $0 != nil) }
                }
                #expect(!error)
                try await user.answer(CallID(call), nil, .completed)
            }
            #expect(diary.lines == ["answer", "took 2"])
            let refused = await withCheckedContinuation { done in
                service.swap(second, first) { done.resume(returning: $0 != nil) }
            }
            #expect(!refused)
            #expect(await diary.lines(3).last == "took 2")
            try await host.settle()
            #expect(try await user.call(CallID(first)).state == .active)
            service.hangUp(first, .remote)
            try await host.settle()
            #expect(CXHandle.phone("1").isPhoneNumber)
            service.stop()
        }

        @Test func `subclasses of what CallKit does not mean to be subclassed`() async throws {
            let provider = CountingProvider(name: "Counting")
            let delegate = ConferenceDelegate()
            let diary = diary
            delegate.log = { diary.note($0) }
            provider.setDelegate(delegate, queue: DispatchQueue(label: "conference"))
            let controller = RememberingController()
            let call = UUID()
            let start = ConferenceStartAction(
                call: call, handle: CXHandle(type: .generic, value: "room"))
            start.room = "7"
            try await controller.request(NamedTransaction(name: "conference", actions: [start]))
            #expect(await diary.lines(1) == ["start room"])
            #expect(controller.requested.count == 1)
            provider.reportCall(with: call, endedAt: nil, reason: .remoteEnded)
            provider.invalidate()
            #expect(provider.reports == ["ended 2", "invalid"])
            #expect(try await isOver(call))
        }

        @Test func `a plug-in that passes dictionaries, and fulfils later`() async throws {
            let plugin = CallPlugin()
            let diary = diary
            plugin.send = { event, _ in diary.note(event) }
            plugin.setup(["appName": "Plugin", "handleType": "number"])
            #expect(await diary.lines(1) == ["begin"])
            let call = UUID()
            let arguments = ["uuid": call.uuidString, "handle": "+15550101", "name": "Ann"]
            let isFine = await withCheckedContinuation { done in
                plugin.displayIncomingCall(arguments) { done.resume(returning: $0 == nil) }
            }
            #expect(isFine)
            try await user.answer(CallID(call))
            #expect(await diary.lines(2).last == "answer")
            #expect(plugin.pendingAnswers(call) == 1)
            plugin.fulfillAnswer(call)
            #expect(await diary.lines(3).last == "audio")
            #expect(plugin.pendingAnswers(call) == 0)
            plugin.endAllCalls()
            #expect(await diary.lines(5).suffix(2) == ["end", "over"])
            plugin.close()
        }

        @Test func `a directory handler of a project's template`() async throws {
            CXCallDirectoryManager.sharedInstance.registerExtension(
                withIdentifier: "org.example.corpus"
            ) { CallDirectoryHandler() }
            let diary = diary
            reloadDirectory("org.example.corpus") { diary.note($0) }
            #expect(await diary.lines(1) == ["switch it on in the settings"])
            reloadDirectory("org.example.nothing") { diary.note($0) }
            #expect(await diary.lines(2).last == "no extension")
        }

        @MainActor @Test func `a manager on the main actor, with async requests`() async throws {
            let center = CallCenter()
            var states = center.states.makeAsyncIterator()
            let call = UUID()
            try await center.ring(call, from: "+15550101")
            #expect(await states.next() == .ringing(call))
            await #expect(throws: CallCenter.Failure.busy) {
                try await center.ring(call, from: "+15550101")
            }
            try await user.answer(CallID(call), nil, .completed)
            #expect(await states.next() == .talking(call))
            try await center.hangUp()
            #expect(await states.next() == .idle)
            let second = try await center.call("+15550102")
            #expect(await states.next() == .talking(second))
            center.close()
        }

        @Test func `a delegate that is a stream of events`() async throws {
            let events = CallEvents()
            let provider = CXProvider(configuration: CXProviderConfiguration())
            provider.setDelegate(events, queue: DispatchQueue(label: "events"))
            let call = UUID()
            let update = CXCallUpdate()
            update.remoteHandle = CXHandle(type: .generic, value: "ann")
            try await provider.reportNewIncomingCall(with: call, update: update)
            try await user.answer(CallID(call), nil, .completed)
            try await user.setHeld(CallID(call), true, .completed)
            try await user.end(CallID(call), .completed)
            var told: [CallEvents.Event] = []
            for await event in events.events {
                told.append(event)
                if event == .ended(call) { break }
            }
            #expect(
                told == [
                    .began, .answered(call), .audio(true), .held(call, true), .audio(false),
                    .ended(call),
                ])
            provider.invalidate()
        }

        private func isOver(_ call: UUID) async throws -> Bool {
            try await !user.calls().contains { $0.id == CallID(call) }
        }
    }
}
