internal import BrokerSocket
internal import CallArbitration
internal import CallModel

/// The screening of one incoming call before it rings (rule 32). All sources receive a request at
/// once; for a source that does not respond in time, its fallback verdict applies.
struct Screening {
    /// A source of verdicts and caller data.
    enum Source: Hashable {
        /// The user's contacts and blocks, and the directories that the broker keeps.
        case store
        /// A plugin, by its identity, in one of its roles.
        case screener(String)
        case directory(String)

        /// The identity of the plugin; nil for the store.
        var identity: String? {
            switch self {
            case .store: nil
            case .screener(let identity), .directory(let identity): identity
            }
        }
    }

    /// A source that has not responded yet.
    private struct PendingSource {
        let source: Source
        let deadline: MonotonicTime
        let fallback: Response.Verdict
    }

    /// The remote side of the call.
    let remote: Handle?
    private var pending: [PendingSource] = []
    private var block: (reason: RefusalReason, by: String)?
    /// True if a screener, or a contact that breaks through, allows the call.
    private var isAllowed = false
    private var silencer: String?
    /// The explanations that sources gave for their verdicts.
    private var explanations: [(verdict: Response.Verdict, Explanation)] = []
    /// The broker's explanations for sources that gave no verdict.
    private var lapses: [(verdict: Response.Verdict, Explanation)] = []
    private var isLate = false
    /// The reason why the store could not be read.
    private(set) var storeFault: Explanation?
    /// True until a source identifies the caller.
    private(set) var isUnknown = true
    private var isFavorite = false
    /// True if a source says that the caller is a priority caller.
    private(set) var isPriority = false
    /// The caller, from each source that identifies it.
    private(set) var callers: [Caller] = []

    init(of remote: Handle? = nil) {
        self.remote = remote
    }

    /// The first deadline of a pending source; nil if there is none.
    var nextDeadline: MonotonicTime? {
        pending.lazy.map(\.deadline).min()
    }

    // MARK: - Pending sources

    /// Adds a pending source.
    ///
    /// - Parameter fallback: the verdict if the source does not respond in time, fails, or
    ///   disconnects.
    mutating func ask(
        _ source: Source, until deadline: MonotonicTime,
        otherwise fallback: Response.Verdict = .none
    ) {
        pending.append(PendingSource(source: source, deadline: deadline, fallback: fallback))
    }

    /// Returns true if the response of `source` is still awaited.
    func awaits(_ source: Source) -> Bool {
        deadline(of: source) != nil
    }

    /// Returns the deadline of a pending source.
    func deadline(of source: Source) -> MonotonicTime? {
        pending.first { $0.source == source }?.deadline
    }

    /// Returns true if a pending source has missed its deadline.
    func hasMissed(_ source: Source, at now: MonotonicTime) -> Bool {
        deadline(of: source).map { $0 <= now } ?? false
    }

    /// Returns the pending sources that have missed their deadlines.
    func late(at now: MonotonicTime) -> [Source] {
        pending.filter { $0.deadline <= now }.map(\.source)
    }

    /// Applies the fallback verdict of a source that is late, has failed, or is absent.
    mutating func abandon(_ source: Source, _ why: Absence) {
        guard let index = pending.firstIndex(where: { $0.source == source }) else { return }
        isLate = true
        let fallback = pending.remove(at: index).fallback
        apply(fallback)
        guard let identity = source.identity else { return }
        lapses.append(
            (fallback, Explanation(why, of: identity, blocks: fallback != .none)))
    }

    // MARK: - Responses

    /// Applies a response on behalf of a source that has missed its deadline.
    mutating func applyLate(_ response: Response, of source: Source) {
        isLate = true
        apply(response, of: source)
    }

    mutating func apply(_ response: Response, of source: Source) {
        pending.removeAll { $0.source == source }
        apply(response.verdict)
        if let why = response.explanation { explanations.append((response.verdict, why)) }
        if response.isKnown { isUnknown = false }
        if response.isFavorite { isFavorite = true }
        if response.isPriority { isPriority = true }
        storeFault = storeFault ?? response.storeFault
        callers += response.callers
    }

    private mutating func apply(_ verdict: Response.Verdict) {
        switch verdict {
        case .none: break
        case .allow: isAllowed = true
        case .silence(let by): silencer = silencer ?? by
        case .block(let reason, let by): if block == nil { block = (reason, by) }
        }
    }

