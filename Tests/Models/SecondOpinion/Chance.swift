internal import CallArbitration
internal import CallModel
internal import TestSupport

/// What may happen in a run, chosen by a seed.
struct Chance {
    /// The parts of the rules that a run exercises.
    struct Menu: OptionSet {
        let rawValue: Int

        static let screening = Menu(rawValue: 1)
        static let providersGo = Menu(rawValue: 2)
        static let reports = Menu(rawValue: 4)
        static let unaskedActive = Menu(rawValue: 8)
        static let groups = Menu(rawValue: 16)
        static let groupReports = Menu(rawValue: 32)
        static let emergencies = Menu(rawValue: 64)
        static let buttons = Menu(rawValue: 128)
        static let severalActions = Menu(rawValue: 256)
        static let cancels = Menu(rawValue: 512)
        static let dryRuns = Menu(rawValue: 1024)
        static let silences = Menu(rawValue: 2048)
        static let mutes = Menu(rawValue: 4096)
        static let holds = Menu(rawValue: 8192)
        static let failures = Menu(rawValue: 16384)
        static let time = Menu(rawValue: 32768)
        static let apps = Menu(rawValue: 65536)
        static let choices = Menu(rawValue: 131072)
        static let offers = Menu(rawValue: 262144)
        static let restarts = Menu(rawValue: 524288)
        static let policies = Menu(rawValue: 1 << 20)
        static let late = Menu(rawValue: 1 << 21)
        static let oddities = Menu(rawValue: 1 << 22)
        static let waits = Menu(rawValue: 1 << 23)
        static let configurations = Menu(rawValue: 1 << 24)
        static let transfers = Menu(rawValue: 1 << 25)
        static let priorities = Menu(rawValue: 1 << 26)
        static let all = Menu(rawValue: -1)
    }

    static let providers = ["a", "b", "c"].map { ProviderID($0) }
    static let callsMax = 14

    var random: SeededRandom
    let menu: Menu
    private var lastCall = 0
    private var lastToken: UInt64 = 0

    /// In some runs nearly all calls are of one provider: groups grow.
    private let hasFavourite: Bool
    /// In a few nobody answers for long: there is too much for a provider at once (protocol, O4).
    private let isSlow: Bool

    init(seed: UInt64, menu: Menu) {
        random = SeededRandom(seed: seed)
        self.menu = menu
        hasFavourite = random.chance(35)
        isSlow = random.chance(8)
    }

    private mutating func someProvider(of choices: [ProviderID]) -> ProviderID {
        let first = Self.providers[0]
        return hasFavourite && choices.contains(first) && random.chance(85)
            ? first : random.pick(choices)
    }

    mutating func configuration() -> ProviderConfiguration {
        var configuration = ProviderConfiguration(displayName: "P", handleKinds: [.phone])
        guard menu.contains(.configurations) else {
            configuration.maxCallGroups = 6
            return configuration
        }
        configuration.supportsVideo = random.chance(50)
        configuration.supportsText = random.chance(50)
        configuration.maxCallGroups = random.pick([1, 2, 3, 6])
        configuration.maxCallsPerGroup = random.pick([2, 3, 5])
        configuration.resumesWhenFreed = random.chance(80)
        configuration.appIsSeparate = random.chance(25)
        configuration.takesTransactions = menu.contains(.offers) && random.chance(25)
        if random.chance(40) {
            configuration.lines = [Line(id: "1", label: "home"), Line(id: "2", label: "office")]
            configuration.lines[0].maxCalls = random.pick([1, 2])
        }
        if random.chance(20) { configuration.ringTimeoutMS = random.pick([5000, 120_000]) }
        if random.chance(20) { configuration.graceMS = random.pick([0, 30_000]) }
        if random.chance(20) {
            configuration.actionDeadlinesMS = [.setHeld: 1000, .end: 20_000, .answer: 3000]
        }
        return configuration
    }

    mutating func token() -> RequestToken {
        lastToken += 1
        return RequestToken(lastToken)
    }

    mutating func newCall() -> CallID {
        lastCall += 1
        return CallID(lastCall)
    }

    private mutating func call(in run: Run) -> CallView? {
        let views = run.views
        return views.isEmpty ? nil : random.pick(views)
    }

    // Steps.

    mutating func step(in run: Run) -> ScriptStep {
        let kind = Int.random(in: 0..<100, using: &random)
        return switch kind {
        case 0..<32 where !isSlow || random.chance(10): answer(in: run)
        case 0..<44: arrival(in: run)
        case 44..<72: .event(request(in: run))
        case 72..<84: .event(report(in: run))
        case 84..<92: passing()
        case 92..<96: .event(rarity(in: run))
        default: providerMove(in: run)
        }
    }

