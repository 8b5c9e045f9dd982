internal import CallModel

/// One button: a headset's, or a key (rule 38).
extension Arbiter {
    mutating func pressButton(_ token: RequestToken, _ press: ButtonPress) {
        switch press {
        case .short: shortPress(token)
        case .long: longPress(token)
        }
    }

    private mutating func shortPress(_ token: RequestToken) {
        let options = CallOptions()
        if let ringing = incoming.first {
            return request(
                .answer, of: calls[ringing].id, token: token, requester: .user, options: options)
        }
        guard let live, let first = groups[live].members.first else {
            guard let last = held.last, let name = name(of: last) else {
                return emit(.acknowledge(token))
            }
            return request(
                .setHeld(false), of: name, token: token, requester: .user, options: options)
        }
        if calls[first].state != .active || held.last == nil { return pressOnOne(token, live) }
        guard let last = held.last, let name = name(of: last) else { return }
        request(.setHeld(false), of: name, token: token, requester: .user, options: options)
    }

    /// One call, dialing or active: it ends, or its sound is switched.
    private mutating func pressOnOne(_ token: RequestToken, _ group: Slot<GroupRecord>) {
        let all = members(of: group)
        guard let first = all.first else { return emit(.acknowledge(token)) }
        let options = CallOptions()
        if calls[first].state == .active, policy.buttonActive == .mute {
            return request(
                .setMuted(!groups[group].isMuted), of: calls[first].id, token: token,
                requester: .user, options: options)
        }
        request(
            TransactionRequest(
                token: token, requester: .user,
                actions: all.prefix(8).map { RequestedAction(call: calls[$0].id, action: .end) }))
    }

    private mutating func longPress(_ token: RequestToken) {
        let options = CallOptions()
        if let ringing = incoming.first {
            return request(
                .end, of: calls[ringing].id, token: token, requester: .user, options: options)
        }
        guard let live, let first = groups[live].members.first else {
            return emit(.acknowledge(token))
        }
        if held.last != nil {
            return request(
                .end, of: calls[first].id, token: token, requester: .user, options: options)
        }
        request(
            .setMuted(!groups[live].isMuted), of: calls[first].id, token: token, requester: .user,
            options: options)
    }
}
