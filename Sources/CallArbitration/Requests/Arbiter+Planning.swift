internal import CallModel

/// The plan of a request, with every check before anything is sent. Nothing here changes the state.
///
/// The order of the checks is fixed: rights, call, provider, repeated request, emergency, the
/// provider's limits, the host's, then the live group.
extension Arbiter {
    func plan(
        _ wanted: RequestedAction, _ requester: Requester, _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        switch wanted.action {
        case .start(let arguments): try planStart(wanted, arguments, requester, options)
        case .answer:
            try planAnswer(target(wanted, requester), wanted.choice, requester, options)
        case .end: try planEnd(target(wanted, requester), options)
        case .setHeld(true): try planHold(target(wanted, requester))
        case .setHeld(false): try planResume(target(wanted, requester), requester, options)
        case .setMuted(let isMuted): try planMute(target(wanted, requester), isMuted)
        case .setGroup(let other?): try planMerge(target(wanted, requester), other, requester)
        case .setGroup(nil): try planSplit(target(wanted, requester))
        case .playDTMF(let digits, _):
            try planTones(target(wanted, requester), wanted.action, digits)
        case .setEndpoint(let endpoint):
            try planEndpoint(target(wanted, requester), endpoint)
        case .setVideo(let video): try planVideo(target(wanted, requester), video)
        case .setText(let hasText): try planText(target(wanted, requester), hasText)
        case .transfer: try planTransfer(target(wanted, requester), wanted.action)
        case .attendedTransfer(let other):
            try planAttendedTransfer(target(wanted, requester), with: other, requester)
        case .deflect: try planDeflection(target(wanted, requester), wanted.action)
        }
    }

    /// Returns the call that an action is about, if the requester may act on it.
    @inline(__always)
    private func target(
        _ wanted: RequestedAction, _ requester: Requester
    ) throws(Refusal) -> Slot<CallRecord> {
        let call = try visible(wanted.call)
        try checkRights(requester, on: call)
        return call
    }

    /// Returns the call with an id, if the call is visible (rule 31).
    func visible(_ id: CallID) throws(Refusal) -> Slot<CallRecord> {
        guard let call = calls.slot(of: id), !calls[call].isScreened else { throw notFound(id) }
        return call
    }

    func checkRights(_ requester: Requester, on call: Slot<CallRecord>) throws(Refusal) {
        guard case .app(let provider) = requester, providers[calls[call].provider].id != provider
        else { return }
        throw Refusal(.notYourCall, rule: .rights, blocking: [blocker(call)])
    }

    // MARK: - Becoming live

    private func planStart(
        _ wanted: RequestedAction, _ arguments: StartArguments, _ requester: Requester,
        _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        let provider = try startingProvider(wanted, requester)
        try checkIsNew(wanted.call, at: provider)
        let isEmergency = arguments.isEmergency && policy.allowsEmergency
        var arguments = arguments
        let lost = try dropUnsupportedMedia(
            of: &arguments, at: provider, isEmergency: isEmergency, requester)
        try checkEmergency(beginsAnother: isEmergency)
        if !isEmergency {
            try checkRinging()
            if arguments.isBackground { try checkMayBeBackground(nil) }
        }
        var draft = PlanDraft()
        if isEmergency {
            draft = emergencyDraft(at: provider, for: nil, nil)
        } else {
            let room = try room(
                for: RoomRequest(
                    call: nil, provider: provider, purpose: .start, requester: requester,
                    options: options, line: arguments.line))
            make(room, in: &draft)
        }
        draft.target = wanted.call
        if incoming.first != nil {
            draft.notes.append(.init(rule: .startWhileRinging, verdict: .passed))
        }
        draft.notes += lost
        draft.steps.append(
            PlanDraft.Step(
                .requested,
                [
                    PlanDraft.Action(
                        call: wanted.call, provider: provider, action: .start(arguments),
                        isImplied: false)
                ]))
        return draft
    }

    /// Removes the video and the text of a start at a provider without them, and returns the notes that
    /// say so.
    ///
    /// - Throws: The refusal of a start that needs its video (rule 21).
    private func dropUnsupportedMedia(
        of arguments: inout StartArguments, at provider: Slot<ProviderRecord>, isEmergency: Bool,
        _ requester: Requester
    ) throws(Refusal) -> [PlanDraft.Note] {
        let configuration = providers[provider].configuration
        var lost: [PlanDraft.Note] = []
        if arguments.hasVideo, !configuration.supportsVideo {
            guard isEmergency || requester == .user && policy.videoFallback == .audio else {
                throw Refusal(.notSupported, rule: .video)
            }
            arguments.hasVideo = false
            lost.append(.init(rule: .video, verdict: .withoutVideo))
        }
        if arguments.hasText, !configuration.supportsText {
            arguments.hasText = false
            lost.append(.init(rule: .text, verdict: .withoutText))
        }
        return lost
    }

