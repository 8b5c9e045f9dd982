internal import CallArbitration
internal import CallModel

/// Section 2: what the user could ask for right now and would not be refused.
extension NaiveArbiter {
    func allowed(_ call: Call) -> [Verb] {
        switch call.state {
        case .ringing, .waiting: allowedOfIncoming(call)
        case .external: allowedOfExternal(call)
        case .ended: []
        case .starting, .dialing, .alerting, .connecting, .active, .held, .ending:
            allowedOfTaken(call)
        }
    }

    /// Rule 47: answered here, it comes here.
    private func allowedOfExternal(_ call: Call) -> [Verb] {
        let verbs = answers(to: call).map { $0 == .answer ? .pull : $0 }
        return verbs + (isAllowed(.end, call.id) ? [.end] : [])
    }

    private func answers(to call: Call) -> [Verb] {
        // A choice about nobody is not offered.
        let hasLive = liveGroup != nil
        let choices: [(verb: Verb, choice: AnswerChoice, hasSense: Bool)] = [
            (.answer, .plain, true), (.holdAndAnswer, .holdAndAnswer, hasLive),
            (.endAndAnswer, .endAndAnswer, hasLive),
            (.endHeldAndAnswer, .endHeldAndAnswer, !heldGroups.isEmpty),
        ]
        return choices.filter { $0.hasSense && isAllowed(.answer, call.id, $0.choice) }
            .map(\.verb)
    }

    private func allowedOfIncoming(_ call: Call) -> [Verb] {
        var verbs = answers(to: call)
        verbs.append(.decline)
        if !call.isSilenced { verbs.append(.silence) }
        let somebody = Handle(kind: .phone, value: "1")
        if isAllowed(.deflect(to: somebody), call.id) { verbs.append(.deflect) }
        if canChangeEndpoint(call) { verbs.append(.setEndpoint) }
        if canChangeVideo(call) { verbs.append(.setVideo) }
        if canChangeText(call) { verbs.append(.setText) }
        return verbs
    }

    private func allowedOfTaken(_ call: Call) -> [Verb] {
        let isMuted = group(call.group)?.isMuted == true
        let isGrouped = members(of: call.group).count > 1
        let facts: [(verb: Verb, isAllowed: Bool)] = [
            (.end, call.state != .ending),
            (.hold, call.state == .active && isAllowed(.setHeld(true), call.id)),
            (.resume, call.state == .held && isAllowed(.setHeld(false), call.id)),
            (.swap, canSwap(call)),
            (isMuted ? .unmute : .mute, isAllowed(.setMuted(!isMuted), call.id)),
            (.merge, !mergePartners(of: call).isEmpty),
            (.split, isGrouped && isAllowed(.setGroup(with: nil), call.id)),
            (.playDTMF, isAllowed(.playDTMF(digits: "1", .single), call.id)),
            (.setEndpoint, canChangeEndpoint(call)),
            (.setVideo, canChangeVideo(call)),
            (.setText, canChangeText(call)),
            (.transfer, isAllowed(.transfer(to: Handle(kind: .phone, value: "1")), call.id)),
            (
                .attendedTransfer,
                calls.contains { isAllowed(.attendedTransfer(with: $0.id), call.id) }
            ),
        ]
        return facts.filter(\.isAllowed).map(\.verb)
    }

    private func canChangeText(_ call: Call) -> Bool {
        isAllowed(.setText(!call.properties.hasText), call.id)
    }

    private func canChangeVideo(_ call: Call) -> Bool {
        isAllowed(.setVideo(call.properties.hasVideo ? .off : .both), call.id)
    }

    private func canChangeEndpoint(_ call: Call) -> Bool {
        call.properties.endpoints.contains {
            $0.state == .available && isAllowed(.setEndpoint($0.id), call.id)
        }
    }

    /// For a held call, with it; for a live one, with the only one that is held.
    private func canSwap(_ call: Call) -> Bool {
        guard call.state == .active || call.state == .held,
            let target = try? swapTarget(call.state == .held ? call.id : nil),
            liveGroup == call.group || target == call.id
        else { return false }
        return isAllowed(.setHeld(false), target)
    }

    /// Rule 22: one call of each group that it could be merged with, the oldest.
    func mergePartners(of call: Call) -> [CallID] {
        guard call.state == .active || call.state == .held else { return [] }
        return calls.filter { other in
            other.provider == call.provider && other.group != call.group
                && name(of: other.group) == other.id
                && isAllowed(.setGroup(with: other.id), call.id)
        }.map(\.id)
    }

    private func isAllowed(
        _ action: CallAction, _ call: CallID, _ choice: AnswerChoice = .plain
    ) -> Bool {
        let asked = RequestedAction(call: call, action: action, choice: choice)
        return (try? planned(asked, .user, CallOptions())) != nil
    }
}
