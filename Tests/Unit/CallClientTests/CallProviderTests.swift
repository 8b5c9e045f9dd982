import CallClient
import CallModel
import Synchronization
import Testing

/// An app that learns late what it did: its answers and ends were done so many milliseconds after
/// the call came. What it says afterwards is not heard.
private final class LateApp: CallProviderDelegate {
    private let cameAtMS = Mutex<Int64>(0)
    private let answeredAfterMS: Int64
    private let endedAfterMS: Int64

    init(answeredAfterMS: Int64, endedAfterMS: Int64) {
        (self.answeredAfterMS, self.endedAfterMS) = (answeredAfterMS, endedAfterMS)
    }

    func came(atMS: Int64) {
        cameAtMS.withLock { $0 = atMS }
    }

    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {
        provider.fulfill(request, atMS: cameAtMS.withLock { $0 } + answeredAfterMS)
        throw ActionFailure.refused(reason: "too_late_to_say")
    }

    func provider(_ provider: CallProvider, end request: ActionRequest) async throws {
        provider.fulfill(request, atMS: cameAtMS.withLock { $0 } + endedAfterMS)
    }
}

/// An app that writes down what it is asked, and does it.
private final class App: CallProviderDelegate {
    let diary = Diary()
    private let refuses: Set<ActionKind>
    /// Never done by itself.
    private let isStuckOn: ActionKind?

    init(refuses: Set<ActionKind> = [], isStuckOn: ActionKind? = nil) {
        self.refuses = refuses
        self.isStuckOn = isStuckOn
    }

    private func perform(_ line: String, _ request: ActionRequest) async throws {
        diary.note(line)
        let kind = request.action.kind
        if refuses.contains(kind) { throw ActionFailure.refused(reason: "remote_refused") }
        if kind == isStuckOn {
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            diary.note("\(line) cancelled")
            throw CancellationError()
        }
    }

    func provider(
        _ provider: CallProvider, start: StartArguments, _ request: ActionRequest
    ) async throws {
        try await perform("start \(start.remote.value)", request)
    }

    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {
        try await perform("answer", request)
    }

    func provider(_ provider: CallProvider, end request: ActionRequest) async throws {
        try await perform("end", request)
    }

    func provider(
        _ provider: CallProvider, setHeld isHeld: Bool, _ request: ActionRequest
    ) async throws {
        try await perform(isHeld ? "hold" : "resume", request)
    }

    func provider(
        _ provider: CallProvider, playDTMF digits: String, _ style: DTMFStyle,
        _ request: ActionRequest
    ) async throws {
        try await perform("tones \(digits) \(style)", request)
    }

    func provider(
        _ provider: CallProvider, didActivateAudioFor group: CallID, calls: [CallID]
    ) async {
        diary.note("audio on")
    }

    func provider(
        _ provider: CallProvider, didDeactivateAudioFor group: CallID, calls: [CallID]
    ) async {
        diary.note("audio off")
    }

    func provider(
        _ provider: CallProvider, call: CallID,
        didChangeSoundTo sound: CallProvider.Presentation.Sound
    ) async {
        diary.note("sounds: \(sound)")
    }

    func provider(_ provider: CallProvider, isConnected: Bool) async {
        if !isConnected { diary.note("lost") }
    }
}

struct CallProviderTests {
    private let host: Host
    private let call = CallID.random()

    init() throws {
        host = try Host()
    }

    private func provider(_ app: App, _ identity: String = "org.example.a") async throws
        -> CallProvider
    {
        try await CallProvider(identity: identity, .phone, delegate: app, host.options)
    }

    @Test func `an incoming call rings, is answered, and speaks`() async throws {
        let app = App()
        let provider = try await provider(app)
        let presentation = try await provider.reportIncoming(call, CallUpdate(from: .ann))
        #expect(presentation.state == .ringing)
        #expect(presentation.isAudible)
        let user = try await CallController(host.options)
        let outcome = try await user.answer(call, nil, .completed)
        #expect(outcome.state == .completed)
        #expect(outcome.actions.map(\.state) == [.fulfilled])
        #expect(await app.diary.lines(2) == ["answer", "audio on"])
        #expect(try await user.call(call).state == .active)
        provider.close()
    }

