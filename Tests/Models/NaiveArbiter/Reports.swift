internal import CallArbitration
internal import CallModel

/// Rules 13, 22b, 30, 30a, 31, 33, 34 and 37: what providers say of their calls.
extension NaiveArbiter {
    mutating func takeReport(_ report: CallReport) {
        defer { said = nil }
        do throws(Refused) {
            if case .external(let direction, let update) = report.news, call(report.call) == nil {
                try addExternal(report, direction, update)
                return reply(report.token, .acknowledged)
            }
            let call = try reported(report)
            said = said(in: report)
            try take(report.news, of: call)
            reply(report.token, .acknowledged)
        } catch {
            refuse(report.token, error)
        }
    }

    /// When it was held, muted or grouped nobody keeps.
    private func said(in report: CallReport) -> Said? {
        guard let at = report.at else { return nil }
        switch report.news {
        case .alerting, .connecting, .connected, .held(false):
            return Said(call: report.call, at: at, isEnd: false)
        case .ended: return Said(call: report.call, at: at, isEnd: true)
        case .held, .muted, .group, .updated, .external: return nil
        }
    }

    private func reported(_ report: CallReport) throws(Refused) -> Call {
        guard provider(report.provider) != nil else {
            throw Refused(.unknownProvider, .unknownCall)
        }
        guard let call = call(report.call) else { throw notFound(report.call) }
        guard call.provider == report.provider else {
            throw Refused(.notYourCall, .rights, [call.id])
        }
        return call
    }

    private mutating func take(_ news: CallReport.News, of call: Call) throws(Refused) {
        if call.screening != nil { try checkWhileScreened(news, call) }
        showsLife(call.id)
        switch news {
        case .alerting(let hasEarlyMedia): try takeAlerting(call, hasEarlyMedia)
        case .connecting: try takeConnecting(call)
        case .connected, .held(false): try takeActive(call)
        case .held: try takeHeld(call)
        case .muted(let isMuted): takeMuted(call, isMuted)
        case .group(let other): try takeGrouped(call, with: other)
        case .updated(let update):
            try checkVideoRequest(update, of: call)
            try checkTextRequest(update, of: call)
            apply(update, to: call.id)
            if case .set(let endpoints) = update.endpoints, let used = endpoints.inUse {
                _ = counts(call, as: { $0 == .setEndpoint(used.id) })
            }
            if update.video != .unchanged || update.hasVideo != .unchanged,
                let video = self.call(call.id)?.properties.video
            {
                _ = counts(call, as: { $0 == .setVideo(video) })
            }
            if update.hasText != .unchanged, let now = self.call(call.id)?.properties.hasText {
                _ = counts(call, as: { $0 == .setText(now) })
            }
        case .ended(let reason, let detail, let device):
            if let device { change(call.id) { $0.properties.elsewhere = device } }
            try takeEnded(call, reason, detail)
        case .external(_, let update):
            guard call.isExternal else { throw backwards(call) }
            apply(update, to: call.id)
        }
    }

    /// While the filters look at it only its end and its properties count.
    private func checkWhileScreened(
        _ news: CallReport.News, _ call: Call
    ) throws(Refused) {
        switch news {
        case .updated, .ended: break
        case .alerting, .connecting, .connected, .held, .muted, .group, .external:
            throw backwards(call)
        }
    }

    private func backwards(_ call: Call) -> Refused {
        Refused(.invalidState, .reportOvertakes, [call.id])
    }

    /// Rule 30a: the far end rings, and later perhaps with sound.
    mutating func takeAlerting(_ call: Call, _ hasEarlyMedia: Bool?) throws(Refused) {
        switch call.state {
        case .alerting, .dialing: break
        case .starting:
            try startIsReported(call)
            guard self.call(call.id)?.state == .dialing else { return }
        case .ringing, .waiting, .connecting, .active, .held, .ending, .ended, .external:
            throw backwards(call)
        }
        let moment = moment(of: call, isEnd: false)
        change(call.id) { call in
            if let hasEarlyMedia { call.properties.hasEarlyMedia = hasEarlyMedia }
            guard call.state != .alerting else { return }
            (call.state, call.alertingAt) = (.alerting, moment)
        }
        if call.state != .alerting { arm(.dial(call.id), policy.dialTimeoutMS) }
    }

    /// Rule 30a: forwards, never backwards.
    mutating func takeConnecting(_ call: Call) throws(Refused) {
        switch call.state {
        case .connecting: return
        case .starting:
            try startIsReported(call)
            // What waited for it may have ended it.
            guard self.call(call.id)?.state == .dialing else { return }
        case .dialing, .alerting: break
        case .ringing, .waiting, .active, .held, .ending, .ended, .external: throw backwards(call)
        }
        let moment = moment(of: call, isEnd: false)
        change(call.id) {
            $0.state = .connecting
            $0.connectingAt = moment
        }
        arm(.dial(call.id), policy.dialTimeoutMS)
    }

