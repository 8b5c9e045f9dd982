internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallPlugins
internal import CallProtocol

/// The presentation of calls: a call is offered first to the primary screen, and to others if it
/// declines or does not respond. The arbiter is not involved, and the journal has only that a screen
/// was published: after a restart screens claim again, and are offered the open calls.
///
/// Also decides whether a call's app or the screen that presents the call rings, and sends the
/// decision to the app, again when the app reconnects.
final class ScreenPresenter: BrokerPart {
    /// The claims of screens, and the calls that each presents.
    private var table = Screens()
    private var presentations = Presentations()
    /// The slot of the primary screen that was published last.
    private var publishedHolder: Int?
    /// True if a primary screen was published last, by this broker or an earlier one.
    private(set) var isHolderPublished = false

    /// The number of unanswered requests beyond which a screen is sent no more.
    private static let unansweredMax = 256

    // MARK: - Claims

    /// Returns true if the limit of screens is reached without `peer`.
    func isFull(besides peer: Peer) -> Bool {
        table.seats(besides: peer.connection.slot) >= broker.limits.screens
    }

    /// Counts a peer that has the role of a screen, whether it claims or not.
    func seat(_ peer: Peer) {
        if peer.roles.contains(.ui) { table.seat(peer.connection.slot) }
    }

    func perform(_ request: ScreenRequest, _ target: ReplyTarget) {
        switch request {
        case .claim(let params): claim(params, target)
        case .release: release(target)
        }
    }

    func claim(_ params: ClaimScreenParams, _ target: ReplyTarget) {
        let screen = target.peer.connection.slot
        table.claim(screen, priority: params.priority, rings: params.rings)
        broker.outbox.reply(target) { $0.member("primary", table.holder == screen) }
        publishHolder()
        presentCalls()
        broker.questionPresenter.present()
    }

    /// Claims on behalf of a plugin whose manifest declares how it presents calls.
    func claim(declaredBy peer: Peer) {
        guard peer.roles.contains(.ui), let declared = peer.plugin?.manifest?.screen else {
            return
        }
        table.claim(peer.connection.slot, priority: declared.priority, rings: declared.rings)
        publishHolder()
        presentCalls()
        broker.questionPresenter.present()
    }

    /// Starts the on-demand screens for a call. It is offered to them when they claim, unless
    /// another screen presents it by then.
    func start() {
        for plugin in broker.plugins.table.screens where plugin.isOnDemand {
            broker.plugins.apply(.demanded, to: plugin)
        }
    }

    func release(_ target: ReplyTarget) {
        for assignment in table.release(target.peer.connection.slot) {
            dismiss(assignment, "released")
        }
        broker.outbox.reply(target) { $0.member("primary", false) }
        publishHolder()
        presentCalls()
        broker.questionPresenter.release(from: target.peer)
    }

    /// Releases the calls of a screen whose connection has ended.
    func disconnect(_ peer: Peer) {
        guard peer.roles.contains(.ui) else { return }
        let released = table.leave(peer.connection.slot)
        for case let offer? in released.map(\.offer) { broker.timers.cancel(offer.timer) }
        publishHolder()
        if !released.isEmpty { presentCalls() }
        broker.questionPresenter.release(from: peer)
    }

    /// The identity of the screen that gets the next call.
    var holder: String? {
        table.holder.flatMap { broker.peers[slot: $0]?.identity }
    }

    /// Publishes the primary screen if it is another one.
    private func publishHolder() {
        guard table.holder != publishedHolder else { return }
        publishedHolder = table.holder
        publish(holder)
    }

    private func publish(_ holder: String?) {
        isHolderPublished = holder != nil
        broker.journal.append(.screenPublished(hasAny: isHolderPublished))
        broker.events.publish(.screenChanged) { $0.member("screen", ifSet: holder) }
    }

    /// Restores that an earlier broker has published a primary screen.
    func restorePublished(_ isPublished: Bool) {
        isHolderPublished = isPublished
    }

    /// Publishes that the primary screen of an earlier broker is gone.
    func publishGone() {
        if isHolderPublished { publish(nil) }
    }

    /// The peers that have claimed the screen.
    var claimants: [Peer] {
        table.claimants.compactMap { broker.peers[slot: $0] }
    }

    func isPrimary(_ peer: Peer) -> Bool {
        table.holder == peer.connection.slot
    }

    /// The number of calls that a screen presents.
    func presentedCalls(by peer: Peer) -> Int {
        table.presented(by: peer.connection.slot)
    }

    /// Removes the last presentation of a call that has ended.
    func forgetPresentation(of call: CallID) {
        presentations.sent[call] = nil
    }

    // MARK: - Offering

    /// Offers every call that no screen presents.
    private func presentCalls() {
        if table.holder != nil { for call in broker.calls.open { present(call) } }
        updatePresentations()
    }

    /// Offers a call, unless a screen presents it, to the first screen that it was not offered to.
    func present(_ call: CallID) {
        guard table.holder != nil, !broker.isReplaying, !broker.isStopping else { return }
        while let screen = table.next(for: call), let peer = broker.peers[slot: screen],
            let view = broker.view(of: call)
        {
            offer(view, to: peer)
        }
    }

