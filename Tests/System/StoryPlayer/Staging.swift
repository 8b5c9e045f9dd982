internal import CallArbitration
package import CallModel
package import CallTranscript

/// Turns the steps of a story into what clients do and what they get: the same for every shell. It
/// knows what the protocol says of each event and effect, and decides nothing about calls.
package struct Staging: Sendable {
    /// A provider as its connections see it.
    struct Line: Sendable {
        var isOpen = false
        /// Counts its connections from 1.
        var connection = 0
        /// The latest id that the broker gave to a request on this connection.
        var lastID: Int64 = 0
        /// The requests that it has not answered yet.
        var performs: [ActionID: Int64] = [:]
        var offers: [TransactionID: Int64] = [:]
        /// By which each action was sent on this connection, alone or with others.
        var requests: [ActionID: Int64] = [:]
        /// All of this connection, answered or not.
        var formerPerforms: [ActionID: Int64] = [:]
        var formerOffers: [TransactionID: Int64] = [:]
        var isRegistered = false
        /// The broker watches its process.
        var isWatched = false
        /// Requests of its app that wait for a reply.
        var waiting: Set<UInt64> = []
    }

    /// A request, from its frame to its last reply.
    struct Asked: Sendable {
        enum Form: Sendable {
            case plain, incoming, registration
            case transaction(isDryRun: Bool)
        }

        let client: Client
        let form: Form
        var isAccepted = false
        /// By `call.dial`: if nothing comes of it observers hear of that.
        var isDial = false
        /// The calls that it starts with video.
        var videoStarts: Set<CallID> = []
    }

    struct Completion: Sendable {
        let transaction: TransactionID?
        let event: Wire
        /// Who has heard of it without a subscription.
        var told: Set<Client> = []
    }

    /// Requests that no token stands for have ids from here on.
    static let firstOwnID: UInt64 = 1_000_000

    let epoch: String
    let clock: WireClock
    /// Providers whose processes end somewhere in the section.
    let mortals: Set<ProviderID>
    var now = Instant.zero
    var timers = TimerTable()
    var lines: [ProviderID: Line] = [:]
    var asked: [UInt64: Asked] = [:]
    var lastOwnID = firstOwnID
    var policy = ArbitrationPolicy()
    /// The number of the latest event.
    var seq: Int64 = 0
    /// The number of the latest event that the observer was sent.
    var sentSeq: Int64 = 0
    /// All calls, in the order in which they were published.
    var published: [CallID] = []
    /// The provider whose process ends in this step: what it has reported is answered.
    var leaving: Client?
    /// The calls that are on other devices.
    var externals: Set<CallID> = []
    /// Missed calls that the user has not seen.
    var missed: Int64 = 0
    var dispatched: [ActionID: Dispatch] = [:]
    var settledActions: [ActionID: Dispatch] = [:]
    /// Whom each call is with.
    var remotes: [CallID: Handle] = [:]
    var notes: [Note] = []
    /// What the observer knows of the host.
    var facts = HostFacts()
    var audio: CallID?
    /// The transaction that was completed in this step.
    var completion: Completion?
    /// The filters that each call needs.
    let cast: FilterCast
    var filters: [Filter: FilterLine] = [:]
    /// The calls that filters look at.
    var examined: Set<CallID> = []
    /// Those of whose callers a filter says that they have priority.
    var prioritized: Set<CallID> = []
    /// What `call.explain` says beside the decision of filters, in this step.
    var credit = Credit()
    var isQuiet = false
    var lastArbiter: Arbiter?
    /// Addresses that are not called, in this step.
    var refusedDials: [(client: Client, refusal: Refusal, transaction: TransactionID?)] = []

    /// - Parameters:
    ///   - epoch: of the shell, as in its hello.
    ///   - offsetMS: from the test clock to Unix time.
    ///   - mortals: providers whose processes end.
    ///   - cast: the filters that the section needs.
    package init(
        epoch: String, offsetMS: Int64, mortals: Set<ProviderID>, cast: FilterCast
    ) {
        self.epoch = epoch
        self.cast = cast
        self.mortals = mortals
        clock = WireClock(offsetMS: offsetMS)
    }

    /// What the next steps look like on the wire: one, and the timers that are due then.
    package mutating func act(
        _ steps: inout ArraySlice<Transcript.Step>
    ) throws(Unplayable) -> Act {
        guard let first = steps.popFirst() else { preconditionFailure("there is a step") }
        guard !goesOnElsewhere(first) else { throw .emergencyGoesOn }
        var act = Act(line: first.line)
        try move(to: first, in: &act)
        if case .timerFired(let timer) = first.event {
            try fire(timer, first, in: &act)
        } else {
            try play(first, in: &act)
            if let due = timers.first, due.deadline <= now { act.moves.append(clockMove) }
        }
        while let due = timers.first, due.deadline <= now {
            guard let next = steps.first, case .timerFired(let timer) = next.event,
                next.now == now
            else { throw .timerIsDue }
            steps.removeFirst()
            try fire(timer, next, in: &act)
        }
        return act
    }

    /// Whether an emergency fails that another app could place.
    private func goesOnElsewhere(_ step: Transcript.Step) -> Bool {
        for case .record(let entry) in step.effects where entry.reason == .failed {
            guard entry.last.properties.priority == .emergency,
                entry.last.direction == .outgoing, entry.last.connectingAt == nil,
                entry.last.connectedAt == nil
            else { continue }
            return lines.contains { $0.key != entry.provider && $0.value.isOpen }
        }
        return false
    }

    private var clockMove: Move {
        .advance(toMS: Int(now.nanoseconds / 1_000_000))
    }

    /// Moves the clock, if time has passed.
    private mutating func move(
        to step: Transcript.Step, in act: inout Act
    ) throws(Unplayable) {
        guard step.now.nanoseconds % 1_000_000 == 0 else { throw .fractionOfMillisecond }
        let isTimer = step.event.isTimeOut
        if let due = timers.first, isTimer ? due.deadline < step.now : due.deadline <= step.now {
            throw .timerIsDue
        }
        guard step.now > now || isTimer else { return }
        now = max(now, step.now)
        act.moves.append(clockMove)
    }

    private mutating func fire(
        _ timer: TimerID, _ step: Transcript.Step, in act: inout Act
    ) throws(Unplayable) {
        guard let due = timers.first, due.timer == timer, due.deadline == now else {
            throw .timerIsNotDue
        }
        timers.stop(timer)
        if case .screening = timer { credit = .late }
        if case .offer(let transaction, let provider) = timer {
            withdrawOffer(transaction, from: provider, in: &act)
        }
        perform(step, in: &act)
        credit = Credit()
    }

    private mutating func play(
        _ step: Transcript.Step, in act: inout Act
    ) throws(Unplayable) {
        let ending = try say(step, in: &act)
        perform(step, in: &act)
        ending?(&self, &act)
    }

    /// Everything that the arbiter wants done.
    private mutating func perform(_ step: Transcript.Step, in act: inout Act) {
        lastArbiter = step.arbiter
        examined = examined.filter { step.arbiter.screenedView(of: $0) != nil }
        for effect in step.effects { expect(effect, step, in: &act) }
        completion = nil
        tellRefusedDials(in: &act)
    }

    // MARK: - Clients

    func client(of provider: ProviderID) -> Client? {
        guard let line = lines[provider], line.isOpen else { return nil }
        return .provider(provider, connection: line.connection)
    }

    /// The open connection of a provider; a new one if there is none.
    mutating func connect(_ provider: ProviderID, in act: inout Act) -> Client {
        if let client = client(of: provider) { return client }
        var line = lines[provider, default: Line()]
        line.isOpen = true
        line.connection += 1
        line.lastID = 0
        line.requests = [:]
        line.formerPerforms = [:]
        line.formerOffers = [:]
        lines[provider] = line
        let client = Client.provider(provider, connection: line.connection)
        act.moves.append(.connect(client, mayExit: mortals.contains(provider)))
        return client
    }

    mutating func disconnect(_ provider: ProviderID) {
        lines[provider]?.isOpen = false
        lines[provider]?.performs = [:]
        lines[provider]?.offers = [:]
        lines[provider]?.waiting = []
    }

    mutating func ownID() -> UInt64 {
        lastOwnID += 1
        return lastOwnID
    }

    /// Whether frames for this client still reach it.
    func isOpen(_ client: Client) -> Bool {
        guard case .provider(let provider, _) = client else { return true }
        return self.client(of: provider) == client
    }
}

extension ArbiterEvent {
    /// Time alone brings it about.
    fileprivate var isTimeOut: Bool {
        switch self {
        case .timerFired, .screeningSettled(_, .timedOut): true
        default: false
        }
    }
}

/// The timers that a shell has armed, as it fires them: by deadline, then by age.
struct TimerTable: Sendable {
    struct Entry: Sendable {
        let timer: TimerID
        let deadline: Instant
        let number: Int
    }

    private var entries: [Entry] = []
    private var lastNumber = 0

    var first: Entry? {
        entries.min { ($0.deadline, $0.number) < ($1.deadline, $1.number) }
    }

    mutating func start(_ timer: TimerID, at deadline: Instant) {
        stop(timer)
        lastNumber += 1
        entries.append(Entry(timer: timer, deadline: deadline, number: lastNumber))
    }

    mutating func stop(_ timer: TimerID) {
        entries.removeAll { $0.timer == timer }
    }
}

/// A decision that `call.explain` has to show.
struct Note: Sendable {
    let decision: Decision
    var endReason: EndReason?
    var endDetail: EndDetail?
    var failure: ActionFailure?
    /// The filter that decided, by its identity.
    var filter: String?
    var explanation: Wire?
    let seq: Int64
    let at: Instant
}
