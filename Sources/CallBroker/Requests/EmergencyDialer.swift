internal import BrokerRPC
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallStore

/// Decides which calls are emergencies, before the rules are applied (rule 20), and places those
/// that the user has dialed. A call is an emergency by its number, or because the user or an app
/// marks it as one, if the policy allows the app to.
final class EmergencyDialer: BrokerPart {
    /// The emergencies that the user has dialed, until the far end is reached.
    private var dials = EmergencyDials()
    /// The emergencies whose call has failed, which another app is to place.
    private var unplaced: [(CallID, EmergencyDial)] = []

    /// Returns whether a handle, as it is dialed, is the number of an emergency service. No
    /// permission is needed: the number is the evidence.
    func isEmergency(number remote: Handle) -> Bool {
        guard let number = remote.telephoneNumber else { return false }
        return EmergencyNumbers.contains(
            number, region: broker.policy.choices.screening.region,
            others: broker.policy.choices.emergency.numbers)
    }

    /// Returns the actions of a request with the starts marked as emergencies that are.
    func judged(_ actions: [RequestedAction], of requester: Requester) -> [RequestedAction] {
        guard actions.contains(where: { $0.action.kind == .start }) else { return actions }
        return actions.map { action in
            guard case .start(var start) = action.action else { return action }
            start.isEmergency = isEmergency(start, of: requester)
            var judged = action
            judged.action = .start(start)
            return judged
        }
    }

    /// Returns the starts of emergencies in a request.
    func emergencies(
        in actions: [RequestedAction], of requester: Requester
    ) -> [RequestedAction] {
        guard broker.arbiter.policy.allowsEmergency else { return [] }
        return actions.filter { action in
            guard case .start(let start) = action.action else { return false }
            return isEmergency(start, of: requester)
        }
    }

    /// Returns whether a start is an emergency: by its number, or because the requester has marked
    /// it and may.
    private func isEmergency(_ start: StartArguments, of requester: Requester) -> Bool {
        isEmergency(number: start.remote) || start.isEmergency && mayMark(requester)
    }

    /// Returns whether a requester may mark a start as an emergency.
    private func mayMark(_ requester: Requester) -> Bool {
        switch requester {
        case .user: true
        case .app(let provider):
            broker.policy.choices.emergency.claims[provider]?.outgoing == .allowed
        }
    }

    /// Returns the calls that an app marks as emergencies though it may not.
    func claims(in actions: [RequestedAction], of requester: Requester) -> [CallID] {
        actions.compactMap { action in
            guard case .start(let start) = action.action, start.isEmergency,
                !isEmergency(start, of: requester)
            else { return nil }
            return action.call
        }
    }

    /// Removes the mark of an emergency from an app's update, unless the call was one before or the
    /// policy allows the app to mark it.
    ///
    /// - Returns: true if the mark was removed.
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
        broker.summary(of: call)?.properties.priority == .emergency
    }

    /// Records and publishes that an app has marked a call without being allowed to. The journal
    /// keeps this beside the arbiter's events, which share its numbers. The user is asked where the
    /// policy says so.
    func reportClaim(of call: CallID, by provider: ProviderID, _ direction: Direction) {
        broker.journal.append(.claimPublished(call, by: provider))
        carryOut(claimOf: call, by: provider)
        broker.questions.ask(aboutEmergenciesOf: provider, direction)
    }

    func carryOut(claimOf call: CallID, by provider: ProviderID) {
        broker.trace.record(
            Decision(
                .emergency, .ignored, call: call,
                cause: Cause(.provider, rule: .emergency)))
        // A call that a filter still examines is not visible to anybody yet (rule 31).
        broker.announcer.publish(
            .emergencyClaimed, broker.outline(of: call) == nil ? nil : call, provider)
    }
}

/// The apps that place an emergency: the first one, and the next when an app fails.
extension EmergencyDialer {
    /// How soon an app can place a call, the best first.
    private enum Standing: Int {
        case connected, startable, hung
        /// Not before its app has reconnected, or its plugin is started again after a failure.
        case away, failed
    }

