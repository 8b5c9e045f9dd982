internal import CallArbitration
internal import CallModel
internal import TestSupport

/// The remote sides, filters, and what apps say without being asked.
extension World {
    // MARK: - New calls

    mutating func incoming() -> ArbiterEvent? {
        let connected = providers.filter { $0.link == .connected }
        guard !connected.isEmpty else { return nil }
        let id = random.pick(connected).id
        let isNew = random.chance(95)
        let call = isNew ? makeCall() : someCall() ?? makeCall()
        if random.chance(3) {
            return .missedReported(
                MissedReport(
                    token: makeToken(), provider: id, call: call, update: randomUpdate(),
                    reasons: .callerGaveUp))
        }
        if random.chance(12) { return external(call, isNew: isNew, at: id) }
        if isNew {
            with(id) {
                $0.legs.append(.init(call: call, direction: .incoming, state: .ringing))
            }
        }
        return .incomingReported(
            IncomingReport(
                token: makeToken(), provider: id, call: call, update: randomUpdate(),
                needsScreening: random.chance(25)))
    }

    /// A call on another device of the same account.
    private mutating func external(
        _ call: CallID, isNew: Bool, at id: ProviderID
    ) -> ArbiterEvent? {
        var update = randomUpdate()
        if random.chance(90) { update.supportsPull = .set(true) }
        let direction = random.pick([Direction.incoming, .outgoing])
        if isNew {
            with(id) { $0.legs.append(.init(call: call, direction: direction, state: .external)) }
        }
        return report(.external(direction, update), of: call, by: id)
    }

    mutating func randomUpdate() -> CallUpdate {
        var update = CallUpdate()
        update.remote = .set(Handle(kind: .phone, value: "1"))
        if random.chance(12) { update.hasVideo = .set(true) }
        if random.chance(12) { update.supportsHolding = .set(random.chance(40)) }
        if random.chance(8) { update.supportsGrouping = .set(random.chance(50)) }
        if random.chance(8) { update.supportsUngrouping = .set(random.chance(50)) }
        if random.chance(8) { update.supportsDTMF = .set(random.chance(50)) }
        if random.chance(20) { update.supportsTransfer = .set(random.chance(70)) }
        if random.chance(20) { update.supportsAttendedTransfer = .set(random.chance(70)) }
        if random.chance(20) { update.supportsDeflect = .set(random.chance(70)) }
        if random.chance(30) { update.endpoints = .set(randomEndpoints()) }
        if random.chance(8) { update.elsewhere = .set("Kitchen phone") }
        if random.chance(30) { update.supportsSetVideo = .set(random.chance(80)) }
        if random.chance(30) { update.supportsSetText = .set(random.chance(80)) }
        if random.chance(5) { update.hasText = .set(random.chance(50)) }
        if random.chance(5) { update.video = .set(random.pick(VideoDirection.allCases)) }
        if random.chance(8) { update.verification = random.pick([.set(.failed), .cleared]) }
        if random.chance(8) { update.line = .set(random.pick(["1", "2"])) }
        if random.chance(8) { update.displayName = random.chance(50) ? .set("x") : .cleared }
        if random.chance(3) { update.priority = .set(random.pick([.background, .priorityCaller])) }
        if scenery.hasEmergencies, random.chance(4) { update.priority = .set(.emergency) }
        return update
    }

    private mutating func textRequest() -> CallUpdate {
        var update = CallUpdate()
        update.textRequest = .set(random.chance(80))
        return update
    }

    private mutating func videoRequest() -> CallUpdate {
        var update = CallUpdate()
        update.videoRequest =
            random.chance(80) ? .set(random.pick([.send, .receive, .both])) : .cleared
        return update
    }

    mutating func randomEndpoints() -> [AudioEndpoint] {
        var endpoints = ["1", "2", "3"].map { AudioEndpoint(id: $0, kind: .wired) }
        if random.chance(50) { endpoints[1].state = .unavailable }
        if random.chance(80) { endpoints[0].state = .inUse }
        if random.chance(20) { endpoints.removeLast() }
        return endpoints
    }

    /// Filters look at a call: in time, too late, or never.
    mutating func look(at call: CallID) {
        guard random.chance(80) else { return }
        let verdict = random.pick([
            ScreeningVerdict.ring, .ring, .ringInCall, .allow, .doNotDisturb,
            .silence(by: "filter"),
            .block(.blockList, by: "list"), .block(.screener, by: "filter"), .timedOut,
        ])
        let afterMS = Int.random(in: 0..<1_800, using: &random)
        if random.chance(20) { errands.add(.priority(call), at: later(afterMS)) }
        errands.add(.verdict(call, verdict), at: later(afterMS))
    }