    /// The response of a source.
    struct Response: Equatable {
        enum Verdict: Equatable {
            case none
            case allow
            case silence(by: String)
            case block(RefusalReason, by: String)
        }

        var verdict = Verdict.none
        var explanation: Explanation?
        /// The reason why the store could not be read, if the response is made from the copy of its
        /// blocks.
        var storeFault: Explanation?
        /// The caller; the store may have several sources for it.
        var callers: [Caller] = []
        /// True if the caller is a contact of the user.
        var isKnown = false
        /// True if the caller is a favorite contact.
        var isFavorite = false
        /// True if the caller is a priority caller.
        var isPriority = false
    }

    // MARK: - The verdict

    /// Returns the verdict about the call.
    ///
    /// - Parameters:
    ///   - isQuiet: True if do-not-disturb is on, and this call is not an exception.
    ///   - silencesUnknown: True if unknown callers ring without sound.
    ///   - busyInCall: True if only favorites may call while the user is in a call.
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

    /// Returns the explanation of the source that decided, or the reason why a source gave no
    /// verdict.
    func explanation(of verdict: ScreeningVerdict) -> Explanation? {
        let own = explanations.first { $0.verdict.decides(verdict) }?.1
        let lapse = lapses.first { $0.verdict.decides(verdict) }?.1
        return own ?? lapse ?? storeFault ?? (verdict == .timedOut ? lapses.first?.1 : nil)
    }
}

/// The reason why a filter has given no verdict.
enum Absence: Equatable {
    /// The filter received the request.
    case late, failed, left
    /// The filter was starting, and not ready in time.
    case coming
    /// The broker was restarted while the filter examined the call.
    case brokerRestarted
    /// The filter has no session, and will have none soon.
    case disabled, notInstalled, notReadable, stopped, notConnected, pausing, givenUp
    /// The filter has a session, but not the role that its manifest names.
    case otherRole

    var words: String {
        switch self {
        case .late: "it did not answer in time"
        case .failed: "it returned no verdict"
        case .left: "it disconnected before it answered"
        case .coming: "it was not ready in time"
        case .brokerRestarted: "the broker was restarted before it answered"
        case .disabled: "it is disabled"
        case .notInstalled: "it is no longer installed"
        case .notReadable: "its manifest cannot be read"
        case .stopped: "it is stopped, and calls do not start it"
        case .notConnected: "it is not connected"
        case .pausing: "it failed and will be restarted later"
        case .givenUp: "it has failed too often"
        case .otherRole: "it is connected without the role of a screener"
        }
    }

    /// True if the user caused the absence: a call that rings without the filter does so as
    /// intended.
    var isDeliberate: Bool {
        switch self {
        case .disabled, .notInstalled, .stopped, .notConnected, .otherRole: true
        case .late, .failed, .left, .coming, .brokerRestarted, .notReadable, .pausing, .givenUp:
            false
        }
    }
}

/// The explanation of a verdict. It may contain names and numbers: it is sent to clients on
/// request, and never logged or stored.
struct Explanation: Equatable {
    static let bytesMax = 1_024

    let by: String
    let text: String

    init(by: String, text: String) {
        (self.by, self.text) = (by, text)
    }

    /// The explanation of a second call that do-not-disturb lets through.
    static let repeatedCall = Explanation(
        by: "broker",
        text: "do-not-disturb is on, but a second call within three minutes passes")

    /// The explanation of a call of a priority caller that do-not-disturb lets through.
    static let priorityCaller = Explanation(
        by: "broker", text: "do-not-disturb is on, but priority callers pass")

    /// Creates the explanation for a filter that has given no verdict.
    ///
    /// - Parameter blocks: True if that blocks the call.
    init(_ why: Absence, of identity: String, blocks: Bool) {
        let rest =
            blocks
            ? "; its manifest requires its verdict before a call rings (fail: closed); "
                + "see \"callbroker plugin doctor\""
            : "; the call did not wait for it any longer"
        self.init(by: "broker", text: "\(identity) gave no verdict: \(why.words)\(rest)")
    }
}

extension Screening.Response.Verdict {
    fileprivate func decides(_ verdict: ScreeningVerdict) -> Bool {
        switch self {
        case .none: false
        case .allow: verdict == .allow
        case .silence(let by): verdict == .silence(by: by)
        case .block(let reason, let by): verdict == .block(reason, by: by)
        }
    }
}
