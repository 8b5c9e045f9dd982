internal import CallArbitration
internal import CallModel

/// Sections 3 and 5: what is asked for is checked as a whole before anything is sent, each action
/// against what the earlier ones would leave.
extension NaiveArbiter {
    enum Planned {
        /// None: the state is as asked for already (rule 30).
        case steps([Step])
        /// The same request is under way.
        case joins(plan: Int)
    }

    mutating func takeRequest(_ request: TransactionRequest) {
        var wish = Wish(request.token, request.requester, request.options)
        wish.isPart = request.actions.count > 1
        guard !request.actions.isEmpty else {
            return refuse(request.token, .emptyTransaction, nil)
        }
        var future = self
        var steps: [Step] = []
        for action in request.actions {
            do throws(Refused) {
                try checkRights(of: wish)
                switch try future.planned(action, wish) {
                case .joins where request.options.isDryRun: return promise([], wish)
                case .joins(let plan):
                    if request.actions.count == 1 { return join(plan, wish) }
                case .steps(let more):
                    steps += more
                    if request.actions.count > 1 { future.assume(action, more) }
                }
            } catch {
                return refuse(wish, error)
            }
        }
        if request.options.isDryRun { return promise(steps, wish) }
        for action in request.actions {
            if overridesOthers(action, wish) {
                cancelReservations()
                if case .steps(let again)? = try? planned(action, wish),
                    request.actions.count == 1
                {
                    steps = again
                }
            }
            if case .start(let arguments) = action.action, arguments.isEmergency,
                policy.allowsEmergency
            {
                endRinging(besides: action.call)
            }
        }
        for action in request.actions { make(action, wish) }
        let choice = request.actions.first?.choice ?? .plain
        carryOut(steps, wish, choice, id: request.transaction)
    }

    /// Rule 15: what cancels the plan of another call that waits for room.
    private func overridesOthers(_ action: RequestedAction, _ wish: Wish) -> Bool {
        switch action.action {
        case .answer: return action.choice == .endAndAnswer && wish.isUser
        case .start(let arguments): return arguments.isEmergency && policy.allowsEmergency
        case .end, .setHeld, .setMuted, .setGroup, .playDTMF: return false
        }
    }

    /// Only the user may have somebody else's call ended (principle 4).
    private func checkRights(of wish: Wish) throws(Refused) {
        guard wish.options.onConflict == .end, !wish.isUser else { return }
        throw Refused(.notYourCall, .rights)
    }

    mutating func refuse(_ wish: Wish, _ refused: Refused) {
        guard let token = wish.token else { return }
        guard wish.options.isDryRun else { return refuse(token, refused.reason, refused.rule) }
        reply(token, .dryRun(refused.reason, refused.rule, holds: [], ends: []))
    }

    /// Rule 30: both hear of the same result.
    mutating func join(_ number: Int, _ wish: Wish) {
        guard let token = wish.token else { return }
        if wish.options.wait == .accepted { reply(token, .accepted(isJoined: true)) }
        change(plan: number) { $0.tokens.append(token) }
    }

    /// A dry run.
    mutating func promise(_ steps: [Step], _ wish: Wish) {
        guard let token = wish.token else { return }
        var holds: [CallID] = []
        var ends: [CallID] = []
        for step in steps {
            switch step.work {
            case .hold(let group) where step.becauseOf != nil:
                holds += members(of: group).filter { $0.state == .active }.map(\.id)
            case .clear(let group): ends += members(of: group).map(\.id)
            default: break
            }
        }
        reply(token, .dryRun(nil, nil, holds: holds, ends: ends))
    }

    /// A call is there from the moment its start is accepted.
    private mutating func make(_ requested: RequestedAction, _ wish: Wish) {
        guard case .start(let arguments) = requested.action, let provider = requested.provider
        else { return }
        var call = Call(
            id: requested.call, provider: provider, direction: .outgoing, state: .starting,
            group: newGroup(), createdAt: now)
        call.properties.remote = arguments.remote
        call.properties.hasVideo = arguments.hasVideo
        call.isEmergency = arguments.isEmergency && policy.allowsEmergency
        if call.isEmergency { call.properties.priority = .emergency }
        calls.append(call)
    }

    mutating func newGroup() -> Int {
        let number = nextNumber()
        groups.append(Group(number: number))
        return number
    }

    // The checks of each kind.

    func planned(_ requested: RequestedAction, _ wish: Wish) throws(Refused) -> Planned {
        switch requested.action {
        case .start(let arguments): try start(requested, arguments, wish)
        case .answer: try answer(requested, wish)
        case .end: try end(requested.call, wish)
        case .setHeld(true): try hold(requested.call, wish)
        case .setHeld: try resume(requested.call, wish)
        case .setMuted(let isMuted): try mute(requested.call, isMuted, wish)
        case .setGroup(.some(let other)): try merge(requested.call, with: other, wish)
        case .setGroup: try split(requested.call, wish)
        case .playDTMF(let digits, let style): try tones(requested.call, digits, style, wish)
        }
    }