    private mutating func passing() -> ScriptStep {
        guard menu.contains(.time) else { return .pass(milliseconds: 10) }
        return random.chance(35)
            ? .passUntilDue : .pass(milliseconds: random.pick([1, 100, 1000, 4000, 6000]))
    }

    private mutating func answer(in run: Run) -> ScriptStep {
        if let offer = run.offers.first, random.chance(60) {
            return .offer(offer.provider, isTaken: random.chance(50))
        }
        let connected = run.outstanding.filter { run.isConnected($0.provider) }
        guard !connected.isEmpty, !(menu.contains(.late) && random.chance(4)) else {
            let heard = run.answered.filter { run.isConnected($0.provider) }
            guard menu.contains(.late), !heard.isEmpty else { return passing() }
            let old = random.pick(heard)
            return .late(old.call, old.kind.kind, outcome())
        }
        let dispatch = random.pick(connected)
        return .answer(dispatch.call, dispatch.kind.kind, outcome())
    }

    private mutating func outcome() -> ScriptStep.Answer {
        guard menu.contains(.failures) else { return .fulfilled(agoMS: anAge()) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<80: return .fulfilled(agoMS: anAge())
        case 80..<94: return .failed(code: -32000)
        case 94..<96: return .failed(code: -32_601)
        default: return .extended(byMS: random.pick([1000, 20_000, 100_000]))
        }
    }

    private mutating func arrival(in run: Run) -> ScriptStep {
        guard run.views.count < Self.callsMax else { return answer(in: run) }
        if random.chance(45) { return .event(start(in: run)) }
        let connected = Self.providers.filter { run.isConnected($0) }
        guard !connected.isEmpty else { return passing() }
        if menu.contains(.reports), random.chance(20) {
            return .event(external(at: someProvider(of: connected), in: run))
        }
        return .event(
            .incomingReported(
                IncomingReport(
                    token: token(), provider: someProvider(of: connected), call: newCall(),
                    update: update(),
                    needsScreening: menu.contains(.screening) && random.chance(30),
                    receivedAt: aTime(in: run))))
    }

    private mutating func start(in run: Run) -> ArbiterEvent {
        let action = started()
        return .transactionRequested(
            TransactionRequest(
                token: token(), requester: requester(action.provider ?? Self.providers[0]),
                actions: [action], options: options()))
    }

    private mutating func started() -> RequestedAction {
        let provider = someProvider(of: Self.providers)
        let isEmergency = menu.contains(.emergencies) && random.chance(10)
        let hasVideo = random.chance(8)
        let arguments = StartArguments(
            remote: Handle(kind: .phone, value: "+15550100"), hasVideo: hasVideo,
            line: menu.contains(.configurations) ? random.pick([nil, "1", "2"]) : nil,
            isEmergency: isEmergency,
            isBackground: menu.contains(.priorities) && random.chance(15))
        return RequestedAction(call: newCall(), provider: provider, action: .start(arguments))
    }