    private mutating func startIsReported(_ call: Call) throws(Refused) {
        guard counts(call, as: { $0.kind == .start }) else { throw backwards(call) }
    }

    mutating func takeActive(_ call: Call) throws(Refused) {
        switch call.state {
        case .active: break
        case .starting:
            try startIsReported(call)
            guard self.call(call.id)?.state == .dialing else { return }
            becomeActive(call.id, Cause(.provider))
        case .dialing, .alerting, .connecting: becomeActive(call.id, Cause(.provider))
        case .ringing, .waiting, .external:
            if !counts(call, as: { $0 == .answer }) { askForAudio(call.id) }
        case .held: if !counts(call, as: { $0 == .setHeld(false) }) { askForAudio(call.id) }
        case .ending, .ended: throw backwards(call)
        }
    }

    mutating func takeHeld(_ call: Call) throws(Refused) {
        let counts = call.state != .ending && counts(call, as: { $0 == .setHeld(true) })
        switch call.state {
        case .held: break
        case .active: if !counts { becomeHeld(call.id) }
        case .ringing, .waiting, .external: if !counts { throw backwards(call) }
        case .starting, .dialing, .alerting, .connecting, .ending, .ended: throw backwards(call)
        }
    }

    /// Whether the report is the fulfilment of what is under way, or waits for room (rule 30a).
    private mutating func counts(_ call: Call, as matches: (CallAction) -> Bool) -> Bool {
        let next = [current(call.id), waiting(on: call.id).first].compactMap { $0 }
        if let action = next.first(where: { matches($0.kind) }) {
            settleAndGoOn(action.number, .fulfilled)
            return true
        }
        guard let waiting = reservation.flatMap({ plan($0) }) else { return false }
        // Nobody can have begun a call that no app was told of.
        let ahead = allActions(of: waiting).first {
            $0.call == call.id && $0.state == .queued && !$0.isImplied && $0.kind.kind != .start
                && matches($0.kind)
        }
        guard let ahead else { return false }
        let at = said.flatMap { $0.call == call.id && !$0.isEnd ? $0.at : nil }
        change(action: ahead.number) { ($0.early, $0.earlyAt) = (.fulfilled, at) }
        return true
    }

    // Rule 13.

    /// A request for the audio, never for ending another call.
    mutating func askForAudio(_ id: CallID) {
        guard let call = call(id) else { return }
        disarm(.ring(id))
        let at = said.flatMap { $0.call == id && !$0.isEnd ? $0.at : nil }
        change(id) { $0.takenAt = $0.takenAt ?? at }
        if call.isMarked, !call.isEmergency {
            beginEmergency(id)
            clearWay(for: id)
        }
        guard let call = self.call(id) else { return }
        let isRegrouped = members(of: call.group).contains {
            current($0.id)?.kind.kind == .setGroup
        }
        let isInWay = isBackground(call.group) && backgroundRefused(id) != nil
        guard emergencies.isEmpty || call.isEmergency, !isRegrouped, !isInWay else {
            return sendBack(id)
        }
        // It is decided already (rule 30).
        if let waiting = reservation.flatMap({ plan($0) }), waiting.target == id,
            waiting.steps.contains(where: { $0.purpose == .grant })
        {
            return
        }
        let cause = Cause(.provider, rule: .reportedActive, becauseOf: id)
        let live = liveGroup
        if live == nil && reservation == nil || live == call.group {
            return becomeActive(id, cause)
        }
        let isHeld = group(call.group)?.isHeld == true
        guard let live, reservation == nil, canHoldNow(group: live),
            heldGroups.count < policy.limits.heldGroups || isHeld
        else { return sendBack(id) }
        var planned = Planned()
        planned.target = id
        planned.steps = [PlannedStep(.hold, holds(of: live)), PlannedStep(.grant)]
        carryOut(planned, cause)
    }

    /// The audio is not free: the reporting provider has to hold.
    mutating func sendBack(_ id: CallID) {
        guard let call = call(id), call.state != .ending, current(id)?.kind != .setHeld(true)
        else { return }
        announce(.activeUnasked, id)
        var planned = Planned()
        planned.steps = [PlannedStep(.sendBack, [implied(.setHeld(true), call)])]
        carryOut(
            planned,
            Cause(
                .arbitration, rule: .reportedActive, becauseOf: liveGroup.flatMap { name(of: $0) }))
    }

    /// Rule 34; nothing is echoed, but an emergency is heard (rule 20).
    private mutating func takeMuted(_ call: Call, _ isMuted: Bool) {
        if counts(call, as: { $0 == .setMuted(isMuted) }) { return }
        change(group: call.group) { $0.isMuted = isMuted }
        if isMuted, let urgent = members(of: call.group).first(where: \.isEmergency) {
            forceSound(of: call.group, Cause(.policy, rule: .emergency, becauseOf: urgent.id))
        }
    }

