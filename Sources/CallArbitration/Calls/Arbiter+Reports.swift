internal import CallModel

/// Reports of providers about their calls.
extension Arbiter {
    mutating func receive(_ report: CallReport) {
        do throws(Refusal) {
            if case .external(let direction, let update) = report.news,
                calls.slot(of: report.call) == nil
            {
                try addExternal(report, direction, update)
                return emit(.acknowledge(report.token))
            }
            let call = try reportedCall(report)
            try take(report.news, of: call, at: report.at)
            emit(.acknowledge(report.token))
        } catch {
            emit(.refuse(report.token, error))
        }
    }

    private func reportedCall(_ report: CallReport) throws(Refusal) -> Slot<CallRecord> {
        let provider = try provider(report.provider)
        guard let call = calls.slot(of: report.call) else {
            throw notFound(report.call)
        }
        guard calls[call].provider == provider else {
            throw Refusal(.notYourCall, rule: .rights, blocking: [blocker(call)])
        }
        return call
    }

    private mutating func take(
        _ news: CallReport.News, of call: Slot<CallRecord>, at reportedAt: Instant?
    ) throws(Refusal) {
        guard !calls[call].isScreened || isAllowedWhileScreened(news) else { throw backwards(call) }
        markResponsive(call)
        switch news {
        case .alerting(let hasEarlyMedia): try reportAlerting(call, hasEarlyMedia, at: reportedAt)
        case .connecting: try reportConnecting(call, at: reportedAt)
        case .connected: try reportActive(call, at: reportedAt)
        case .held(true): try reportHeld(call)
        case .held(false): try reportActive(call, at: reportedAt)
        case .muted(let isMuted):
            if fulfillByReport(call, { $1 == .setMuted(isMuted) }) { return }
            setMuted(isMuted, calls[call].group, Cause(.provider, rule: .mute))
            enforceSound(of: calls[call].group)
        case .group(let other): try reportGroup(call, other)
        case .updated(let update):
            try checkVideoRequest(update, of: call)
            try checkTextRequest(update, of: call)
            reportUpdate(call, update)
            fulfillEndpointChange(of: call, by: update)
            fulfillVideoChange(of: call, by: update)
            fulfillTextChange(of: call, by: update)
        case .ended(let reason, let detail, let device):
            if let device { reportElsewhere(call, device) }
            try reportEnded(call, reason, detail, at: reportedAt)
        case .external(_, let update):
            guard calls[call].state == .external else { throw backwards(call) }
            reportUpdate(call, update)
        }
    }

    /// Returns whether a report is accepted before its call rings: only a change or the end is.
    private func isAllowedWhileScreened(_ news: CallReport.News) -> Bool {
        switch news {
        case .updated, .ended: true
        case .alerting, .connecting, .connected, .held, .muted, .group, .external: false
        }
    }

    private func backwards(_ call: Slot<CallRecord>) -> Refusal {
        Refusal(.invalidState, rule: .reportOvertakes, blocking: [blocker(call)])
    }

    /// Processes a report that the remote side rings. It may be repeated, as sound may begin later.
    mutating func reportAlerting(
        _ call: Slot<CallRecord>, _ hasEarlyMedia: Bool? = nil, at reportedAt: Instant?
    ) throws(Refusal) {
        switch calls[call].state {
        case .starting: guard try fulfillStart(call) else { return }
        case .dialing, .alerting: break
        case .ringing, .waiting, .connecting, .active, .held, .ending, .ended, .external:
            throw backwards(call)
        }
        if let hasEarlyMedia {
            var update = CallUpdate()
            update.hasEarlyMedia = .set(hasEarlyMedia)
            reportUpdate(call, update)
        }
        guard calls[call].state != .alerting else { return }
        calls[call].alertingAt = timestamp(reportedAt, of: call)
        setState(.alerting, of: call, Cause(.provider))
        restartDialTimer(of: call)
    }

    /// Starts the time of a dialed call anew, which has made progress.
    private mutating func restartDialTimer(of call: Slot<CallRecord>) {
        stop(.dial, of: call)
        start(.dial, of: call, afterMS: policy.dialTimeoutMS)
    }

