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

    /// Who has not answered yet, and until when it may.
    private var waiting: [Source: MonotonicTime] = [:]
    private var block: (reason: RefusalReason, by: String)?
    /// A screener, or a contact that breaks through, wants it to ring.
    private var isAllowed = false
    private var silencer: String?
    private var isLate = false
    /// Nobody has said that they know who calls.
    private(set) var isUnknown = true
    private(set) var caller: Caller?
    /// Runs until the first of those who are waited for must have answered.
    var timer: TimerQueue<TimerPurpose>.Handle?

    /// Nil: nobody is waited for any more.
    var nextDeadline: MonotonicTime? {
        waiting.values.min()
    }

    // MARK: - Asking

    mutating func ask(_ source: Source, until deadline: MonotonicTime) {
        waiting[source] = deadline
    }

    /// Whether an answer of `source` still counts.
    func awaits(_ source: Source) -> Bool {
        waiting[source] != nil
    }

    func deadline(of source: Source) -> MonotonicTime? {
        waiting[source]
    }

    /// Gives those up whose time is over.
    mutating func expire(at now: MonotonicTime) {
        let late = waiting.filter { $0.value <= now }.keys
        for source in late { waiting[source] = nil }
        isLate = isLate || !late.isEmpty
    }

    /// Gives somebody up who failed, or is gone.
    mutating func giveUp(_ source: Source) {
        guard waiting.removeValue(forKey: source) != nil else { return }
        isLate = true
    }

    // MARK: - Answers

    mutating func answer(_ source: Source, _ answer: Answer) {
        waiting[source] = nil
        switch answer.verdict {
        case .none: break
        case .allow: isAllowed = true
        case .silence(let by): silencer = silencer ?? by
        case .block(let reason, let by): if block == nil { block = (reason, by) }
        }
        if answer.isKnown { isUnknown = false }
        guard let caller = answer.caller else { return }
        self.caller = self.caller?.improved(by: caller) ?? caller
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
