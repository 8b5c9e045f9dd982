internal import BrokerJSON
internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol
internal import CallStore

/// Which calls are emergencies, before the rules are asked (rule 20): the number says so, or the user, or an
/// app whose word counts.
extension Broker {
    /// Whether it is the number of an emergency service, as it is dialled. The number is the evidence; no
    /// permission is needed.
    func isEmergency(number remote: Handle) -> Bool {
        guard let number = remote.telephoneNumber else { return false }
        return EmergencyNumbers.contains(
            number, region: choices.screening.region, others: choices.emergency.numbers)
    }

    /// The starts of a request as they count.
    func judged(_ actions: [RequestedAction], of requester: Requester) -> [RequestedAction] {
        actions.map { action in
            guard case .start(var start) = action.action else { return action }
            let isEmergency = isEmergency(number: start.remote)
            guard start.isEmergency != isEmergency else { return action }
            start.isEmergency = isEmergency || mayMark(requester)
            var judged = action
            judged.action = .start(start)
            return judged
        }
    }

    /// Whether somebody's word counts that a start is an emergency.
    private func mayMark(_ requester: Requester) -> Bool {
        switch requester {
        case .user: true
        case .app(let provider): choices.emergency.claims[provider]?.outgoing == .allowed
        }
    }

    /// The calls that an app starts as emergencies, and may not.
    func claims(in actions: [RequestedAction], of requester: Requester) -> [CallID] {
        guard case .app = requester, !mayMark(requester) else { return [] }
        return actions.compactMap { action in
            guard case .start(let start) = action.action, start.isEmergency,
                !isEmergency(number: start.remote)
            else { return nil }
            return action.call
        }
    }

    /// What an app says of a call as it counts: that it is an emergency only if it was one, or if the app's
    /// word counts.
    ///
    /// - Returns: true if its word does not.
    func judge(
        _ update: inout CallUpdate, of call: CallID, _ direction: Direction, by provider: ProviderID
    ) -> Bool {
        guard update.priority == .set(.emergency), !isEmergency(call) else { return false }
        let claims = choices.emergency.claims[provider] ?? EmergencyClaims()
        let word = direction == .incoming ? claims.incoming : claims.outgoing
        guard word != .allowed else { return false }
        update.priority = .unchanged
        return true
    }

    private func isEmergency(_ call: CallID) -> Bool {
        arbiter.glance(at: call)?.properties.priority == .emergency
    }

    /// Kept beside the arbiter's events, which are numbered with it.
    func tellClaim(of call: CallID, by provider: ProviderID) {
        journal?.append(JournalEntry(.claimTold(call, by: provider), at: instant))
        carryOut(claimOf: call, by: provider)
    }

    func carryOut(claimOf call: CallID, by provider: ProviderID) {
        note(
            Decision(
                .emergency, .ignored, call: call,
                cause: Cause(.provider, rule: .emergency)))
        // One that a filter still looks at is nobody's business yet (rule 31).
        tell(.emergencyClaimed, arbiter.outline(of: call) == nil ? nil : call, provider)
    }
}

/// Who places an emergency, and who does when that fails.
extension Broker {
    /// How soon an app can place a call.
    private enum Standing: Int {
        case connected, startable, hung, away
    }

    /// Those that may have calls, and take such a number, best first: connected before those that must be
    /// started, that do not react, or whose connection is lost; among them the one that the user names, then in
    /// the order of the policy, then the default, then the one that has been there longest.
    func emergencyProviders(_ kind: DialledKind, named: ProviderID?) -> [ProviderID] {
        let candidates = candidates(kind, named: named)
        let usual = kind.scheme.flatMap { choices.defaultProviders[$0] }
        let preferred =
            [named].compactMap { $0 } + choices.emergency.providers + [usual].compactMap { $0 }
        let ranked = candidates.map { provider in
            (
                provider, standing(of: provider).rawValue,
                preferred.firstIndex(of: provider) ?? preferred.count,
                sessions[provider]?.peer?.number ?? .max
            )
        }
        return ranked.sorted { ($0.1, $0.2, $0.3) < ($1.1, $1.2, $1.3) }.map(\.0)
    }

    /// The one that is named may know more than it has declared; where nobody has, everybody may.
    private func candidates(_ kind: DialledKind, named: ProviderID?) -> [ProviderID] {
        let all = Set(arbiter.providerIDs + startableProviders).filter(choices.isAuthorized)
        let able = all.filter { $0 == named || canDial(kind, $0) }
        return Array(able.isEmpty ? all : able)
    }

    private func standing(of provider: ProviderID) -> Standing {
        guard arbiter.configuration(of: provider) != nil else { return .startable }
        guard arbiter.isConnected(provider), let peer = sessions[provider]?.peer else {
            return arbiter.isStarting(provider) ? .startable : .away
        }
        return peer.heartbeat.isAsking ? .hung : .connected
    }

    /// The user has dialled an emergency: until the far end is reached it is for us to find who can place it.
    func noteEmergencies(in actions: [RequestedAction], of requester: Requester) {
        guard requester == .user, arbiter.policy.allowsEmergency else { return }
        for action in actions {
            guard case .start(let start) = action.action, start.isEmergency,
                let provider = action.provider, arbiter.glance(at: action.call) == nil
            else { continue }
            begin(EmergencyDial(start: start, tried: [provider]), with: action.call)
        }
    }

    private func begin(_ dial: EmergencyDial, with call: CallID) {
        emergencyDials[call] = dial
        journal?.append(JournalEntry(.dialled(dial.stored(call)), at: instant))
    }

