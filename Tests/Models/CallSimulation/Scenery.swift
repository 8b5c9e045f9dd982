internal import CallArbitration
internal import CallModel
internal import TestSupport

/// What differs from seed to seed: the policy, the providers, how wild it gets.
struct Scenery: Sendable {
    let policy: ArbitrationPolicy
    let providers: [SimulatedProvider]
    let isCalm: Bool
    /// Much happens in little time.
    let isBrisk: Bool
    /// Connections break often.
    let isShaky: Bool
    let hasEmergencies: Bool
    /// People here like conferences, and their apps can do them.
    let lovesGroups: Bool
    /// How many calls the world would like to have.
    let callsWanted: Int

    init(_ random: inout SeededRandom) {
        isCalm = random.chance(20)
        isBrisk = random.chance(60)
        isShaky = !isCalm && random.chance(25)
        hasEmergencies = random.chance(35)
        let lovesGroups = random.chance(30)
        self.lovesGroups = lovesGroups
        callsWanted = random.pick(lovesGroups ? [6, 8, 12] : [2, 3, 4, 5, 6, 8, 12])
        policy = Self.policy(&random)
        let temperaments = isCalm ? [Temperament.prompt, .slow] : Temperament.allCases
        let count = random.pick([3, 3, 4])
        let names = ["a", "b", "c", "d"].prefix(count)
        providers = names.map { name in
            SimulatedProvider(
                id: ProviderID("org.\(name)"), temperament: random.pick(temperaments),
                configuration: Self.configuration(name, lovesGroups: lovesGroups, &random))
        }
    }

    static func policy(_ random: inout SeededRandom) -> ArbitrationPolicy {
        var policy = ArbitrationPolicy()
        policy.onHoldFailure = random.chance(30) ? .end : .keep
        policy.onCannotHold = random.chance(30) ? .end : .refuse
        policy.resumeAfterUserEnd = random.chance(75)
        policy.resumeAfterRemoteEnd = random.chance(40)
        policy.busyInCall = random.chance(10)
        policy.dialWhileRinging = random.chance(10) ? .refuse : .allow
        policy.buttonActive = random.chance(50) ? .mute : .end
        policy.videoFallback = random.chance(50) ? .audio : .refuse
        policy.videoRequestMS = random.pick([5_000, 30_000])
        policy.allowsEmergency = random.chance(85)
        policy.priorityClaims = random.chance(50) ? [ProviderID("org.a")] : []
        policy.limits.heldGroups = random.pick([1, 2, 4, 4, 8])
        policy.limits.ringing = random.pick([1, 2, 4, 4])
        policy.limits.callsPerProvider = random.pick([2, 4, 16, 16])
        policy.limits.calls = random.pick([4, 8, 64, 64])
        policy.ringTimeoutMS = random.pick([8_000, 60_000])
        policy.dialTimeoutMS = random.pick([10_000, 120_000])
        policy.deadlines.start = random.pick([8_000, 60_000])
        policy.deadlines.answer = random.pick([8_000, 60_000])
        policy.endedCallsMax = random.pick([4, 65_536])
        policy.endedCallsMS = random.pick([20_000, 600_000])
        policy.emergencyCallbackMS = random.pick([20_000, 300_000])
        return policy
    }

    private static func lines(_ random: inout SeededRandom) -> [Line] {
        var (home, office) = (Line(id: "1", label: "home"), Line(id: "2", label: "office"))
        home.maxCalls = random.pick([nil, 1, 2])
        office.isDefault = random.chance(50)
        return [home, office]
    }

    static func configuration(
        _ name: String, lovesGroups: Bool, _ random: inout SeededRandom
    ) -> ProviderConfiguration {
        var configuration = ProviderConfiguration(displayName: name, handleKinds: [.phone])
        configuration.maxCallGroups = random.pick([1, 2, 2, 3, 4, 8])
        configuration.maxCallsPerGroup = random.pick(lovesGroups ? [3, 5, 8] : [1, 2, 3, 5, 5])
        configuration.supportsVideo = random.chance(50)
        configuration.supportsText = random.chance(50)
        configuration.ringTimeoutMS = random.chance(20) ? 6_000 : nil
        configuration.graceMS = random.chance(20) ? random.pick([0, 1_000, 30_000]) : nil
        configuration.resumesWhenFreed = random.chance(85)
        configuration.takesTransactions = random.chance(15)
        configuration.appIsSeparate = random.chance(20)
        if random.chance(30) { configuration.lines = lines(&random) }
        if random.chance(20) { configuration.actionDeadlinesMS[.setHeld] = 2_000 }
        if random.chance(20) { configuration.actionDeadlinesMS[.start] = 20_000 }
        return configuration
    }
}