    /// Rule 22b: recorded as reported; over the limits it is flagged.
    private mutating func takeGrouped(_ call: Call, with otherID: CallID?) throws(Refused) {
        var other: Call?
        if let otherID {
            guard let named = self.call(otherID) else { throw notFound(otherID) }
            guard named.provider == call.provider else {
                throw Refused(.notYourCall, .rights, [named.id])
            }
            other = named
        }
        for one in [call, other].compactMap({ $0 }) where one.state != .active && one.state != .held
        {
            throw backwards(one)
        }
        let isSame: (CallAction) -> Bool = { [self] kind in
            guard case .setGroup(let wanted) = kind else { return false }
            return wanted.flatMap { self.call($0) }?.group == other?.group
        }
        if counts(call, as: isSame) { return }
        regroup([call.id], with: otherID, Cause(.provider, rule: .reportedGroup))
        flagGroup(of: call.id)
    }

    private mutating func flagGroup(of id: CallID) {
        guard let call = call(id), let limits = provider(call.provider)?.configuration else {
            return
        }
        if members(of: call.group).count > limits.maxCallsPerGroup
            || groupsSeen(of: call.provider).count > limits.maxCallGroups
        {
            announce(.groupOverLimit, id)
        }
    }

    mutating func apply(_ update: CallUpdate, to id: CallID) {
        guard let call = call(id), let provider = provider(call.provider) else { return }
        let wasEmergency = call.properties.priority == .emergency
        let wasPriority = call.properties.priority == .priorityCaller
        var update = judged(update, by: call.provider)
        update.priority = allowedPriority(update, of: call)
        let claimed =
            [update.hasVideo == .set(true)]
            + [.send, .receive, .both].map { update.video == .set($0) }
        if claimed.contains(true), !provider.configuration.supportsVideo {
            (update.hasVideo, update.video) = (.unchanged, .unchanged)
            announce(.videoUndeclared, id)
        }
        if update.hasText == .set(true), !provider.configuration.supportsText {
            update.hasText = .unchanged
        }
        change(id) {
            _ = $0.properties.apply(update)
            let isOther = $0.properties.remote != call.properties.remote
            if wasPriority, isOther, !$0.isMarked { $0.properties.priority = .normal }
        }
        timeVideoRequest(of: id, before: call.properties.videoRequest)
        timeTextRequest(of: id, before: call.properties.textRequest)
        guard !wasEmergency, let call = self.call(id), call.isMarked, call.state != .ending
        else { return }
        if call.screening != nil { return settleScreening(of: id, .allow) }
        if call.isUnanswered, !isBeingTakenUp(call) { return ringFirst(id) }
        beginEmergency(id)
        clearWay(for: id)
    }

    /// Rule 45: who has no video, or is not connected, is not asked for it.
    private func checkVideoRequest(_ update: CallUpdate, of call: Call) throws(Refused) {
        guard case .set(let video) = update.videoRequest, video != .off else { return }
        if provider(call.provider)?.configuration.supportsVideo != true {
            throw Refused(.notSupported, .videoRequest, [call.id])
        }
        if call.state != .active, call.state != .held {
            throw Refused(.invalidState, .videoRequest, [call.id])
        }
    }

    /// Rule 46, likewise.
    private func checkTextRequest(_ update: CallUpdate, of call: Call) throws(Refused) {
        guard update.textRequest == .set(true) else { return }
        if provider(call.provider)?.configuration.supportsText != true {
            throw Refused(.notSupported, .text, [call.id])
        }
        if call.state != .active, call.state != .held {
            throw Refused(.invalidState, .text, [call.id])
        }
    }

    private mutating func timeTextRequest(of id: CallID, before: Bool) {
        guard call(id)?.properties.textRequest == true else { return disarm(.textRequest(id)) }
        if !before { arm(.textRequest(id), policy.videoRequestMS) }
    }

    private mutating func timeVideoRequest(of id: CallID, before: VideoDirection?) {
        guard let request = call(id)?.properties.videoRequest else {
            return disarm(.videoRequest(id))
        }
        if request != before { arm(.videoRequest(id), policy.videoRequestMS) }
    }

    private mutating func takeEnded(
        _ call: Call, _ reason: EndReason, _ detail: EndDetail?
    ) throws(Refused) {
        guard reason.isReportable else { throw Refused(.invalidAction, .elsewhere) }
        // Rule 30a: it says that the transfer is done.
        if let action = current(call.id), action.isSent,
            let elsewhere = action.kind.sendsElsewhere, elsewhere == detail?.reason
        {
            return settleAndGoOn(action.number, .fulfilled)
        }
        let isElsewhere = reason == .answeredElsewhere || reason == .declinedElsewhere
        let origin: Origin = reason == .failed ? .provider : .remote
        finish(
            call.id, reason, Cause(origin, rule: isElsewhere ? .elsewhere : nil), detail: detail)
    }
}
