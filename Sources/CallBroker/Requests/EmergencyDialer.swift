internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallStore

/// Which calls are emergencies, before the rules are asked (rule 20): the number says so, or the user, or an
/// app whose word counts.
final class EmergencyDialer {
    private unowned let broker: Broker

    /// What the user has dialled, until somebody has reached the far end; and those of it that nobody has,
    /// with the call that has failed.
    private var dials: [CallID: EmergencyDial] = [:]
    private var unplaced: [(CallID, EmergencyDial)] = []

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// Whether it is the number of an emergency service, as it is dialled. The number is the evidence; no
    /// permission is needed.
    func isEmergency(number remote: Handle) -> Bool {
        guard let number = remote.telephoneNumber else { return false }
        return EmergencyNumbers.contains(
            number, region: broker.policy.choices.screening.region,
            others: broker.policy.choices.emergency.numbers)
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
        case .app(let provider):
            broker.policy.choices.emergency.claims[provider]?.outgoing == .allowed
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
        let claims = broker.policy.choices.emergency.claims[provider] ?? EmergencyClaims()
        let word = direction == .incoming ? claims.incoming : claims.outgoing
        guard word != .allowed else { return false }
        update.priority = .unchanged
        return true
    }

    private func isEmergency(_ call: CallID) -> Bool {
        broker.arbiter.summary(of: call)?.properties.priority == .emergency
    }

    /// Kept beside the arbiter's events, which are numbered with it.
    func reportClaim(of call: CallID, by provider: ProviderID) {
        broker.journal.append(.claimTold(call, by: provider))
        carryOut(claimOf: call, by: provider)
    }

    func carryOut(claimOf call: CallID, by provider: ProviderID) {
        broker.trace.note(
            Decision(
                .emergency, .ignored, call: call,
                cause: Cause(.provider, rule: .emergency)))
        // One that a filter still looks at is nobody's business yet (rule 31).
        broker.announcer.tell(
            .emergencyClaimed, broker.arbiter.outline(of: call) == nil ? nil : call, provider)
    }
}

/// Who places an emergency, and who does when that fails.
extension EmergencyDialer {
    /// How soon an app can place a call.
    private enum Standing: Int {
        case connected, startable, hung, away
    }

    /// Those that may have calls, and take such a number, best first: connected before those that must be
    /// started, that do not react, or whose connection is lost; among them the one that the user names, then in
    /// the order of the policy, then the default, then the one that has been there longest. One without video
    /// would place a video call as audio: it comes behind those that have it, unless the user names it.
    func emergencyProviders(
        _ kind: DialledKind, hasVideo: Bool, named: ProviderID?
    ) -> [ProviderID] {
        let candidates = candidates(kind, named: named)
        let usual = kind.scheme.flatMap { broker.policy.choices.defaultProviders[$0] }
        let preferred =
            [named].compactMap { $0 } + broker.policy.choices.emergency.providers
            + [usual].compactMap { $0 }
        let ranked = candidates.map { provider in
            (
                provider, standing(of: provider).rawValue,
                hasVideo && provider != named && !takesVideo(provider) ? 1 : 0,
                preferred.firstIndex(of: provider) ?? preferred.count,
                broker.sessions[provider]?.peer?.number ?? .max
            )
        }
        return ranked.sorted { ($0.1, $0.2, $0.3, $0.4) < ($1.1, $1.2, $1.3, $1.4) }.map(\.0)
    }

    private func takesVideo(_ provider: ProviderID) -> Bool {
        broker.demand.configuration(of: provider)?.supportsVideo ?? false
    }

    /// The one that is named may know more than it has declared; where nobody has, everybody may.
    private func candidates(_ kind: DialledKind, named: ProviderID?) -> [ProviderID] {
        let all = Set(broker.arbiter.providerIDs + broker.demand.startableProviders).filter(
            broker.policy.choices.isAuthorized)
        let able = all.filter { $0 == named || broker.providerChoice.canDial(kind, $0) }
        return Array(able.isEmpty ? all : able)
    }

    private func standing(of provider: ProviderID) -> Standing {
        guard broker.arbiter.configuration(of: provider) != nil else { return .startable }
        guard broker.arbiter.isConnected(provider), let peer = broker.sessions[provider]?.peer
        else {
            return broker.arbiter.isStarting(provider) ? .startable : .away
        }
        return peer.heartbeat.isAsking ? .hung : .connected
    }

    /// The user has dialled an emergency: until the far end is reached it is for us to find who can place it.
    func noteEmergencies(in actions: [RequestedAction], of requester: Requester) {
        guard requester == .user, broker.arbiter.policy.allowsEmergency else { return }
        for action in actions {
            guard case .start(let start) = action.action, start.isEmergency,
                let provider = action.provider, broker.arbiter.summary(of: action.call) == nil
            else { continue }
            begin(EmergencyDial(start: start, tried: [provider]), with: action.call)
        }
    }

    private func begin(_ dial: EmergencyDial, with call: CallID) {
        dials[call] = dial
        broker.journal.append(.dialled(dial.stored(call)))
    }

    /// What another broker has to know to go on with them; who waits for them asks it himself.
    var stored: [StoredDial] {
        dials.map { $1.stored($0) }.sorted { $0.call < $1.call }
    }