    // MARK: - What happens to calls

    /// A provider tells of one of its calls, mostly what can be.
    mutating func remoteNews() -> ArbiterEvent? {
        let able = providers.filter { $0.link == .connected && !$0.legs.isEmpty }
        guard !able.isEmpty else { return nil }
        let provider = random.pick(able)
        let leg = random.pick(provider.legs)
        let isWild = provider.temperament == .selfWilled || provider.temperament == .lying
        let news = isWild && random.chance(50) ? wildNews(provider) : usualNews(leg)
        guard let news else { return nil }
        return report(news, of: leg.call, by: provider.id)
    }

    private mutating func usualNews(
        _ leg: SimulatedProvider.Leg
    ) -> CallReport.News? {
        if random.chance(25) { return .updated(randomUpdate()) }
        switch leg.state {
        case .dialing:
            if random.chance(30) { return alerting() }
            return random.chance(85) ? (random.chance(40) ? .connecting : .connected) : hangUp()
        case .alerting:
            if random.chance(10) { return alerting() }
            return random.chance(85) ? (random.chance(40) ? .connecting : .connected) : hangUp()
        case .connecting: return random.chance(90) ? .connected : hangUp()
        case .ringing, .waiting:
            guard random.chance(15) else { return nil }
            return .ended(
                random.pick([.answeredElsewhere, .declinedElsewhere, .remoteEnded, .unanswered]),
                elsewhere: random.pick([nil, "Kitchen phone"]))
        case .active, .held:
            if random.chance(10) { return .muted(random.chance(50)) }
            if random.chance(10) { return .updated(videoRequest()) }
            if random.chance(10) { return .updated(textRequest()) }
            if random.chance(4) { return .held(leg.state == .active) }
            return isCrowded || random.chance(12) ? hangUp() : nil
        case .external:
            if random.chance(60) { return .external(leg.direction, randomUpdate()) }
            return random.chance(30) ? .connected : hangUp()
        case .starting, .ending, .ended: return nil
        }
    }

    private mutating func alerting() -> CallReport.News {
        .alerting(hasEarlyMedia: random.pick([nil, nil, true, false]))
    }

    private mutating func hangUp() -> CallReport.News {
        .ended(random.pick([.remoteEnded, .remoteEnded, .failed]), detail())
    }

    /// What some apps say of an end.
    private mutating func detail() -> EndDetail? {
        guard random.chance(30) else { return nil }
        return EndDetail(random.pick(EndDetail.Reason.all), text: "so it is", code: "SIP 486")
    }

    private mutating func wildNews(_ provider: SimulatedProvider) -> CallReport.News {
        switch Int.random(in: 0..<13, using: &random) {
        case 0: random.chance(50) ? .connecting : alerting()
        case 1..<4: .connected
        case 4, 5: .held(true)
        case 6: .held(false)
        case 7: .muted(random.chance(50))
        case 8, 9: .group(with: random.chance(70) ? random.pick(provider.legs).call : nil)
        case 10: .updated(randomUpdate())
        case 11: .external(.incoming, randomUpdate())
        default: .ended(random.pick(EndReason.allCases))
        }
    }

    /// Lies: about actions and calls that are not theirs, or that do not exist.
    mutating func lie() -> ArbiterEvent? {
        let liars = providers.filter { $0.link == .connected && $0.temperament == .lying }
        guard !liars.isEmpty else { return nil }
        let liar = random.pick(liars).id
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
            lastCall += 1
            return .actionFulfilled(ActionID(UUIDBits(high: 1, low: lastCall)), by: liar)
        case 1, 2:
            guard !recentActions.isEmpty else { return nil }
            return .actionFulfilled(random.pick(recentActions), by: liar)
        case 3:
            guard !recentActions.isEmpty else { return nil }
            return .actionExtended(random.pick(recentActions), by: liar, byMS: 60_000)
        default:
            let calls = bench.arbiter.visibleCalls + recentCalls
            guard !calls.isEmpty, let provider = provider(liar), !provider.legs.isEmpty else {
                return nil
            }
            return .callReported(
                CallReport(
                    token: makeToken(), provider: liar, call: random.pick(calls),
                    news: wildNews(provider)))
        }
    }

    mutating func someCall() -> CallID? {
        let calls = random.chance(90) ? bench.arbiter.visibleCalls : recentCalls
        return calls.isEmpty ? nil : random.pick(calls)
    }

    /// More calls than this world likes to have.
    var isCrowded: Bool {
        bench.arbiter.visibleCalls.count > scenery.callsWanted
    }
}