    @Test func `an app that follows the presentation is told when its call is to be silent`()
        async throws
    {
        var options = host.options
        options.followsPresentation = true
        let app = App()
        let provider = try await CallProvider(
            identity: "org.example.a", .phone, delegate: app, options)
        #expect(try await provider.reportIncoming(call, CallUpdate(from: .ann)).isAudible)
        let user = try await CallController(host.options)
        try await user.silence(call)
        #expect(await app.diary.lines(1) == ["sounds: silent"])
        provider.close()
    }

    @Test func `an app learns whether a call would ring, without one`() async throws {
        let provider = try await provider(App())
        #expect(try await provider.mayRing(CallUpdate(from: .ann)).isAudible)
        let user = try await CallController(host.options)
        #expect(try await user.calls().isEmpty)
        try await provider.reportIncoming(call, CallUpdate(from: .ann))
        #expect(try await provider.mayRing(CallUpdate(from: .ann)).state == .waiting)
        provider.close()
    }

    @Test func `a call that was over before it could ring is in the history alone`() async throws {
        let provider = try await provider(App())
        let user = try await CallController(host.options)
        try await provider.reportIncoming(.random(), CallUpdate(from: .ann))
        let now = try #require(try await user.calls().first).createdAtMS
        try await provider.reportMissed(
            call, CallUpdate(from: .ann), .callerGaveUp, atMS: now - 60_000)
        #expect(try await user.calls().count == 1)
        let past = try #require(try await user.history().calls.first)
        #expect(past.call == call)
        #expect(past.missedReasons == .callerGaveUp)
        #expect(past.startedAtMS == now - 60_000)
        provider.close()
    }

    @Test func `an app's start can be marked as one that makes way, or as an emergency`()
        async throws
    {
        let app = App()
        let provider = try await provider(app)
        let user = try await CallController(host.options)
        try await user.start(.ann, call: call, isBackground: true, RequestOptions.completed)
        #expect(try await user.call(call).properties.priority == .background)
        let emergency = CallID.random()
        try await user.start(.ann, call: emergency, isEmergency: true, RequestOptions.completed)
        #expect(try await user.call(emergency).properties.priority == .emergency)
        #expect(app.diary.lines.filter { $0 == "start +15550101" }.count == 2)
        provider.close()
    }

    @Test func `an app has the user asked whether it may have calls, where that is undecided`()
        async throws
    {
        let asking = try Host(policy: #"{"new_providers":"ask"}"#)
        let app = App()
        let stranger = try await CallProvider(
            identity: "org.example.a", .phone, delegate: app, asking.options)
        #expect(try await stranger.requestAuthorization())
        stranger.close()
        let known = try await provider(app)
        #expect(try await !known.requestAuthorization())
        known.close()
    }

    @Test func `an app says when it had answered, and when the call was over`() async throws {
        let app = LateApp(answeredAfterMS: 2_000, endedAfterMS: 7_000)
        let provider = try await CallProvider(
            identity: "org.example.a", .phone, delegate: app, host.options)
        try await provider.reportIncoming(call, CallUpdate(from: .ann))
        let user = try await CallController(host.options)
        app.came(atMS: try await user.call(call).createdAtMS)
        try await host.advance(5_000)
        #expect(try await user.answer(call, nil, .completed).state == .completed)
        try await host.advance(5_000)
        try await user.end(call, .completed)
        let past = try #require(try await user.history().calls.first)
        #expect(past.connectedAtMS == past.startedAtMS + 2_000)
        #expect(past.endedAtMS == past.startedAtMS + 7_000)
        provider.close()
    }

    @Test func `what the app throws is why the action failed`() async throws {
        let app = App(refuses: [.start])
        let provider = try await provider(app)
        let user = try await CallController(host.options)
        await #expect {
            try await user.start(.ann, call: call, RequestOptions.completed)
        } throws: { error in
            (error as? CallError)?.code == .providerFailed
        }
        #expect(app.diary.lines == ["start +15550101"])
        provider.close()
    }

