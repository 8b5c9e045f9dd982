import CallClient
import CallModel
import Glibc
import Testing

/// The sound of a host, which writes down where it is moved.
private final class Sound: AudioHostDelegate {
    let diary = Diary()
    /// The endpoint to which nothing can be moved.
    private let broken: String?
    /// True if it is never ready for audio.
    private let isStuck: Bool

    init(broken: String? = nil, isStuck: Bool = false) {
        (self.broken, self.isStuck) = (broken, isStuck)
    }

    func host(_ host: AudioHost, use endpoint: String) async throws {
        diary.note("use \(endpoint)")
        if endpoint == broken { throw ActionFailure.refused(reason: "not_reachable") }
    }

    func host(_ host: AudioHost, prepareFor handover: AudioHandover) async {
        diary.note("prepare for \(handover.calls.count) of \(handover.provider.name)")
        if isStuck { await waitForCancellation(diary) }
    }
}

/// Waits until the task is cancelled, and writes it down.
private func waitForCancellation(_ diary: Diary) async {
    let (never, _) = AsyncStream.makeStream(of: Void.self)
    for await _ in never {}
    diary.note("withdrawn \(Task.isCancelled)")
}

/// An app that answers, and writes down when it has the audio.
private final class App: CallProviderDelegate {
    private let diary: Diary

    init(_ diary: Diary) {
        self.diary = diary
    }

    func provider(_ provider: CallProvider, answer request: ActionRequest) async throws {}

    func provider(
        _ provider: CallProvider, didActivateAudioFor group: CallID, calls: [CallID]
    ) async {
        diary.note("audio on")
    }
}

extension [AudioEndpoint] {
    fileprivate static let all = [
        AudioEndpoint(id: "built-in", kind: .speaker, state: .inUse),
        AudioEndpoint(id: "headset", kind: .bluetooth, name: "Ada's headset"),
    ]
}

@Suite(.timeLimit(.minutes(30))) struct AudioHostTests {
    private static let name = "org.example.sound"

    private let host: Host
    private let call = CallID.random()

    init() throws {
        host = try Host(policy: #"{"handover":{"observers":["\#(Self.name)"]}}"#)
    }

    private func audioHost(_ sound: Sound) async throws -> AudioHost {
        try await AudioHost(identity: Self.name, delegate: sound, host.options)
    }

    /// A call of an app, which the user answers.
    private func answeredCall(_ app: App) async throws -> CallProvider {
        let provider = try await CallProvider(
            identity: "org.example.a", .phone, delegate: app, host.options)
        try await provider.reportIncoming(call, CallUpdate(from: .ann))
        try await CallController(host.options).answer(call, nil, .completed)
        return provider
    }

    // MARK: - Endpoints

    @Test func `endpoints are reported, and the user's choice is used and known`() async throws {
        let sound = Sound()
        let audio = try await audioHost(sound)
        let user = try await CallController(host.options)
        #expect(try await audio.reportEndpoints(.all) == nil)
        #expect(try await user.hostEndpoints() == .all)
        try await user.setHostEndpoint("headset")
        #expect(await sound.diary.lines(1) == ["use headset"])
        #expect(audio.chosenEndpoint == "headset")
        #expect(try await audio.reportEndpoints([[AudioEndpoint].all[0]]) == "headset")
        audio.close()
    }

    @Test func `an endpoint that cannot be used is not chosen`() async throws {
        let sound = Sound(broken: "headset")
        let audio = try await audioHost(sound)
        try await audio.reportEndpoints(.all)
        let user = try await CallController(host.options)
        await #expect {
            try await user.setHostEndpoint("headset")
        } throws: {
            ($0 as? CallError)?.code == .providerFailed
        }
        #expect(audio.chosenEndpoint == nil)
        audio.close()
    }

    @Test func `a refused list does not replace the one before`() async throws {
        let sound = Sound()
        let audio = try await audioHost(sound)
        try await audio.reportEndpoints(.all)
        await #expect {
            try await audio.reportEndpoints(
                (1...17).map { AudioEndpoint(id: "\($0)", kind: .speaker) })
        } throws: {
            ($0 as? CallError)?.code == .invalidParams
        }
        #expect(try await CallController(host.options).hostEndpoints() == .all)
        audio.close()
    }

    @Test func `there is one owner of the endpoints at a time`() async throws {
        let sound = Sound()
        let audio = try await audioHost(sound)
        await #expect(throws: CallError.self) {
            _ = try await AudioHost(identity: "org.example.other", delegate: sound, host.options)
        }
        audio.close()
        withExtendedLifetime(audio) {}
    }

    @Test func `endpoints are reported again to another broker`() async throws {
        let sound = Sound()
        let audio = try await audioHost(sound)
        try await audio.reportEndpoints(.all)
        _ = try host.daemon.stop(SIGKILL)
        let second = try Host(in: host.daemon.folder)
        let observer = try await CallObserver(second.options, topics: ["audio.*"])
        let user = try await CallController(second.options)
        var events = observer.makeAsyncIterator()
        while try await user.hostEndpoints() != .all { _ = await events.next() }
        try await user.setHostEndpoint("headset")
        #expect(await sound.diary.lines(1) == ["use headset"])
        audio.close()
    }

    // MARK: - The handover

    @Test func `an app gets the audio when the sound is ready`() async throws {
        let sound = Sound()
        let audio = try await audioHost(sound)
        let app = App(sound.diary)
        let provider = try await answeredCall(app)
        #expect(await sound.diary.lines(2) == ["prepare for 1 of org.example.a", "audio on"])
        provider.close()
        audio.close()
    }

    @Test func `a request to be ready is withdrawn when the call has ended`() async throws {
        let sound = Sound(isStuck: true)
        let audio = try await audioHost(sound)
        let app = App(sound.diary)
        let provider = try await answeredCall(app)
        _ = await sound.diary.lines(1)
        try await provider.reportEnded(call, .remoteEnded)
        #expect(await sound.diary.lines(2).last == "withdrawn true")
        provider.close()
        audio.close()
    }

    @Test func `an observer that the policy names is awaited`() async throws {
        let diary = Diary()
        let observer = try await CallObserver(host.options, identity: Self.name) { handover in
            diary.note("recorded \(handover.calls.count) of \(handover.provider.name)")
        }
        let app = App(diary)
        let provider = try await answeredCall(app)
        #expect(await diary.lines(2) == ["recorded 1 of org.example.a", "audio on"])
        provider.close()
        observer.close()
    }

    @Test func `an observer that is not ready in time delays the audio until then`() async throws {
        let diary = Diary()
        let observer = try await CallObserver(host.options, identity: Self.name) { _ in
            diary.note("asked")
            await waitForCancellation(diary)
        }
        let app = App(diary)
        let provider = try await answeredCall(app)
        _ = await diary.lines(1)
        try await host.advance(2_000)
        let lines = await diary.lines(3)
        #expect(Set(lines) == ["asked", "withdrawn true", "audio on"])
        provider.close()
        observer.close()
    }

    @Test func `an observer without a closure refuses, and delays nothing`() async throws {
        let diary = Diary()
        let observer = try await CallObserver(host.options, identity: Self.name)
        let app = App(diary)
        let provider = try await answeredCall(app)
        #expect(await diary.lines(1) == ["audio on"])
        provider.close()
        observer.close()
    }
}
