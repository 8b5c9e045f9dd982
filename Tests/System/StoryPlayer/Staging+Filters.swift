internal import CallArbitration
internal import CallModel
internal import CallTranscript

/// Screeners and directories: what they are asked, and what they answer.
extension Staging {
    /// A filter as its connection sees it.
    struct FilterLine: Sendable {
        var isOpen = false
        /// The latest id that the broker gave to a request on this connection.
        var lastID: Int64 = 0
        /// The latest request about each call on this connection.
        var requests: [CallID: Int64] = [:]
        /// The calls about which it has not answered.
        var unanswered: Set<CallID> = []
    }

    /// Whose decision it is, and why.
    struct Credit: Sendable {
        static let words = "as the story has it"
        /// Filters have not answered in time.
        static let late = Credit(explanation: ["by": "broker", "text": .anything])

        var filter: String?
        var explanation: Wire?

        init(filter: String? = nil, explanation: Wire? = nil) {
            (self.filter, self.explanation) = (filter, explanation)
        }

        init(_ verdict: ScreeningVerdict) {
            filter = verdict == .doNotDisturb ? "do_not_disturb" : verdict.filter?.identity
            let decider = verdict == .allow ? Filter.anybody : verdict.filter
            if let decider, decider.role == .screener {
                explanation = ["by": .string(decider.identity), "text": .string(Self.words)]
            }
        }
    }

    // MARK: - Connections

    /// Filters are there if a call is to be looked at, and only then: the broker asks all of them about
    /// each call.
    mutating func seatFilters(
        for report: IncomingReport, _ effects: [ArbiterEffect], in act: inout Act
    ) throws(Unplayable) {
        let wanted = report.needsScreening ? cast.screening(report.call) : []
        let idle = filters.filter { $0.value.isOpen && !wanted.contains($0.key) }
        for (filter, line) in idle.sorted(by: { $0.key < $1.key })
        where line.unanswered.isDisjoint(with: examined) {
            dismiss(filter, in: &act)
        }
        // A call that is refused is not looked at, whoever is there.
        let isListed = effects.contains { if case .confirmIncoming = $0 { true } else { false } }
        guard report.needsScreening || !isListed || filters.values.allSatisfy({ !$0.isOpen }) else {
            throw .alsoScreened
        }
        for filter in wanted { seat(filter, in: &act) }
    }

    /// A directory that connects is asked who calls.
    private mutating func seat(_ filter: Filter, in act: inout Act) {
        guard !(filters[filter]?.isOpen ?? false) else { return }
        filters[filter] = FilterLine(isOpen: true)
        act.moves += [.settle, .connect(.filter(filter), mayExit: false)]
        tellState(of: filter, "ready", since: "stopped", in: &act)
        guard filter.role == .directory, let arbiter = lastArbiter else { return }
        for call in published {
            if let view = arbiter.view(of: call) { ask(filter, about: view, in: &act) }
        }
    }

    private mutating func dismiss(_ filter: Filter, in act: inout Act) {
        filters[filter] = FilterLine()
        act.moves += [.close(.filter(filter), isHalf: false), .settle]
        tellState(of: filter, "stopped", since: "ready", in: &act)
    }

    private mutating func tellState(
        of filter: Filter, _ state: String, since former: String, in act: inout Act
    ) {
        let data: [String: Wire?] = [
            "plugin": .string(filter.identity), "state": .string(state),
            "previous": .string(former), "stderr": [],
        ]
        tell("plugin.state", data, in: &act)
    }

    // MARK: - Requests

    /// Every filter is asked about a call that is looked at.
    mutating func askFilters(about call: CallID, _ arbiter: Arbiter, in act: inout Act) {
        guard let view = arbiter.screenedView(of: call) else { return }
        for filter in filters.keys.sorted() where filters[filter]?.isOpen == true {
            ask(filter, about: view, in: &act)
        }
    }

    /// Directories are asked about a call that is published, unless it was looked at to the end.
    mutating func askDirectories(
        about call: CallID, _ step: Transcript.Step, in act: inout Act
    ) {
        if case .screeningSettled = step.event { return }
        if case .timerFired(.screening) = step.event { return }
        guard let view = step.arbiter.view(of: call), view.caller == nil else { return }
        for filter in filters.keys.sorted()
        where filter.role == .directory && filters[filter]?.isOpen == true {
            ask(filter, about: view, in: &act)
        }
    }

    private mutating func ask(_ filter: Filter, about view: CallView, in act: inout Act) {
        guard let remote = view.properties.remote, var line = filters[filter] else { return }
        line.lastID += 1
        line.requests[view.call] = line.lastID
        line.unanswered.insert(view.call)
        filters[filter] = line
        let (method, params): (String, Wire) =
            switch filter.role {
            case .screener:
                (
                    "screener.check",
                    .check(view).with(["deadline_ms": .number(policy.screeningMS)])
                )
            case .directory:
                ("directory.lookup", ["remote": .handle(remote), "deadline_ms": 5_000])
            }
        act.expect(.request(UInt64(line.lastID), method, params), at: .filter(filter))
    }

    // MARK: - Answers

