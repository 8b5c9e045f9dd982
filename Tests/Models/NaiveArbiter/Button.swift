internal import CallArbitration
internal import CallModel

/// Rule 38: one button, a rule for every case.
extension NaiveArbiter {
    mutating func takeButton(_ token: RequestToken, _ press: ButtonPress) {
        switch press {
        case .short: pressShortly(token)
        case .long: pressLong(token)
        }
    }

    /// The one that rings; of those that wait the oldest of the most urgent.
    private var firstRinging: Call? {
        ringingCalls.first { $0.state == .ringing } ?? mostUrgent(ringingCalls)
    }

    private mutating func pressShortly(_ token: RequestToken) {
        if let ringing = firstRinging ?? beingAnswered {
            answer(ringing, token)
        } else if let live = liveCall {
            if !live.wasConnected {
                endLive(token)
            } else if let held = heldCall {
                takeSwap(token, .user, held.id, CallOptions())
            } else if policy.buttonActive == .mute {
                toggleMute(of: live, token)
            } else {
                endLive(token)
            }
        } else if let held = heldCall {
            if liveGroup != nil { return takeSwap(token, .user, held.id, CallOptions()) }
            ask(.setHeld(false), held.id, token, .user, CallOptions())
        } else {
            reply(token, .acknowledged)
        }
    }

    private mutating func pressLong(_ token: RequestToken) {
        if let ringing = firstRinging {
            ask(.end, ringing.id, token, .user, CallOptions())
        } else if beingAnswered != nil || liveCall != nil && heldCall != nil {
            endLive(token)
        } else if let call = liveCall ?? heldCall {
            toggleMute(of: call, token)
        } else {
            reply(token, .acknowledged)
        }
    }

    /// The oldest of the live group that is not on its way out.
    private var liveCall: Call? {
        liveGroup.flatMap { group in members(of: group).first { $0.state != .ending } }
    }

    /// It is `ringing`, `waiting` or `external` until its answer is fulfilled.
    private var beingAnswered: Call? {
        liveCall.flatMap { $0.isUnanswered || $0.isExternal ? $0 : nil }
    }

    private var heldCall: Call? {
        heldGroups.last.flatMap { members(of: $0.number).first }
    }

    /// An answer that is refused changes nothing; a screen is told, so that it can ask.
    private mutating func answer(_ call: Call, _ token: RequestToken) {
        let answer = RequestedAction(call: call.id, action: .answer)
        do throws(Refused) {
            _ = try planned(answer, .user, CallOptions())
        } catch {
            wanted.announced.append(.callRefused(call.id, error.reason, error.rule ?? .button))
        }
        ask(.answer, call.id, token, .user, CallOptions())
    }

    /// A conference ends as a whole.
    private mutating func endLive(_ token: RequestToken) {
        guard let live = liveGroup else { return }
        var planned = Planned()
        planned.steps = [
            PlannedStep(
                .asked,
                members(of: live).filter { $0.state != .ending }.map { asked(.end, $0) })
        ]
        var wish = Wish(Cause(.user, rule: .button))
        wish.requester = .user
        wish.waiting = [Waiting(token: token, wait: .accepted)]
        carryOut(planned, wish)
    }

    private mutating func toggleMute(of call: Call, _ token: RequestToken) {
        ask(.setMuted(group(call.group)?.isMuted != true), call.id, token, .user, CallOptions())
    }
}
