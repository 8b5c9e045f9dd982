internal import CallArbitration
internal import CallModel

/// The calls as announcements and the history tell them (I6, I8).
struct CallLedger: Sendable {
    private enum Life: Sendable {
        case screened
        case listed
        /// For good, or until its provider comes back with it (rule 26).
        case ended(isLoss: Bool, serial: Int, at: Instant)
    }

    /// How long ended calls are remembered; then their ids are new ones.
    private var policy: ArbitrationPolicy
    private var endCount = 0
    private var now = Instant.zero

    private var lives: [CallID: Life] = [:]
    private(set) var listed: [CallID] = []
    // What this event has said so far.
    private var removed: [CallID] = []
    private var recorded: [HistoryEntry] = []
    private var refused: [CallID] = []

    init(policy: ArbitrationPolicy) {
        self.policy = policy
    }

    func isListed(_ call: CallID) -> Bool {
        if case .listed = lives[call] { true } else { false }
    }

    func hasEnded(_ call: CallID) -> Bool {
        if case .ended = lives[call] { true } else { false }
    }

    mutating func begin(_ event: ArbiterEvent, at now: Instant) {
        self.now = now
        if case .policyChanged(let policy) = event {
            lives = lives.filter { !(hasEnded($0.key) && isNew($0.key)) }
            self.policy = policy
        }
        removed.removeAll(keepingCapacity: true)
        recorded.removeAll(keepingCapacity: true)
        refused.removeAll(keepingCapacity: true)
    }

    mutating func screen(_ call: CallID, _ complaints: inout [Complaint]) {
        if !isNew(call) {
            complaints.append(Complaint(.endedStays, "a known call is screened", "\(call)"))
        }
        lives[call] = .screened
    }

    /// Whether the id may be taken: it never was, or that is forgotten.
    private func isNew(_ call: CallID) -> Bool {
        switch lives[call] {
        case nil: true
        case .screened, .listed: false
        case .ended(_, let serial, let at):
            endCount - serial >= policy.endedCallsMax
                || at.advanced(byMS: policy.endedCallsMS) <= now
        }
    }

    mutating func add(_ call: CallID, _ complaints: inout [Complaint]) {
        switch lives[call] {
        case nil, .screened, .ended(isLoss: true, _, _): break
        case .listed:
            complaints.append(Complaint(.endedStays, "a call is added twice", "\(call)"))
        case .ended where isNew(call): break
        case .ended:
            complaints.append(Complaint(.endedStays, "an ended call is added again", "\(call)"))
        }
        lives[call] = .listed
        listed.append(call)
    }

    mutating func change(_ call: CallID, _ complaints: inout [Complaint]) {
        if isListed(call) { return }
        let what = hasEnded(call) ? "an ended call changes" : "a call changes that is not listed"
        complaints.append(Complaint(.endedStays, what, "\(call)"))
    }

    mutating func remove(_ call: CallID, _ complaints: inout [Complaint]) {
        if !isListed(call) {
            complaints.append(
                Complaint(.endedStays, "a call is removed that is not listed", "\(call)"))
        }
        end(call)
        listed.removeAll { $0 == call }
        removed.append(call)
    }

    private mutating func end(_ call: CallID) {
        lives[call] = .ended(isLoss: false, serial: endCount, at: now)
    }

    mutating func refuse(_ call: CallID) {
        refused.append(call)
    }

    mutating func record(_ entry: HistoryEntry, _ complaints: inout [Complaint]) {
        recorded.append(entry)
        // A call that was refused is remembered like any other.
        endCount += 1
        if entry.endedAt < entry.last.createdAt {
            complaints.append(Complaint(.endHasCause, "a call ends before it began", "\(entry)"))
        }
        if !entry.missed.isEmpty, entry.last.connectedAt != nil || !entry.reason.canBeMissed {
            complaints.append(
                Complaint(.endHasCause, "a call is missed that was taken", "\(entry)"))
        }
    }

    /// Every end of this event has its entry, and every entry its end.
    mutating func finish(_ event: ArbiterEvent, _ complaints: inout [Complaint]) {
        guard !(removed.isEmpty && recorded.isEmpty) else { return }
        for call in removed where recorded.count(where: { $0.call == call }) != 1 {
            complaints.append(
                Complaint(.endHasCause, "an end without exactly one history entry", "\(call)"))
        }
        for entry in recorded { settle(entry, event, &complaints) }
        checkReach(of: event, &complaints)
    }

    private mutating func settle(
        _ entry: HistoryEntry, _ event: ArbiterEvent, _ complaints: inout [Complaint]
    ) {
        let isRemoved = removed.contains(entry.call)
        switch lives[entry.call] {
        case .screened, .ended: break
        case nil where refused.contains(entry.call) || event.isMissedReport: break
        case nil, .listed:
            complaints.append(
                Complaint(.endHasCause, "a history entry without an end", "\(entry)"))
        }
        if case .ended = lives[entry.call], !isRemoved, !refused.contains(entry.call),
            !isNew(entry.call)
        {
            complaints.append(
                Complaint(.endHasCause, "a second history entry of a call", "\(entry)"))
        }
        if lives[entry.call] == nil, !event.isMissedReport { return }
        if !isRemoved { end(entry.call) }
        if entry.cause.rule.isLoss, case .ended(_, let serial, let at) = lives[entry.call] {
            lives[entry.call] = .ended(isLoss: true, serial: serial, at: at)
        }
    }

    /// What the remote side does to one call ends no other (principle 4), unless somebody's plan goes
    /// on with it.
    private func checkReach(of event: ArbiterEvent, _ complaints: inout [Complaint]) {
        guard case .callReported(let report) = event else { return }
        for entry in recorded
        where entry.call != report.call && entry.cause.rule != .emergency && entry.hasBegun
            && entry.cause.transaction == nil
        {
            complaints.append(
                Complaint(.endsOnlyItself, "a report about one call ends another", "\(entry)"))
        }
    }
}

extension HistoryEntry {
    /// An outgoing call whose start is taken back is nobody's call yet.
    fileprivate var hasBegun: Bool {
        last.direction == .incoming || last.connectedAt != nil
    }
}

extension ArbiterEvent {
    fileprivate var isMissedReport: Bool {
        if case .missedReported = self { true } else { false }
    }
}

extension Rule? {
    /// Calls that end by it may come back with their provider (rule 26).
    fileprivate var isLoss: Bool {
        self == .providerLost || self == .providerExited || self == .brokerRestarted
    }
}

extension EndReason {
    /// Nobody here saw to it (rules 37 and 39).
    fileprivate var canBeMissed: Bool {
        switch self {
        case .failed, .remoteEnded, .unanswered, .filtered: true
        case .answeredElsewhere, .declinedElsewhere, .localEnded, .declined, .cancelled: false
        }
    }
}
