public import CallArbitration
public import CallModel

/// The rules of arbitration a second time, as plainly as they can be written: arrays, linear
/// searches, and everything computed again at each use. It follows an engine event by event and
/// describes each difference.
///
/// It decides on its own the reply to each request, the order and rule of each action, the calls
/// that end and why, the holder of the audio, the call that each group is held for, what is
/// allowed, and the view of every call afterwards. It learns only the ids that the engine makes,
/// from its effects.
///
/// Not compared: the trace of decisions (`note`), the causes of the changes of calls and of the
/// audio, the announced states of actions (they are in the reports), and revisions.
public struct NaiveArbiter {
    var policy: ArbitrationPolicy
    var now = Instant.zero

    var providers: [Provider] = []
    /// The calls that have not ended, oldest first.
    var calls: [Call] = []
    var groups: [Group] = []
    /// The actions of all plans, and the ends of calls that are over.
    var actions: [Action] = []
    var plans: [Plan] = []
    /// The plan that waits for room (section 1), or merges or splits.
    var reservation: Int?
    /// The group with microphone and speaker.
    var audio: Int?
    /// The name of that group at the grant, under which the audio is withdrawn.
    var audioName: CallID?
    /// The ids that may not be used again (rule 31).
    var endedCalls: [EndedCall] = []
    /// The actions that are not waited for any more: if one is done after all, app and broker must
    /// agree again (rule 29).
    var abandoned: [Abandoned] = []
    /// The engine's ids of actions, by their number here.
    var ids: [Int: ActionID] = [:]
    /// The providers whose emergency call ended less than five minutes ago (rule 20).
    var callbacks: [ProviderID] = []
    var deadlines: [Deadline] = []
    /// The timers of the engine.
    var timers: [(timer: TimerID, at: Instant)] = []
    /// The actions whose turn has come and whose outcome is known.
    var settledEarly: [Int] = []
    /// The origin of the last end, in the present event, of a call that was live or was to become
    /// live.
    var lastEnd: Origin?

    /// The views of the calls after the last event.
    var seen: [CallView] = []

    /// The time that a provider reports in the present event.
    var said: Said?

    /// The expected outcome of the present event.
    var wanted = Wanted()
    private var lastNumber = 0

    struct EndedCall {
        let call: CallID
        let at: Instant
        /// Indicates that the call's provider was lost, and that the call may be adopted again.
        var isLoss = false
    }

    /// Creates a model of a host without calls.
    public init(policy: ArbitrationPolicy) {
        self.policy = policy
    }

    /// Follows an event and the engine's outcome; returns a sentence for every difference from the
    /// rules.
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
        case .callerPrioritized(let call): prioritize(call)
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
        case .prioritizeRequested(let token, let requester, let call):
            takePriority(token, requester, call)
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

    /// Settles what the event has made possible, until nothing more follows.
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

/// The visible outcome of an event in an engine.
public struct Seen {
    /// The effects of the event, in order.
    public var effects: [ArbiterEffect]
    /// The views of all listed calls after the event.
    public var views: [CallView]
    /// The facts about the host after the event.
    public var facts: HostFacts
    /// The name of the group that has the audio, if one has.
    public var audio: CallID?

    /// Creates the record of one event.
    public init(
        effects: [ArbiterEffect], views: [CallView], facts: HostFacts, audio: CallID?
    ) {
        self.effects = effects
        self.views = views
        self.facts = facts
        self.audio = audio
    }
}
