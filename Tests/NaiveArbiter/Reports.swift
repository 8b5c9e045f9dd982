internal import CallArbitration
internal import CallModel

/// Rules 13, 22b, 30, 30a, 31, 33, 34 and 37: what providers say of their calls.
extension NaiveArbiter {
    mutating func takeReport(_ report: CallReport) {
        do throws(Refused) {
            let call = try reported(report)
            showsLife(call.id)
            if call.screening != nil { return try takeScreened(report, call) }
            switch report.news {
            case .connecting: try takeConnecting(call)
            case .connected: try takeConnected(call)
            case .held(true): try takeHeld(call)
            case .held: try takeResumed(call)
            case .muted(let isMuted): try takeMuted(call, isMuted)
            case .group(let other): try takeGroupReport(call, with: other)
            case .updated(let update): apply(update, to: call.id)
            case .ended(let reason): try takeEnded(call, reason)
            }
            reply(report.token, .acknowledged)
        } catch {
            refuse(report.token, error.reason, error.rule)
        }
    }

    private func reported(_ report: CallReport) throws(Refused) -> Call {
        guard provider(report.provider) != nil else {
            throw Refused(.unknownProvider, .unknownCall)
        }
        guard let call = call(report.call) else {
            throw Refused(hasEnded(report.call) ? .callEnded : .unknownCall, .unknownCall)
        }
        guard call.provider == report.provider else { throw Refused(.notYourCall, .rights) }
        return call
    }

    /// While the filters look at it only its end and its properties count.
    private mutating func takeScreened(_ report: CallReport, _ call: Call) throws(Refused) {
        switch report.news {
        case .updated(let update): apply(update, to: call.id)
        case .ended(let reason):
            guard reason.isReportable else { throw Refused(.invalidAction) }
            endScreened(call, reason, .callEnded, missedReasons(of: call, reason))
        case .connecting, .connected, .held, .muted, .group: throw Refused(.invalidState)
        }
        reply(report.token, .acknowledged)
    }

    /// Rule 30a: forwards, never backwards.
    private mutating func takeConnecting(_ call: Call) throws(Refused) {
        switch call.state {
        case .starting:
            guard let start = sent(.start, on: call.id) else { throw Refused(.invalidState) }
            settle(start, .fulfilled)
            change(call.id) { $0.state = .connecting }
        case .dialing:
            change(call.id) { $0.state = .connecting }
            arm(.dial(call.id), policy.dialTimeoutMS)
        case .connecting: break
        case .ringing, .waiting, .active, .held, .ending, .ended: throw Refused(.invalidState)
        }
    }

    private mutating func takeConnected(_ call: Call) throws(Refused) {
        switch call.state {
        case .starting:
            guard let start = sent(.start, on: call.id) else { throw Refused(.invalidState) }
            settle(start, .fulfilled)
            becomeActive(call.id)
        case .dialing, .connecting: becomeActive(call.id)
        case .ringing, .waiting:
            guard let answer = sent(.answer, on: call.id) else { return askForAudio(call) }
            settle(answer, .fulfilled)
        case .active: break
        case .held: try takeResumed(call)
        case .ending, .ended: throw Refused(.invalidState)
        }
    }

    private func sent(_ kind: ActionKind, on call: CallID) -> Action? {
        actions.first { $0.call == call && $0.kind.kind == kind && $0.isSent }
    }

    private mutating func takeHeld(_ call: Call) throws(Refused) {
        switch call.state {
        case .active:
            if let hold = actions.first(where: { $0.call == call.id && $0.kind == .setHeld(true) })
            {
                settle(hold, .fulfilled)
            } else {
                becomeHeld(call.id)
            }
        case .held: break
        case .starting, .dialing, .connecting, .ringing, .waiting, .ending, .ended:
            throw Refused(.invalidState)
        }
    }

    private mutating func takeResumed(_ call: Call) throws(Refused) {
        switch call.state {
        case .active: break
        case .held:
            let resume = actions.first { $0.call == call.id && $0.kind == .setHeld(false) }
            if let resume { settle(resume, .fulfilled) } else { askForAudio(call) }
        case .starting, .dialing, .connecting, .ringing, .waiting, .ending, .ended:
            throw Refused(.invalidState)
        }
    }

    /// Rule 13: a request for the audio, never for ending another call.
    mutating func askForAudio(_ call: Call) {
        disarm(.ring(call.id))
        if liveGroup == nil || liveGroup == call.group { return becomeActive(call.id) }
        // Rule 30: it is decided already.
        if plans.contains(where: { isGrantingOrSendingBack(call.id, $0) }) { return }
        // Its own answer or resume waits for the same: it is fulfilled as soon as the way is free.
        if let plan = plans.first(where: { $0.steps.contains { Self.isBringing(call, $0) } }) {
            return change(plan: plan.number) { plan in
                for index in plan.steps.indices where Self.isBringing(call, plan.steps[index]) {
                    plan.steps[index].work = .grant(call.id)
                }
            }
        }
        guard let blocker = liveGroup, canHoldNow(group: blocker),
            !plans.contains(where: { isReserving($0) })
        else { return carryOut([Step(.sendBack(call.id))], .automatic) }
        let hold = Step(.hold(group: blocker), becauseOf: call.id)
        carryOut([hold, Step(.grant(call.id))], .automatic)
    }

    private static func isBringing(_ call: Call, _ step: Step) -> Bool {
        switch step.work {
        case .answer(call.id), .resume(call.group): true
        default: false
        }
    }

    private func isGrantingOrSendingBack(_ call: CallID, _ plan: Plan) -> Bool {
        (plan.steps + [plan.running].compactMap { $0 }).contains {
            switch $0.work {
            case .grant(call), .sendBack(call): true
            default: false
            }
        }
    }

    /// Rule 34; nothing is echoed.
    private mutating func takeMuted(_ call: Call, _ isMuted: Bool) throws(Refused) {
        change(group: call.group) { $0.isMuted = isMuted }
    }

    private mutating func takeEnded(_ call: Call, _ reason: EndReason) throws(Refused) {
        guard reason.isReportable else { throw Refused(.invalidAction) }
        finish(call.id, call.ending?.reason ?? reason, .reported)
    }

    /// Rule 21: video of a provider without it is shown as audio and flagged.
    mutating func apply(_ update: CallUpdate, to id: CallID) {
        guard let call = call(id), let provider = provider(of: call) else { return }
        change(id) { _ = $0.properties.apply(update) }
        if self.call(id)?.properties.hasVideo == true, !provider.configuration.supportsVideo {
            change(id) { $0.properties.hasVideo = false }
            wanted.anomalies.append(.videoUndeclared)
        }
        guard call.screening == nil, !call.isEmergency, policy.allowsEmergency,
            self.call(id)?.properties.priority == .emergency
        else { return }
        change(id) { $0.isEmergency = true }
        beginEmergency(id)
    }
}
