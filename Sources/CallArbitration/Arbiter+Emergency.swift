internal import CallModel

/// Emergencies: a call is one from the moment its provider marks it until it ends (rule 20).
extension Arbiter {
    /// Calls that ring end as missed, and its own group is heard.
    mutating func beginEmergency(_ call: Slot<CallRecord>) {
        emergencies.append(call)
        let id = calls[call].id
        let cause = Cause(.policy, rule: .emergency, becauseOf: id)
        note(.emergency, .forced, id, cause)
        for other in incomingLinks.elements(of: incoming).map({ calls[$0].id }) where other != id {
            guard let other = callsByID[other], !emergencies.contains(other) else { continue }
            calls[other].missed.insert(.emergency)
            dismiss(other, .unanswered, cause)
        }
        guard let call = callsByID[id] else { return }
        forceSound(of: calls[call].group, cause)
    }

    /// Mute is forced off.
    private mutating func forceSound(of group: Slot<GroupRecord>, _ cause: Cause) {
        let wantsMute = muteUnderWay(of: group)?.isMuted ?? groups[group].isMuted
        guard wantsMute else { return }
        var draft = PlanDraft()
        draft.notes = [.init(rule: .emergency, verdict: .forced)]
        draft.steps = [
            PlanDraft.Step(.requested, listening(group).map { implied(.setMuted(false), $0) })
        ]
        run(draft, cause)
    }

    /// An app may not mute an emergency by itself either.
    mutating func keepSound(of group: Slot<GroupRecord>) {
        guard groups[group].isMuted,
            let call = emergencies.first(where: { calls[$0].group == group })
        else { return }
        forceSound(of: group, Cause(.policy, rule: .emergency, becauseOf: calls[call].id))
    }

    /// A call that has become an emergency needs the audio: another live group makes way at once,
    /// and no plan but its own goes on waiting for room.
    mutating func clearWay(for call: Slot<CallRecord>) {
        let id = calls[call].id
        let cause = Cause(.policy, rule: .emergency, becauseOf: id)
        if let other = reservation.flatMap({ plans[$0].target }).flatMap({ callsByID[$0] }),
            emergencies.contains(other)
        {
            return
        }
        if let weaker = reservation {
            note(.busy, .cancelled, plans[weaker].target, cause)
            abort(weaker, Refusal(.cancelled, rule: .emergency))
        }
        guard let call = callsByID[id], reservation == nil, let live, live != calls[call].group,
            !members(of: live).contains(where: { emergencies.contains($0) })
        else { return }
        var draft = PlanDraft()
        draft.target = id
        clear(live, in: &draft)
        run(draft, cause)
    }
}