    private func offer(_ view: CallView, to peer: Peer) {
        let (call, screen) = (view.call, peer.connection.slot)
        guard peer.outgoing.count < Self.unansweredMax else {
            return table.skip(screen, for: call)
        }
        let id = peer.outgoing.open(.present(call))
        let timer = broker.timers.start(
            afterMS: MethodTable.presentMS, .presenting(call, screen: screen))
        table.offer(
            call, Screens.PendingOffer(screen: screen, request: id, timer: timer),
            at: broker.clock.now)
        broker.outbox.request(peer, id, "ui.present", isOwn: false) { writer in
            broker.announcer.write(view, for: peer, to: &writer)
            if let caller = view.caller, caller.isKnown { writer.member(suggesting: caller) }
            writer.member("actions", words: view.allowed)
            writer.member("deadline_ms", MethodTable.presentMS)
        }
    }

    // MARK: - Responses

    /// Applies the response of a screen to an offer.
    ///
    /// - Parameter id: the id of the request; a late response does not match a pending offer, and the
    ///   screen is asked once more.
    func complete(
        presenting call: CallID, _ id: Int64, _ outcome: Message.Outcome, by peer: Peer
    ) {
        let screen = peer.connection.slot
        table.markResponsive(screen)
        if let offer = table.pendingOffer(of: call, to: screen) {
            guard offer.request == id else { return }
            broker.timers.cancel(offer.timer)
            settle(call, by: screen, isPresented: outcome.isPresented)
        } else {
            table.answerLate(call, by: screen)
        }
        present(call)
        updatePresentation(of: call)
    }

    private func settle(_ call: CallID, by screen: Int, isPresented: Bool) {
        if isPresented {
            for other in table.accept(call, by: screen) { dismiss(other, "taken") }
        } else {
            table.decline(call, by: screen, at: broker.clock.now)
        }
    }

    /// Handles the time-out of an offer.
    func expire(presenting call: CallID, screen: Int) {
        guard let assignment = table.timeOut(call, by: screen) else { return }
        dismiss(assignment, "timed_out")
        present(call)
        updatePresentation(of: call)
    }

    /// Dismisses a call that has ended from its screens.
    func dismiss(_ call: CallID) {
        for assignment in table.remove(call) { dismiss(assignment, "ended") }
    }

    /// Notifies a screen that it must not present a call any more.
    private func dismiss(_ assignment: Screens.Assignment, _ reason: StaticString) {
        guard let peer = broker.peers[slot: assignment.screen] else { return }
        if let offer = assignment.offer {
            broker.timers.cancel(offer.timer)
            broker.outbox.notify(peer, "broker.cancel") { $0.member("request", offer.request) }
        }
        broker.outbox.notify(peer, "ui.dismiss") { writer in
            writer.member("call", assignment.call)
            writer.member("reason", reason)
        }
    }

    // MARK: - Presentations

    /// Returns the presentation for the reply to the report of a call.
    func presentation(of call: CallID, at peer: Peer, _ decided: Presentation) -> Presentation {
        guard peer.obeysPresentation else { return decided }
        let presentation = table.ring(for: call) ? .silent : decided
        presentations.sent[call] = presentation
        return presentation
    }

    /// Sends an app the presentation of its call, if it has changed.
    func updatePresentation(of call: CallID) {
        guard let last = presentations.sent[call] else { return }
        guard let decided = broker.arbiter.presentation(of: call) else {
            return presentations.sent[call] = nil
        }
        let presentation = table.ring(for: call) ? .silent : decided
        if presentation != last { send(presentation, of: call) }
    }

    func updatePresentations() {
        for call in presentations.sent.keys.sorted() { updatePresentation(of: call) }
    }

    /// Updates all presentations when a first call becomes live, or the last one ends.
    func updatePresentations(inCall: Bool) {
        guard presentations.isInCall != inCall else { return }
        presentations.isInCall = inCall
        updatePresentations()
    }

    /// Sends an app that has reconnected the presentations of its calls that ring or wait.
    func sendPresentations(of calls: [CallID], at peer: Peer) {
        guard peer.obeysPresentation else { return }
        for call in calls {
            guard let decided = broker.arbiter.presentation(of: call) else { continue }
            send(table.ring(for: call) ? .silent : decided, of: call)
        }
    }

    private func send(_ presentation: Presentation, of call: CallID) {
        presentations.sent[call] = presentation
        guard let provider = broker.outline(of: call)?.provider,
            let peer = broker.sessions[provider]?.peer, peer.obeysPresentation
        else { return }
        broker.outbox.notify(peer, "call.presentation") { writer in
            writer.member("call", call)
            writer.member("presentation", presentation.known(to: peer).rawValue)
        }
    }
}

extension Message.Outcome {
    /// True if the screen presents the call; an error or an invalid result declines it.
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

/// The presentations that apps were sent last.
private struct Presentations {
    /// The last presentation of each call that rings or waits.
    var sent: [CallID: Presentation] = [:]
    /// True if there was a live call then.
    var isInCall = false
}
