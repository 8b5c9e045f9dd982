internal import CallArbitration
internal import CallModel
internal import TestSupport

/// Apps come, go, and come back.
extension World {
    /// A provider loses its connection, or exits; it will come back.
    mutating func trouble() -> ArbiterEvent? {
        let connected = providers.filter { $0.link == .connected }
        guard let victim = connected.isEmpty ? nil : random.pick(connected) else { return nil }
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<6:
            with(victim.id) { $0.link = .lost }
            comeBackLater(victim.id)
            return .providerLost(victim.id)
        case 6..<8:
            with(victim.id) {
                $0.link = .lost
                if !$0.configuration.appIsSeparate { $0.legs = [] }
            }
            comeBackLater(victim.id)
            return .providerExited(victim.id)
        case 8:
            with(victim.id) { $0.legs = [] }
            comeBackLater(victim.id)
            return .providerUnregistered(victim.id)
        default:
            let changed = Scenery.configuration(
                victim.configuration.displayName, lovesGroups: scenery.lovesGroups, &random)
            with(victim.id) { $0.configuration = changed }
            return .providerUpdated(victim.id, changed)
        }
    }

    private mutating func comeBackLater(_ id: ProviderID) {
        let afterMS = random.pick([10, 500, 3_000, 4_900, 12_000, 40_000])
        errands.add(.comeBack(id), at: later(afterMS))
    }

    /// The broker was away, and so is everybody for a while.
    mutating func restart() -> ArbiterEvent {
        let isSameBoot = random.chance(80)
        for index in providers.indices where providers[index].link == .connected {
            providers[index].link = .lost
            if !isSameBoot { providers[index].legs = [] }
            comeBackLater(providers[index].id)
        }
        return .brokerRestarted(isSameBoot: isSameBoot)
    }

    /// The process of one whose connection was lost exits, too.
    mutating func exitOfLost() -> ArbiterEvent? {
        let lost = providers.filter { $0.link == .lost }
        guard !lost.isEmpty else { return nil }
        return .providerExited(random.pick(lost).id)
    }

    /// The administrator lets an app have no calls, whether it is there or not. What it does later it
    /// does as one that may have some again.
    mutating func revocation() -> ArbiterEvent? {
        guard !scenery.isCalm, random.chance(30) else { return nil }
        return .providerRevoked(random.pick(providers).id)
    }

    /// The arbiter has given it up; the app may not know.
    mutating func removed(_ id: ProviderID) {
        with(id) { if $0.link == .connected { $0.link = .absent } }
    }

    mutating func comeBack(_ id: ProviderID) -> ArbiterEvent? {
        guard let provider = provider(id), provider.link != .connected else { return nil }
        with(id) { $0.link = .connected }
        var calls = listOfCalls(provider)
        if calls.isEmpty, random.chance(50) { return registration(provider, calls: nil) }
        guard calls.count > 1, random.chance(20) else {
            return registration(provider, calls: calls)
        }
        let last = calls.removeLast()
        errands.add(.listMore(id, [last]), at: later(random.pick([1, 40, 8_000])))
        return registration(provider, calls: calls, hasMore: true)
    }

    mutating func registration(
        _ provider: SimulatedProvider, calls: [LiveCall]?, hasMore: Bool = false
    ) -> ArbiterEvent {
        .providerRegistered(
            ProviderRegistration(
                token: makeToken(), provider: provider.id, configuration: provider.configuration,
                calls: calls, hasMore: hasMore))
    }

    /// The calls it has: mostly right, sometimes with some missing or some too many.
    private mutating func listOfCalls(_ provider: SimulatedProvider) -> [LiveCall] {
        var calls = provider.legs.map { leg in
            LiveCall(
                call: leg.call, direction: leg.direction, state: leg.state, update: CallUpdate())
        }
        if random.chance(20), !calls.isEmpty { calls.remove(at: calls.count / 2) }
        if random.chance(25) { calls.append(unknownCall()) }
        if random.chance(5), let other = someCall() {
            calls.append(
                LiveCall(
                    call: other, direction: .incoming, state: .active, update: CallUpdate()))
        }
        return calls
    }

    private mutating func unknownCall() -> LiveCall {
        let isOld = !recentCalls.isEmpty && random.chance(40)
        return LiveCall(
            call: isOld ? random.pick(recentCalls) : makeCall(),
            direction: random.chance(50) ? .incoming : .outgoing,
            state: random.pick([
                .ringing, .dialing, .alerting, .connecting, .active, .held, .external,
            ]),
            update: randomUpdate())
    }
}
