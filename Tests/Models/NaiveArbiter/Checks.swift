internal import CallArbitration
internal import CallModel

/// What each kind of action needs, and whether it may be.
extension NaiveArbiter {
    func planned(
        _ asked: RequestedAction, _ requester: Requester, _ options: CallOptions
    ) throws(Refused) -> Planned {
        var planned = try check(asked, requester, options)
        for index in planned.steps.indices { planned.steps[index].rule = planned.rules.first }
        return planned
    }

    private func check(
        _ asked: RequestedAction, _ requester: Requester, _ options: CallOptions
    ) throws(Refused) -> Planned {
        if case .start(let arguments) = asked.action {
            return try start(asked, arguments, requester, options)
        }
        let call = try known(asked.call, to: requester)
        switch asked.action {
        case .start: preconditionFailure("a start has no call yet")
        case .answer: return try answer(call, asked.choice, requester, options)
        case .end: return try end(call, options)
        case .setHeld(true): return try hold(call)
        case .setHeld: return try resume(call, requester, options)
        case .setMuted(let isMuted): return try mute(call, isMuted)
        case .setGroup(.some(let other)): return try merge(call, with: other, requester)
        case .setGroup: return try split(call)
        case .playDTMF(let digits, _): return try tones(call, asked.action, digits)
        case .setEndpoint(let id): return try otherEndpoint(call, id)
        case .setVideo(let video): return try otherVideo(call, video)
        case .setText(let hasText): return try otherText(call, hasText)
        case .transfer, .attendedTransfer, .deflect:
            return try elsewhere(call, asked.action, requester)
        }
    }

    /// Rules 31 and 33.
    func known(_ id: CallID, to requester: Requester) throws(Refused) -> Call {
        let call = try known(id)
        try checkRights(requester, on: call)
        return call
    }

    func known(_ id: CallID) throws(Refused) -> Call {
        guard let call = call(id), call.screening == nil else { throw notFound(id) }
        return call
    }

    func notFound(_ id: CallID) -> Refused {
        Refused(hasEnded(id) ? .callEnded : .unknownCall, .unknownCall)
    }

    func checkRights(_ requester: Requester, on call: Call) throws(Refused) {
        if case .app(let provider) = requester, provider != call.provider {
            throw Refused(.notYourCall, .rights, [call.id])
        }
    }

    /// Rules 8 to 11, 20, 21, 24 and 25.
    private func start(
        _ asked: RequestedAction, _ arguments: StartArguments, _ requester: Requester,
        _ options: CallOptions
    ) throws(Refused) -> Planned {
        let provider = try starting(asked, requester)
        guard !isUsed(asked.call, at: provider.id) else {
            throw Refused(.callUUID, .unknownCall)
        }
        let isEmergency = arguments.isEmergency && policy.allowsEmergency
        let given = arguments
        var arguments = arguments
        if arguments.hasVideo, !provider.configuration.supportsVideo {
            let mayFallBack = requester == .user && policy.videoFallback == .audio
            if !isEmergency, !mayFallBack { throw Refused(.notSupported, .video) }
            arguments.hasVideo = false
        }
        let losesVideo = arguments != given
        let losesText = arguments.hasText && !provider.configuration.supportsText
        if losesText { arguments.hasText = false }
        try checkEmergency(beginsAnother: isEmergency)
        // Rule 11.
        if policy.dialWhileRinging == .refuse, !isEmergency, !ringingCalls.isEmpty {
            throw Refused(.callRinging, .startWhileRinging, ringingCalls.prefix(8).map(\.id))
        }
        if arguments.isBackground, !isEmergency, let refused = backgroundRefused(nil) {
            throw refused
        }
        let newcomer = Newcomer(
            call: nil, provider: provider.id, kind: .start, requester: requester, options: options,
            line: arguments.line)
        var planned =
            isEmergency
            ? emergency(at: provider.id, answering: nil, nil) : try makeRoom(for: newcomer)
        planned.target = asked.call
        if !ringingCalls.isEmpty { planned.rules.append(.startWhileRinging) }
        if losesVideo { planned.rules.append(.video) }
        if losesText { planned.rules.append(.text) }
        planned.steps.append(
            PlannedStep(
                .asked,
                [
                    Part(
                        call: asked.call, provider: provider.id, kind: .start(arguments),
                        isImplied: false)
                ]))
        return planned
    }

