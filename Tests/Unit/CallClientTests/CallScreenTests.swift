import CallClient
import CallModel
import Testing

/// A screen that writes down what it is asked.
private final class Screen: CallScreenDelegate {
    let diary = Diary()
    private let answer: AppQuestion.Answer
    /// True if the user never answers.
    private let isDeserted: Bool

    init(_ answer: AppQuestion.Answer = .later, isDeserted: Bool = false) {
        (self.answer, self.isDeserted) = (answer, isDeserted)
    }

    func screen(_ screen: CallScreen, present call: Call) async -> Bool {
        diary.note("present \(call.state)")
        return true
    }

    func screen(_ screen: CallScreen, dismiss call: CallID) async {
        diary.note("dismiss")
    }

    func screen(_ screen: CallScreen, ask question: AppQuestion) async -> AppQuestion.Answer {
        diary.note("ask \(question.subject.rawValue) of \(question.provider.name)")
        if isDeserted {
            let (never, _) = AsyncStream.makeStream(of: Void.self)
            for await _ in never {}
            diary.note("withdrawn \(Task.isCancelled)")
        }
        return answer
    }
}

/// An app that writes down whether it may have calls.
private final class App: CallProviderDelegate {
    let diary = Diary()

    func provider(
        _ provider: CallProvider, didChangeAuthorizationTo authorization: CallProvider.Authorization
    ) async {
        diary.note("\(authorization)")
    }
}

struct CallScreenTests {
    private let host: Host

    init() throws {
        host = try Host(policy: #"{"new_providers":"ask"}"#)
    }

    private func provider(_ app: App) async throws -> CallProvider {
        try await CallProvider(identity: "org.example.a", .phone, delegate: app, host.options)
    }

    @Test(arguments: [AppQuestion.Answer.allow, .deny])
    func `the user decides on a screen about a new app, which is told`(
        answer: AppQuestion.Answer
    ) async throws {
        let (screen, app) = (Screen(answer), App())
        let shown = try await CallScreen(
            identity: "org.example.screen", delegate: screen, host.options)
        let provider = try await provider(app)
        #expect(await screen.diary.lines(1) == ["ask calls of org.example.a"])
        let word = answer == .allow ? "authorized" : "denied"
        #expect(await app.diary.lines(1) == [word])
        provider.close()
        shown.close()
    }

    @Test func `a question is withdrawn with its app`() async throws {
        let screen = Screen(isDeserted: true)
        let shown = try await CallScreen(
            identity: "org.example.screen", delegate: screen, host.options)
        let provider = try await provider(App())
        _ = await screen.diary.lines(1)
        provider.close()
        #expect(
            await screen.diary.lines(2) == ["ask calls of org.example.a", "withdrawn true"])
        shown.close()
    }

    @Test func `a screen presents calls until they end`() async throws {
        let (screen, app) = (Screen(.allow), App())
        let shown = try await CallScreen(
            identity: "org.example.screen", priority: 7, playsSound: true, delegate: screen,
            host.options)
        let provider = try await provider(app)
        _ = await app.diary.lines(1)
        let call = CallID.random()
        try await provider.reportIncoming(call, CallUpdate(from: .ann))
        #expect(await screen.diary.lines(2).last == "present ringing")
        try await provider.reportEnded(call, .remoteEnded)
        #expect(await screen.diary.lines(3).last == "dismiss")
        provider.close()
        shown.close()
    }
}
