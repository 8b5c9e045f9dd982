internal import CallModel

/// The verbs that a screen may offer. Each passes the checks of a request of the user, and nothing is
/// planned or sent, so that allowed and accepted verbs never differ.
extension Arbiter {
    /// The most calls that are tried as partners of a merge or a transfer: all, with the default limits.
    private static let mergeTriesMax = 16
    /// No check depends on where a call is sent.
    private static let anyAddress = Handle(kind: .generic, value: "anybody")

    func allowedVerbs(for call: Slot<CallRecord>, canMerge: Bool) -> [Verb] {
        switch calls[call].state {
        case .ringing, .waiting: verbsOfIncoming(call)
        case .external: verbsOfExternal(call)
        case .ended: []
        case .starting, .dialing, .alerting, .connecting, .active, .held, .ending:
            verbsOfTaken(call, canMerge: canMerge)
        }
    }

    private func verbsOfExternal(_ call: Slot<CallRecord>) -> [Verb] {
        var verbs = answers(to: call).map { $0 == .answer ? .pull : $0 }
        if passes(try checkIsBeingPulled(call)) { verbs.append(.end) }
        return verbs
    }

    private func verbsOfIncoming(_ call: Slot<CallRecord>) -> [Verb] {
        var verbs = answers(to: call)
        verbs.append(.decline)
        if !calls[call].isSilenced { verbs.append(.silence) }
        if calls[call].properties.supportsDeflect,
            passes(try checkDeflection(call, .deflect(to: Self.anyAddress)))
        {
            verbs.append(.deflect)
        }
        if hasOtherEndpoint(call) { verbs.append(.setEndpoint) }
        return verbs + media(of: call)
    }

    private func answers(to call: Slot<CallRecord>) -> [Verb] {
        let choices: [(Verb, AnswerChoice)] = [
            (.answer, .plain), (.holdAndAnswer, .holdAndAnswer), (.endAndAnswer, .endAndAnswer),
            (.endHeldAndAnswer, .endHeldAndAnswer),
        ]
        return choices.filter { isMeaningful($0.1) && canAnswer(call, $0.1) }.map(\.0)
    }

    /// Returns whether a choice of an answer is offered. A choice about a call that does not exist
    /// would be performed as a plain answer (rule 7a).
    private func isMeaningful(_ choice: AnswerChoice) -> Bool {
        switch choice {
        case .plain: true
        case .holdAndAnswer, .endAndAnswer: live != nil
        case .endHeldAndAnswer: groups.held.last != nil
        }
    }

    private func verbsOfTaken(_ call: Slot<CallRecord>, canMerge: Bool) -> [Verb] {
        let record = calls[call]
        var verbs: [Verb] = record.state == .ending ? [] : [.end]
        if record.state == .active, passes(try checkHold(call)) { verbs.append(.hold) }
        let canResume = record.state == .held && mayResume(call)
        if canResume { verbs.append(.resume) }
        if canSwap(call, canResume: canResume) { verbs.append(.swap) }
        let isMuted = groups[record.group].isMuted
        if passes(try checkMute(call, !isMuted)) { verbs.append(isMuted ? .unmute : .mute) }
        if canMerge { verbs.append(.merge) }
        if groups[record.group].members.count > 1, passes(try checkSplit(call)) {
            verbs.append(.split)
        }
        if record.state == .active, passes(try checkTones(call, "1")) {
            verbs.append(.playDTMF)
        }
        if hasOtherEndpoint(call) { verbs.append(.setEndpoint) }
        return verbs + media(of: call) + transfers(of: call)
    }

    private func media(of call: Slot<CallRecord>) -> [Verb] {
        let properties = calls[call].properties
        var verbs: [Verb] = []
        if properties.supportsSetVideo || mayJoin(.setVideo, on: call),
            passes(try checkVideo(call, properties.hasVideo ? .off : .both))
        {
            verbs.append(.setVideo)
        }
        if properties.supportsSetText || mayJoin(.setText, on: call),
            passes(try checkText(call, !properties.hasText))
        {
            verbs.append(.setText)
        }
        return verbs
    }

    private func transfers(of call: Slot<CallRecord>) -> [Verb] {
        let properties = calls[call].properties
        var verbs: [Verb] = []
        if properties.supportsTransfer,
            passes(try checkTransfer(call, .transfer(to: Self.anyAddress)))
        {
            verbs.append(.transfer)
        }
        if properties.supportsAttendedTransfer || mayJoin(.attendedTransfer, on: call),
            hasTransferPartner(call)
        {
            verbs.append(.attendedTransfer)
        }
        return verbs
    }

    /// Returns whether an action on a call may be under way, which the same request joins, even if
    /// the call does not declare it any longer.
    private func mayJoin(_ kind: ActionKind, on call: Slot<CallRecord>) -> Bool {
        calls[call].current.map { actions[$0].action.kind == kind } ?? false || reservation != nil
            || !providers[calls[call].provider].queue.isEmpty
    }

    private func hasTransferPartner(_ call: Slot<CallRecord>) -> Bool {
        providers.calls(of: calls[call].provider, most: Self.mergeTriesMax).contains {
            $0 != call && !calls[$0].isScreened && canTransfer(call, to: $0)
        }
    }

    private func canTransfer(_ call: Slot<CallRecord>, to other: Slot<CallRecord>) -> Bool {
        passes(try checkAttendedTransfer(call, with: other))
    }

    /// Returns whether a call can be swapped. A swap resumes the held call of the two, so that
    /// `canResume` is the result for a held call.
    private func canSwap(_ call: Slot<CallRecord>, canResume: Bool) -> Bool {
        guard calls[call].state == .active || calls[call].state == .held,
            let target = try? swapTarget(calls[call].state == .held ? calls[call].id : nil),
            let other = calls.slot(of: target)
        else { return false }
        if other == call { return canResume }
        return live == calls[call].group && mayResume(other)
    }

    /// Returns the groups that a call could be merged with, each by the id of its oldest call.
    func mergePartners(of call: Slot<CallRecord>) -> [CallID] {
        let (own, provider) = (calls[call].group, calls[call].provider)
        guard calls[call].state == .active || calls[call].state == .held,
            providers[provider].groupCount > 1
        else { return [] }
        var partners: [CallID] = []
        for candidate in providers.calls(of: provider).prefix(Self.mergeTriesMax) {
            let group = calls[candidate].group
            guard group != own, groups[group].members.first == candidate,
                !calls[candidate].isScreened, canMerge(call, with: candidate)
            else { continue }
            partners.append(calls[candidate].id)
        }
        return partners
    }

    private func canMerge(_ call: Slot<CallRecord>, with other: Slot<CallRecord>) -> Bool {
        passes(try checkMerge(call, other))
    }

    private func canAnswer(_ call: Slot<CallRecord>, _ choice: AnswerChoice) -> Bool {
        passes(try checkAnswer(call, choice, .user, CallOptions()))
    }

    private func mayResume(_ call: Slot<CallRecord>) -> Bool {
        passes(try checkResume(call, .user, CallOptions()))
    }

    private func passes<Result>(_ check: @autoclosure () throws(Refusal) -> Result) -> Bool {
        do throws(Refusal) {
            _ = try check()
            return true
        } catch {
            return false
        }
    }
}