    @Test func `what the app does not implement it does not support`() async throws {
        let app = App()
        let provider = try await provider(app)
        try await provider.reportIncoming(call, CallUpdate(from: .ann))
        let user = try await CallController(host.options)
        try await user.answer(call, nil, .completed)
        await #expect(throws: CallError.self) {
            try await user.setMuted(call, true, .completed)
        }
        #expect(try await user.call(call).isMuted == false)
        provider.close()
    }

    @Test func `another app's call is held before this one's is answered`() async throws {
        let (a, b) = (App(), App())
        let first = try await provider(a)
        let second = try await provider(b, "org.example.b")
        let other = CallID.random()
        let user = try await CallController(host.options)
        try await first.reportIncoming(call, CallUpdate(from: .ann))
        try await user.answer(call, nil, .completed)
        let presentation = try await second.reportIncoming(other, CallUpdate(from: .bob))
        #expect(presentation.state == .waiting)
        let outcome = try await user.answer(other, nil, .completed)
        #expect(outcome.actions.map(\.kind) == [.setHeld, .answer])
        #expect(outcome.actions.map(\.isImplied) == [true, false])
        #expect(await a.diary.lines(4) == ["answer", "audio on", "hold", "audio off"])
        #expect(await b.diary.lines(2) == ["answer", "audio on"])
        first.close()
        second.close()
    }

    @Test func `an app asks for its own calls only`() async throws {
        let (a, b) = (App(), App())
        let first = try await provider(a)
        let second = try await provider(b, "org.example.b")
        try await first.reportIncoming(call, CallUpdate(from: .ann))
        await #expect {
            try await second.end(call)
        } throws: { error in
            let error = error as? CallError
            return error?.reason == "not_your_call" && error?.callKit?.number == 1
        }
        try await first.end(call)
        #expect(await a.diary.lines(1) == ["end"])
        first.close()
        second.close()
    }

    @Test func `a task whose action timed out is cancelled`() async throws {
        let app = App(isStuckOn: .answer)
        let provider = try await provider(app)
        try await provider.reportIncoming(call, CallUpdate(from: .ann))
        let user = try await CallController(host.options)
        try await user.answer(call)
        #expect(await app.diary.lines(1) == ["answer"])
        try await host.advance(60_000)
        #expect(await app.diary.lines(3).sorted() == ["answer", "answer cancelled", "end"])
        provider.close()
    }

    @Test func `an identity that is in use is refused`() async throws {
        let provider = try await provider(App())
        await #expect {
            _ = try await self.provider(App())
        } throws: {
            ($0 as? CallError)?.code == .alreadyExists
        }
        provider.close()
    }

    @Test func `the calls of a provider that is closed are over`() async throws {
        let provider = try await provider(App())
        try await provider.reportIncoming(call, CallUpdate(from: .ann))
        let observer = try await CallObserver(host.options)
        var events = observer.makeAsyncIterator()
        #expect(await events.next()?.calls.map(\.id) == [call])
        provider.close()
        guard case .changed(let last, _, _) = await events.next() else {
            Issue.record("expected a change")
            return
        }
        #expect(last.state == .ended)
        #expect(last.endReason == .failed)
        #expect(await events.next() == .removed(call))
    }

    @Test func `an observer is told that something else may be done with a call`() async throws {
        let app = App()
        let provider = try await provider(app)
        let (user, waiting) = (try await CallController(host.options), CallID.random())
        try await provider.reportIncoming(call, CallUpdate(from: .ann))
        try await user.answer(call, nil, .completed)
        try await provider.reportIncoming(waiting, CallUpdate(from: .ann))
        let observer = try await CallObserver(host.options)
        var events = observer.makeAsyncIterator()
        _ = await events.next()
        var update = CallUpdate()
        update.supportsHolding = .set(false)
        try await provider.reportUpdate(call, update)
        var told: [[String]] = []
        while told.count < 2, case .changed(let call, let names, _) = await events.next() {
            told.append(names)
            if call.id == waiting { #expect(call.allowed == [.endAndAnswer, .decline, .silence]) }
        }
        #expect(told == [["supports_holding"], ["allowed"]])
        provider.close()
        withExtendedLifetime(app) {}
    }
}

extension CallEvent {
    /// Of a snapshot.
    var calls: [Call] {
        if case .snapshot(let calls) = self { calls } else { [] }
    }
}
