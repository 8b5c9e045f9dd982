internal import CallClient
internal import CallModel
internal import PhoneScreen
internal import Synchronization

/// The screen's sessions with the broker: one that observes, one that acts for the user, and the claim
/// to present calls. Requests are made one after the other, in the order of the keys.
final class Session: Sendable {
    static let identity = "org.callbroker.phone"
    private static let retryMS = 1_000

    let inbox: Inbox
    private let controller = Mutex<CallController?>(nil)
    private let questions = Mutex<[(Question, CheckedContinuation<AppQuestion.Answer, Never>)]>([])
    private let screen = Mutex<CallScreen?>(nil)
    let typed = Mutex(TypedText())
    let readings = Mutex(Readings())
    private let sessions = Mutex(OpenSessions())
    private let commands: AsyncStream<Command>.Continuation
    private let queue: AsyncStream<Command>

    /// Which of the sessions are open without which nothing can be shown or done.
    private struct OpenSessions {
        var observes = false
        var acts = false

        var areAll: Bool { observes && acts }
    }

    init(_ inbox: Inbox) {
        self.inbox = inbox
        (queue, commands) = AsyncStream.makeStream(of: Command.self)
    }

    /// Connects, again and again until there is a broker; later the client library reconnects.
    func start() {
        Task { await perform() }
        Task { await observe() }
    }

    func close() {
        commands.finish()
        screen.withLock { $0?.close() }
    }

    func perform(_ command: Command) {
        commands.yield(command)
    }

    // MARK: - Observing

    private func observe() async {
        while true {
            do throws(CallError) {
                try await follow()
            } catch {
                lose(error.message)
            }
            try? await Task.sleep(for: .milliseconds(Self.retryMS))
        }
    }

    private var options: ClientOptions {
        var options = ClientOptions(name: "callbroker-phone")
        (options.administers, options.longestRetryMS) = (true, Self.retryMS)
        options.followsExternalCalls = true
        return options
    }

    private func follow() async throws(CallError) {
        let topics = ["call.*", "provider.*", "policy.changed", "history.changed", "plugin.state"]
        let observer = try await CallObserver(options, topics: topics) { [weak self] isOpen in
            self?.change { $0.observes = isOpen }
        }
        let user = try await CallController(options) { [weak self] isOpen in
            self?.change { $0.acts = isOpen }
        }
        controller.withLock { $0 = user }
        resume()
        await claim()
        var calls: [Call] = []
        for await event in observer { receive(event, &calls) }
    }

    /// Claims the presentation of calls. Without the right to it, which a host may keep to its plugins,
    /// calls are shown and driven all the same.
    private func claim() async {
        do throws(CallError) {
            let claim = try await CallScreen(
                identity: Self.identity, priority: 5, delegate: self, options)
            screen.withLock { $0 = claim }
        } catch {
            inbox.post { screen in screen.phone.notice = screen.phone.words(for: error) }
        }
    }

    private func change(_ sessions: (inout OpenSessions) -> Void) {
        let (before, after) = self.sessions.withLock { open in
            let before = open.areAll
            sessions(&open)
            return (before, open.areAll)
        }
        if after { resume() } else if before { lose("") }
    }

    private func lose(_ reason: String) {
        inbox.post { $0.phone.awayReason = reason }
    }

    private func resume() {
        guard controller.withLock({ $0 != nil }) else { return }
        inbox.post { $0.phone.awayReason = nil }
        inbox.post { $0.phone.isConnecting = false }
        for tab in Tab.allCases { perform(.load(tab)) }
    }

    private func receive(_ event: CallEvent, _ calls: inout [Call]) {
        switch event {
        case .snapshot(let all):
            calls = all
            for call in all where [.active, .held].contains(call.state) {
                perform(.loadParticipants(call.id))
            }
        case .added(let call, _): calls.append(call)
        case .changed(let call, _, _):
            if let index = calls.firstIndex(where: { $0.id == call.id }) { calls[index] = call }
        case .removed(let call): calls.removeAll { $0.id == call }
        case .other(let topic, let data):
            return topic.hasPrefix("call.") ? receive(topic, data) : reload(topic)
        }
        let shown = calls.filter { $0.state != .ended }.map { ShownCall($0) }
        inbox.post { $0.phone.show(shown) }
    }

    /// Receives what concerns a call and is no part of it.
    private func receive(_ topic: String, _ data: String) {
        guard let event = CallDetail(topic, data) else { return }
        let call = event.call
        switch event.kind {
        case .participants: perform(.loadParticipants(call))
        case .quality(let quality): inbox.post { $0.phone.show(quality, of: call) }
        case .text(let text): inbox.post { $0.phone.add(text, to: call) }
        }
    }

    /// Reads anew what an event has changed.
    private func reload(_ topic: String) {
        switch topic.prefix(while: { $0 != "." }) {
        case "provider": perform(.load(.calls))
        case "policy": perform(.load(.settings))
        case "history": perform(.load(.missed))
        case "plugin": perform(.load(.plugins))
        default: break
        }
    }

    // MARK: - Acting

    private func perform() async {
        for await command in queue {
            // An action that takes long must not hold up the next key, such as the end of its call.
            // Each request is sent before the task lets the next one begin.
            _ = Task.immediate { await carryOut(command) }
        }
    }

    private func carryOut(_ command: Command) async {
        do throws(CallError) {
            guard let user = controller.withLock({ $0 }) else { throw .noSession }
            try await perform(command, user)
        } catch {
            guard case .load = command else {
                return inbox.post { screen in
                    screen.phone.notice = screen.phone.words(for: error)
                }
            }
            guard error.isRetryable, sessions.withLock({ $0.areAll }) else { return }
            try? await Task.sleep(for: .milliseconds(Self.retryMS / 2))
            perform(command)
        }
    }

    // MARK: - Questions

    /// Answers a question that was shown.
    func answer(_ question: Question, _ answer: AppQuestion.Answer) {
        let waiting = questions.withLock {
            questions -> CheckedContinuation<AppQuestion.Answer, Never>? in
            guard let index = questions.firstIndex(where: { $0.0 == question }) else { return nil }
            return questions.remove(at: index).1
        }
        waiting?.resume(returning: answer)
    }

    private func show(_ question: Question) async -> AppQuestion.Answer {
        await withTaskCancellationHandler {
            await withCheckedContinuation { waiting in
                questions.withLock { $0.append((question, waiting)) }
                inbox.post { $0.phone.add(question) }
                // The broker may have withdrawn it before it was kept.
                if Task.isCancelled { withdraw(question) }
            }
        } onCancel: {
            withdraw(question)
        }
    }

    private func withdraw(_ question: Question) {
        inbox.post { $0.phone.remove(question) }
        answer(question, .later)
    }
}

extension Session: CallScreenDelegate {
    /// Every call is in the list, and the one that rings in the line above it, in every view.
    func screen(_ screen: CallScreen, present call: Call) async -> Bool {
        if !call.isSilenced { inbox.post { $0.ring() } }
        return true
    }

    func screen(_ screen: CallScreen, ask question: AppQuestion) async -> AppQuestion.Answer {
        await show(
            Question(
                subject: question.subject.rawValue, app: question.provider,
                name: question.displayName, program: question.sandboxedApp ?? question.executable))
    }
}

extension CallError {
    fileprivate static let noSession = CallError(
        .disconnected, reason: "disconnected", "there is no broker")
}
