internal import CallModel

extension CallState {
    /// Indicates whether a call in this state makes its group live.
    var speaks: Bool {
        switch self {
        case .dialing, .alerting, .connecting, .active: true
        case .starting, .ringing, .waiting, .held, .ending, .ended, .external: false
        }
    }
}

/// The live group, the held groups, the ringing call, and the group that has the audio.
extension Arbiter {
    /// True if a start, answer or resume waits for room or is under way (rule 15).
    @inline(__always)
    var isBusy: Bool {
        reservation != nil || live.map { groups[$0].isBecomingLive } ?? false
    }

    /// Updates whether a group is live, held or neither, after its members have changed.
    mutating func updateLiveness(of group: Slot<GroupRecord>, _ cause: Cause) {
        var (speaks, isEnding, isHeld) = (false, false, false)
        for member in members(of: group) {
            let state = calls[member].state
            speaks = speaks || state.speaks
            isEnding = isEnding || state == .ending
            isHeld = isHeld || state == .held
        }
        let isEndingLive = live == group && isEnding
        if groups[group].isBecomingLive || speaks || isEndingLive {
            precondition(live == nil || live == group, "two groups would be live")
            live = group
        } else {
            releaseAudio(of: group, cause)
            if live == group { live = nil }
        }
        setHeldChain(of: group, isHeld: live != group && isHeld, cause)
    }

    private mutating func setHeldChain(
        of group: Slot<GroupRecord>, isHeld: Bool, _ cause: Cause
    ) {
        guard groups[group].isInHeldChain != isHeld else { return }
        groups.setHeld(isHeld, group)
        if !isHeld { setOffered(false, group, cause) }
    }

    /// Removes a group whose last member has left it.
    mutating func dissolve(_ group: Slot<GroupRecord>, _ cause: Cause) {
        releaseAudio(of: group, cause)
        if live == group { live = nil }
        setHeldChain(of: group, isHeld: false, cause)
        clearReason(of: group, cause)
        providers[groups[group].provider].groupCount -= 1
        groups.remove(group)
    }

    /// Creates an empty group for calls of a provider.
    mutating func makeGroup(of provider: Slot<ProviderRecord>) -> Slot<GroupRecord> {
        providers[provider].groupCount += 1
        return groups.insert(GroupRecord(provider: provider))
    }

    // MARK: - Audio

    mutating func grantAudio(to group: Slot<GroupRecord>, _ cause: Cause) {
        guard audio?.group != group else { return }
        precondition(audio == nil, "the audio was granted twice")
        let ids = members(of: group).map { calls[$0].id }
        guard let name = ids.first else { return }
        audio = AudioHolder(group: group, name: name)
        emit(.activateAudio(providers[groups[group].provider].id, group: name, calls: ids))
        announce(.audioChanged(from: nil, to: name, cause))
    }

    mutating func releaseAudio(of group: Slot<GroupRecord>, _ cause: Cause) {
        guard let name = audio?.name, audio?.group == group else { return }
        audio = nil
        var ids = members(of: group).map { calls[$0].id }
        if ids.isEmpty, let last = groups[group].lastMember { ids = [last] }
        emit(.deactivateAudio(providers[groups[group].provider].id, group: name, calls: ids))
        announce(.audioChanged(from: name, to: nil, cause))
    }

    // MARK: - Ringing

    /// Lets one incoming call ring while no group is live, and keeps it ringing; all others wait
    /// (rule 3).
    mutating func updateRinging() {
        if let live {
            guard let call = incoming.ringing else { return }
            incoming.ringing = nil
            let cause = Cause(
                .arbitration, rule: presentingRule(false), becauseOf: name(of: live))
            setState(.waiting, of: call, cause)
        } else if incoming.ringing == nil, let next = nextToRing {
            incoming.ringing = next
            calls[next].ringingSince = calls[next].ringingSince ?? now
            setState(.ringing, of: next, Cause(.arbitration, rule: .incomingAlone))
        }
    }

    /// The most urgent of the loudest incoming calls; of several the oldest.
    private var nextToRing: Slot<CallRecord>? {
        let all = incoming.inOrder
        guard let loudest = all.lazy.map({ loudness(of: $0) }).max() else { return nil }
        return mostUrgent(of: all.lazy.filter { loudness(of: $0) == loudest })
    }

    /// Returns whether a call that comes in rings at once: a less loud call that rings does not
    /// prevent that.
    func ringsAtOnce(_ call: Slot<CallRecord>) -> Bool {
        guard live == nil else { return false }
        guard let ringing = incoming.ringing else { return incoming.first == nil }
        return loudness(of: ringing) < loudness(of: call)
    }

    /// Lets a call that comes in beside others ring; a less loud call that rang waits.
    mutating func ring(_ call: Slot<CallRecord>) {
        if let other = incoming.ringing {
            let cause = Cause(
                .arbitration, rule: .incomingWhileRinging, becauseOf: calls[call].id)
            setState(.waiting, of: other, cause)
        }
        incoming.ringing = call
        calls[call].state = .ringing
        calls[call].ringingSince = now
    }

    mutating func startRinging(_ call: Slot<CallRecord>) {
        let milliseconds = ringTimeoutMS(of: calls[call].provider)
        calls[call].ringSerial = incoming.nextRingSerial()
        calls[call].ringDue = now.advanced(byMS: milliseconds)
        start(.ring, of: call, afterMS: milliseconds)
    }

    func ringTimeoutMS(of provider: Slot<ProviderRecord>) -> Int {
        let own = providers[provider].configuration.ringTimeoutMS
        return own.map { min(max($0, 5_000), 120_000) } ?? policy.ringTimeoutMS
    }

    /// Puts a call whose answer was cancelled back into its old place among the incoming calls,
    /// where the call rings or waits for no longer than before.
    mutating func rejoinRinging(_ call: Slot<CallRecord>) {
        let others = Array(incoming.inOrder)
        let younger = others.filter { calls[$0].ringSerial > calls[call].ringSerial }
        for other in younger { leaveIncoming(other) }
        joinIncoming(call)
        for other in younger { joinIncoming(other) }
        if calls[call].state == .ringing { incoming.ringing = call }
        restartRingTimer(call)
    }

    /// Restarts the timer of a ringing call, for no longer than before.
    mutating func restartRingTimer(_ call: Slot<CallRecord>) {
        guard !calls[call].timers.contains(.ring) else { return }
        calls[call].timers.insert(.ring)
        emit(.startTimer(.ring(calls[call].id), at: max(now, calls[call].ringDue ?? now)))
    }

    mutating func joinIncoming(_ call: Slot<CallRecord>) {
        incoming.append(call)
        calls[call].isInIncoming = true
    }

    mutating func leaveIncoming(_ call: Slot<CallRecord>) {
        guard calls[call].isInIncoming else { return }
        calls[call].isInIncoming = false
        incoming.remove(call)
    }
}
