internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// Calls are given to one screen at a time: to the one that holds the screen, and to the next if it
/// does not take them. Nothing of it is decided by the arbiter or kept in the journal: after a restart
/// screens claim anew, and get the calls that there are.
extension Broker {
    /// Requests that a screen may leave unanswered before it is asked nothing more.
    private static let owedMax = 256

    // MARK: - Who presents

    /// Whether as many others as there may be are screens.
    func hasEnoughScreens(without peer: Peer) -> Bool {
        screens.seats(besides: peer.connection.slot) >= limits.screens
    }

    /// One that has the role, whether it claims or not.
    func seatScreen(_ peer: Peer) {
        if peer.roles.contains(.ui) { screens.seat(peer.connection.slot) }
    }

    func claimScreen(_ params: JSONValue?, _ target: ReplyTarget) {
        let screen = target.peer.connection.slot
        screens.claim(
            screen, priority: Int(params?["priority"]?.integer ?? 0),
            rings: params?["sound"]?.boolean ?? false)
        reply(target) { $0.member("primary", screens.holder == screen) }
        presentCalls()
    }

    /// A plugin whose manifest says how it presents calls need not claim.
    func claimScreen(declaredBy peer: Peer) {
        guard peer.roles.contains(.ui), let declared = peer.plugin?.manifest?.screen else {
            return
        }
        screens.claim(peer.connection.slot, priority: declared.priority, rings: declared.rings)
        presentCalls()
    }

    /// Screens that come with the first call are started by it. It is offered to them when they claim, if
    /// nobody presents it by then.
    func bringUpScreens() {
        for plugin in plugins.screens where plugin.isOnDemand { apply(.demanded, to: plugin) }
    }

    func releaseScreen(_ target: ReplyTarget) {
        for holding in screens.release(target.peer.connection.slot) {
            takeBack(holding, "released")
        }
        reply(target) { $0.member("primary", false) }
        presentCalls()
    }

    /// The connection of a screen says no more, or is gone.
    func loseScreen(of peer: Peer) {
        guard peer.roles.contains(.ui) else { return }
        let released = screens.leave(peer.connection.slot)
        for case let question? in released.map(\.question) { timers.cancel(question.timer) }
        if !released.isEmpty { presentCalls() }
    }

    /// The identity of the screen that gets the next call.
    var screenHolder: String? {
        screens.holder.flatMap { peers[$0]?.identity }
    }

    /// Everybody who may be asked to present calls.
    var claimants: [Peer] {
        screens.claimants.compactMap { peers[$0] }
    }

    // MARK: - Offering

    /// Offers every call that nobody presents.
    private func presentCalls() {
        if screens.holder != nil { for call in calls.open { present(call) } }
        settlePresentations()
    }

    /// Offers a call, unless it is presented, to the first screen that was not asked about it.
    func present(_ call: CallID) {
        guard screens.holder != nil, !isRecovering, !isStopping else { return }
        while let screen = screens.next(for: call), let peer = peers[screen],
            let view = arbiter.view(of: call)
        {
            ask(peer, about: view)
        }
    }

    private func ask(_ peer: Peer, about view: CallView) {
        let (call, screen) = (view.call, peer.connection.slot)
        guard peer.outgoing.count < Self.owedMax else { return screens.skip(screen, for: call) }
        let id = peer.outgoing.open(.present(call))
        let timer = startTimer(afterMS: MethodTable.presentMS, .presenting(call, screen: screen))
        screens.ask(
            about: call, Screens.Question(screen: screen, request: id, timer: timer), at: now)
        request(peer, id, "ui.present") { writer in
            write(view, to: &writer)
            if let caller = view.caller, caller.isKnown { writer.member(suggesting: caller) }
            writer.member("actions", words: view.allowed)
            writer.member("deadline_ms", MethodTable.presentMS)
        }
    }

    // MARK: - Answers

    /// - Parameter id: of the request; what comes late answers one that nobody waits for.
    func settle(
        presenting call: CallID, _ id: Int64, _ outcome: Message.Outcome, by peer: Peer
    ) {
        let screen = peer.connection.slot
        screens.hear(screen)
        guard let question = screens.question(about: call, to: screen), question.request == id
        else { return }
        timers.cancel(question.timer)
        if outcome.isPresented {
            for other in screens.accept(call, by: screen) { takeBack(other, "taken") }
        } else {
            screens.decline(call, by: screen, at: now)
        }
        present(call)
        settlePresentation(of: call)
    }

    /// A screen has not answered in time.
    func expire(presenting call: CallID, screen: Int) {
        guard let holding = screens.miss(call, by: screen) else { return }
        takeBack(holding, "timed_out")
        present(call)
        settlePresentation(of: call)
    }

    /// A call is over.
    func takeBack(_ call: CallID) {
        for holding in screens.remove(call) { takeBack(holding, "ended") }
    }

    /// A screen is told that a call is not its own any more.
    private func takeBack(_ holding: Screens.Holding, _ reason: StaticString) {
        guard let peer = peers[holding.screen] else { return }
        if let question = holding.question {
            timers.cancel(question.timer)
            notify(peer, "broker.cancel") { $0.member("request", question.request) }
        }
        notify(peer, "ui.dismiss") { writer in
            writer.member("call", holding.call)
            writer.member("reason", reason)
        }
    }
}

extension Message.Outcome {
    /// Whether a screen presents the call; an error is a no, and so is what is no answer.
    fileprivate var isPresented: Bool {
        if case .result(let result) = self { result["presented"]?.boolean ?? false } else { false }
    }
}

extension JSONWriter {
    fileprivate mutating func member(suggesting caller: Caller) {
        name("suggested")
        object { writer in
            writer.member("name", ifSet: caller.name)
            writer.member("label", ifSet: caller.label)
        }
    }
}
