internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// Questions to the user about apps: whether a new app may have calls, and whether an app may mark
/// its calls as emergencies. A screen asks them, and an admin may answer them as well. Nothing waits
/// for an answer, and a question without one leaves things as they are.
final class AppQuestions: BrokerPart {
    /// What is asked about an app.
    private struct Question: Hashable {
        let provider: ProviderID
        let subject: QuestionSubject
    }

    private struct Entry {
        let number: Int
        let question: Question
        var asking: Asking?
    }

    /// The request to a screen.
    private struct Asking {
        let screen: Peer
        let request: Int64
        let timer: BrokerTimers.Handle
    }

    /// The questions that are not answered, oldest first.
    private var entries: [Entry] = []
    private var lastNumber = 0
    /// The questions that the user has put off, with the times from which they may be asked again.
    private var postponed: [Question: MonotonicTime] = [:]

    /// The time before a question is asked again, in milliseconds.
    private static let pauseMS = 600_000

    // MARK: - Opening

    /// Asks whether a new app may have calls, unless that is decided.
    ///
    /// - Returns: true if the question is open.
    @discardableResult
    func ask(aboutCallsOf provider: ProviderID) -> Bool {
        open(Question(provider: provider, subject: .calls))
    }

    /// Asks whether an app may mark its calls as emergencies, unless that is decided.
    func ask(aboutEmergenciesOf provider: ProviderID, _ direction: Direction) {
        let subject: QuestionSubject =
            direction == .outgoing ? .outgoingEmergencies : .incomingEmergencies
        open(Question(provider: provider, subject: subject))
    }

    @discardableResult
    private func open(_ question: Question) -> Bool {
        guard !broker.isReplaying, isUndecided(question) else { return false }
        if entries.contains(where: { $0.question == question }) { return true }
        let now = broker.clock.now
        postponed = postponed.filter { $0.value > now }
        guard postponed[question] == nil, entries.count < MethodTable.questionsMax else {
            return false
        }
        lastNumber += 1
        entries.append(Entry(number: lastNumber, question: question))
        send()
        return true
    }

    private func isUndecided(_ question: Question) -> Bool {
        let choices = broker.policy.choices
        let claims = choices.emergency.claims[question.provider]
        return switch question.subject {
        case .calls: choices.authorization(of: question.provider) == .notDetermined
        case .outgoingEmergencies: claims?.outgoing == .ask
        case .incomingEmergencies: claims?.incoming == .ask
        }
    }

    // MARK: - Screens

    /// Sends the questions that no screen asks to the first one that can.
    func send() {
        guard let screen = broker.screens.claimants.first(where: { $0.knows(.ask) }) else { return }
        for index in entries.indices where entries[index].asking == nil {
            let number = entries[index].number
            let request = screen.outgoing.open(.ask(number))
            let timer = broker.timers.start(afterMS: MethodTable.askMS, .asking(number))
            entries[index].asking = Asking(screen: screen, request: request, timer: timer)
            broker.outbox.request(screen, request, "ui.ask") { writer in
                write(entries[index], to: &writer)
                writer.member("deadline_ms", MethodTable.askMS)
            }
        }
    }

    /// Takes the questions back from a screen that has released its claim, or is gone.
    func release(from screen: Peer) {
        for index in entries.indices where entries[index].asking?.screen === screen {
            cancel(&entries[index])
        }
        send()
    }

    /// Applies the response of a screen.
    func complete(
        _ number: Int, _ id: Int64, _ outcome: Message.Outcome, by screen: Peer
    ) {
        guard let index = entries.firstIndex(where: { $0.number == number }),
            let asking = entries[index].asking, asking.screen === screen, asking.request == id
        else { return }
        broker.timers.cancel(asking.timer)
        settle(entries.remove(at: index).question, outcome.answer)
    }

    /// Handles the time-out of a question.
    func expire(_ number: Int) {
        if let question = withdraw(number) { settle(question, .later) }
    }

    // MARK: - Answers

    func perform(_ request: QuestionRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .list: list(target)
        case .answer(let params): try answer(params, target)
        }
    }

    private func list(_ target: ReplyTarget) {
        broker.outbox.reply(target) { writer in
            writer.name("questions")
            writer.array { writer in
                for entry in entries { writer.object { write(entry, to: &$0) } }
            }
        }
    }

    private func answer(_ params: AnswerQuestionParams, _ target: ReplyTarget) throws(RPCError) {
        guard let question = withdraw(params.question) else {
            throw RPCError(.notFound, reason: .notFound, "no such question").with {
                $0.field = "/question"
                $0.hint = "it may have been answered elsewhere; question.list has the open ones"
            }
        }
        settle(question, params.answer)
        broker.journal.whenSynced(target) { [weak broker] in
            guard let broker else { return }
            broker.events.bringUpToDate(target.peer)
            broker.outbox.reply(target) { $0.member("seq", broker.events.seq) }
        }
    }

    /// Changes the policy, or puts the question off.
    private func settle(_ question: Question, _ answer: QuestionAnswer) {
        guard answer != .later else {
            return postponed[question] = broker.clock.now.advanced(milliseconds: Self.pauseMS)
        }
        var choices = broker.policy.choices
        let (provider, isAllowed) = (question.provider, answer == .allow)
        let word: EmergencyClaims.Word = isAllowed ? .allowed : .denied
        switch question.subject {
        case .calls: choices.authorizations[provider] = isAllowed ? .authorized : .denied
        case .outgoingEmergencies: choices.emergency.claims[provider]?.outgoing = word
        case .incomingEmergencies: choices.emergency.claims[provider]?.incoming = word
        }
        broker.policy.choose(choices)
    }

    // MARK: - Withdrawing

    /// Withdraws the questions that a new policy has decided, and asks about apps that it leaves open.
    func update(since former: HostChoices) {
        for entry in entries where !isUndecided(entry.question) { withdraw(entry.number) }
        guard broker.policy.choices.newProviders != former.newProviders else { return }
        for provider in broker.sessions.registered { ask(aboutCallsOf: provider) }
    }

    /// Withdraws the questions about an app that is gone.
    func withdraw(about provider: ProviderID) {
        for entry in entries where entry.question.provider == provider { withdraw(entry.number) }
    }

    /// Removes a question, which no screen need ask any more.
    @discardableResult
    private func withdraw(_ number: Int) -> Question? {
        guard let index = entries.firstIndex(where: { $0.number == number }) else { return nil }
        cancel(&entries[index])
        return entries.remove(at: index).question
    }

    private func cancel(_ entry: inout Entry) {
        guard let asking = entry.asking else { return }
        entry.asking = nil
        broker.timers.cancel(asking.timer)
        guard asking.screen.stage == .ready else { return }
        broker.outbox.notify(asking.screen, "broker.cancel") {
            $0.member("request", asking.request)
        }
    }

    private func write(_ entry: Entry, to writer: inout JSONWriter) {
        let provider = entry.question.provider
        writer.member("question", entry.number)
        writer.member("subject", entry.question.subject.rawValue)
        writer.member("provider", provider)
        writer.member(
            "display_name", ifSet: broker.arbiter.configuration(of: provider)?.displayName)
        if let process = broker.sessions[provider]?.peer?.process { writer.members(of: process) }
    }
}

extension Message.Outcome {
    /// The user's answer; an error or an unknown word is none.
    fileprivate var answer: QuestionAnswer {
        guard case .result(let result) = self else { return .later }
        return result["answer"]?.string.flatMap(QuestionAnswer.init(rawValue:)) ?? .later
    }
}
