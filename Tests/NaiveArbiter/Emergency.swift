internal import CallArbitration
internal import CallModel

/// Rule 20.
extension NaiveArbiter {
    /// What can be held is held, the rest of the live group is ended, ringing calls end as missed.
    mutating func beginEmergency(_ id: CallID) {
        endRinging(besides: id)
        guard let call = call(id) else { return }
        forceUnmuted(call.group)
        guard let live = liveGroup, live != call.group else { return }
        cancelReservations()
        carryOut(yielding(live, to: id), .automatic)
    }

    /// They end as missed; what the filters still look at is refused when they are done.
    mutating func endRinging(besides id: CallID) {
        for call in ringingCalls where call.id != id && !isBeingAnswered(call.id) {
            change(call.id) { $0.missed.insert(.emergency) }
            endByHost(call.id, .unanswered)
        }
    }

    /// What can be held is held, the rest of the live group is ended.
    func yielding(_ group: Int, to id: CallID) -> [Step] {
        if isEnding(group: group) { return [Step(.awaitEnding(group: group), becauseOf: id)] }
        let canBeHeld = members(of: group).contains { yields($0) }
        let rest = members(of: group).filter { $0.state != .ending && !yields($0) }
        let ends = rest.isEmpty ? [] : [Step(.clearRest(group: group), becauseOf: id)]
        let hold = canBeHeld ? [Step(.hold(group: group), becauseOf: id)] : []
        return ends + hold
    }

    private mutating func forceUnmuted(_ group: Int) {
        guard self.group(group)?.isMuted == true else { return }
        carryOut([Step(.mute(group: group, false))], .automatic)
    }

    /// For five minutes its provider's calls come in as call-backs.
    mutating func endEmergency(of provider: ProviderID) {
        if !callbacks.contains(provider) { callbacks.append(provider) }
        arm(.emergencyCallback(provider), policy.emergencyCallbackMS)
    }
}
