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
final class ScreenPresenter {
    private unowned let broker: Broker

    /// Who presents calls, and which.
    private var table = Screens()
    private var presentations = Presentations()

    init(_ broker: Broker) {
        self.broker = broker
    }

    /// Requests that a screen may leave unanswered before it is asked nothing more.
    private static let owedMax = 256

    // MARK: - Who presents

    /// Whether as many others as there may be are screens.
    func isFull(besides peer: Peer) -> Bool {
        table.seats(besides: peer.connection.slot) >= broker.limits.screens
    }

    /// One that has the role, whether it claims or not.
    func seat(_ peer: Peer) {
        if peer.roles.contains(.ui) { table.seat(peer.connection.slot) }
    }

    func perform(
        _ method: ClientMethod.ScreenMethod, _ params: JSONValue?, _ target: ReplyTarget
    ) {
        switch method {
        case .claim: claim(params, target)
        case .release: release(target)
        }
    }

    func claim(_ params: JSONValue?, _ target: ReplyTarget) {
        let screen = target.peer.connection.slot
        table.claim(
            screen, priority: Int(params?["priority"]?.integer ?? 0),
            rings: params?["sound"]?.boolean ?? false)
        broker.outbox.reply(target) { $0.member("primary", table.holder == screen) }
        presentCalls()
    }

    /// A plugin whose manifest says how it presents calls need not claim.
    func claim(declaredBy peer: Peer) {
        guard peer.roles.contains(.ui), let declared = peer.plugin?.manifest?.screen else {
            return
        }
        table.claim(peer.connection.slot, priority: declared.priority, rings: declared.rings)
        presentCalls()
    }

    /// Screens that come with the first call are started by it. It is offered to them when they claim, if
    /// nobody presents it by then.
    func start() {
        for plugin in broker.plugins.table.screens where plugin.isOnDemand {
            broker.plugins.apply(.demanded, to: plugin)
        }
    }

    func release(_ target: ReplyTarget) {
        for holding in table.release(target.peer.connection.slot) {
            dismiss(holding, "released")
        }
        broker.outbox.reply(target) { $0.member("primary", false) }
        presentCalls()
    }

    /// The connection of a screen says no more, or is gone.
    func disconnect(_ peer: Peer) {
        guard peer.roles.contains(.ui) else { return }
        let released = table.leave(peer.connection.slot)
        for case let question? in released.map(\.question) { broker.timers.cancel(question.timer) }
        if !released.isEmpty { presentCalls() }
    }

    /// The identity of the screen that gets the next call.
    var holder: String? {
        table.holder.flatMap { broker.peers[slot: $0]?.identity }
    }

    /// Everybody who may be asked to present calls.
    var claimants: [Peer] {
        table.claimants.compactMap { broker.peers[slot: $0] }
    }

    /// Forgets how the app of a call that is over was told to present it.
    func forgetPresentation(of call: CallID) {
        presentations.told[call] = nil
    }

    // MARK: - Offering

    /// Offers every call that nobody presents.
    private func presentCalls() {
        if table.holder != nil { for call in broker.calls.open { present(call) } }
        updatePresentations()
    }

    /// Offers a call, unless it is presented, to the first screen that was not asked about it.
    func present(_ call: CallID) {
        guard table.holder != nil, !broker.isReplaying, !broker.isStopping else { return }
        while let screen = table.next(for: call), let peer = broker.peers[slot: screen],
            let view = broker.arbiter.view(of: call)
        {
            ask(peer, about: view)
        }
    }

    private func ask(_ peer: Peer, about view: CallView) {
        let (call, screen) = (view.call, peer.connection.slot)
        guard peer.outgoing.count < Self.owedMax else { return table.skip(screen, for: call) }
        let id = peer.outgoing.open(.present(call))
        let timer = broker.timers.start(
            afterMS: MethodTable.presentMS, .presenting(call, screen: screen))
        table.ask(
            about: call, Screens.Question(screen: screen, request: id, timer: timer),
            at: broker.clock.now)
        broker.outbox.request(peer, id, "ui.present") { writer in
            broker.announcer.write(view, to: &writer)
            if let caller = view.caller, caller.isKnown { writer.member(suggesting: caller) }
            writer.member("actions", words: view.allowed)
            writer.member("deadline_ms", MethodTable.presentMS)
        }
    }