    /// What another broker has to know to go on with them; who waits for them asks it himself.
    var storedDials: [StoredDial] {
        emergencyDials.map { $1.stored($0) }.sorted { $0.call < $1.call }
    }

    /// Those that were refused never became calls.
    func forgetRefusedDials() {
        emergencyDials = emergencyDials.filter { arbiter.glance(at: $0.key) != nil }
    }

    func takeOver(_ stored: StoredDial) {
        emergencyDials[stored.call] = EmergencyDial(start: stored.start, tried: stored.tried)
    }

    /// Emergencies that were refused are no calls.
    func forgetRefused(_ actions: [RequestedAction]) {
        for action in actions where emergencyDials[action.call] != nil {
            if arbiter.glance(at: action.call) == nil { emergencyDials[action.call] = nil }
        }
    }

    /// The far end is reached: who ends the call now means it.
    func noteProgress(ofEmergency call: CallID) {
        guard let state = arbiter.outline(of: call)?.state,
            ![.starting, .dialing, .ending].contains(state)
        else { return }
        emergencyDials[call] = nil
    }

    /// It is over. If its app was to blame it is another's turn, as soon as everybody knows of this.
    func noteEnd(ofEmergency entry: HistoryEntry) {
        guard let dial = emergencyDials[entry.call], !dial.isPassedOn else { return }
        emergencyDials[entry.call] = nil
        guard entry.reason == .failed, !isRecovering else { return }
        unplacedEmergencies.append((entry.call, dial))
    }

    func placeEmergencies() {
        while let (call, dial) = unplacedEmergencies.popLast() { place(dial, after: call) }
    }

    /// Its app shows no sign of life: it is told to give up, and another one tries.
    func noteSilentStart(of call: CallID) {
        guard let dial = emergencyDials[call], next(for: dial) != nil,
            arbiter.outline(of: call)?.state == .starting
        else { return }
        // The call of an app that is away is over at once.
        emergencyDials[call]?.isPassedOn = true
        request([RequestedAction(call: call, action: .end)], Self.noToken)
        if let dial = emergencyDials.removeValue(forKey: call) { place(dial, after: call) }
    }

    /// Whoever waits until an emergency is placed waits for the next app, too.
    ///
    /// - Parameter report: how it went with this one.
    func letWait(
        _ token: RequestToken, _ request: WaitingRequest, _ report: TransactionReport
    ) -> Bool {
        guard report.entries.count == 1, let call = report.entries.first?.call else { return false }
        let asked = EmergencyDial.Asked(token: token, request: request, report: report)
        if let dial = emergencyDials[call], next(for: dial) != nil {
            emergencyDials[call]?.asked = asked
        } else if let place = unplacedEmergencies.firstIndex(where: { $0.0 == call }),
            next(for: unplacedEmergencies[place].1) != nil
        {
            unplacedEmergencies[place].1.asked = asked
        } else {
            return false
        }
        waiting[token.number] = nil
        return true
    }

    private func next(for dial: EmergencyDial) -> ProviderID? {
        emergencyProviders(DialledKind(dial.start.remote), named: nil)
            .first { !dial.tried.contains($0) }
    }

    /// The user may have dialled again meanwhile.
    private func place(_ dial: EmergencyDial, after former: CallID) {
        let call = newCall()
        let action = next(for: dial).map {
            RequestedAction(call: call, provider: $0, action: .start(dial.start))
        }
        guard let action, let provider = action.provider, !arbiter.hostFacts.hasEmergency,
            let expected = try? bringUp(for: [action], isDry: false)
        else { return giveUp(dial) }
        note(
            Decision(
                .emergency, .forced, call: call,
                cause: Cause(.arbitration, rule: .emergency, becauseOf: former)))
        begin(EmergencyDial(start: dial.start, tried: dial.tried + [provider]), with: call)
        if let asked = dial.asked { waiting[asked.token.number] = asked.request }
        request([action], dial.asked?.token ?? Self.noToken, dial.asked?.request.options)
        forgetRefused([action])
        forgetExpected(expected)
    }

    private func giveUp(_ dial: EmergencyDial) {
        guard let asked = dial.asked else { return }
        waiting[asked.token.number] = asked.request
        complete(asked.token, asked.report)
    }

    private func request(
        _ actions: [RequestedAction], _ token: RequestToken, _ former: CallOptions? = nil
    ) {
        var options = CallOptions()
        options.wait = former?.wait ?? .accepted
        decide(
            .transactionRequested(
                TransactionRequest(
                    token: token, requester: .user, actions: actions, options: options)))
    }
}

/// An emergency that nobody has reached the far end with.
struct EmergencyDial {
    /// Somebody who waits until it is placed, and what there is to tell if it never is.
    struct Asked {
        let token: RequestToken
        let request: WaitingRequest
        let report: TransactionReport
    }

    let start: StartArguments
    /// Those that have been asked to place it.
    var tried: [ProviderID]
    var asked: Asked?
    /// Another app tries, whatever becomes of this call.
    var isPassedOn = false

    func stored(_ call: CallID) -> StoredDial {
        StoredDial(call: call, start: start, tried: tried)
    }
}

extension WaitingRequest {
    fileprivate var options: CallOptions? {
        if case .transaction(let options) = form { options } else { nil }
    }
}

extension Handle {
    /// What would be dialled on a telephone; nil for any other address.
    fileprivate var telephoneNumber: String? {
        switch kind {
        case .phone: value
        case .generic, .other:
            value.lowercased().hasPrefix("tel:") ? try? DialledAddress(value).number : nil
        case .email: nil
        }
    }
}
