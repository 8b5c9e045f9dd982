internal import CallArbitration
internal import CallModel

/// Rules 43 and 44.
extension NaiveArbiter {
    /// A filter says so, of a call that nobody has answered.
    mutating func prioritize(_ id: CallID) {
        guard let call = call(id), call.isUnanswered,
            [.normal, .background].contains(call.properties.priority)
        else { return }
        change(id) { $0.properties.priority = .priorityCaller }
    }

    /// The user says so, or an app that the user believes.
    mutating func takePriority(_ token: RequestToken, _ requester: Requester, _ id: CallID) {
        do throws(Refused) {
            let call = try known(id, to: requester)
            if case .app(let app) = requester, !policy.priorityClaims.contains(app) {
                throw Refused(.notYourCall, .priorityCaller, [id])
            }
            guard call.isUnanswered else { throw Refused(.invalidState, .priorityCaller, [id]) }
            prioritize(id)
            reply(token, .acknowledged)
        } catch {
            refuse(token, error)
        }
    }

    /// What an app says of a caller counts if the user wants it.
    func judged(_ update: CallUpdate, by provider: ProviderID) -> CallUpdate {
        var update = update
        if update.priority == .set(.priorityCaller), !policy.priorityClaims.contains(provider) {
            update.priority = .unchanged
        }
        return update
    }

    /// Who came first of those that matter most.
    func mostUrgent(_ calls: [Call]) -> Call? {
        let order: [Priority] = [
            .emergency, .emergencyCallback, .priorityCaller, .normal, .background,
        ]
        return order.lazy.compactMap { priority in
            calls.first { $0.properties.priority == priority }
        }.first
    }

    func isBackground(_ group: Int) -> Bool {
        members(of: group).allSatisfy { $0.properties.priority == .background }
    }

    /// Nobody else speaks, rings or waits; nil is a call that is not there yet.
    func backgroundRefused(_ id: CallID?) -> Refused? {
        let own = id.flatMap { call($0) }
        let speaking = liveGroup.map { $0 == own?.group ? [] : members(of: $0).map(\.id) } ?? []
        let ringing = ringingCalls.map(\.id).filter { $0 != id }
        let others = Array((speaking.prefix(8) + ringing).prefix(8))
        return others.isEmpty ? nil : Refused(.busy, .background, others)
    }

    /// A remote party is a priority caller as long as the call is with it, whatever the app says.
    func allowedPriority(_ update: CallUpdate, of call: Call) -> Change<Priority> {
        switch call.properties.priority {
        case _ where call.isExternal: .unchanged
        case .emergency: .unchanged
        case .priorityCaller where update.priority != .set(.emergency): .unchanged
        default:
            update.priority == .set(.emergency) && !policy.allowsEmergency
                ? .unchanged : update.priority
        }
    }
}
