internal import BrokerSocket
internal import CallArbitration
internal import CallModel

/// What is found out about one incoming call before it rings (rule 32). Everybody is asked at once; who
/// says nothing in time has nothing to say.
struct Screening {
    /// Somebody who was asked.
    enum Source: Hashable {
        /// The user's contacts and blocks, and the directories that the broker keeps.
        case store
        /// A plugin, by the number of its connection.
        case plugin(Int)
    }

    /// Somebody who has not answered yet.
    private struct Asked {
        let source: Source
        let deadline: MonotonicTime
        let fallback: Answer.Verdict
    }

    private var waiting: [Asked] = []
    private var block: (reason: RefusalReason, by: String)?
    /// A screener, or a contact that breaks through, wants it to ring.
    private var isAllowed = false
    private var silencer: String?
    /// Why, in the words of those who gave a verdict.
    private var explanations: [(verdict: Answer.Verdict, Explanation)] = []
    private var isLate = false
    /// Why the store could not be asked.
    private(set) var storeFault: Explanation?
    /// Nobody has said that they know who calls.
    private(set) var isUnknown = true
    private(set) var caller: Caller?
    /// Runs until the first of those who are waited for must have answered.
    var timer: TimerQueue<TimerPurpose>.Handle?

    /// Nil: nobody is waited for any more.
    var nextDeadline: MonotonicTime? {
        waiting.lazy.map(\.deadline).min()
    }

    // MARK: - Asking

    /// - Parameter fallback: What it has said if it says nothing in time, fails, or goes away.
    mutating func ask(
        _ source: Source, until deadline: MonotonicTime, otherwise fallback: Answer.Verdict = .none
    ) {
        waiting.append(Asked(source: source, deadline: deadline, fallback: fallback))
    }

    /// Whether an answer of `source` still counts.
    func awaits(_ source: Source) -> Bool {
        waiting.contains { $0.source == source }
    }

    /// Whether somebody's time is over.
    func hasMissed(_ source: Source, at now: MonotonicTime) -> Bool {
        waiting.contains { $0.source == source && $0.deadline <= now }
    }

    /// Gives those up whose time is over.
    mutating func expire(at now: MonotonicTime) {
        for late in waiting where late.deadline <= now { giveUp(late.source) }
    }

    /// Gives somebody up who failed, or is gone.
    mutating func giveUp(_ source: Source) {
        guard let index = waiting.firstIndex(where: { $0.source == source }) else { return }
        isLate = true
        note(waiting.remove(at: index).fallback)
    }

    // MARK: - Answers

    /// Somebody else answers for one whose time is over.
    mutating func answerLate(_ source: Source, _ answer: Answer) {
        isLate = true
        self.answer(source, answer)
    }

    mutating func answer(_ source: Source, _ answer: Answer) {
        waiting.removeAll { $0.source == source }
        note(answer.verdict)
        if let why = answer.explanation { explanations.append((answer.verdict, why)) }
        if answer.isKnown { isUnknown = false }
        storeFault = storeFault ?? answer.storeFault
        guard let caller = answer.caller else { return }
        self.caller = self.caller?.improved(by: caller) ?? caller
    }

    private mutating func note(_ verdict: Answer.Verdict) {
        switch verdict {
        case .none: break
        case .allow: isAllowed = true
        case .silence(let by): silencer = silencer ?? by
        case .block(let reason, let by): if block == nil { block = (reason, by) }
        }
    }

    /// What one of them says.
    struct Answer: Equatable {
        enum Verdict: Equatable {
            case none
            case allow
            case silence(by: String)
            case block(RefusalReason, by: String)
        }

        var verdict = Verdict.none
        var explanation: Explanation?
        /// The copy of its blocks speaks for a store that could not be asked: why.
        var storeFault: Explanation?
        var caller: Caller?
        /// The other side is a contact of the user.
        var isKnown = false
    }

    // MARK: - The verdict

    /// - Parameters:
    ///   - isQuiet: Do-not-disturb is on, and this call is no exception.
    ///   - silencesUnknown: Strangers ring without sound.
    func verdict(isQuiet: Bool, silencesUnknown: Bool) -> ScreeningVerdict {
        if let block { return .block(block.reason, by: block.by) }
        if isAllowed { return .allow }
        if isQuiet { return .doNotDisturb }
        if let silencer { return .silence(by: silencer) }
        if silencesUnknown, isUnknown { return .silence(by: "unknown_callers") }
        return isLate ? .timedOut : .ring
    }

    /// What the one who decided says about it.
    func explanation(of verdict: ScreeningVerdict) -> Explanation? {
        explanations.first { $0.verdict.decides(verdict) }?.1
    }
}

/// What a screener says about its verdict. It may name people and numbers: whoever asks hears it, and
/// it is written nowhere.
struct Explanation: Equatable {
    static let bytesMax = 1_024

    let by: String
    let text: String
}

extension Screening.Answer.Verdict {
    fileprivate func decides(_ verdict: ScreeningVerdict) -> Bool {
        switch self {
        case .none: false
        case .allow: verdict == .allow
        case .silence(let by): verdict == .silence(by: by)
        case .block(let reason, let by): verdict == .block(reason, by: by)
        }
    }
}

extension Caller {
    /// A contact of the user wins over every directory; of two directories the first one, but for
    /// what it does not say.
    func improved(by other: Caller) -> Caller {
        if source != Self.contacts, other.source == Self.contacts {
            return other.improved(by: self)
        }
        return Caller(name: name ?? other.name, label: label ?? other.label, source: source)
    }
}