    /// Returns the providers that are authorized and can dial such a number, the best first.
    ///
    /// Connected providers come before those that have to be started, that do not respond, whose
    /// connection is lost, or that have failed and are not started again yet. Among equals, a
    /// provider that would place a video call as audio comes later, unless the user names it. Then
    /// the order is: the provider that the user names, those of the policy in its order, the
    /// default for the scheme, and the one connected longest.
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

    /// Returns the authorized providers that have declared that they can dial such a number, and
    /// the one that is named, which may be able to without having declared it. If there are none,
    /// returns all authorized providers.
    private func candidates(_ kind: DialledKind, named: ProviderID?) -> [ProviderID] {
        let all = Set(broker.arbiter.providerIDs + broker.demand.startableProviders).filter(
            broker.policy.choices.isAuthorized)
        let able = all.filter { $0 == named || broker.providerChoice.canDial(kind, $0) }
        return Array(able.isEmpty ? all : able)
    }

    private func standing(of provider: ProviderID) -> Standing {
        guard broker.configuration(of: provider) != nil else {
            return broker.plugins[provider.name]?.state == .backoff ? .failed : .startable
        }
        guard broker.arbiter.isConnected(provider), let peer = broker.sessions[provider]?.peer
        else {
            return broker.arbiter.isStarting(provider) ? .startable : .away
        }
        return peer.heartbeat.isAsking ? .hung : .connected
    }

    /// Keeps the emergencies that the user dials: until the far end is reached, the broker looks
    /// for a provider that can place them.
    func recordDials(in actions: [RequestedAction], of requester: Requester) {
        guard requester == .user, broker.arbiter.policy.allowsEmergency else { return }
        for action in actions {
            guard case .start(let start) = action.action, start.isEmergency,
                let provider = action.provider, broker.summary(of: action.call) == nil
            else { continue }
            begin(EmergencyDial(start: start, tried: [provider]), with: action.call)
        }
    }

    /// Keeps an emergency, and records it in the journal.
    private func begin(_ dial: EmergencyDial, with call: CallID) {
        dials[call] = dial
        broker.journal.append(.dialled(dial.stored(call)))
    }

    /// The emergencies that the next broker resumes. Clients that wait for them ask it again.
    var stored: [StoredDial] {
        dials.calls.compactMap { call in dials[call]?.stored(call) }
    }

    /// Removes all emergencies that were refused and therefore never became calls.
    func forgetRefused() {
        for call in dials.calls { forgetRefused(call) }
    }

    func restore(_ stored: StoredDial) {
        dials[stored.call] = EmergencyDial(start: stored.start, tried: stored.tried)
    }

    /// Removes the emergencies of a request that were refused.
    func forgetRefused(_ actions: [RequestedAction]) {
        guard !dials.calls.isEmpty else { return }
        for action in actions { forgetRefused(action.call) }
    }

    private func forgetRefused(_ call: CallID) {
        if broker.summary(of: call) == nil { dials[call] = nil }
    }

    /// Removes an emergency whose far end is reached. From then on an end of the call is meant.
    func recordProgress(of call: CallID) {
        guard dials[call] != nil, let state = broker.outline(of: call)?.state,
            ![.starting, .dialing, .alerting, .ending].contains(state)
        else { return }
        dials[call] = nil
    }

    /// Removes an emergency whose call has ended. If the app has failed, another one is asked as
    /// soon as the event is over and this end is published.
    func recordEnd(_ entry: HistoryEntry) {
        guard let dial = dials[entry.call] else { return }
        dials[entry.call] = nil
        guard entry.reason == .failed, !broker.isReplaying else { return }
        unplaced.append((entry.call, dial))
    }

    /// Places what an event has left to be placed, and passes silent starts on to an app that has
    /// come meanwhile. Called after every event: costs nothing as long as no emergency is dialed.
    func placeEmergencies() {
        while let (call, dial) = unplaced.popLast() { place(dial, after: call) }
        guard !dials.calls.isEmpty, !broker.isReplaying else { return }
        for call in dials.calls where broker.arbiter.isStartSilent(call) {
            passOnSilentStart(of: call)
        }
    }