    private func starting(
        _ asked: RequestedAction, _ requester: Requester
    ) throws(Refused) -> Provider {
        var name = asked.provider
        if case .app(let own) = requester {
            guard name == nil || name == own else { throw Refused(.notYourCall, .rights) }
            name = own
        }
        guard let provider = name.flatMap({ provider($0) }) else {
            throw Refused(.unknownProvider, .unknownCall)
        }
        return provider
    }

    /// Nothing else is started; another emergency begins only once the first is connected (rule 20), or
    /// its app shows no sign of life, or is away.
    private func checkEmergency(beginsAnother: Bool, _ call: Call? = nil) throws(Refused) {
        let others = emergencies.filter { $0.id != call?.id }
        guard !others.isEmpty else { return }
        let areSettled = others.allSatisfy {
            $0.wasConnected
                || ($0.state == .starting || $0.isUnanswered)
                    && ($0.isSilentStart || !isConnected($0.provider))
        }
        guard beginsAnother, areSettled else { throw emergencyRefused }
    }

    private func checkEmergency(_ call: Call) throws(Refused) {
        guard emergencies.isEmpty || call.isEmergency else { throw emergencyRefused }
    }

    /// Rules 4 to 7a.
    private func answer(
        _ call: Call, _ choice: AnswerChoice, _ requester: Requester, _ options: CallOptions
    ) throws(Refused) -> Planned {
        if call.state == .active { return .nothing }
        guard call.isUnanswered || call.isExternal else {
            throw Refused(.invalidState, .answerHoldsFirst, [call.id])
        }
        if call.isExternal, !call.properties.supportsPull {
            throw Refused(.notSupported, .notSupported, [call.id])
        }
        if let plan = planDoing(.answer, to: call) {
            if plan.number != reservation || plan.choice?.mind == choice.mind {
                return .joining(plan.number)
            }
            // Rule 15: the user does not want to wait any longer.
            guard choice == .endAndAnswer, requester == .user else { throw busyRefused(with: plan) }
        }
        // It is being sent back (rule 13).
        if isBeingHeld(call) { throw Refused(.invalidState, .reportedActive, [call.id]) }
        var planned: Planned
        if call.isMarked {
            try checkEmergency(beginsAnother: true, call)
            planned = emergency(
                at: call.provider, answering: call, requester == .user ? choice : nil)
        } else {
            try checkEmergency(call)
            if call.properties.priority == .background, let refused = backgroundRefused(call.id) {
                throw refused
            }
            planned = try makeRoom(
                for: Newcomer(
                    call: call, provider: call.provider, kind: .answer(choice),
                    requester: requester, options: options))
        }
        planned.target = call.id
        planned.choice = choice
        planned.steps.append(PlannedStep(.asked, [asked(.answer, call)]))
        return planned
    }

    func isBeingHeld(_ call: Call) -> Bool {
        actions(on: call.id).contains { $0.isUnderWay && $0.kind == .setHeld(true) }
    }

    /// Rules 10a, 14 and 15.
    private func resume(
        _ call: Call, _ requester: Requester, _ options: CallOptions
    ) throws(Refused) -> Planned {
        if let plan = planDoing(.setHeld(false), to: call) { return .joining(plan.number) }
        try checkNoOpposite(call)
        if call.state == .active { return .nothing }
        guard call.state == .held else {
            throw Refused(.invalidState, .resumeHoldsFirst, [call.id])
        }
        try checkEmergency(call)
        if requester != .user, isBackground(call.group), let refused = backgroundRefused(call.id) {
            throw refused
        }
        let newcomer = Newcomer(
            call: call, provider: call.provider, kind: .resume, requester: requester,
            options: options)
        var planned = try makeRoom(for: newcomer)
        planned.target = call.id
        let held = members(of: call.group).filter { $0.state == .held }
        planned.steps.append(PlannedStep(.asked, held.map { asked(.setHeld(false), $0) }))
        return planned
    }

    /// Two opposite wishes at once would end in either.
    private func checkNoOpposite(_ call: Call) throws(Refused) {
        guard call.state == .active || call.state == .held, isChanging(call) else { return }
        throw Refused(.busy, .busy, [call.id])
    }

    /// Rule 30: the plan that does the same already, or waits for room to do it.
    func planDoing(_ kind: CallAction, to call: Call) -> Plan? {
        let underWay = [current(call.id)].compactMap { $0 } + waiting(on: call.id)
        if let same = underWay.first(where: { $0.kind == kind }) {
            return same.plan.flatMap { plan($0) }
        }
        guard let waiting = reservation.flatMap({ plan($0) }), waiting.target == call.id,
            let last = waiting.steps.last,
            last.actions.contains(where: {
                action($0)?.kind == kind && action($0)?.call == call.id
            })
        else { return nil }
        return waiting
    }