    /// Checks that no call rings if the policy refuses a start then: a finger that was to answer
    /// may slip.
    private func checkRinging() throws(Refusal) {
        guard policy.dialWhileRinging == .refuse, incoming.first != nil else { return }
        throw Refusal(
            .callRinging, rule: .startWhileRinging,
            blocking: incoming.prefix(Self.blockersMax).map { blocker($0) })
    }

    private func startingProvider(
        _ wanted: RequestedAction, _ requester: Requester
    ) throws(Refusal) -> Slot<ProviderRecord> {
        var name = wanted.provider
        if case .app(let own) = requester {
            guard name == nil || name == own else { throw Refusal(.notYourCall, rule: .rights) }
            name = own
        }
        guard let name, let provider = providers.slot(of: name) else {
            throw Refusal(.unknownProvider, rule: .unknownCall)
        }
        return provider
    }

    private func planAnswer(
        _ call: Slot<CallRecord>, _ choice: AnswerChoice, _ requester: Requester,
        _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        var draft = PlanDraft()
        switch try checkAnswer(call, choice, requester, options) {
        case .isRepeated(let repeated): return PlanDraft(repeated)
        case .isEmergency:
            draft = emergencyDraft(
                at: calls[call].provider, for: call, requester == .user ? choice : nil)
        case .has(let room): make(room, in: &draft)
        }
        draft.target = calls[call].id
        draft.choice = choice
        draft.steps.append(PlanDraft.Step(.requested, [explicit(.answer, call)]))
        return draft
    }

    /// What a call meets that is to become live.
    enum Way {
        case isRepeated(RepeatedRequest)
        /// The call is an emergency, for which everything makes way (rule 20).
        case isEmergency
        case has(Room)
    }

    func checkAnswer(
        _ call: Slot<CallRecord>, _ choice: AnswerChoice, _ requester: Requester,
        _ options: CallOptions
    ) throws(Refusal) -> Way {
        let state = calls[call].state
        if state == .active { return .isRepeated(.isDone) }
        guard state.isUnanswered || state == .external else {
            throw Refusal(.invalidState, rule: .answerHoldsFirst, blocking: [blocker(call)])
        }
        if state == .external {
            try checkSupport(calls[call].properties.supportsPull, .notSupported, call)
        }
        let overrides = choice == .endAndAnswer && requester == .user
        if let plan = planUnderWay(for: call, .answer) {
            if plan != reservation || isSame(plans[plan].choice, choice) {
                return .isRepeated(.joins(plan))
            }
            guard overrides else {
                throw Refusal(.busy, rule: .busy, blocking: blockers(of: plan))
            }
        }
        // The provider has taken the call by itself, and has to hold it (rule 13).
        guard !isBeingHeld(call) else {
            throw Refusal(.invalidState, rule: .reportedActive, blocking: [blocker(call)])
        }
        if isMarked(call) {
            try checkEmergency(beginsAnother: true, call)
            return .isEmergency
        }
        try checkEmergency(call)
        if isBackground(call) { try checkMayBeBackground(call) }
        return try .has(
            room(
                for: RoomRequest(
                    call: call, provider: calls[call].provider, purpose: .answer(choice),
                    requester: requester, options: options, isPull: state == .external)))
    }

    /// Returns whether two choices mean the same: a plain answer holds the live group too.
    private func isSame(_ one: AnswerChoice?, _ other: AnswerChoice) -> Bool {
        let plain: Set<AnswerChoice> = [.plain, .holdAndAnswer]
        return one == other || one.map { plain.contains($0) } == true && plain.contains(other)
    }

    private func planResume(
        _ call: Slot<CallRecord>, _ requester: Requester, _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        var draft = PlanDraft()
        switch try checkResume(call, requester, options) {
        case .isRepeated(let repeated): return PlanDraft(repeated)
        case .isEmergency: break
        case .has(let room): make(room, in: &draft)
        }
        draft.target = calls[call].id
        draft.steps.append(
            PlanDraft.Step(.requested, resumeActions(of: calls[call].group, isImplied: false)))
        return draft
    }

