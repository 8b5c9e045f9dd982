import CallClient
import CallModel
import Testing

@testable import CallKit

extension SemanticsTests {
    @Suite struct ObserverTests {
        private let host: Host
        private let user: CallController

        init() async throws {
            host = try #require(Shared.host)
            user = try await CallController(host.options)
        }

        @Test func `each change is told once, the last one when the call is over`() async throws {
            let app = App()
            let screen = Screen()
            _ = screen.observer.calls
            let call = try await app.speaks(user)
            try await user.setHeld(CallID(call), true, .completed)
            try await user.setMuted(CallID(call), true, .completed)
            try await user.end(CallID(call), .completed)
            #expect(
                await screen.lines(4, of: call) == [
                    "incoming", "incoming connected", "incoming connected held",
                    "incoming connected held ended",
                ])
            #expect(!screen.observer.calls.contains { $0.uuid == call })
        }

        @Test func `an outgoing call has connected when that is reported`() async throws {
            let app = App()
            let screen = Screen()
            _ = screen.observer.calls
            let call = UUID()
            let controller = CXCallController()
            try await controller.request(
                CXTransaction(
                    action: CXStartCallAction(
                        call: call, handle: CXHandle(type: .generic, value: "ann"))))
            _ = await app.lines(2)
            app.provider.reportOutgoingCall(with: call, connectedAt: nil)
            #expect(await screen.lines(2, of: call) == ["outgoing", "outgoing connected"])
            #expect(controller.callObserver.calls.contains { $0.uuid == call && $0.hasConnected })
        }

        @Test func `every app sees every call`() async throws {
            let phone = try await CallProvider(
                identity: "org.example.other", .phone, delegate: Nobody.shared, host.options)
            let call = CallID.random()
            let screen = Screen()
            _ = screen.observer.calls
            try await phone.reportIncoming(call, CallUpdate(from: .ann))
            #expect(await screen.lines(1, of: call.uuid) == ["incoming"])
            #expect(screen.observer.calls.contains { $0.uuid == call.uuid })
            phone.close()
            #expect(await screen.lines(2, of: call.uuid).last == "incoming ended")
        }

        @Test func `nobody keeps a delegate, or an observer`() {
            var screen: Screen? = Screen()
            weak let forgotten = screen
            weak let observer = screen?.observer
            screen = nil
            #expect(forgotten == nil)
            #expect(observer == nil)
        }
    }
}

private final class Nobody: CallProviderDelegate {
    static let shared = Nobody()
}

/// An observer that writes down what it is told.
final class Screen: NSObject, CXCallObserverDelegate, @unchecked Sendable {
    let observer = CXCallObserver()
    private let lock = NSLock()
    private var diaries: [UUID: Diary] = [:]

    override init() {
        super.init()
        observer.setDelegate(self, queue: DispatchQueue(label: "screen"))
    }

    /// The first so many lines about a call, as soon as there are; nobody lets go of this meanwhile.
    func lines(_ count: Int, of call: UUID) async -> [String] {
        await diary(of: call).lines(count)
    }

    /// What it has heard of a call by now.
    func heard(of call: UUID) -> [String] {
        diary(of: call).lines
    }

    private func diary(of call: UUID) -> Diary {
        lock.withLock {
            let diary = diaries[call] ?? Diary()
            diaries[call] = diary
            return diary
        }
    }

    func callObserver(_ callObserver: CXCallObserver, callChanged call: CXCall) {
        let words = [
            call.isOutgoing ? "outgoing" : "incoming", call.hasConnected ? "connected" : nil,
            call.isOnHold ? "held" : nil, call.hasEnded ? "ended" : nil,
        ]
        diary(of: call.uuid).note(words.compactMap { $0 }.joined(separator: " "))
    }
}