    // MARK: - Answers

    /// - Parameter id: of the request; what comes late answers one that nobody waits for.
    func complete(
        presenting call: CallID, _ id: Int64, _ outcome: Message.Outcome, by peer: Peer
    ) {
        let screen = peer.connection.slot
        table.hear(screen)
        guard let question = table.question(about: call, to: screen), question.request == id
        else { return }
        broker.timers.cancel(question.timer)
        if outcome.isPresented {
            for other in table.accept(call, by: screen) { dismiss(other, "taken") }
        } else {
            table.decline(call, by: screen, at: broker.clock.now)
        }
        present(call)
        updatePresentation(of: call)
    }

    /// A screen has not answered in time.
    func expire(presenting call: CallID, screen: Int) {
        guard let holding = table.miss(call, by: screen) else { return }
        dismiss(holding, "timed_out")
        present(call)
        updatePresentation(of: call)
    }

    /// A call is over.
    func dismiss(_ call: CallID) {
        for holding in table.remove(call) { dismiss(holding, "ended") }
    }

    /// A screen is told that a call is not its own any more.
    private func dismiss(_ holding: Screens.Holding, _ reason: StaticString) {
        guard let peer = broker.peers[slot: holding.screen] else { return }
        if let question = holding.question {
            broker.timers.cancel(question.timer)
            broker.outbox.notify(peer, "broker.cancel") { $0.member("request", question.request) }
        }
        broker.outbox.notify(peer, "ui.dismiss") { writer in
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

/// One ringer: what apps that can be told how their calls are to sound were told last.
struct Presentations {
    /// Of calls that ring or wait.
    var told: [CallID: Presentation] = [:]
    /// Whether somebody talked then.
    var isInCall = false
}

/// Who rings for a call: its app, or the screen that presents it. Like the screens it is not decided by
/// the arbiter, and not kept in the journal: an app that comes back is told anew.
extension ScreenPresenter {
    /// What a call's app is told in the reply to its report.
    func presentation(of call: CallID, at peer: Peer, _ decided: Presentation) -> Presentation {
        guard peer.features.contains(.presentation) else { return decided }
        let presentation = table.ring(for: call) ? .silent : decided
        presentations.told[call] = presentation
        return presentation
    }

    /// Tells an app how its call is to sound, if that is not what it was told last.
    func updatePresentation(of call: CallID) {
        guard let last = presentations.told[call] else { return }
        guard let decided = broker.arbiter.presentation(of: call) else {
            return presentations.told[call] = nil
        }
        let presentation = table.ring(for: call) ? .silent : decided
        if presentation != last { tell(presentation, of: call) }
    }

    func updatePresentations() {
        for call in presentations.told.keys.sorted() { updatePresentation(of: call) }
    }

    /// Somebody begins to talk, or nobody does any more: that matters to all calls that come in.
    func updatePresentations(inCall: Bool) {
        guard presentations.isInCall != inCall else { return }
        presentations.isInCall = inCall
        updatePresentations()
    }

    /// Tells an app that is back what has become of those of its calls that ring or wait.
    func sendPresentations(of calls: [CallID], at peer: Peer) {
        guard peer.features.contains(.presentation) else { return }
        for call in calls {
            guard let decided = broker.arbiter.presentation(of: call) else { continue }
            tell(table.ring(for: call) ? .silent : decided, of: call)
        }
    }

    private func tell(_ presentation: Presentation, of call: CallID) {
        presentations.told[call] = presentation
        guard let provider = broker.arbiter.outline(of: call)?.provider,
            let peer = broker.sessions[provider]?.peer, peer.features.contains(.presentation)
        else { return }
        broker.outbox.notify(peer, "call.presentation") { writer in
            writer.member("call", call)
            writer.member("presentation", presentation.rawValue)
        }
    }
}
