package import CallArbitration
package import CallModel

/// How a run is judged.
package struct Checks: Sendable {
    /// A check that is added to the others.
    package typealias Extra = @Sendable (ArbiterEvent, [ArbiterEffect], Arbiter) -> Complaint?

    /// The checks that need a copy of the arbiter look at one event in so many.
    package var closeness = 1
    package var extra: Extra?
    /// Sentences of complaints that are known: a run goes on after them.
    package var known: Set<String> = []

    /// Whether what is applied is kept, for replays and transcripts.
    package var isRecorded = true
    /// Nothing is complained about: only a crash ends the run.
    package var isBlind = false

    /// Gets each event as a line before it is applied.
    package var log: (@Sendable (String) -> Void)?

    package init() {}

    func isKnown(_ complaint: Complaint) -> Bool {
        isBlind || known.contains(complaint.what)
    }
}

/// An arbiter under test: each event that it gets is judged at once, and its timers fire.
package struct Bench: Sendable {
    package private(set) var arbiter: Arbiter
    package private(set) var watch: EffectWatch
    package private(set) var rules = RuleTally()
    package private(set) var digest = EffectDigest()
    package private(set) var now = Instant.zero
    package private(set) var eventCount = 0
    /// The first thing that went wrong; nothing is applied after it.
    package private(set) var complaint: Complaint?
    /// What followed from the event that went wrong.
    package private(set) var lastEffects: [ArbiterEffect] = []
    /// What was applied, word for word.
    package private(set) var record: [RecordedEvent] = []
    /// How often the state was stored and read.
    package private(set) var storedCount = 0

    private let start: Arbiter
    var checks: Checks
    /// What each provider said of itself last.
    var configurations: [ProviderID: ProviderConfiguration] = [:]
    private var views = ViewWatch()
    private var promises = PromiseWatch()

    package struct RecordedEvent: Sendable {
        package let event: ArbiterEvent
        package let at: Instant
    }

    package init(checks: Checks = Checks()) {
        arbiter = Arbiter(lineage: 1)
        start = arbiter
        watch = EffectWatch(policy: arbiter.policy)
        self.checks = checks
    }

    @discardableResult
    package mutating func apply(_ event: ArbiterEvent, at instant: Instant) -> [ArbiterEffect] {
        guard complaint == nil else { return [] }
        now = max(now, instant)
        eventCount += 1
        if checks.isRecorded { record.append(RecordedEvent(event: event, at: now)) }
        if let log = checks.log { log(Self.line(event, at: now)) }
        promises.prepare(event, arbiter, isClose: eventCount % checks.closeness == 0)
        let effects = arbiter.apply(event, at: now)
        switch event {
        case .providerRegistered(let registration):
            configurations[registration.provider] = registration.configuration
        case .providerUpdated(let provider, let configuration):
            configurations[provider] = configuration
        default: break
        }
        rules.count(effects)
        digest.fold(effects, at: now)
        judge(event, effects)
        if complaint != nil { lastEffects = effects }
        if (digest.value >> 32) % Self.eventsPerStoring == 0 { goOnFromStored() }
        return effects
    }

    private static let eventsPerStoring: UInt64 = 64

    /// At points that look like random ones, the same in every run, the state is stored and read, as
    /// after a crash. What was read goes on, and is judged like any other; a replay, which does
    /// without, has to come to the same end.
    private mutating func goOnFromStored() {
        guard complaint == nil else { return }
        storedCount += 1
        do {
            let again = try Arbiter(stored: arbiter.stored()[...])
            if again != arbiter { fail(Complaint(.storing, "what was read is another state")) }
            arbiter = again
        } catch {
            fail(Complaint(.storing, "a stored state cannot be read", "\(error)"))
        }
    }

    private mutating func judge(_ event: ArbiterEvent, _ effects: [ArbiterEffect]) {
        watch.take(event, effects, at: now)
        var complaints = watch.complaints
        for sentence in arbiter.brokenInvariants() { complaints.append(Complaint(own: sentence)) }
        let host = HostSummary(
            facts: arbiter.hostFacts, audioGroup: arbiter.audioGroup,
            limits: arbiter.policy.limits, isWorking: watch.isWorking)
        views.take(event, effects, arbiter.summaries, host, &complaints)
        promises.take(event, effects, arbiter, &complaints)
        if let found = checks.extra?(event, effects, arbiter) { complaints.append(found) }
        complaint = complaints.first { !checks.isKnown($0) }
    }

    package mutating func fail(_ complaint: Complaint) {
        if self.complaint == nil, !checks.isKnown(complaint) { self.complaint = complaint }
    }

    /// The next timer that is due.
    package var nextTimer: TimerTable.Entry? {
        watch.timers.first
    }

    /// Fires what is due by then.
    package mutating func fireTimers(upTo instant: Instant, _ react: ([ArbiterEffect]) -> Void) {
        while complaint == nil, let timer = nextTimer, timer.deadline <= instant {
            react(fire(timer))
        }
    }

    package mutating func fire(_ entry: TimerTable.Entry) -> [ArbiterEffect] {
        apply(.timerFired(entry.timer), at: entry.deadline)
    }

    /// The same events again have to give the same effects and the same state (I10).
    /// - Parameter other: where to begin instead.
    package mutating func checkReplay(from other: Arbiter? = nil) {
        guard complaint == nil else { return }
        var again = other ?? start
        var digest = EffectDigest()
        for recorded in record {
            digest.fold(again.apply(recorded.event, at: recorded.at), at: recorded.at)
        }
        if digest != self.digest { fail(Complaint(.replay, "a replay has other effects")) }
        if again != arbiter { fail(Complaint(.replay, "a replay ends in another state")) }
    }
}