    mutating func reportConnecting(
        _ call: Slot<CallRecord>, at reportedAt: Instant?
    ) throws(Refusal) {
        switch calls[call].state {
        case .connecting: return
        case .starting: guard try fulfillStart(call) else { return }
        case .dialing, .alerting: break
        case .ringing, .waiting, .active, .held, .ending, .ended, .external: throw backwards(call)
        }
        calls[call].connectingAt = timestamp(reportedAt, of: call)
        setState(.connecting, of: call, Cause(.provider))
        restartDialTimer(of: call)
    }

    /// Fulfills a pending action that a report overtakes (rule 30a). Returns whether there was one.
    mutating func fulfillByReport(
        _ call: Slot<CallRecord>, at reportedAt: Instant? = nil,
        _ matches: (Arbiter, CallAction) -> Bool
    ) -> Bool {
        let underWay = [calls[call].current, firstQueued(on: call)].compactMap { $0 }
        if let action = underWay.first(where: { matches(self, actions[$0].action) }) {
            note(.reportOvertakes, .countsAsFulfilled, calls[call].id, actions[action].cause)
            settleAndAdvance(action, .fulfilled, at: reportedAt)
            return true
        }
        return countAhead(call, at: reportedAt, matches)
    }

    /// Marks a matching action that waits for room as fulfilled at the reported time, so that
    /// nothing is left to do when its turn comes. Starts are excluded: no app can have begun a call
    /// that was not sent to it.
    private mutating func countAhead(
        _ call: Slot<CallRecord>, at reportedAt: Instant?, _ matches: (Arbiter, CallAction) -> Bool
    ) -> Bool {
        guard let reservation,
            let action = plans[reservation].actions.first(where: {
                isAbout(call, $0) && actions[$0].state == .queued
                    && !actions[$0].isImplied && actions[$0].action.kind != .start
                    && matches(self, actions[$0].action)
            })
        else { return false }
        note(.reportOvertakes, .countsAsFulfilled, calls[call].id, actions[action].cause)
        actions[action].early = EarlyOutcome(.fulfilled, at: reportedAt)
        return true
    }

    /// Fulfills a start by a report. Returns whether the call is now dialing: its plan may have
    /// ended the call meanwhile.
    private mutating func fulfillStart(_ call: Slot<CallRecord>) throws(Refusal) -> Bool {
        let id = calls[call].id
        guard fulfillByReport(call, { $1.kind == .start }) else { throw backwards(call) }
        return calls.slot(of: id) == call && calls[call].state == .dialing
    }

    /// Processes a report that a call is active. An outgoing call becomes active at once; without a
    /// matching request, the report of a ringing or held call is a request for the audio (rule 13).
    mutating func reportActive(
        _ call: Slot<CallRecord>, at reportedAt: Instant?
    ) throws(Refusal) {
        switch calls[call].state {
        case .active: note(.repeated, .nothingToDo, calls[call].id, Cause(.provider))
        case .starting:
            if try fulfillStart(call) { connected(call, Cause(.provider), at: reportedAt) }
        case .dialing, .alerting, .connecting:
            connected(call, Cause(.provider), at: reportedAt)
        case .ringing, .waiting, .external:
            if !fulfillByReport(call, at: reportedAt, { $1 == .answer }) {
                askForAudio(call, at: reportedAt)
            }
        case .held:
            if !fulfillByReport(call, { $1 == .setHeld(false) }) { askForAudio(call) }
        case .ending, .ended: throw backwards(call)
        }
    }

