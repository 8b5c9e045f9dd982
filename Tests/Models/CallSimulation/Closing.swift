internal import CallArbitration
internal import CallModel

/// The end of a run: nobody wishes anything any more, all providers are connected and do what they
/// are asked. Everything has to settle then, and nothing may be left.
struct Closing {
    private let eventsMax: Int
    private var bench: Bench
    private var answers: [Dispatch] = []
    private var token = RequestToken(1 << 60)
    /// Requests that are open when it begins, and when the last of them has to be settled.
    private var latest: Instant
    private let longestMS: Int

    /// Brings a run to its end.
    static func close(_ bench: inout Bench, longestMS: Int, eventsMax: Int = 20_000) {
        var closing = Closing(bench, longestMS: longestMS, eventsMax: eventsMax)
        closing.run()
        bench = closing.bench
    }

    private init(_ bench: Bench, longestMS: Int, eventsMax: Int) {
        self.eventsMax = eventsMax
        self.bench = bench
        self.longestMS = longestMS
        latest = bench.now.advanced(byMS: longestMS)
    }

    private mutating func run() {
        reconnectAll()
        drain()
        checkQuiet()
        latest = bench.now.advanced(byMS: longestMS)
        endAll()
        drain()
        checkEmpty()
    }

    private mutating func apply(_ event: ArbiterEvent) {
        take(bench.apply(event, at: bench.now))
    }

    private mutating func take(_ effects: [ArbiterEffect]) {
        for effect in effects {
            switch effect {
            case .perform(let dispatch): answers.append(dispatch)
            case .cancelPerform(let action, _): answers.removeAll { $0.action == action }
            case .offer(let transaction, let provider, _):
                apply(.offerSettled(transaction, by: provider, isTaken: false))
            default: break
            }
        }
    }

    private mutating func makeToken() -> RequestToken {
        token = RequestToken(token.number + 1)
        return token
    }

    /// Whoever was away comes back with the calls that it should have.
    private mutating func reconnectAll() {
        for (provider, configuration) in bench.lostProviders {
            let calls = bench.arbiter.summaries.filter { $0.provider == provider }
                .compactMap { $0.asLiveCall }
            apply(
                .providerRegistered(
                    ProviderRegistration(
                        token: makeToken(), provider: provider, configuration: configuration,
                        calls: calls)))
        }
    }

    /// Answers and timers, until there are none.
    private mutating func drain() {
        var count = 0
        while bench.complaint == nil {
            count += 1
            guard count < eventsMax else {
                return bench.fail(Complaint(.liveness, "it never comes to rest"))
            }
            if let dispatch = answers.first {
                answers.removeFirst()
                apply(.actionFulfilled(dispatch.action, by: dispatch.provider))
            } else if let timer = bench.nextTimer {
                take(bench.fire(timer))
            } else {
                return
            }
            if bench.now > latest, let open = bench.openRequest {
                return bench.fail(
                    Complaint(.liveness, "a request is open for too long", "\(open)"))
            }
        }
    }

    private mutating func checkQuiet() {
        let unrest = Self.unrest(
            bench.openRequest, isBusy: bench.arbiter.hostFacts.isBusy, bench.arbiter.summaries)
        for complaint in unrest { bench.fail(complaint) }
    }

    /// What is still under way although everybody has answered.
    static func unrest(
        _ open: RequestToken?, isBusy: Bool, _ views: [CallView]
    ) -> [Complaint] {
        var complaints: [Complaint] = []
        if let open {
            complaints.append(Complaint(.liveness, "a request stays open", "\(open)"))
        }
        if isBusy { complaints.append(Complaint(.liveness, "a reservation is left")) }
        for view in views {
            if let pending = view.pending {
                complaints.append(Complaint(.liveness, "a call stays \(pending)", "\(view)"))
            }
            if view.state != .active, view.state != .held, view.state != .external {
                complaints.append(Complaint(.liveness, "a call stays \(view.state)", "\(view)"))
            }
        }
        return complaints
    }

    private mutating func endAll() {
        for view in bench.arbiter.summaries {
            guard view.state != .external else {
                apply(
                    .callReported(
                        CallReport(
                            token: makeToken(), provider: view.provider, call: view.call,
                            news: .ended(.remoteEnded))))
                continue
            }
            apply(
                .transactionRequested(
                    TransactionRequest(
                        token: makeToken(), requester: .user,
                        actions: [RequestedAction(call: view.call, action: .end)])))
        }
    }

    private mutating func checkEmpty() {
        let remains = Self.remains(
            bench.arbiter.remainingState, bench.timersLeft, bench.outstanding)
        for complaint in remains { bench.fail(complaint) }
    }

    /// What is left of calls that have all ended.
    static func remains(
        _ remains: [String], _ timers: [TimerID], _ outstanding: [ActionID]
    ) -> [Complaint] {
        remains.map {
            Complaint(.liveness, "something is left:\($0.drop { $0.isNumber })", $0)
        }
            + timers.map { Complaint(.timers, "a timer is left at the end", "\($0)") }
            + outstanding.map { Complaint(.settlesOnce, "an action never settles", "\($0)") }
    }
}

extension CallView {
    /// How its provider would list it; nil for one that it does not have yet, or no more.
    var asLiveCall: LiveCall? {
        let listed: CallState? =
            switch state {
            case .ringing, .waiting: .ringing
            case .dialing, .alerting, .connecting, .active, .held, .external: state
            case .starting, .ending, .ended: nil
            }
        return listed.map {
            LiveCall(call: call, direction: direction, state: $0, update: CallUpdate())
        }
    }
}