    /// Those that were refused never became calls.
    func forgetRefused() {
        dials = dials.filter { broker.arbiter.summary(of: $0.key) != nil }
    }

    func restore(_ stored: StoredDial) {
        dials[stored.call] = EmergencyDial(start: stored.start, tried: stored.tried)
    }

    /// Emergencies that were refused are no calls.
    func forgetRefused(_ actions: [RequestedAction]) {
        for action in actions where dials[action.call] != nil {
            if broker.arbiter.summary(of: action.call) == nil { dials[action.call] = nil }
        }
    }

    /// The far end is reached: who ends the call now means it.
    func noteProgress(of call: CallID) {
        guard dials[call] != nil, let state = broker.arbiter.outline(of: call)?.state,
            ![.starting, .dialing, .ending].contains(state)
        else { return }
        dials[call] = nil
    }

    /// It is over. If its app was to blame it is another's turn, as soon as everybody knows of this.
    func noteEnd(_ entry: HistoryEntry) {
        guard let dial = dials.removeValue(forKey: entry.call) else { return }
        guard entry.reason == .failed, !broker.isReplaying else { return }
        unplaced.append((entry.call, dial))
    }

    /// An event is over: what it has left to be placed is placed, and what is silent is passed on to an app
    /// that has come meanwhile.
    func placeEmergencies() {
        while let (call, dial) = unplaced.popLast() { place(dial, after: call) }
        guard !dials.isEmpty, !broker.isReplaying else { return }
        for call in dials.keys.sorted() where broker.arbiter.isStartSilent(call) {
            noteSilentStart(of: call)
        }
    }

    /// Its app shows no sign of life: it is told to give up, and another one tries, if one is there. An app
    /// that is away was not asked, and may have its turn later.
    func noteSilentStart(of call: CallID) {
        guard let dial = dials[call], let outline = broker.arbiter.outline(of: call),
            outline.state == .starting, let next = next(for: dial), standing(of: next) != .away
        else { return }
        if standing(of: outline.provider) == .away, !broker.arbiter.isStartSent(call) {
            dials[call]?.tried.removeAll { $0 == outline.provider }
        }
        broker.decide(.timerFired(.startSilence(call)))
    }

    /// Whoever waits until an emergency is placed waits for the next app, too; one whose request was accepted
    /// hears that it is not placed only when nobody could.
    ///
    /// - Parameter report: how it went with this one.
    func letWait(
        _ token: RequestToken, _ request: WaitingRequest, _ report: TransactionReport
    ) -> Bool {
        let failed = report.entries.first { $0.kind == .start && $0.state != .fulfilled }
        guard let call = failed?.call else { return false }
        let asked = EmergencyDial.Asked(token: token, request: request, report: report)
        if let dial = dials[call], next(for: dial) != nil {
            dials[call]?.asked = asked
        } else if let place = unplaced.firstIndex(where: { $0.0 == call }),
            next(for: unplaced[place].1) != nil
        {
            unplaced[place].1.asked = asked
        } else {
            return false
        }
        if !request.isAccepted { broker.requests.suspend(token) }
        return true
    }

    private func next(for dial: EmergencyDial) -> ProviderID? {
        emergencyProviders(
            DialledKind(dial.start.remote), hasVideo: dial.start.hasVideo, named: nil
        ).first { !dial.tried.contains($0) }
    }

    /// The user may have dialled again meanwhile.
    private func place(_ dial: EmergencyDial, after former: CallID) {
        let call = broker.newCall()
        let action = next(for: dial).map {
            RequestedAction(call: call, provider: $0, action: .start(dial.start))
        }
        guard let action, let provider = action.provider, !broker.arbiter.hostFacts.hasEmergency,
            let absent = try? broker.demand.absentProviders(for: [action])
        else { return giveUp(dial) }
        broker.demand.start(absent)
        broker.trace.note(
            Decision(
                .emergency, .forced, call: call,
                cause: Cause(.arbitration, rule: .emergency, becauseOf: former)))
        var following = EmergencyDial(start: dial.start, tried: dial.tried + [provider])
        let waiting = dial.asked.flatMap { $0.request.isAccepted ? nil : $0 }
        if waiting == nil { following.asked = dial.asked }
        begin(following, with: call)
        if let waiting { broker.requests.resume(waiting.request, waiting.token) }
        request([action], waiting?.token ?? Broker.noToken, waiting?.request.options)
        forgetRefused([action])
    }

    private func giveUp(_ dial: EmergencyDial) {
        guard let asked = dial.asked else { return }
        guard !asked.request.isAccepted else { return noteRefusal(asked) }
        broker.requests.resume(asked.request, asked.token)
        broker.requests.complete(asked.token, asked.report)
    }

    /// Its request was answered when the first app was asked.
    private func noteRefusal(_ asked: EmergencyDial.Asked) {
        guard let error = RPCError(failed: asked.report) else { return }
        broker.refusedDials.note(
            asked.request, error, asked.report.refusal?.rule, asked.report.transaction)
    }

    private func request(
        _ actions: [RequestedAction], _ token: RequestToken, _ former: CallOptions? = nil
    ) {
        var options = CallOptions()
        options.wait = former?.wait ?? .accepted
        broker.decide(
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
