internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// Questions to the user about apps: whether a new app may have calls, and whether an app may mark
/// its calls as emergencies. Owns the open ones, and carries out the answers in the policy. A screen
/// asks them (``QuestionPresenter``), and an admin may answer them as well. Nothing waits for an
/// answer, and a question without one leaves things as they are.
final class AppQuestions: BrokerPart {
    /// What is asked about an app.
    private struct Question: Hashable {
        let provider: ProviderID
        let subject: QuestionSubject
    }

    private struct Entry {
        let number: Int
        let question: Question
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
        broker.questionPresenter.present()
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

    // MARK: - Answers

    /// The numbers of the open questions, oldest first.
    var numbers: [Int] {
        entries.map(\.number)
    }

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

    /// Applies the answer to an open question.
    func settle(_ number: Int, _ answer: QuestionAnswer) {
        if let question = withdraw(number) { settle(question, answer) }
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
        broker.questionPresenter.withdraw(number)
        return entries.remove(at: index).question
    }

    // MARK: - On the wire

    /// Writes the members of an open question.
    func write(_ number: Int, to writer: inout JSONWriter) {
        if let entry = entries.first(where: { $0.number == number }) { write(entry, to: &writer) }
    }

    private func write(_ entry: Entry, to writer: inout JSONWriter) {
        let provider = entry.question.provider
        writer.member("question", entry.number)
        writer.member("subject", entry.question.subject.rawValue)
        writer.member("provider", provider)
        writer.member(
            "display_name", ifSet: broker.configuration(of: provider)?.displayName)
        if let process = broker.sessions[provider]?.peer?.process { writer.members(of: process) }
    }
}