    func checkResume(
        _ call: Slot<CallRecord>, _ requester: Requester, _ options: CallOptions
    ) throws(Refusal) -> Way {
        if let plan = planUnderWay(for: call, .setHeld(false)) { return .isRepeated(.joins(plan)) }
        try checkNoOpposite(call)
        if calls[call].state == .active { return .isRepeated(.isDone) }
        guard calls[call].state == .held else {
            throw Refusal(.invalidState, rule: .resumeHoldsFirst, blocking: [blocker(call)])
        }
        try checkEmergency(call)
        if requester != .user, isBackground(calls[call].group) { try checkMayBeBackground(call) }
        return try .has(
            room(
                for: RoomRequest(
                    call: call, provider: calls[call].provider, purpose: .resume,
                    requester: requester, options: options)))
    }

    func resumeActions(
        of group: Slot<GroupRecord>, isImplied: Bool = true
    ) -> [PlanDraft.Action] {
        members(of: group).filter { calls[$0].state == .held }
            .map { draft(.setHeld(false), $0, isImplied: isImplied) }
    }

    /// Checks that a start or another emergency may begin: during an emergency nothing else is
    /// started, and another emergency begins only once the first is connected, or makes way (rule
    /// 20).
    private func checkEmergency(
        beginsAnother: Bool, _ call: Slot<CallRecord>? = nil
    ) throws(Refusal) {
        let others = emergencies.calls.filter { $0 != call }
        guard !others.isEmpty else { return }
        if beginsAnother, others.allSatisfy({ calls[$0].wasConnected || makesWay($0) }) { return }
        throw emergencyRefusal
    }

    /// Returns whether an emergency makes way: its app has not responded to the start or answer, or
    /// is disconnected.
    private func makesWay(_ emergency: Slot<CallRecord>) -> Bool {
        let record = calls[emergency]
        return (record.state == .starting || record.state.isUnanswered)
            && (record.isStartSilent || !providers[record.provider].isConnected)
    }

    /// Checks that no emergency forbids an action on a call: during one no other call is answered,
    /// resumed, merged or split (rule 20).
    func checkEmergency(_ call: Slot<CallRecord>) throws(Refusal) {
        guard emergencies.isEmpty || emergencies.contains(call) else { throw emergencyRefusal }
    }

    var emergencyRefusal: Refusal {
        Refusal(.emergency, rule: .emergency, blocking: emergencies.calls.map { blocker($0) })
    }

    // MARK: - Actions of a plan

    func draft(
        _ action: CallAction, _ call: Slot<CallRecord>, isImplied: Bool
    ) -> PlanDraft.Action {
        PlanDraft.Action(
            call: calls[call].id, provider: calls[call].provider, action: action,
            isImplied: isImplied)
    }

    func implied(_ action: CallAction, _ call: Slot<CallRecord>) -> PlanDraft.Action {
        draft(action, call, isImplied: true)
    }

    func explicit(_ action: CallAction, _ call: Slot<CallRecord>) -> PlanDraft.Action {
        draft(action, call, isImplied: false)
    }

    /// Returns the draft of a request that is one action on one call, by a rule.
    ///
    /// - Parameter repeated: what the check of the request has found; nil for a new one.
    func draft(
        of action: CallAction, on call: Slot<CallRecord>, _ rule: Rule,
        unless repeated: RepeatedRequest? = nil
    ) -> PlanDraft {
        if let repeated { return PlanDraft(repeated) }
        var draft = PlanDraft()
        draft.notes = [.init(rule: rule, verdict: .passed)]
        draft.steps = [PlanDraft.Step(.requested, [explicit(action, call)])]
        return draft
    }

    // MARK: - Repeated requests

    /// Checks that no hold or resume is under way. The opposite is refused until it is over, since
    /// either could be the result of both at once.
    func checkNoOpposite(_ call: Slot<CallRecord>) throws(Refusal) {
        guard calls[call].state == .active || calls[call].state == .held, isChangingState(call)
        else { return }
        throw Refusal(.busy, rule: .busy, blocking: [blocker(call)])
    }

    /// Returns the plan that performs an action on a call already: the action is dispatched,
    /// queued, or waits for room.
    func planUnderWay(
        for call: Slot<CallRecord>, _ action: CallAction
    ) -> Slot<PlanRecord>? {
        if let current = calls[call].current, actions[current].action == action {
            return actions[current].plan
        }
        let queued = providers[calls[call].provider].queue.first {
            actions[$0].action == action && actions[$0].call == calls[call].id
        }
        if let queued { return actions[queued].plan }
        guard let reservation, plans[reservation].target == calls[call].id,
            let last = plans[reservation].steps.last,
            plans[reservation].actions(of: last).contains(where: {
                actions[$0].action == action && actions[$0].call == calls[call].id
            })
        else { return nil }
        return reservation
    }
}

