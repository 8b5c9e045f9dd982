internal import CallModel

/// The button of a headset, or a hot key (rule 38).
extension Arbiter {
    mutating func pressButton(_ token: RequestToken, _ press: ButtonPress) {
        guard let pressed = action(for: press) else {
            note(.button, .nothingToDo, nil, Cause(.user, rule: .button))
            return emit(.acknowledge(token))
        }
        note(.button, .passed, calls[pressed.call].id, Cause(.user, rule: .button))
        if pressed.action == .end, live == calls[pressed.call].group { return endLive(token) }
        if pressed.action == .setHeld(false), live != nil {
            return swap(token, .user, calls[pressed.call].id, CallOptions())
        }
        if pressed.action == .answer { announceIfRefused(pressed.call) }
        request(
            pressed.action, of: calls[pressed.call].id, token: token, requester: .user,
            options: CallOptions())
    }

    private typealias ButtonAction = (action: CallAction, call: Slot<CallRecord>)

    private func action(for press: ButtonPress) -> ButtonAction? {
        if let ringing = incoming.ringing ?? mostUrgent(of: incoming.inOrder) {
            return (press == .short ? .answer : .end, ringing)
        }
        let liveCall = live.flatMap { live in
            members(of: live).first { calls[$0].state != .ending }
        }
        let heldCall = groups.held.last.flatMap { groups[$0].members.first }
        return switch press {
        case .short: shortPress(liveCall, heldCall)
        case .long: longPress(liveCall, heldCall)
        }
    }

    /// Returns the action of a short press: an end while dialing, a swap with an active and a held
    /// call, an end or a mute with an active call, a resume with a held one.
    private func shortPress(_ liveCall: Slot<CallRecord>?, _ heldCall: Slot<CallRecord>?)
        -> ButtonAction?
    {
        guard let liveCall else { return heldCall.map { (.setHeld(false), $0) } }
        guard calls[liveCall].wasConnected else {
            // A bouncing button presses twice: an answer under way is joined.
            let isAnswer =
                calls[liveCall].direction == .incoming || calls[liveCall].state == .external
            return (isAnswer ? .answer : .end, liveCall)
        }
        if let heldCall { return (.setHeld(false), heldCall) }
        return policy.buttonActive == .mute ? mute(liveCall) : (.end, liveCall)
    }

    /// Returns the action of a long press: the end of the live one of two calls, a mute of a single
    /// call, or the decline of a call that is being answered and still rings.
    private func longPress(_ liveCall: Slot<CallRecord>?, _ heldCall: Slot<CallRecord>?)
        -> ButtonAction?
    {
        guard let liveCall else { return heldCall.map { mute($0) } }
        if calls[liveCall].state.isUnanswered || calls[liveCall].state == .external {
            return (.end, liveCall)
        }
        return heldCall == nil ? mute(liveCall) : (.end, liveCall)
    }

    private func mute(_ call: Slot<CallRecord>) -> ButtonAction {
        (.setMuted(!groups[calls[call].group].isMuted), call)
    }

    /// Ends all calls of the live group: a conference ends as a whole.
    private mutating func endLive(_ token: RequestToken) {
        guard let live else { return }
        var draft = PlanDraft()
        draft.notes = [.init(rule: .button, verdict: .ended)]
        let open = members(of: live).filter { calls[$0].state != .ending }
        draft.steps = [PlanDraft.Step(.requested, open.map { explicit(.end, $0) })]
        run(
            draft,
            for: PlanOrder(
                requester: .user, waiting: [.init(token: token, reply: .whenAccepted)],
                cause: Cause(.user, rule: .button)))
    }

    /// Announces the refusal of an answer, so that a screen can ask the user; nothing changes.
    private mutating func announceIfRefused(_ call: Slot<CallRecord>) {
        let wanted = RequestedAction(call: calls[call].id, action: .answer)
        do throws(Refusal) {
            _ = try plan(wanted, .user, CallOptions())
        } catch {
            announce(
                .callRefused(
                    calls[call].id, providers[calls[call].provider].id, error.reason,
                    error.rule ?? .button))
        }
    }
}
