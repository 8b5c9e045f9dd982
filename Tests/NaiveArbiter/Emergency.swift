internal import CallArbitration
internal import CallModel

/// Rule 20.
extension NaiveArbiter {
    /// Ringing calls end as missed, and its own group is heard.
    mutating func beginEmergency(_ id: CallID) {
        let cause = Cause(.policy, rule: .emergency, becauseOf: id)
        for other in ringingCalls where other.id != id && !other.isEmergency {
            change(other.id) { $0.missed.insert(.emergency) }
            dismiss(other.id, .unanswered, cause)
        }
        guard let call = call(id) else { return }
        forceSound(of: call.group, cause)
    }

    /// Mute is forced off.
    mutating func forceSound(of group: Int, _ cause: Cause) {
        let isMuted = newestMute(of: group)?.isMuted ?? self.group(group)?.isMuted
        guard isMuted == true else { return }
        var planned = Planned()
        planned.steps = [
            PlannedStep(.asked, listening(group).map { implied(.setMuted(false), $0) })
        ]
        carryOut(planned, cause)
    }

    /// Another live group makes way at once, and no plan but an emergency's goes on waiting for room.
    mutating func clearWay(for id: CallID) {
        if let waiting = reservation.flatMap({ plan($0) }) {
            if waiting.target.flatMap({ call($0) })?.isEmergency == true { return }
            giveUp(waiting.number, Refused(.cancelled, .emergency))
        }
        guard let call = call(id), reservation == nil, let live = liveGroup, live != call.group,
            !members(of: live).contains(where: \.isEmergency)
        else { return }
        var planned = Planned()
        planned.target = id
        clear(live, in: &planned)
        carryOut(planned, Cause(.policy, rule: .emergency, becauseOf: id))
    }
}
