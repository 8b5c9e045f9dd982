package import CallArbitration
package import CallModel

/// Judges a run from the outside: it sees what happened and what was to be done about it, and never
/// the arbiter itself. So it cannot share the arbiter's mistakes.
package struct EffectWatch: Sendable {
    package internal(set) var complaints: [Complaint] = []
    package internal(set) var timers = TimerTable()

    var now = Instant.zero
    var requests = RequestLedger()
    var calls: CallLedger
    var work = WorkLedger()
    var audio: AudioGrant?
    var apps = AppLedger()
    /// Those that are registered, and whether they are connected.
    var providers: [ProviderID: Bool] = [:]

    package init(policy: ArbitrationPolicy) {
        calls = CallLedger(policy: policy)
    }

    /// Takes note of an event and of all that followed from it.
    package mutating func take(_ event: ArbiterEvent, _ effects: [ArbiterEffect], at now: Instant) {
        self.now = now
        begin(event)
        for effect in effects { take(effect) }
        requests.finish(&complaints)
        calls.finish(event, &complaints)
        work.finish(event, timers, &complaints)
    }

    /// Whether anything is under way: an action, a transaction, a request.
    var isWorking: Bool {
        !work.outstanding.isEmpty || work.openTransactions > 0 || !requests.open.isEmpty
    }

    mutating func complain(_ check: Check, _ what: String, _ about: Any...) {
        complaints.append(
            Complaint(check, what, about.map { "\($0)" }.joined(separator: " ")))
    }

    /// What follows from an event by itself.
    private mutating func begin(_ event: ArbiterEvent) {
        requests.begin(event)
        calls.begin(event, at: now)
        work.begin(event)
        apps.begin(event)
        switch event {
        case .providerRegistered(let registration): providers[registration.provider] = true
        case .providerLost(let provider), .providerExited(let provider):
            if providers[provider] != nil { providers[provider] = false }
        case .brokerRestarted:
            for provider in providers.keys { providers[provider] = false }
        case .timerFired(let timer): _ = timers.stop(timer)
        default: break
        }
    }

    private mutating func take(_ effect: ArbiterEffect) {
        switch effect {
        case .acknowledge(let token): requests.reply(.acknowledgement, to: token, &complaints)
        case .refuse(let token, _): requests.reply(.refusal, to: token, &complaints)
        case .confirmIncoming(let token, _, _, _):
            requests.reply(.confirmation, to: token, &complaints)
        case .confirmRegistration(let token, _, _, _):
            requests.reply(.confirmation, to: token, &complaints)
        case .accept(let token, let report):
            requests.reply(.acceptance, to: token, &complaints)
            apps.accept(token, report)
        case .complete(let token, let report, _):
            requests.complete(token, &complaints)
            work.check(report, &complaints)
        case .offer(let transaction, let provider, let dispatches):
            needConnection(of: provider)
            work.offer(transaction, dispatches)
        case .perform(let dispatch): perform(dispatch)
        case .cancelPerform(let action, _): work.cancel(action, &complaints)
        case .tellTimedOut(let action, _, _, _): work.cancel(action, &complaints)
        case .activateAudio(let provider, let group, let calls):
            activateAudio(provider, group, calls)
        case .deactivateAudio(let provider, let group, _): deactivateAudio(provider, group)
        case .resetProvider(let provider, _): needConnection(of: provider)
        case .startTimer(let timer, let deadline): start(timer, at: deadline)
        case .stopTimer(let timer): stop(timer)
        case .announce(let announcement): take(announcement)
        case .screen(let call): calls.screen(call, &complaints)
        case .record(let entry):
            calls.record(entry, &complaints)
            apps.record(entry, &complaints)
        case .note: break
        }
    }

    private mutating func perform(_ dispatch: Dispatch) {
        needConnection(of: dispatch.provider)
        if calls.hasEnded(dispatch.call), dispatch.kind != .end {
            complain(.endedStays, "an action is performed on an ended call", dispatch)
        }
        if dispatch.deadlineMS < 1 { complain(.timers, "an action has no time", dispatch) }
        if !timers.contains(.action(dispatch.action)) {
            complain(.timers, "an action is performed without a deadline", dispatch.action)
        }
        checkAudio(before: dispatch)
        work.perform(dispatch, &complaints)
    }

    private mutating func needConnection(of provider: ProviderID) {
        guard providers[provider] != true else { return }
        complain(.connectedOnly, "a provider that is not connected is asked to act", provider)
    }

    private mutating func take(_ announcement: Announcement) {
        switch announcement {
        case .callAdded(let call, _): calls.add(call, &complaints)
        case .callChanged(let call, let changes, _):
            calls.change(call, &complaints)
            if changes.contains(.group) { audio?.isGroupChanged = true }
        case .callRemoved(let call, _):
            calls.remove(call, &complaints)
            forgetTimers(of: call)
        case .callRefused(let call, _, _, _): calls.refuse(call)
        case .transactionAccepted(let report, _):
            if let transaction = report.transaction { work.accept(transaction, &complaints) }
        case .transactionCompleted(let report, _):
            if let transaction = report.transaction { work.complete(transaction, &complaints) }
        case .actionChanged(let action, _, let call, let state, _):
            work.change(action, call, state, &complaints)
        case .resumeOffered(let call, _):
            if !calls.isListed(call) {
                complain(.endedStays, "a resume of an unlisted call is offered", call)
            }
        case .providerAdded(let provider): providers[provider] = true
        case .providerRemoved(let provider, _): remove(provider)
        case .hostChanged, .actionLate, .providerChanged, .providerResumed, .providerLost,
            .audioChanged, .anomaly:
            break
        }
    }

    private mutating func remove(_ provider: ProviderID) {
        if providers.removeValue(forKey: provider) == nil {
            complain(.form, "a provider is removed that was not there", provider)
        }
        work.lose(provider, &complaints)
    }
}