    /// What decides about a call comes last.
    mutating func settleScreening(
        of call: CallID, _ verdict: ScreeningVerdict, in act: inout Act
    ) throws(Unplayable) -> Ending? {
        guard verdict != .ringInCall else { throw .favorite }
        guard examined.contains(call) else {
            repeatVerdict(verdict, about: call, in: &act)
            return nil
        }
        if verdict == .doNotDisturb, isRinging { throw .alsoSilenced }
        credit = verdict == .timedOut ? .late : Credit(verdict)
        // Nobody answers: the broker's own time is over.
        guard verdict != .timedOut else { return finishScreening(of: call) }
        if verdict == .doNotDisturb { setQuiet(true, in: &act) }
        let asked = filters.keys.sorted().filter { filters[$0]?.unanswered.contains(call) == true }
        for filter in asked where filter != verdict.filter {
            answer(filter, about: call, filter == .anybody ? verdict : .ring, in: &act)
        }
        if let filter = verdict.filter { answer(filter, about: call, verdict, in: &act) }
        return finishScreening(of: call, isQuiet: verdict == .doNotDisturb)
    }

    /// A call sounds that the user would silence by switching on do-not-disturb (rule 40).
    private var isRinging: Bool {
        guard let arbiter = lastArbiter else { return false }
        return published.contains { call in
            guard let view = arbiter.view(of: call) else { return false }
            return view.state == .ringing && !view.isSilenced
        }
    }

    /// Directories that name the caller later are there from now on.
    private func finishScreening(of call: CallID, isQuiet: Bool = false) -> Ending {
        { staging, act in
            staging.credit = Credit()
            if isQuiet { staging.setQuiet(false, in: &act) }
            for filter in staging.cast.identifying(call) { staging.introduce(filter, in: &act) }
        }
    }

    /// A verdict about a call that is looked at no longer.
    private mutating func repeatVerdict(
        _ verdict: ScreeningVerdict, about call: CallID, in act: inout Act
    ) {
        let filter = verdict.filter ?? .anybody
        let open = filters.keys.sorted().filter { filters[$0]?.requests[call] != nil }
        guard let teller = open.contains(filter) ? filter : open.first else { return }
        answer(teller, about: call, verdict, in: &act)
    }

    private mutating func answer(
        _ filter: Filter, about call: CallID, _ verdict: ScreeningVerdict, in act: inout Act
    ) {
        let isPriority = prioritized.contains(call)
        let explains = verdict.screenerWord != "continue"
        let result: Wire =
            switch filter.role {
            case .screener:
                .members([
                    "verdict": .string(verdict.screenerWord),
                    "reason": verdict.blockReason.map { .string($0.rawValue) },
                    "priority": isPriority ? true : nil,
                    "explain": explains ? .string(Credit.words) : nil,
                ])
            case .directory: .members(["blocked": verdict.filter == filter ? true : nil])
            }
        reply(filter, about: call, result, in: &act)
    }

    private mutating func reply(
        _ filter: Filter, about call: CallID, _ result: Wire, in act: inout Act
    ) {
        guard let id = filters[filter]?.requests[call] else { return }
        filters[filter]?.unanswered.remove(call)
        let frame: Wire = ["jsonrpc": "2.0", "id": .int(id), "result": result]
        act.moves += [.send(.filter(filter), frame), .settle]
    }

    // MARK: - Callers

    private mutating func introduce(_ filter: Filter, in act: inout Act) {
        if filters[filter]?.isOpen == true { dismiss(filter, in: &act) }
        seat(filter, in: &act)
        act.moves.append(.settle)
    }

    /// A directory is asked once about a call, unless it comes anew.
    mutating func identify(_ call: CallID, _ caller: Caller, in act: inout Act) throws(Unplayable) {
        let filter = Filter(name: caller.source, role: .directory)
        if filters[filter]?.unanswered.contains(call) != true { introduce(filter, in: &act) }
        guard filters[filter]?.unanswered.contains(call) == true else { throw .nobodyAsks }
        let result = Wire.members([
            "display_name": caller.name.map { .string($0) },
            "label": caller.label.map { .string($0) },
        ])
        reply(filter, about: call, result, in: &act)
    }

    /// A screener says so with its verdict.
    mutating func prioritize(_ call: CallID) throws(Unplayable) {
        guard examined.contains(call) else { throw .latePriority }
        prioritized.insert(call)
    }

    // MARK: - Do-not-disturb

    private mutating func setQuiet(_ isQuiet: Bool, in act: inout Act) {
        self.isQuiet = isQuiet
        let id = ownID()
        let params: Wire = ["do_not_disturb": ["on": .bool(isQuiet)]]
        act.moves += [.send(.user, .request(id, "policy.set", params)), .settle]
        let whole = wholePolicy
        tell("policy.changed", ["changed": ["do_not_disturb"], "policy": whole], in: &act)
        // The reply waits for the disk, and other events may be first.
        act.expectReply(to: id, ["policy": whole, "seq": .anything], at: .user)
    }

    /// The policy as everybody sees it.
    var wholePolicy: Wire {
        let whole = Wire.policy(policy)
        guard isQuiet, let rest = whole["do_not_disturb"] else { return whole }
        return whole.with(["do_not_disturb": rest.with(["on": true])])
    }
}