/// Requests that need no room: end, hold, mute, tones.
extension Arbiter {
    private func planEnd(
        _ call: Slot<CallRecord>, _ options: CallOptions
    ) throws(Refusal) -> PlanDraft {
        try checkIsBeingPulled(call)
        let named = options.endsGroup ? Array(members(of: calls[call].group)) : [call]
        let going = named.filter { calls[$0].ending == nil }
        if going.isEmpty, let ending = calls[call].ending {
            return PlanDraft(actions[ending].plan.map { .joins($0) } ?? .isDone)
        }
        var draft = PlanDraft()
        if going.count > 1 { draft.notes = [.init(rule: .groupActions, verdict: .perMember)] }
        draft.steps = [PlanDraft.Step(.requested, going.map { explicit(.end, $0) })]
        return draft
    }

    private func planHold(_ call: Slot<CallRecord>) throws(Refusal) -> PlanDraft {
        if let repeated = try checkHold(call) { return PlanDraft(repeated) }
        let active = members(of: calls[call].group).filter { calls[$0].state == .active }
        var draft = PlanDraft()
        if active.count > 1 { draft.notes = [.init(rule: .groupActions, verdict: .perMember)] }
        draft.steps = [
            PlanDraft.Step(.requested, active.map { explicit(.setHeld(true), $0) })
        ]
        return draft
    }

    func checkHold(_ call: Slot<CallRecord>) throws(Refusal) -> RepeatedRequest? {
        if let plan = planUnderWay(for: call, .setHeld(true)) { return .joins(plan) }
        try checkNoOpposite(call)
        if calls[call].state == .held { return .isDone }
        guard calls[call].state == .active else {
            throw Refusal(.invalidState, rule: .resumeHoldsFirst, blocking: [blocker(call)])
        }
        let group = calls[call].group
        for member in members(of: group) where calls[member].state == .active {
            try checkSupport(calls[member].properties.supportsHolding, .cannotHold, member)
        }
        for member in members(of: group) where isChangingState(member) {
            throw Refusal(.invalidState, rule: .resumeHoldsFirst, blocking: [blocker(member)])
        }
        if let reservation {
            throw Refusal(.busy, rule: .busy, blocking: blockers(of: reservation))
        }
        guard groups.held.count < policy.limits.heldGroups else { throw maxHeldRefusal }
        return nil
    }

    func checkSupport(
        _ isSupported: Bool, _ reason: RefusalReason, _ call: Slot<CallRecord>
    ) throws(Refusal) {
        guard isSupported else {
            throw Refusal(reason, rule: .notSupported, blocking: [blocker(call)])
        }
    }

    private func planMute(
        _ call: Slot<CallRecord>, _ isMuted: Bool
    ) throws(Refusal) -> PlanDraft {
        if let repeated = try checkMute(call, isMuted) { return PlanDraft(repeated) }
        let muted = membersToMute(calls[call].group)
        var draft = PlanDraft()
        draft.notes = [.init(rule: .mute, verdict: .perMember)]
        draft.steps = [
            PlanDraft.Step(.requested, muted.map { explicit(.setMuted(isMuted), $0) })
        ]
        return draft
    }

    func checkMute(
        _ call: Slot<CallRecord>, _ isMuted: Bool
    ) throws(Refusal) -> RepeatedRequest? {
        let group = calls[call].group
        switch calls[call].state {
        case .active, .held, .dialing, .alerting, .connecting: break
        case .starting, .ringing, .waiting, .ending, .ended, .external:
            throw Refusal(.invalidState, rule: .mute, blocking: [blocker(call)])
        }
        if isMuted, !emergencies.isEmpty { throw emergencyRefusal }
        if let change = muteUnderWay(of: group) {
            if change.isMuted == isMuted { return .joins(change.plan) }
        } else if groups[group].isMuted == isMuted {
            return .isDone
        }
        return nil
    }

    /// Returns the calls that are muted with a group: not those that are leaving it (rule 18).
    func membersToMute(_ group: Slot<GroupRecord>) -> [Slot<CallRecord>] {
        members(of: group).filter { calls[$0].state != .ending }
    }

    private func planTones(
        _ call: Slot<CallRecord>, _ action: CallAction, _ digits: String
    ) throws(Refusal) -> PlanDraft {
        try checkTones(call, digits)
        return draft(of: action, on: call, .tones)
    }

    func checkTones(_ call: Slot<CallRecord>, _ digits: String) throws(Refusal) {
        guard calls[call].state == .active else {
            throw Refusal(.invalidState, rule: .tones, blocking: [blocker(call)])
        }
        try checkSupport(calls[call].properties.supportsDTMF, .notSupported, call)
        guard !isChangingState(call) else {
            throw Refusal(.invalidState, rule: .tones, blocking: [blocker(call)])
        }
        guard !digits.isEmpty else { throw Refusal(.invalidAction, rule: .tones) }
    }
}
