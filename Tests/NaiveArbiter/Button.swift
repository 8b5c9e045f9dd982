internal import CallArbitration
internal import CallModel

/// Rule 38: one button, a rule for every case.
extension NaiveArbiter {
    mutating func takeButton(_ token: RequestToken, _ press: ButtonPress) {
        let wish = Wish(token, .user, CallOptions())
        switch press {
        case .short: pressShortly(wish)
        case .long: pressLong(wish)
        }
    }

    private mutating func pressShortly(_ wish: Wish) {
        let live = liveCall
        if let ringing = ringingCall {
            ask(ringing.id, .answer, wish)
        } else if let dialing = calls.first(where: { isDialed($0) }) {
            ask(dialing.id, .end, wish)
        } else if let live, !heldGroups.isEmpty, let held = mostRecentlyHeld {
            _ = live
            takeSwap(wish, name(of: held.number))
        } else if let live {
            pressWhileActive(live, wish)
        } else if let held = mostRecentlyHeld, let call = members(of: held.number).first {
            ask(call.id, .setHeld(false), wish)
        } else if let token = wish.token {
            reply(token, .acknowledged)
        }
    }

    /// The one that nobody has answered yet comes first.
    private var ringingCall: Call? {
        ringingCalls.first { !isBeingAnswered($0.id) } ?? ringingCalls.first
    }

    /// The oldest of the live group that is not on its way out.
    private var liveCall: Call? {
        liveGroup.flatMap { group in members(of: group).first { $0.state != .ending } }
    }

    private func isDialed(_ call: Call) -> Bool {
        [.starting, .dialing, .connecting].contains(call.state)
    }

    private mutating func pressWhileActive(_ call: Call, _ wish: Wish) {
        switch policy.buttonActive {
        case .end: ask(call.id, .end, wish)
        case .mute: toggleMute(of: call, wish)
        }
    }

    private mutating func pressLong(_ wish: Wish) {
        let live = liveCall
        if let ringing = ringingCall {
            ask(ringing.id, .end, wish)
        } else if let live, !heldGroups.isEmpty {
            ask(live.id, .end, wish)
        } else if let live {
            toggleMute(of: live, wish)
        } else if let token = wish.token {
            reply(token, .acknowledged)
        }
    }

    private mutating func toggleMute(of call: Call, _ wish: Wish) {
        ask(call.id, .setMuted(group(call.group)?.isMuted != true), wish)
    }

    private mutating func ask(_ call: CallID, _ action: CallAction, _ wish: Wish) {
        guard let token = wish.token else { return }
        takeRequest(
            TransactionRequest(
                token: token, requester: wish.requester,
                actions: [RequestedAction(call: call, action: action)], options: wish.options))
    }
}