    // What needs no room.

    private func end(_ call: Call, _ options: CallOptions) throws(Refused) -> Planned {
        // Rule 47: there it is not ours to end; only what brings it here is called off.
        if call.isExternal, planDoing(.answer, to: call) == nil {
            throw Refused(.invalidState, .external, [call.id])
        }
        let named = options.endsGroup ? members(of: call.group) : [call]
        let going = named.filter { end(of: $0) == nil }
        if going.isEmpty, let end = end(of: call) {
            return end.plan.map { .joining($0) } ?? .nothing
        }
        var planned = Planned()
        if going.count > 1 { planned.rules = [.groupActions] }
        planned.steps = [PlannedStep(.asked, going.map { asked(.end, $0) })]
        return planned
    }

    private func end(of call: Call) -> Action? {
        actions(on: call.id).first { $0.isUnderWay && $0.kind == .end }
    }

    private func hold(_ call: Call) throws(Refused) -> Planned {
        if let plan = planDoing(.setHeld(true), to: call) { return .joining(plan.number) }
        try checkNoOpposite(call)
        if call.state == .held { return .nothing }
        guard call.state == .active else {
            throw Refused(.invalidState, .resumeHoldsFirst, [call.id])
        }
        let active = members(of: call.group).filter { $0.state == .active }
        if let other = active.first(where: { !$0.properties.supportsHolding }) {
            throw Refused(.cannotHold, .notSupported, [other.id])
        }
        if let other = members(of: call.group).first(where: { isChanging($0) }) {
            throw Refused(.invalidState, .resumeHoldsFirst, [other.id])
        }
        if reservation != nil { throw busyRefused }
        try checkHeldLimit(after: heldGroups.count + 1)
        var planned = Planned()
        if active.count > 1 { planned.rules = [.groupActions] }
        planned.steps = [PlannedStep(.asked, active.map { asked(.setHeld(true), $0) })]
        return planned
    }

    /// Rules 20 and 34.
    private func mute(_ call: Call, _ isMuted: Bool) throws(Refused) -> Planned {
        switch call.state {
        case .dialing, .alerting, .connecting, .active, .held: break
        case .starting, .ringing, .waiting, .ending, .ended, .external:
            throw Refused(.invalidState, .mute, [call.id])
        }
        if isMuted, !emergencies.isEmpty { throw emergencyRefused }
        if let (plan, wanted) = newestMute(of: call.group) {
            if wanted == isMuted { return .joining(plan) }
        } else if group(call.group)?.isMuted == isMuted {
            return .nothing
        }
        var planned = Planned()
        planned.rules = [.mute]
        planned.steps = [
            PlannedStep(.asked, listening(call.group).map { asked(.setMuted(isMuted), $0) })
        ]
        return planned
    }

    /// Who is to be muted with the group: not who is leaving.
    func listening(_ group: Int) -> [Call] {
        members(of: group).filter { $0.state != .ending }
    }

    /// The mute or unmute whose turn came last, of those that are not done yet: as it says it will
    /// be.
    func newestMute(of group: Int) -> (plan: Int, isMuted: Bool)? {
        let underWay = plans.filter { !$0.isGivenUp }.flatMap { allActions(of: $0) }.filter {
            $0.kind.kind == .setMuted && $0.isUnderWay && call($0.call)?.group == group
        }
        guard let newest = underWay.max(by: { ($0.turn ?? 0) < ($1.turn ?? 0) }),
            case .setMuted(let isMuted) = newest.kind, let plan = newest.plan
        else { return nil }
        return (plan, isMuted)
    }

    /// Rule 35.
    private func tones(
        _ call: Call, _ action: CallAction, _ digits: String
    ) throws(Refused) -> Planned {
        guard call.state == .active else { throw Refused(.invalidState, .tones, [call.id]) }
        guard call.properties.supportsDTMF else {
            throw Refused(.notSupported, .notSupported, [call.id])
        }
        if isChanging(call) { throw Refused(.invalidState, .tones, [call.id]) }
        if digits.isEmpty { throw Refused(.invalidAction, .tones) }
        var planned = Planned()
        planned.rules = [.tones]
        planned.steps = [PlannedStep(.asked, [asked(action, call)])]
        return planned
    }

