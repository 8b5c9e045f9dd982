public import CallArbitration
public import CallModel

/// The rules of arbitration a second time, as plainly as they can be written: arrays, linear
/// searches, everything worked out anew whenever it is asked for. It follows an engine event by event
/// and says in words where the engine does something else.
///
/// It decides by itself what each request is answered, which actions go to which call in which
/// order and by which rule, which calls end and why, who holds the audio, who is held because of
/// whom, what is allowed, and how every call looks afterwards. Only the ids that the engine makes
/// are learnt from its effects.
///
/// Not compared: the trace of decisions (`note`), the causes of the changes of calls and of the
/// audio, the states of actions as they are announced (they are in the reports), and revisions.
public struct NaiveArbiter {
    var policy: ArbitrationPolicy
    var now = Instant.zero

    var providers: [Provider] = []
    /// In the order of their coming; an ended call is taken out.
    var calls: [Call] = []
    var groups: [Group] = []
    /// Those of all plans, and ends of calls that are over.
    var actions: [Action] = []
    var plans: [Plan] = []
    /// The plan that waits for room (section 1), or merges or splits.
    var reservation: Int?
    /// The group with microphone and speaker.
    var audio: Int?
    /// How it was called when it got them: its provider hears the same name when it loses them.
    var audioName: CallID?
    /// Ids that may not be used again (protocol, S7).
    var endedCalls: [EndedCall] = []
    /// What we stopped waiting for: if it is done after all, app and broker must not stay of two
    /// minds (rule 29).
    var abandoned: [Abandoned] = []
    /// How the engine calls an action, by our own number.
    var ids: [Int: ActionID] = [:]
    /// Whose emergency call ended less than five minutes ago (rule 20).
    var callbacks: [ProviderID] = []
    var deadlines: [Deadline] = []
    /// The engine's.
    var timers: [(timer: TimerID, at: Instant)] = []
    /// Actions whose turn has come and whose outcome is known.
    var settledEarly: [Int] = []
    /// Who ended in the event under way what was live or wanted to be: the last one.
    var lastEnd: Origin?

    /// How the calls looked after the last event.
    var seen: [CallView] = []

    /// The time that a provider gives in the event under way.
    var said: Said?

    /// What should come of the event under way.
    var wanted = Wanted()
    private var lastNumber = 0

    struct EndedCall {
        let call: CallID
        let at: Instant
        /// Its provider was lost: it may be adopted again.
        var isLoss = false
    }

    public init(policy: ArbitrationPolicy) {
        self.policy = policy
    }

    /// Takes an event, and what the engine did on it; returns in words every difference from what
    /// the rules want.
    public mutating func follow(_ event: ArbiterEvent, at now: Instant, _ engine: Seen) -> [String]
    {
        self.now = now
        wanted = Wanted()
        lastEnd = nil
        let (before, wasQuiet) = (facts, quiet)
        let wereBeingHeld = groups.map(\.number).filter { isBeingHeld($0) }
        take(event)
        settleWhatFollows()
        withdrawEmergencies()
        settleDebts(since: wasQuiet, wereBeingHeld)
        arrangeRinging()
        if facts != before { wanted.announced.append(.hostChanged(facts)) }
        learnIDs(from: engine.effects)
        noteTimers(event, engine.effects)
        return differences(from: engine.effects) + differences(from: engine)
    }

    mutating func take(_ event: ArbiterEvent) {
        switch event {
        case .providerStarting(let provider, let configuration): expect(provider, configuration)
        case .providerRegistered(let registration): register(registration)
        case .providerUpdated(let provider, let configuration): update(provider, configuration)
        case .providerUnregistered(let provider): remove(provider, .unregistered, .providerLost)
        case .providerLost(let provider): lose(provider)
        case .providerExited(let provider): exit(provider)
        case .providerRevoked(let provider): revoke(provider)
        case .incomingReported(let report): takeIncoming(report)
        case .missedReported(let report): takeMissed(report)
        case .callReported(let report): takeReport(report)
        case .screeningSettled(let call, let verdict): settleScreening(of: call, verdict)
        case .callerIdentified(let call, let caller): change(call) { $0.caller = caller }
        case .transactionRequested(let request): takeRequest(request)
        case .swapRequested(let token, let requester, let call, let options):
            takeSwap(token, requester, call, options)
        case .mergeRequested(let token, let requester, let call, let other, let options):
            ask(.setGroup(with: other), call, token, requester, options)
        case .splitRequested(let token, let requester, let call, let options):
            ask(.setGroup(with: nil), call, token, requester, options)
        case .buttonPressed(let token, let press): takeButton(token, press)
        case .silenceRequested(let token, let requester, let call):
            takeSilence(token, requester, call)
        case .cancelRequested(let token): takeCancel(token)
        case .actionFulfilled(let action, let provider, let at):
            takeAnswer(action, provider, nil, at: at)
        case .actionFailed(let action, let provider, let failure):
            takeAnswer(action, provider, failure)
        case .actionExtended(let action, let provider, let milliseconds):
            extend(action, provider, byMS: milliseconds)
        case .offerSettled(let id, let provider, let isTaken): settleOffer(id, provider, isTaken)
        case .timerFired(let timer): takeTimer(timer)
        case .policyChanged(let policy): self.policy = policy
        case .brokerRestarted(let isSameBoot): restart(isSameBoot: isSameBoot)
        }
    }

    /// What was waited for, and has come about by the event.
    mutating func settleWhatFollows() {
        while true {
            if let number = settledEarly.popLast() {
                settleEarly(number)
            } else if liveGroup == nil, let plan = plans.first(where: { isAwaitingEnding($0) }) {
                goOn(plan.number)
            } else if !goOnAfterHold() {
                return
            }
        }
    }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}

/// What can be seen of an engine after an event.
public struct Seen {
    public var effects: [ArbiterEffect]
    public var views: [CallView]
    public var facts: HostFacts
    public var audio: CallID?

    public init(
        effects: [ArbiterEffect], views: [CallView], facts: HostFacts, audio: CallID?
    ) {
        self.effects = effects
        self.views = views
        self.facts = facts
        self.audio = audio
    }
}
