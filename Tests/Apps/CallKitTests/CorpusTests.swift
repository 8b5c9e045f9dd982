import CallClient
import CallKitCorpus
import CallKitCorpus6
import CallModel
import Combine
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
            // The plug-in ends the calls that an observer knows.
            let observer = CXCallObserver()
            while !observer.calls.contains(where: { $0.uuid == call }) { await Task.yield() }
            plugin.endAllCalls()
            #expect(await diary.lines(5).suffix(2) == ["end", "over"])
            plugin.close()
        }

        @Test func `a manager of peer connections, with errors of its own`() async throws {
            let manager = PeerCallManager { PeerConnection() }
            let screen = PeerScreen(diary)
            manager.delegate = screen
            let first = UUID()
            let isFine = await withCheckedContinuation { done in
                manager.receiveCall(first, from: "ann") { done.resume(returning: $0) }
            }
            #expect(isFine)
            try await user.answer(CallID(first), nil, .completed)
            try await user.setHeld(CallID(first), true, .completed)
            manager.peerDidHangUp(first, busy: false)
            let lines = await diary.lines(5)
            #expect(lines == ["added ann", "ringing", "connected", "held", "removed ann"])
            manager.startCall(to: "bob", video: false)
            #expect(await diary.lines(7).suffix(2) == ["added bob", "calling"])
            let error: NSError? = await withCheckedContinuation { done in
                manager.startCall(to: "cy", video: false) { done.resume(returning: $0) }
            }
            #expect(error?.domain == PeerCallManager.errorDomain && error?.code == 6)
            let second = try #require(screen.last)
            manager.peerDidAnswer(second)
            #expect(await diary.lines(8).last == "connected")
            manager.endAllCalls()
            #expect(await diary.lines(9).last == "removed bob")
        }

        @MainActor @Test func `a view model that publishes what a screen shows`() async throws {
            let bridge = CallKitBridge()
            let model = CallViewModel(bridge: bridge)
            let diary = diary
            let watch = model.$rows.dropFirst().sink { rows in
                diary.note(rows.map { "\($0.title) \($0.subtitle)" }.joined(separator: ", "))
            }
            let call = UUID()
            bridge.report(call, from: "+15550101")
            #expect(await diary.lines(1).last == "+15550101 is calling")
            try await user.answer(CallID(call), nil, .completed)
            #expect(await diary.lines(2).last == "+15550101 connected")
            #expect(model.title == "+15550101")
            await model.toggleMute(call)
            #expect(await diary.lines(3).last == "+15550101 muted")
            await model.hangUp(UUID())
            #expect(model.alert != nil)
            await model.hangUp(call)
            #expect(await diary.lines(4).last == "")
            #expect(model.title == "No calls" && model.calls.isEmpty)
            bridge.invalidate()
            watch.cancel()
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

/// The other end of a connection, which agrees to everything.
private final class PeerConnection: PeerConnecting {
    func offer(to peer: String, completion: @escaping (String?, (any Error)?) -> Void) {
        completion("offer", nil)
    }

    func answer(completion: @escaping ((any Error)?) -> Void) {
        completion(nil)
    }

    func setAudioEnabled(_ enabled: Bool) {}
    func close() {}
}

/// What a manager tells its screen, on the manager's queue.
private final class PeerScreen: NSObject, PeerCallManagerDelegate, @unchecked Sendable {
    private let diary: Diary
    private let lock = NSLock()
    private var latest: UUID?

    init(_ diary: Diary) {
        self.diary = diary
    }

    /// The call that was added last.
    var last: UUID? {
        lock.withLock { latest }
    }

    func callManager(_ manager: PeerCallManager, didAdd call: PeerCall) {
        lock.withLock { latest = call.uuid }
        diary.note("added \(call.peer)")
    }

    func callManager(_ manager: PeerCallManager, didUpdate call: PeerCall) {
        diary.note("\(call.state)")
    }

    func callManager(_ manager: PeerCallManager, didRemove call: PeerCall, error: NSError?) {
        diary.note("removed \(call.peer)")
    }
}
