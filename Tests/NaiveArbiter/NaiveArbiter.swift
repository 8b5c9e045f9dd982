public import CallArbitration
public import CallModel

/// The rules of arbitration a second time, as plainly as they can be written: arrays, linear
/// searches, one function per row of the contract. It follows an engine event by event and says in
/// words where the engine does something else.
///
/// It decides by itself what each request is answered, which actions go to which call in which
/// order, which calls end and why, who holds the audio, who is held because of whom, and how every
/// call looks afterwards. Only the ids that the engine makes are learnt from its effects.
///
/// Not compared: the words and the trace of decisions, announcements apart from `resumeOffered`,
/// `callRefused` and `anomaly`, revisions, `allowed`, what is pending.
public struct NaiveArbiter {
    var policy: ArbitrationPolicy
    var now = Instant.zero

    var providers: [Provider] = []
    /// In the order of their coming; an ended call is taken out.
    var calls: [Call] = []
    var groups: [Group] = []
    /// Sent or waiting to be sent; a settled action is taken out.
    var actions: [Action] = []
    var plans: [Plan] = []
    /// The group with microphone and speaker.
    var audio: Int?
    /// How it was called when it got them: its provider hears the same name when it loses them.
    var audioName: CallID?
    /// Ids that may not be used again (protocol, S7).
    var endedCalls: [(call: CallID, at: Instant)] = []
    /// Starts and answers whose call ended before they were settled (rule 29).
    var overtaken: [(action: Int, call: CallID, provider: ProviderID)] = []
    /// How the engine calls an action, by our own number; known when it has been sent.
    var ids: [Int: ActionID] = [:]
    /// Holds and resumes that were taken back or given up (protocol, section 7: some are done all
    /// the same).
    var withdrawn: [Withdrawn] = []
    /// Whose emergency call ended less than five minutes ago (rule 20), connected or not.
    var callbacks: [ProviderID] = []
    var deadlines: [Deadline] = []
    /// The engine's.
    var timers: [(timer: TimerID, at: Instant)] = []

    /// What should come of the event under way.
    var wanted = Wanted()
    private var lastNumber = 0

    public init(policy: ArbitrationPolicy) {
        self.policy = policy
    }

    /// Takes an event, and what the engine did on it; returns in words every difference from what
    /// the rules want.
    public mutating func follow(
        _ event: ArbiterEvent, at now: Instant, effects: [ArbiterEffect], views: [CallView],
        live: CallID?, audio: CallID?
    ) -> [String] {
        self.now = now
        wanted = Wanted()
        take(event)
        arrangeRinging()
        learnIDs(from: effects)
        noteTimers(event, effects)
        return differences(from: effects)
            + differences(from: views, live: live, audio: audio)
    }

    private mutating func take(_ event: ArbiterEvent) {
        switch event {
        case .providerRegistered(let registration): register(registration)
        case .providerUpdated(let provider, let configuration): update(provider, configuration)
        case .providerUnregistered(let provider): unregister(provider)
        case .providerLost(let provider): lose(provider)
        case .providerExited(let provider): exit(provider)
        case .incomingReported(let report): takeIncoming(report)
        case .missedReported(let report): takeMissed(report)
        case .callReported(let report): takeReport(report)
        case .screeningSettled(let call, let verdict): settleScreening(of: call, verdict)
        case .transactionRequested(let request): takeRequest(request)
        case .swapRequested(let token, let requester, let call, let options):
            takeSwap(Wish(token, requester, options), call)
        case .mergeRequested(let token, let requester, let call, let other, let options):
            takeMerge(Wish(token, requester, options), call, with: other)
        case .splitRequested(let token, let requester, let call, let options):
            takeSplit(Wish(token, requester, options), call)
        case .buttonPressed(let token, let press): takeButton(token, press)
        case .silenceRequested(let token, let requester, let call):
            takeSilence(token, requester, call)
        case .cancelRequested(let token): takeCancel(token)
        case .actionFulfilled(let action, let provider): takeAnswer(action, provider, .fulfilled)
        case .actionFailed(let action, let provider, let failure):
            takeAnswer(action, provider, .failed(failure))
        case .actionExtended(let action, let provider, let milliseconds):
            extend(action, provider, byMS: milliseconds)
        case .offerSettled: break
        case .timerFired(let timer): takeTimer(timer)
        case .policyChanged(let policy): self.policy = policy
        case .brokerRestarted(let isSameBoot): restart(isSameBoot: isSameBoot)
        }
    }

    mutating func nextNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }
}
