import CallArbitration
import CallModel
import TestSupport

@testable import CallTranscript

extension RandomValues {
    mutating func event(_ kind: EventKind) -> ArbiterEvent {
        switch kind {
        case .providerStarting: .providerStarting(provider(), configuration())
        case .providerRegistered: .providerRegistered(registration())
        case .providerUpdated: .providerUpdated(provider(), configuration())
        case .providerUnregistered: .providerUnregistered(provider())
        case .providerLost: .providerLost(provider())
        case .providerExited: .providerExited(provider())
        case .providerRevoked: .providerRevoked(provider())
        case .incomingReported: .incomingReported(incomingReport())
        case .missedReported: .missedReported(missedReport())
        case .callReported:
            .callReported(
                CallReport(
                    token: token(), provider: provider(), call: call(), news: news(),
                    at: optional { $0.instant() }))
        case .screeningSettled: .screeningSettled(call(), verdict())
        case .callerIdentified: .callerIdentified(call(), caller())
        case .callerPrioritized: .callerPrioritized(call())
        case .transactionRequested: .transactionRequested(request())
        case .swapRequested:
            .swapRequested(token(), requester(), call: optional { $0.call() }, options())
        case .mergeRequested:
            .mergeRequested(token(), requester(), call: call(), with: call(), options())
        case .splitRequested: .splitRequested(token(), requester(), call: call(), options())
        case .buttonPressed: .buttonPressed(token(), word())
        case .silenceRequested: .silenceRequested(token(), requester(), call: call())
        case .prioritizeRequested: .prioritizeRequested(token(), requester(), call: call())
        case .cancelRequested: .cancelRequested(token())
        case .actionFulfilled:
            .actionFulfilled(action(), by: provider(), at: optional { $0.instant() })
        case .actionFailed:
            .actionFailed(action(), by: provider(), failure())
        case .actionExtended: .actionExtended(action(), by: provider(), byMS: int())
        case .offerSettled: .offerSettled(transaction(), by: provider(), isTaken: bool())
        case .timerFired: .timerFired(timer())
        case .policyChanged: .policyChanged(policy())
        case .brokerRestarted: .brokerRestarted(isSameBoot: bool())
        }
    }

    mutating func requester() -> Requester {
        random.pick([.user, .app(provider())])
    }

    mutating func options() -> CallOptions {
        var options = CallOptions()
        options.onConflict = word()
        options.wait = word()
        options.isDryRun = bool()
        options.endsGroup = bool()
        options.deadlineMS = optional { $0.int() }
        options.transaction = optional { $0.transaction() }
        return options
    }

    mutating func registration() -> ProviderRegistration {
        ProviderRegistration(
            token: token(), provider: provider(), configuration: configuration(),
            calls: optional { $0.list { $0.liveCall() } }, hasMore: bool())
    }

    mutating func liveCall() -> LiveCall {
        LiveCall(
            call: call(), direction: word(), state: word(), update: update(),
            connectedAt: optional { $0.instant() })
    }

    mutating func incomingReport() -> IncomingReport {
        IncomingReport(
            token: token(), provider: provider(), call: call(), update: update(),
            needsScreening: bool(), receivedAt: optional { $0.instant() })
    }

    mutating func missedReport() -> MissedReport {
        MissedReport(
            token: token(), provider: provider(), call: call(), update: update(),
            reasons: missedReasons(), at: optional { $0.instant() })
    }

    mutating func news() -> CallReport.News {
        random.pick([
            .connecting, .connected, .held(bool()), .muted(bool()),
            .group(with: optional { $0.call() }), .updated(update()),
            .ended(
                word(), optional { $0.detail() }, elsewhere: optional { $0.string() }),
            .external(word(), update()),
            .alerting(hasEarlyMedia: optional { $0.bool() }),
        ])
    }

    mutating func verdict() -> ScreeningVerdict {
        random.pick([
            .block(word(), by: string()), .allow, .doNotDisturb, .silence(by: string()), .ring,
            .ringInCall,
            .timedOut,
        ])
    }

    mutating func request() -> TransactionRequest {
        TransactionRequest(
            token: token(), requester: requester(),
            actions: list { $0.requestedAction() }, options: options())
    }

    mutating func requestedAction() -> RequestedAction {
        RequestedAction(
            call: call(), provider: optional { $0.provider() }, action: callAction(),
            choice: word())
    }

    mutating func timer() -> TimerID {
        let kind: TimerKind = word()
        switch kind {
        case .action: return .action(action())
        case .ring: return .ring(call())
        case .dial: return .dial(call())
        case .startSilence: return .startSilence(call())
        case .screening: return .screening(call())
        case .videoRequest: return .videoRequest(call())
        case .textRequest: return .textRequest(call())
        case .grace: return .grace(provider())
        case .offer: return .offer(transaction(), provider())
        case .emergencyCallback: return .emergencyCallback(provider())
        case .endingWait: return .endingWait(transaction())
        }
    }

    mutating func policy() -> ArbitrationPolicy {
        var policy = ArbitrationPolicy()
        policy.onHoldFailure = word()
        policy.onCannotHold = word()
        policy.resumeAfterUserEnd = bool()
        policy.resumeAfterRemoteEnd = bool()
        policy.dialWhileRinging = word()
        policy.videoFallback = word()
        policy.busyInCall = bool()
        policy.priorityClaims = list { $0.provider() }
        policy.buttonActive = word()
        policy.allowsEmergency = bool()
        policy.limits = limits()
        policy.deadlines = deadlines()
        policy.extensionPercentMax = int()
        policy.ringTimeoutMS = int()
        policy.videoRequestMS = int()
        policy.dialTimeoutMS = int()
        policy.startSilenceMS = int()
        policy.endingWaitMS = int()
        policy.graceMS = int()
        policy.separateAppGraceMS = int()
        policy.restartGraceMS = int()
        policy.screeningMS = int()
        policy.offerMS = int()
        policy.reportAgeMS = int()
        policy.emergencyCallbackMS = int()
        policy.shortRingMS = int()
        policy.endedCallsMax = int()
        policy.endedCallsMS = int()
        return policy
    }

    mutating func limits() -> ArbitrationPolicy.Limits {
        var limits = ArbitrationPolicy.Limits()
        limits.heldGroups = int()
        limits.ringing = int()
        limits.dialing = int()
        limits.callsPerProvider = int()
        limits.calls = int()
        return limits
    }

    mutating func deadlines() -> ArbitrationPolicy.Deadlines {
        var deadlines = ArbitrationPolicy.Deadlines()
        deadlines.start = int()
        deadlines.answer = int()
        deadlines.end = int()
        deadlines.setHeld = int()
        deadlines.setMuted = int()
        deadlines.setGroup = int()
        deadlines.playDTMF = int()
        deadlines.setEndpoint = int()
        deadlines.setVideo = int()
        deadlines.setText = int()
        (deadlines.transfer, deadlines.attendedTransfer, deadlines.deflect) = (int(), int(), int())
        return deadlines
    }
}
