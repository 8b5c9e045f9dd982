internal import CallArbitration
internal import CallModel
internal import TestSupport

/// What apps say of their calls.
extension Chance {
    mutating func update() -> CallUpdate {
        var update = CallUpdate()
        if random.chance(12) { update.supportsHolding = .set(random.chance(50)) }
        if menu.contains(.groups) {
            if random.chance(5) { update.supportsGrouping = .set(random.chance(50)) }
            if random.chance(5) { update.supportsUngrouping = .set(random.chance(50)) }
        }
        if random.chance(5) { update.supportsDTMF = .set(random.chance(50)) }
        if menu.contains(.transfers) {
            if random.chance(60) { update.supportsTransfer = .set(random.chance(70)) }
            if random.chance(60) { update.supportsAttendedTransfer = .set(random.chance(70)) }
            if random.chance(60) { update.supportsDeflect = .set(random.chance(70)) }
        }
        if random.chance(25) { update.endpoints = .set(endpoints()) }
        if random.chance(25) { update.supportsSetVideo = .set(random.chance(80)) }
        if random.chance(25) { update.supportsSetText = .set(random.chance(80)) }
        if random.chance(5) { update.hasText = .set(random.chance(50)) }
        if random.chance(5) { update.video = .set(random.pick(VideoDirection.allCases)) }
        if random.chance(5) { update.hasVideo = .set(random.chance(50)) }
        if random.chance(5) { update.supportsPull = .set(random.chance(50)) }
        if random.chance(10) { update.displayName = .set(random.pick(["A", "B"])) }
        if random.chance(10) { update.line = random.pick([.set("1"), .set("2"), .cleared]) }
        if menu.contains(.emergencies), random.chance(5) {
            update.priority = .set(random.pick([.emergency, .normal]))
        }
        if menu.contains(.priorities), random.chance(20) {
            update.priority = random.pick([
                .set(.background), .set(.background), .set(.priorityCaller), .set(.normal),
                .cleared,
            ])
        }
        return update
    }

    mutating func textRequest() -> CallUpdate {
        var update = CallUpdate()
        update.textRequest = random.chance(75) ? .set(random.chance(80)) : .cleared
        if random.chance(15) { update.hasText = .set(random.chance(50)) }
        return update
    }

    mutating func videoRequest() -> CallUpdate {
        var update = CallUpdate()
        update.videoRequest =
            random.chance(75) ? .set(random.pick(VideoDirection.allCases)) : .cleared
        if random.chance(15) { update.video = .set(random.pick(VideoDirection.allCases)) }
        return update
    }

    mutating func endpoints() -> [AudioEndpoint] {
        ["1", "2", "3"].map { id in
            AudioEndpoint(
                id: id, kind: .wired,
                state: random.pick([.available, .available, .inUse, .unavailable]))
        }
    }
}