    /// Rules 31 and 33.
    func known(_ id: CallID, to requester: Requester) throws(Refused) -> Call {
        guard let call = call(id), call.screening == nil else {
            throw Refused(hasEnded(id) ? .callEnded : .unknownCall, .unknownCall)
        }
        if case .app(let provider) = requester, provider != call.provider {
            throw Refused(.notYourCall, .rights)
        }
        return call
    }

    private func isPending(_ kind: CallAction, on call: CallID) -> Bool {
        actions.contains { $0.call == call && $0.kind == kind }
    }

    /// Rule 30: the plan that does the same already.
    func planDoing(_ kind: CallAction, on call: CallID) -> Int? {
        actions.first { $0.call == call && $0.kind == kind }?.plans.first { plan($0) != nil }
    }

    /// Rules 8 to 11, 20, 21, 24 and 25.
    private func start(
        _ requested: RequestedAction, _ arguments: StartArguments, _ wish: Wish
    ) throws(Refused) -> Planned {
        if case .app(let own) = wish.requester, let name = requested.provider, own != name {
            throw Refused(.notYourCall, .rights)
        }
        guard let provider = requested.provider.flatMap({ provider($0) }) else {
            throw Refused(.unknownProvider, .unknownCall)
        }
        guard call(requested.call) == nil, !hasEnded(requested.call) else {
            throw Refused(.callUUID)
        }
        if arguments.hasVideo, !provider.configuration.supportsVideo {
            throw Refused(.notSupported, .video)
        }
        let isEmergency = arguments.isEmergency && policy.allowsEmergency
        try checkEmergency(startsAnother: isEmergency)
        try checkCalls(of: provider)
        let newcomer = Newcomer(
            call: requested.call, provider: provider, group: nil, kind: .start,
            isEmergency: isEmergency)
        let way = try wayFor(newcomer, .plain, wish)
        return .steps(way + [Step(.start(requested.call, arguments))])
    }

    private func checkEmergency(startsAnother: Bool) throws(Refused) {
        guard !emergencies.isEmpty else { return }
        guard startsAnother, emergencies.allSatisfy({ $0.wasConnected || $0.isSilentStart }) else {
            throw Refused(.emergency, .emergency)
        }
    }

    /// Rule 25.
    private func checkCalls(of provider: Provider) throws(Refused) {
        let own = calls.filter { $0.provider == provider.id }
        guard own.count < policy.limits.callsPerProvider, calls.count < policy.limits.calls else {
            throw Refused(.maxCalls, .hostLimits)
        }
    }

    /// Rules 4 to 7a.
    private func answer(_ requested: RequestedAction, _ wish: Wish) throws(Refused) -> Planned {
        let call = try known(requested.call, to: wish.requester)
        switch call.state {
        case .active: return .steps([])
        case .starting, .dialing, .connecting, .held, .ending, .ended:
            throw Refused(.invalidState)
        case .ringing, .waiting: break
        }
        if let plan = planAnswering(call.id), !overrules(requested.choice, plan, wish) {
            // Somebody decided otherwise about the call in the way.
            let isWaiting = plan.steps.contains { $0.work.isReserving }
            let isAlike = plan.choice.isAboutEnding == requested.choice.isAboutEnding
            if isWaiting, !isAlike { throw Refused(.busy, .busy) }
            return .joins(plan: plan.number)
        }
        guard let provider = provider(of: call) else { throw Refused(.providerGone) }
        let newcomer = Newcomer(
            call: call.id, provider: provider, group: call.group, kind: .answer,
            isEmergency: call.isEmergency)
        let way = try wayFor(newcomer, requested.choice, wish)
        return .steps(way + [Step(.answer(call.id))])
    }

    /// Rule 15: the user no longer wants to wait for a hold.
    private func overrules(_ choice: AnswerChoice, _ plan: Plan, _ wish: Wish) -> Bool {
        let isWaiting = plan.steps.contains { $0.work.isReserving }
        return choice == .endAndAnswer && wish.isUser && isWaiting && plan.choice != choice
    }

    func planAnswering(_ call: CallID) -> Plan? {
        plans.first { plan in
            (plan.steps + [plan.running].compactMap { $0 }).contains {
                switch $0.work {
                case .answer(call), .grant(call): !plan.wish.isAutomatic
                default: false
                }
            }
        }
    }

