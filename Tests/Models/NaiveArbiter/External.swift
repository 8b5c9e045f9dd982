internal import CallArbitration
internal import CallModel

/// Rule 47: calls that live on another device.
extension NaiveArbiter {
    mutating func addExternal(
        _ report: CallReport, _ direction: Direction, _ update: CallUpdate
    ) throws(Refused) {
        guard provider(report.provider) != nil else {
            throw Refused(.unknownProvider, .unknownCall)
        }
        guard !isUsed(report.call, at: report.provider) else {
            throw Refused(.callUUID, .unknownCall)
        }
        let elsewhere = calls.filter(\.isExternal)
        if elsewhere.count(where: { $0.provider == report.provider })
            >= policy.limits.callsPerProvider
        {
            throw .limit(.maxCalls, .external, policy.limits.callsPerProvider, [])
        }
        if elsewhere.count >= policy.limits.calls {
            throw .limit(.maxCalls, .external, policy.limits.calls, [])
        }
        list(
            report.call, report.provider, direction, update, since: earlier(report.at),
            Cause(.provider, rule: .external))
    }

    /// It is in the list, and nowhere else.
    mutating func list(
        _ id: CallID, _ provider: ProviderID, _ direction: Direction, _ update: CallUpdate,
        since start: Instant, _ cause: Cause
    ) {
        var call = Call(
            id: id, provider: provider, direction: direction, state: .external,
            group: newGroup(), createdAt: start)
        call.properties = properties(update, of: id, at: provider)
        call.properties.priority = .normal
        calls.append(call)
        wanted.announced.append(.callAdded(id, cause))
    }

    func hasExternalRoom(at provider: ProviderID) -> Bool {
        let elsewhere = calls.filter(\.isExternal)
        return elsewhere.count < policy.limits.calls
            && elsewhere.count(where: { $0.provider == provider }) < policy.limits.callsPerProvider
    }

    /// What brings it here is called off; it goes on where it is.
    mutating func leaveElsewhere(_ call: Call, for number: Int) {
        cancelWaiting(on: call.id) { $0 != .end }
        if let current = current(call.id) { cancel(current.number) }
        if let waiting = reservation, waiting != action(number)?.plan,
            waits(waiting, for: call.id)
        {
            giveUp(waiting, Refused(.cancelled, .busy))
        }
        settle(number, .fulfilled)
    }
}