    private mutating func requester(_ own: ProviderID) -> Requester {
        guard menu.contains(.apps) else { return .user }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<65: return .user
        case 65..<88: return .app(own)
        default: return .app(random.pick(Self.providers))
        }
    }

    private mutating func options() -> CallOptions {
        var options = CallOptions()
        if menu.contains(.choices), random.chance(10) { options.onConflict = .end }
        if random.chance(10) { options.endsGroup = true }
        if menu.contains(.waits), random.chance(40) { options.wait = .completed }
        if menu.contains(.dryRuns), random.chance(8) { options.isDryRun = true }
        if menu.contains(.waits), random.chance(5) { options.deadlineMS = 2500 }
        return options
    }

    private mutating func request(in run: Run) -> ArbiterEvent {
        guard let view = call(in: run) else { return start(in: run) }
        if menu.contains(.buttons), random.chance(8) {
            return .buttonPressed(token(), random.pick(ButtonPress.allCases))
        }
        if menu.contains(.silences), random.chance(4) {
            return .silenceRequested(token(), requester(view.provider), call: view.call)
        }
        if menu.contains(.priorities), random.chance(4) {
            return .prioritizeRequested(token(), requester(view.provider), call: view.call)
        }
        if menu.contains(.groups), random.chance(35) { return groupRequest(view, in: run) }
        var actions = [action(on: view, in: run)]
        if menu.contains(.severalActions), random.chance(30), let other = call(in: run) {
            actions.append(action(on: other, in: run))
            if random.chance(20) { actions.append(action(on: view, in: run)) }
            if random.chance(20) { actions.append(started()) }
        }
        return .transactionRequested(
            TransactionRequest(
                token: token(), requester: requester(view.provider), actions: actions,
                options: options()))
    }

    private mutating func groupRequest(_ view: CallView, in run: Run) -> ArbiterEvent {
        let requester = requester(view.provider)
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<25:
            let held = run.views.filter { $0.state == .held }
            let named = held.isEmpty || random.chance(30) ? nil : random.pick(held).call
            return .swapRequested(token(), requester, call: named, options())
        case 25..<75:
            let same = run.views.filter { $0.provider == view.provider }
            let other = random.chance(90) ? random.pick(same) : random.pick(run.views)
            return .mergeRequested(
                token(), requester, call: view.call, with: other.call, options())
        default:
            return .splitRequested(token(), requester, call: view.call, options())
        }
    }

    private mutating func action(on view: CallView, in run: Run) -> RequestedAction {
        let plain = RequestedAction(call: view.call, action: fittingAction(on: view, in: run))
        guard plain.action == .answer, menu.contains(.choices) else { return plain }
        return RequestedAction(
            call: view.call, action: .answer,
            choice: random.chance(50) ? .plain : random.pick(AnswerChoice.allCases))
    }

    // What providers report.

    private mutating func report(in run: Run) -> ArbiterEvent {
        guard let view = call(in: run), run.isConnected(view.provider) else {
            return start(in: run)
        }
        let isOdd = menu.contains(.oddities) && random.chance(4)
        let provider = isOdd ? random.pick(Self.providers) : view.provider
        return .callReported(
            CallReport(
                token: token(), provider: provider, call: view.call,
                news: news(of: view, in: run), at: aTime(in: run)))
    }

    /// As a provider may give it: mostly none, some that can be, some that cannot.
    mutating func aTime(in run: Run) -> Instant? {
        anAge().map { run.now.advanced(byMS: -$0) }
    }

    private mutating func anAge() -> Int? {
        guard menu.contains(.oddities), random.chance(30) else { return nil }
        return random.pick([1_000_000_000, 90_000, 3_000, 500, 1, 0, -1])
    }

    private mutating func news(of view: CallView, in run: Run) -> CallReport.News {
        if menu.contains(.groupReports), random.chance(6) {
            let same = run.views.filter { $0.provider == view.provider && $0.call != view.call }
            return .group(with: same.isEmpty || random.chance(40) ? nil : random.pick(same).call)
        }
        if menu.contains(.reports), random.chance(15) { return .updated(update()) }
        if menu.contains(.reports), random.chance(10) { return .updated(videoRequest()) }
        if menu.contains(.reports), random.chance(10) { return .updated(textRequest()) }
        if menu.contains(.reports), menu.contains(.mutes), random.chance(6) {
            return .muted(random.chance(50))
        }
        if menu.contains(.oddities), random.chance(8) {
            return random.pick([
                .alerting(hasEarlyMedia: true), .connecting, .held(true), .ended(.localEnded),
                .ended(.unanswered), .external(.incoming, update()),
            ])
        }
        return fittingNews(of: view)
    }

    private mutating func fittingNews(of view: CallView) -> CallReport.News {
        let asksForAudio = menu.contains(.unaskedActive) && random.chance(8)
        switch view.state {
        case .starting, .dialing, .alerting, .connecting:
            return random.chance(75)
                ? random.pick([
                    .alerting(), .alerting(hasEarlyMedia: random.chance(50)), .connecting,
                    .connected,
                ]) : .ended(.remoteEnded, random.chance(50) ? EndDetail(code: "SIP 486") : nil)
        case .ringing, .waiting:
            let isAnswered = view.pending == .answering
            if asksForAudio || isAnswered && random.chance(50) { return .connected }
            return .ended(
                random.pick([.remoteEnded, .answeredElsewhere, .declinedElsewhere, .failed]))
        case .external:
            if random.chance(40) { return .external(view.direction, update()) }
            let isPulled = view.pending == .answering
            if asksForAudio || isPulled && random.chance(50) { return .connected }
            return .ended(random.pick([.remoteEnded, .failed]))
        case .active:
            return menu.contains(.reports) && random.chance(50) ? .held(true) : .ended(.remoteEnded)
        case .held:
            let isResumed = view.pending == .resuming
            if asksForAudio || isResumed && random.chance(50) { return .held(false) }
            return .ended(random.pick([.remoteEnded, .failed]))
        case .ending, .ended: return .ended(.remoteEnded)
        }
    }

    private mutating func rarity(in run: Run) -> ArbiterEvent {
        if menu.contains(.priorities), random.chance(40), let call = prioritized(in: run) {
            return .callerPrioritized(call)
        }
        if menu.contains(.screening), let screened = run.screened.first {
            return .screeningSettled(screened, verdict())
        }
        if menu.contains(.cancels), random.chance(30), lastToken > 3 {
            return .cancelRequested(
                RequestToken(lastToken - UInt64.random(in: 0..<3, using: &random)))
        }
        if menu.contains(.oddities), random.chance(30) { return oddity() }
        return report(in: run)
    }

    private mutating func prioritized(in run: Run) -> CallID? {
        let calls = run.screened + run.views.map(\.call)
        return calls.isEmpty ? nil : random.pick(calls)
    }

    private mutating func verdict() -> ScreeningVerdict {
        random.pick([
            .block(.blockList, by: "list"), .block(.screener, by: "screener"), .allow,
            .doNotDisturb, .silence(by: "screener"), .ring, .ringInCall, .timedOut,
        ])
    }

    /// About calls that are over, unknown or there already.
    private mutating func oddity() -> ArbiterEvent {
        let call = CallID(Int.random(in: 1...(lastCall + 1), using: &random))
        let provider = random.pick(Self.providers)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
            return .incomingReported(
                IncomingReport(token: token(), provider: provider, call: call, update: CallUpdate())
            )
        case 1:
            return .callReported(
                CallReport(token: token(), provider: provider, call: call, news: .connected))
        case 2:
            return .transactionRequested(
                TransactionRequest(token: token(), requester: .user, actions: []))
        case 3:
            return .missedReported(
                MissedReport(
                    token: token(), provider: provider, call: newCall(), update: CallUpdate(),
                    reasons: .callerGaveUp))
        default:
            return .transactionRequested(
                TransactionRequest(
                    token: token(), requester: requester(provider),
                    actions: [RequestedAction(call: call, action: anyAction())]))
        }
    }

    // Providers come and go.

    private mutating func providerMove(in run: Run) -> ScriptStep {
        guard menu.contains(.providersGo) else { return answer(in: run) }
        let provider = random.pick(Self.providers)
        guard run.isConnected(provider) else {
            if random.chance(20) { return .event(.providerStarting(provider, configuration())) }
            if random.chance(10) { return .event(.providerExited(provider)) }
            if random.chance(10) { return .event(.providerRevoked(provider)) }
            return .event(comeBack(provider, in: run))
        }
        if menu.contains(.restarts), random.chance(3) {
            return .event(.brokerRestarted(isSameBoot: random.chance(80)))
        }
        if menu.contains(.restarts), random.chance(5) {
            return .event(comeBack(provider, in: run))
        }
        if menu.contains(.policies), random.chance(5) { return .event(.policyChanged(policy())) }
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<50: return .event(.providerLost(provider))
        case 50..<60: return .event(.providerExited(provider))
        case 60..<64: return .event(.providerUnregistered(provider))
        case 64..<68: return .event(.providerRevoked(provider))
        case 68..<75: return .event(.providerUpdated(provider, configuration()))
        default: return answer(in: run)
        }
    }

    private mutating func comeBack(_ provider: ProviderID, in run: Run) -> ArbiterEvent {
        let own = run.views.filter { $0.provider == provider && $0.state != .starting }
        var calls: [LiveCall] = []
        for view in own where random.chance(90) {
            let isTrue = !menu.contains(.restarts) || random.chance(80)
            let state = view.state == .waiting ? .ringing : view.state
            calls.append(
                LiveCall(
                    call: view.call, direction: view.direction,
                    state: isTrue ? state : random.pick(Self.liveStates),
                    update: random.chance(10) ? update() : CallUpdate(),
                    connectedAt: aTime(in: run)))
        }
        if menu.contains(.restarts) { calls += strangers(in: run) }
        return .providerRegistered(
            ProviderRegistration(
                token: token(), provider: provider, configuration: configuration(),
                calls: run.isKnown(provider) || random.chance(50) ? calls : nil,
                hasMore: menu.contains(.restarts) && random.chance(15)))
    }

    private static let liveStates: [CallState] = [
        .ringing, .dialing, .alerting, .connecting, .active, .held, .external,
    ]

    /// Calls that the broker does not know, or no longer.
    private mutating func strangers(in run: Run) -> [LiveCall] {
        guard random.chance(40), run.views.count < Self.callsMax else { return [] }
        return (0..<random.pick([1, 2])).map { _ in
            let isOld = random.chance(50) && lastCall > 0
            let call =
                isOld
                ? CallID(Int.random(in: max(1, lastCall - 10)...lastCall, using: &random))
                : newCall()
            let state = random.pick(Self.liveStates)
            return LiveCall(
                call: call,
                direction: [.dialing, .alerting, .connecting].contains(state)
                    ? .outgoing : .incoming,
                state: state, update: update(), connectedAt: aTime(in: run))
        }
    }

    mutating func arrivals() -> [ScriptStep] {
        Self.providers.map {
            .event(
                .providerRegistered(
                    ProviderRegistration(
                        token: token(), provider: $0, configuration: configuration())))
        }
    }
}