    mutating func askForAudio(_ call: Slot<CallRecord>, at reportedAt: Instant? = nil) {
        let group = calls[call].group
        let cause = Cause(.provider, rule: .reportedActive, becauseOf: calls[call].id)
        // The app has taken the call, which no longer rings.
        stop(.ring, of: call)
        calls[call].takenAt = calls[call].takenAt ?? reportedAt
        if isMarked(call), !emergencies.contains(call) {
            beginEmergency(call)
            clearWay(for: call)
        }
        let isFree = live == nil && reservation == nil
        guard emergencies.isEmpty || emergencies.contains(call), !isBeingRegrouped(group),
            !isBackground(group) || backgroundRefusal(of: call) == nil
        else { return sendBackToHold(call) }
        if let reservation, plans[reservation].target == calls[call].id,
            plans[reservation].steps.contains(where: { $0.role == .grantReport })
        {
            return note(.repeated, .joined, calls[call].id, cause)
        }
        if isFree || live == group {
            note(.reportedActive, .audioGranted, calls[call].id, cause)
            return connected(call, cause)
        }
        guard let live, reservation == nil, canHold(live),
            groups.held.count < policy.limits.heldGroups || groups[group].isInHeldChain
        else { return sendBackToHold(call) }
        var draft = PlanDraft()
        draft.target = calls[call].id
        draft.notes = [
            .init(rule: .reportedActive, verdict: .holdsFirst, blocking: blockers(live))
        ]
        draft.steps = [
            PlanDraft.Step(.holdForRoom, holdActions(of: live)),
            PlanDraft.Step(.grantReport, []),
        ]
        run(draft, cause)
    }

    /// Returns whether a call of the group is being merged or split.
    private func isBeingRegrouped(_ group: Slot<GroupRecord>) -> Bool {
        members(of: group).contains {
            calls[$0].current.map { actions[$0].action.kind == .setGroup } ?? false
        }
    }

    /// Requests the hold of a call that was reported active while the audio is not free. The call
    /// ends if its provider does not respond.
    mutating func sendBackToHold(_ call: Slot<CallRecord>) {
        guard calls[call].state != .ending, !isBeingSentBack(call) else { return }
        announce(.activeUnasked, of: call)
        let cause = Cause(
            .arbitration, rule: .reportedActive, becauseOf: live.flatMap { name(of: $0) })
        var draft = PlanDraft()
        draft.notes = [
            .init(
                rule: .reportedActive, verdict: .sentBack,
                blocking: live.map { blockers($0) } ?? [])
        ]
        draft.steps = [PlanDraft.Step(.sendBack, [implied(.setHeld(true), call)])]
        run(draft, cause)
    }

    private func isBeingSentBack(_ call: Slot<CallRecord>) -> Bool {
        calls[call].current.map { actions[$0].action == .setHeld(true) } ?? false
    }

    mutating func reportHeld(_ call: Slot<CallRecord>) throws(Refusal) {
        switch calls[call].state {
        case .held:
            if fulfillByReport(call, { $1 == .setHeld(true) }) { return }
            note(.repeated, .nothingToDo, calls[call].id, Cause(.provider))
        case .active:
            if fulfillByReport(call, { $1 == .setHeld(true) }) { return }
            heldNow(call, Cause(.provider))
        case .ringing, .waiting, .external:
            guard fulfillByReport(call, { $1 == .setHeld(true) }) else { throw backwards(call) }
        case .starting, .dialing, .alerting, .connecting, .ending, .ended: throw backwards(call)
        }
    }

    private mutating func reportGroup(
        _ call: Slot<CallRecord>, _ other: CallID?
    ) throws(Refusal) {
        if let other {
            guard let anchor = calls.slot(of: other) else {
                throw notFound(other)
            }
            guard calls[anchor].provider == calls[call].provider else {
                throw Refusal(.notYourCall, rule: .rights, blocking: [blocker(anchor)])
            }
        }
        try checkConnected(call)
        if let anchor = other.flatMap({ calls.slot(of: $0) }) { try checkConnected(anchor) }
        if fulfillByReport(call, { $0.leads($1, to: other) }) { return }
        let cause = Cause(.provider, rule: .reportedGroup)
        grouped([call], with: other, cause)
        note(.reportedGroup, .recorded, calls[call].id, cause)
        flagGroup(of: call)
    }

    /// Returns whether an action brings a call into the same group.
    private func leads(_ action: CallAction, to other: CallID?) -> Bool {
        guard case .setGroup(let wanted) = action else { return false }
        let (one, two) = (
            wanted.flatMap { calls.slot(of: $0) }, other.flatMap { calls.slot(of: $0) }
        )
        return one.map { calls[$0].group } == two.map { calls[$0].group }
    }