    private func end(_ id: CallID, _ wish: Wish) throws(Refused) -> Planned {
        let call = try known(id, to: wish.requester)
        if call.state == .ending, !wish.isPart, let plan = planDoing(.end, on: id) {
            return .joins(plan: plan)
        }
        return .steps(call.state == .ending ? [] : [Step(.end(id))])
    }

    private func hold(_ id: CallID, _ wish: Wish) throws(Refused) -> Planned {
        let call = try known(id, to: wish.requester)
        switch call.state {
        case .held where isPending(.setHeld(false), on: id): throw Refused(.busy, .busy)
        case .held: return .steps([])
        case .active: break
        case .starting, .dialing, .connecting, .ringing, .waiting, .ending, .ended:
            throw Refused(.invalidState)
        }
        if !wish.isPart, let plan = planDoing(.setHeld(true), on: id) {
            return .joins(plan: plan)
        }
        let isRegrouping = members(of: call.group).contains { member in
            actions.contains { $0.call == member.id && $0.kind.kind == .setGroup }
        }
        let willBeHeld = plans.contains { plan in
            isReserving(plan) && plan.steps.contains { $0.work.holds(call.group) }
        }
        guard !isRegrouping, !willBeHeld else { throw Refused(.busy, .busy) }
        if members(of: call.group).contains(where: { isPending(.setHeld(false), on: $0.id) }) {
            throw Refused(.invalidState)
        }
        guard members(of: call.group).allSatisfy({ $0.properties.supportsHolding }) else {
            throw Refused(.cannotHold, .notSupported)
        }
        guard heldGroups.count < policy.limits.heldGroups else {
            throw Refused(.maxHeld, .hostLimits)
        }
        return .steps([Step(.hold(group: call.group))])
    }

    /// Rules 10a, 14 and 15.
    private func resume(_ id: CallID, _ wish: Wish) throws(Refused) -> Planned {
        let call = try known(id, to: wish.requester)
        if call.state == .held, let plan = planResuming(call.group) { return .joins(plan: plan) }
        switch call.state {
        case .active where isPending(.setHeld(true), on: id),
            .held where isPending(.setHeld(true), on: id):
            throw Refused(.busy, .busy)
        case .active: return .steps([])
        case .held: break
        case .starting, .dialing, .connecting, .ringing, .waiting, .ending, .ended:
            throw Refused(.invalidState)
        }
        guard emergencies.isEmpty || call.isEmergency else {
            throw Refused(.emergency, .emergency)
        }
        guard let provider = provider(of: call) else { throw Refused(.providerGone) }
        let newcomer = Newcomer(
            call: id, provider: provider, group: call.group, kind: .resume, isEmergency: false)
        let way = try wayFor(newcomer, .plain, wish)
        return .steps(way + [Step(.resume(group: call.group))])
    }

    func planResuming(_ group: Int) -> Int? {
        plans.first { plan in
            (plan.steps + [plan.running].compactMap { $0 }).contains {
                switch $0.work {
                case .resume(group): true
                case .grant(let id): call(id)?.group == group && !plan.wish.isAutomatic
                default: false
                }
            }
        }?.number
    }

    /// Rules 20 and 34.
    private func mute(_ id: CallID, _ isMuted: Bool, _ wish: Wish) throws(Refused) -> Planned {
        let call = try known(id, to: wish.requester)
        switch call.state {
        case .dialing, .connecting, .active, .held: break
        case .starting, .ringing, .waiting, .ending, .ended: throw Refused(.invalidState, .mute)
        }
        if isMuted, !emergencies.isEmpty { throw Refused(.emergency, .emergency) }
        if !wish.isPart, let plan = planDoing(.setMuted(isMuted), on: id) {
            return .joins(plan: plan)
        }
        if group(call.group)?.isMuted == isMuted { return .steps([]) }
        return .steps([Step(.mute(group: call.group, isMuted))])
    }

    /// Rule 35.
    private func tones(
        _ id: CallID, _ digits: String, _ style: DTMFStyle, _ wish: Wish
    ) throws(Refused) -> Planned {
        let call = try known(id, to: wish.requester)
        guard call.state == .active else { throw Refused(.invalidState, .tones) }
        guard call.properties.supportsDTMF else { throw Refused(.notSupported, .notSupported) }
        if isPending(.setHeld(true), on: id) { throw Refused(.invalidState, .tones) }
        return .steps([Step(.tones(id, digits: digits, style))])
    }
}

extension AnswerChoice {
    /// Nil if nobody has to be ended for it: a plain answer is one that holds.
    var isAboutEnding: AnswerChoice? {
        switch self {
        case .plain, .holdAndAnswer: nil
        case .endAndAnswer, .endHeldAndAnswer: self
        }
    }
}
