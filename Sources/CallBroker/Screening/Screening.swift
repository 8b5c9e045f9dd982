internal import BrokerSocket
internal import CallArbitration
internal import CallModel

/// What is found out about one incoming call before it rings (rule 32). Everybody is asked at once; who
/// says nothing in time has nothing to say.
struct Screening {
    /// Somebody who is asked.
    enum Source: Hashable {
        /// The user's contacts and blocks, and the directories that the broker keeps.
        case store
        /// A plugin, by its identity, in one of its roles.
        case screener(String)
        case directory(String)

        /// The plugin that it is.
        var identity: String? {
            switch self {
            case .store: nil
            case .screener(let identity), .directory(let identity): identity
            }
        }
    }

    /// Somebody who has not answered yet.
    private struct Asked {
        let source: Source
        let deadline: MonotonicTime
        let fallback: Answer.Verdict
    }

    /// Whom it is about.
    let remote: Handle?
    private var waiting: [Asked] = []
    private var block: (reason: RefusalReason, by: String)?
    /// A screener, or a contact that breaks through, wants it to ring.
    private var isAllowed = false
    private var silencer: String?
    /// Why, in the words of those who gave a verdict.
    private var explanations: [(verdict: Answer.Verdict, Explanation)] = []
    /// Why there is none of somebody, in ours.
    private var lapses: [(verdict: Answer.Verdict, Explanation)] = []
    private var isLate = false
    /// Why the store could not be asked.
    private(set) var storeFault: Explanation?
    /// Nobody has said that they know who calls.
    private(set) var isUnknown = true
    private var isFavorite = false
    /// Who it is, as each of those says who knows.
    private(set) var callers: [Caller] = []
    /// Runs until the first of those who are waited for must have answered.
    var timer: TimerQueue<TimerPurpose>.Handle?

    init(of remote: Handle? = nil) {
        self.remote = remote
    }

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
        deadline(of: source) != nil
    }

    /// Until when it does.
    func deadline(of source: Source) -> MonotonicTime? {
        waiting.first { $0.source == source }?.deadline
    }

    /// Whether somebody's time is over.
    func hasMissed(_ source: Source, at now: MonotonicTime) -> Bool {
        deadline(of: source).map { $0 <= now } ?? false
    }

    /// Those whose time is over.
    func late(at now: MonotonicTime) -> [Source] {
        waiting.filter { $0.deadline <= now }.map(\.source)
    }

    /// Gives somebody up who is late, has failed, or is not there.
    mutating func giveUp(_ source: Source, _ why: Absence) {
        guard let index = waiting.firstIndex(where: { $0.source == source }) else { return }
        isLate = true
        let fallback = waiting.remove(at: index).fallback
        note(fallback)
        guard let identity = source.identity else { return }
        lapses.append(
            (fallback, Explanation(why, of: identity, blocks: fallback != .none)))
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
        if answer.isFavorite { isFavorite = true }
        storeFault = storeFault ?? answer.storeFault
        callers += answer.callers
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
        /// Who it is: the store may know it from several.
        var callers: [Caller] = []
        /// The other side is a contact of the user; and one of those that he likes best.
        var isKnown = false
        var isFavorite = false
    }

    // MARK: - The verdict

    /// - Parameters:
    ///   - isQuiet: Do-not-disturb is on, and this call is no exception.
    ///   - silencesUnknown: Strangers ring without sound.
    ///   - busyInCall: While the user is in a call no other comes in, but from favourites.
    func verdict(
        isQuiet: Bool, silencesUnknown: Bool, busyInCall: Bool = false
    ) -> ScreeningVerdict {
        if let block { return .block(block.reason, by: block.by) }
        if isAllowed { return .allow }
        if isQuiet { return .doNotDisturb }
        if let silencer { return .silence(by: silencer) }
        if silencesUnknown, isUnknown { return .silence(by: "unknown_callers") }
        if busyInCall, isFavorite { return .ringInCall }
        return isLate ? .timedOut : .ring
    }

    /// What the one who decided says about it, or why somebody who was to say something did not.
    func explanation(of verdict: ScreeningVerdict) -> Explanation? {
        let own = explanations.first { $0.verdict.decides(verdict) }?.1
        let lapse = lapses.first { $0.verdict.decides(verdict) }?.1
        return own ?? lapse ?? storeFault ?? (verdict == .timedOut ? lapses.first?.1 : nil)
    }
}

/// Why a filter has given no answer.
enum Absence: Equatable {
    /// It was asked.
    case late, failed, left
    /// It was on its way, and not there in time.
    case coming
    /// The broker was started anew while it looked at the call.
    case brokerRestarted
    /// There is no session, and there will be none soon.
    case disabled, notInstalled, notReadable, stopped, notConnected, pausing, givenUp
    /// It has a session, and not the role that its manifest speaks of.
    case otherRole

    var words: String {
        switch self {
        case .late: "it did not answer in time"
        case .failed: "it gave no answer"
        case .left: "it went away while it was asked"
        case .coming: "it was not ready in time"
        case .brokerRestarted: "the broker was started anew while it was asked"
        case .disabled: "it is disabled"
        case .notInstalled: "it is not installed any more"
        case .notReadable: "its manifest cannot be read"
        case .stopped: "it is stopped, and calls do not start it"
        case .notConnected: "it is not connected"
        case .pausing: "it has failed, and is started again later"
        case .givenUp: "it has failed too often"
        case .otherRole: "it is connected without the role of a screener"
        }
    }

    /// Somebody wants it so: a call that rings without it misses nothing.
    var isDeliberate: Bool {
        switch self {
        case .disabled, .notInstalled, .stopped, .notConnected, .otherRole: true
        case .late, .failed, .left, .coming, .brokerRestarted, .notReadable, .pausing, .givenUp:
            false
        }
    }
}

/// What a screener says about its verdict. It may name people and numbers: whoever asks hears it, and
/// it is written nowhere.
struct Explanation: Equatable {
    static let bytesMax = 1_024

    let by: String
    let text: String

    init(by: String, text: String) {
        (self.by, self.text) = (by, text)
    }

    /// In our words: a filter has said nothing.
    /// - Parameter blocks: That counts as a block.
    init(_ why: Absence, of identity: String, blocks: Bool) {
        let rest =
            blocks
            ? "; its manifest says that no call rings without its word (fail: closed). "
                + "\"callbroker plugin doctor\" says what helps"
            : "; its word was not waited for any longer"
        self.init(by: "broker", text: "\(identity) has given none: \(why.words)\(rest)")
    }
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