    private func checkConnected(_ call: Slot<CallRecord>) throws(Refusal) {
        guard calls[call].state == .active || calls[call].state == .held else {
            throw backwards(call)
        }
    }

    private mutating func flagGroup(of call: Slot<CallRecord>) {
        let provider = calls[call].provider
        let configuration = providers[provider].configuration
        if groups[calls[call].group].members.count > configuration.maxCallsPerGroup
            || providers[provider].visibleGroups > configuration.maxCallGroups
        {
            announce(.groupOverLimit, of: call)
        }
    }

    mutating func reportUpdate(_ call: Slot<CallRecord>, _ update: CallUpdate) {
        let wasEmergency = isMarked(call)
        var update = update
        if !mayChangePriority(of: call, update) { update.priority = .unchanged }
        judgePriority(in: &update, of: calls[call].id, by: providers[calls[call].provider].id)
        if update.claimsVideo, !providers[calls[call].provider].configuration.supportsVideo {
            (update.hasVideo, update.video) = (.unchanged, .unchanged)
            note(.video, .ignored, calls[call].id, Cause(.provider, rule: .video))
            announce(.videoUndeclared, of: call)
        }
        dropUndeclaredText(in: &update, of: call)
        let changes = applyUpdate(update, to: call)
        if changes.contains(.videoRequest) { followVideoRequest(of: call) }
        if changes.contains(.textRequest) { followTextRequest(of: call) }
        if !changes.isEmpty { publish(call, changes, Cause(.provider)) }
        if isMarked(call), !wasEmergency, calls[call].state != .ending { becameEmergency(call) }
    }

    /// Returns whether an update of an app may change the priority of a call. An emergency remains
    /// one until it ends (rule 20), and only the host decides that a caller has no priority (rule
    /// 43).
    private func mayChangePriority(of call: Slot<CallRecord>, _ update: CallUpdate) -> Bool {
        guard calls[call].state != .external else { return false }
        if update.priority == .set(.emergency) { return policy.allowsEmergency && !isMarked(call) }
        return !isMarked(call) && calls[call].properties.priority != .priorityCaller
    }

    /// Applies an update. The priority of a caller does not pass to another remote party.
    private mutating func applyUpdate(
        _ update: CallUpdate, to call: Slot<CallRecord>
    ) -> ChangedProperties {
        let wasPriority = calls[call].properties.priority == .priorityCaller
        let changes = calls[call].properties.apply(update)
        guard wasPriority, changes.contains(.remote),
            calls[call].properties.priority == .priorityCaller
        else { return changes }
        calls[call].properties.priority = .normal
        return changes.union(.priority)
    }

    /// Processes an update that marks a call as an emergency.
    private mutating func becameEmergency(_ call: Slot<CallRecord>) {
        if calls[call].isScreened { return applyScreening(of: calls[call].id, .allow) }
        if calls[call].state.isUnanswered, !isBeingTakenUp(call) { return ringFirst(call) }
        beginEmergency(call)
        clearWay(for: call)
    }

    /// Records the device that has answered or declined a call.
    private mutating func reportElsewhere(_ call: Slot<CallRecord>, _ device: String) {
        var update = CallUpdate()
        update.elsewhere = .set(device)
        reportUpdate(call, update)
    }

    private mutating func reportEnded(
        _ call: Slot<CallRecord>, _ reason: EndReason, _ detail: EndDetail?,
        at reportedAt: Instant?
    ) throws(Refusal) {
        guard reason.isReportable else { throw Refusal(.invalidAction, rule: .elsewhere) }
        if let transfer = transferUnderWay(of: call, detail) {
            return settleAndAdvance(transfer, .fulfilled, at: reportedAt)
        }
        let isElsewhere = reason == .answeredElsewhere || reason == .declinedElsewhere
        if isElsewhere { note(.elsewhere, .elsewhere, calls[call].id, Cause(.remote)) }
        let origin: Origin = reason == .failed ? .provider : .remote
        let cause = Cause(origin, rule: isElsewhere ? .elsewhere : nil)
        finish(call, reason, cause, at: reportedAt, detail: detail)
    }
}