    /// Ends the start of an app that shows no sign of life, if another app can place the call. An
    /// app that is away has not been asked, and is tried again later.
    func passOnSilentStart(of call: CallID) {
        guard let dial = dials[call], let outline = broker.outline(of: call),
            outline.state == .starting, let next = next(for: dial),
            ![.away, .failed].contains(standing(of: next))
        else { return }
        if standing(of: outline.provider) == .away, !broker.arbiter.isStartSent(call) {
            dials[call]?.tried.removeAll { $0 == outline.provider }
        }
        broker.decide(.timerFired(.startSilence(call)))
    }

    /// Lets a client that waits for an emergency wait for the next app, too. A client whose request
    /// was accepted already is sent the failure only when no app can place the call.
    ///
    /// - Parameter report: the outcome at this app.
    /// - Returns: false if there is no next app.
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

    /// Returns the best provider that has not been asked yet.
    private func next(for dial: EmergencyDial) -> ProviderID? {
        emergencyProviders(
            DialledKind(dial.start.remote), hasVideo: dial.start.hasVideo, named: nil
        ).first { !dial.tried.contains($0) }
    }

    /// Asks the next app to place an emergency, unless the user has dialed another one meanwhile.
    private func place(_ dial: EmergencyDial, after former: CallID) {
        let call = broker.newCall()
        let action = next(for: dial).map {
            RequestedAction(call: call, provider: $0, action: .start(start(dial.start, at: $0)))
        }
        guard let action, let provider = action.provider, !broker.hostFacts.hasEmergency,
            let absent = try? broker.demand.absentProviders(for: [action])
        else { return giveUp(dial) }
        broker.demand.start(absent)
        broker.trace.record(
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

    /// Returns the arguments of a start at another app, which does not have the line of the first.
    private func start(_ start: StartArguments, at provider: ProviderID) -> StartArguments {
        var start = start
        start.line = nil
        return (try? broker.lineChoice.place(start, at: provider)) ?? start
    }

    /// Completes the request of the client that waits, with the outcome at the last app.
    private func giveUp(_ dial: EmergencyDial) {
        guard let asked = dial.asked else { return }
        guard !asked.request.isAccepted else { return recordRefusal(asked) }
        broker.requests.resume(asked.request, asked.token)
        broker.requests.complete(asked.token, asked.report)
    }

    /// Keeps the refusal of a request that was answered when the first app was asked.
    private func recordRefusal(_ asked: EmergencyDial.Asked) {
        guard let error = RPCError(failed: asked.report) else { return }
        broker.refusedDials.record(
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

/// Emergencies by call, in the order of the calls' ids.
private struct EmergencyDials {
    /// Sorted, so that the order never depends on a hash.
    private(set) var calls: [CallID] = []
    private var dials: [CallID: EmergencyDial] = [:]

    subscript(call: CallID) -> EmergencyDial? {
        get {
            dials[call]
        }
        set {
            let isNew = dials[call] == nil && newValue != nil
            dials[call] = newValue
            if isNew {
                calls.insert(call, at: calls.firstIndex { call < $0 } ?? calls.endIndex)
            } else if newValue == nil {
                calls.removeAll { $0 == call }
            }
        }
    }
}

/// An emergency whose far end has not been reached.
struct EmergencyDial {
    /// A client that waits until the emergency is placed, and its reply if that never happens.
    struct Asked {
        let token: RequestToken
        let request: WaitingRequest
        let report: TransactionReport
    }

    let start: StartArguments
    /// The providers that have been asked to place it.
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
    /// The number that a telephone would dial; nil for any other address.
    fileprivate var telephoneNumber: String? {
        switch kind {
        case .phone: value
        case .generic, .other:
            value.lowercased().hasPrefix("tel:") ? try? DialledAddress(value).number : nil
        case .email: nil
        }
    }
}
