internal import CallArbitration
internal import CallModel
internal import TestSupport

/// What the user may have chosen.
extension Chance {
    mutating func policy() -> ArbitrationPolicy {
        var policy = ArbitrationPolicy()
        guard menu.contains(.policies) else { return policy }
        if random.chance(25) { policy.onHoldFailure = .end }
        if random.chance(25) { policy.onCannotHold = .end }
        if random.chance(15) { policy.resumeAfterUserEnd = false }
        if random.chance(25) { policy.resumeAfterRemoteEnd = true }
        if random.chance(20) { policy.busyInCall = true }
        if random.chance(20) { policy.dialWhileRinging = .refuse }
        if random.chance(50) { policy.videoFallback = .refuse }
        if random.chance(40) { policy.buttonActive = .mute }
        if random.chance(10) { policy.allowsEmergency = false }
        if menu.contains(.priorities), random.chance(50) {
            policy.priorityClaims = [Self.providers[0]]
        }
        if random.chance(30) { policy.limits.heldGroups = random.pick([0, 1, 2]) }
        if random.chance(30) { policy.limits.ringing = random.pick([1, 2, 3]) }
        if random.chance(10) { policy.limits.calls = 6 }
        if random.chance(10) { policy.limits.callsPerProvider = 3 }
        return policy
    }
}