    /// Rule 42.
    private func otherEndpoint(_ call: Call, _ id: String) throws(Refused) -> Planned {
        let action = CallAction.setEndpoint(id)
        if let plan = planDoing(action, to: call) { return .joining(plan.number) }
        if call.state == .ending || call.isExternal {
            throw Refused(.invalidState, .endpoint, [call.id])
        }
        let state = call.properties.endpoints.first { $0.id == id }?.state
        if state == nil || state == .unavailable {
            throw Refused(.notSupported, .notSupported, [call.id])
        }
        let others = [current(call.id)].compactMap { $0 } + waiting(on: call.id)
        if state == .inUse, !others.contains(where: { $0.kind.kind == .setEndpoint }) {
            return .nothing
        }
        var planned = Planned()
        planned.rules = [.endpoint]
        planned.steps = [PlannedStep(.asked, [asked(action, call)])]
        return planned
    }

    /// Rule 46.
    private func otherText(_ call: Call, _ hasText: Bool) throws(Refused) -> Planned {
        if let plan = planDoing(.setText(hasText), to: call) { return .joining(plan.number) }
        let isConnected = call.state == .active || call.state == .held
        if !isConnected && !call.isUnanswered || isChanging(call) {
            throw Refused(.invalidState, .text, [call.id])
        }
        let others = [current(call.id)].compactMap { $0 } + waiting(on: call.id)
        let isSettled = call.properties.hasText == hasText && !call.properties.textRequest
        if isSettled, !others.contains(where: { $0.kind.kind == .setText }) { return .nothing }
        let isAble = provider(call.provider)?.configuration.supportsText == true
        if !isAble || !call.properties.supportsSetText {
            throw Refused(.notSupported, .notSupported, [call.id])
        }
        var planned = Planned()
        planned.rules = [.text]
        planned.steps = [PlannedStep(.asked, [asked(.setText(hasText), call)])]
        return planned
    }

    /// Rule 45.
    private func otherVideo(_ call: Call, _ video: VideoDirection) throws(Refused) -> Planned {
        if let plan = planDoing(.setVideo(video), to: call) { return .joining(plan.number) }
        let isConnected = call.state == .active || call.state == .held
        if !isConnected && !call.isUnanswered || isChanging(call) {
            throw Refused(.invalidState, .videoRequest, [call.id])
        }
        let others = [current(call.id)].compactMap { $0 } + waiting(on: call.id)
        let isSettled = call.properties.video == video && call.properties.videoRequest == nil
        if isSettled, !others.contains(where: { $0.kind.kind == .setVideo }) { return .nothing }
        let isAble = provider(call.provider)?.configuration.supportsVideo == true
        if !isAble || !call.properties.supportsSetVideo {
            throw Refused(.notSupported, .notSupported, [call.id])
        }
        var planned = Planned()
        planned.rules = [.videoRequest]
        planned.steps = [PlannedStep(.asked, [asked(.setVideo(video), call)])]
        return planned
    }

    /// Rule 41.
    private func elsewhere(
        _ call: Call, _ action: CallAction, _ requester: Requester
    ) throws(Refused) -> Planned {
        var calls = [call]
        if case .attendedTransfer(let id) = action {
            let other = try known(id, to: requester)
            if other.id == call.id { throw Refused(.invalidAction, .transfer) }
            calls.append(other)
        }
        if let plan = planDoing(action, to: call) { return .joining(plan.number) }
        if Set(calls.map(\.provider)).count > 1 {
            throw Refused(.invalidAction, .transfer, calls.map(\.id))
        }
        for call in calls {
            let isRight =
                action.kind == .deflect
                ? call.isUnanswered : call.state == .active || call.state == .held
            if !isRight || isChanging(call) { throw Refused(.invalidState, .transfer, [call.id]) }
            if call.isMarked { throw Refused(.emergency, .emergency, [call.id]) }
        }
        let support: [ActionKind: Bool] = [
            .transfer: call.properties.supportsTransfer,
            .attendedTransfer: call.properties.supportsAttendedTransfer,
            .deflect: call.properties.supportsDeflect,
        ]
        if support[action.kind] != true { throw Refused(.notSupported, .notSupported, [call.id]) }
        var planned = Planned()
        planned.rules = [.transfer]
        planned.steps = [PlannedStep(.asked, [asked(action, call)])]
        return planned
    }

    func asked(_ kind: CallAction, _ call: Call) -> Part {
        Part(call: call.id, provider: call.provider, kind: kind, isImplied: false)
    }

    func implied(_ kind: CallAction, _ call: Call) -> Part {
        Part(call: call.id, provider: call.provider, kind: kind)
    }
}

extension AnswerChoice {
    /// A plain answer is one that holds.
    var mind: AnswerChoice { self == .plain ? .holdAndAnswer : self }
}
