internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallArbitration
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// The publisher of events, which owns the feed and the subscriptions. The text of an event is
/// written once; each connection gets a copy behind its own few numbers, and connections with the
/// same numbers share the same bytes.
final class EventPublisher: BrokerPart {
    private let limits: BrokerLimits
    private let clock: TurnClock
    private let turn: TurnBudget
    private let peers: PeerTable
    private let outbox: Outbox
    /// The numbered events.
    var feed: EventFeed
    private var subscribers = Subscribers()
    /// Peers whose subscriptions are behind, and which may be ready for more.
    private var laggingPeers = FIFO<Peer>()
    /// The transaction that was completed last.
    private var completion: CompletedTransaction?
    var bookmarkTimer: BrokerTimers.Handle?
    private var lateFrames = LateFrames()
    private var latestCallEvents = LatestCallEvents()
    /// The buffer in which frames are written before they are queued.
    private var scratch = JSONWriter()

    init(
        _ limits: BrokerLimits, _ clock: TurnClock, _ turn: TurnBudget, _ peers: PeerTable,
        _ outbox: Outbox
    ) {
        self.limits = limits
        self.clock = clock
        self.turn = turn
        self.peers = peers
        self.outbox = outbox
        feed = EventFeed(countMax: limits.feedEvents, bytesMax: limits.feedBytes)
    }

    /// The number of the latest event.
    var seq: Int64 {
        feed.seq
    }

    var subscriptionCount: Int {
        subscribers.count
    }

    func subscriptions(to topic: Topic) -> [Subscription] {
        subscribers[topic]
    }

    var hasLaggingPeers: Bool {
        !laggingPeers.isEmpty
    }

    /// Records the transaction that was completed last, for the peer that requested it.
    func record(_ completion: CompletedTransaction) {
        self.completion = completion
    }

    // MARK: - Subscriptions

    func perform(_ request: EventsRequest, _ target: ReplyTarget) throws(RPCError) {
        switch request {
        case .subscribe(let params): try subscribe(params, target)
        case .unsubscribe(let params): try unsubscribe(params, target)
        }
    }

    func subscribe(_ params: SubscribeParams, _ target: ReplyTarget) throws(RPCError) {
        let peer = target.peer
        guard peer.subscriptions.all.count < limits.subscriptions else {
            throw RPCError(
                .limitReached, reason: .subscriptions, "the connection has too many subscriptions"
            ).with {
                $0.limit = RPCError.Limit(name: "subscriptions", value: limits.subscriptions)
                $0.hint = "end one with events.unsubscribe"
            }
        }
        let topics = try TopicSet(named: params.topics, for: peer)
        want(topics)
        // A cursor of another epoch is none.
        let cursor = params.cursor.flatMap { $0.epoch == broker.epochBits ? $0.seq : nil }
        let isResumed = cursor.map { feed.covers(since: $0, topics) } ?? false
        let subscription = Subscription(
            number: peer.subscriptions.nextNumber(), topics: topics,
            wantsChanges: params.detail == .changes && topics.contains(TopicSet(.callChanged)),
            peer: peer, seq: isResumed ? cursor ?? feed.seq : feed.seq,
            line: broker.plugins.lastLine, atMS: clock.now.milliseconds)
        let wantsSnapshot = !isResumed && params.wantsSnapshot
        outbox.reply(target) { writer in
            writer.member("subscription", subscription.number)
            writer.member("epoch", broker.epoch)
            writer.member("seq", subscription.seq)
            writer.member("resync", params.cursor != nil && !isResumed)
            guard wantsSnapshot else { return }
            writer.name("snapshot")
            writer.object { writer in
                broker.calls.writePage(
                    after: 0, params.filter, limit: .max, for: peer, to: &writer)
                writer.name("host")
                writer.object { broker.calls.writeHost(for: peer, to: &$0) }
            }
        }
        add(subscription, isResumed: isResumed)
        guard isResumed else { return }
        catchUp(subscription, isBounded: true)
        markLagging(peer)
    }

    /// Subscribes a peer that has not requested it itself, without a reply.
    func subscribe(_ peer: Peer, to wanted: TopicSet) {
        let topics = wanted.intersection(TopicSet.visible(to: peer))
        guard !topics.isEmpty else { return }
        want(topics)
        let subscription = Subscription(
            number: peer.subscriptions.nextNumber(), topics: topics, peer: peer, seq: feed.seq,
            line: broker.plugins.lastLine, atMS: clock.now.milliseconds)
        add(subscription, isResumed: false)
    }

    private func add(_ subscription: Subscription, isResumed: Bool) {
        subscription.peer.subscriptions.append(subscription)
        subscribers.add(subscription)
        startBookmarks(quietSinceMS: clock.now.milliseconds)
        broker.allowed.add(subscription, isResumed: isResumed)
        broker.presence.add(subscription, isResumed: isResumed)
    }

    private func want(_ subscribed: TopicSet) {
        // The lines of plugins are kept in their logs, wanted or not.
        let topics = subscribed.subtracting(TopicSet(.pluginLog))
        guard !feed.wanted.isSuperset(of: topics) else { return feed.want(topics) }
        feed.want(topics)
        broker.journal.append(.topics(UInt64(topics.rawValue)))
    }

    func unsubscribe(_ params: UnsubscribeParams, _ target: ReplyTarget) throws(RPCError) {
        let found = target.peer.subscriptions.all.first {
            Int64($0.number) == params.subscription
        }
        guard let found else {
            throw RPCError(
                .notFound, reason: .unknownSubscription,
                "the connection has no such subscription")
        }
        remove(found)
        outbox.reply(target) { $0.member("seq", feed.seq) }
    }

    // MARK: - Publishing

    /// The number of subscribers that always get an event in the turn in which it happens; beyond
    /// it they do as time permits.
    private static let crowd = 64

    /// Assigns a number to an event, and sends it to the subscribers of its topic. Nothing is
    /// computed for a topic that nobody wants.
    ///
    /// - Parameters:
    ///   - topic: The topic of the event.
    ///   - call: The call concerned.
    ///   - provider: The provider concerned.
    ///   - owner: The provider of the call, where the event does not name it.
    ///   - feature: The feature whose words the event has.
    ///   - audience: The clients that are sent it.
    ///   - data: Writes the data of the event.
    func publish(
        _ topic: Topic, _ call: CallID? = nil, _ provider: ProviderID? = nil,
        of owner: @autoclosure () -> ProviderID? = nil,
        _ feature: @autoclosure () -> HelloParams.Feature? = nil,
        to audience: EventFeed.Audience = .everybody, _ data: (inout JSONWriter) -> Void
    ) {
        guard feed.wanted.contains(TopicSet(topic)) else { return feed.skip(topic) }
        let event = feed.add(topic, of: provider ?? owner(), feature(), to: audience) {
            write(topic, call, provider, data, to: &$0)
        }
        guard var event else { return }
        if subscribers.countOfChanges > 0, let call {
            event = latestCallEvents.replace(by: event, of: call, in: &feed)
        }
        let isMixed = subscribers.countOfChanges < subscribers.count
        guard isMixed, !event.changes.isEmpty else { return send(event, to: subscribers[topic]) }
        for wantingChanges in [true, false] {
            send(event, to: subscribers[topic], wantingChanges: wantingChanges)
        }
    }

    /// Records that a client was sent a call, or what is allowed with it, outside of the numbered
    /// events.
    func recordShown(_ call: CallID) {
        latestCallEvents.markShown(call)
    }

    /// Sends an event to subscribers.
    ///
    /// - Parameters:
    ///   - event: the event.
    ///   - subscriptions: the subscriptions to its topic.
    ///   - wantingChanges: true for those that are sent the changes of calls, false for the others;
    ///     nil for all.
    private func send(
        _ event: EventFeed.Event, to subscriptions: [Subscription], wantingChanges: Bool? = nil
    ) {
        let isForEverybody = event.feature == nil && event.audience == .everybody
        // What the previous subscriber got; subscriptions are counted from 1.
        var (number, seq, frame) = (0, Int64(0), [UInt8]())
        var isOlder = false
        let isCrowd = subscriptions.count > Self.crowd
        let start = isCrowd ? MonotonicTime.now() : .zero
        defer {
            if isCrowd { turn.addCrowd(since: start) }
        }
        for subscription in subscriptions
        where (wantingChanges ?? subscription.wantsChanges) == subscription.wantsChanges
            && !subscription.isBehind
            && (isForEverybody && subscription.isUnlimited || subscription.peer.sees(event))
        {
            guard !isCrowd || turn.maySendEvent(),
                peers.hasRoomForEvents(subscription.connection)
            else {
                subscription.isBehind = true
                markLagging(subscription.peer)
                continue
            }
            let needsOlder = !isForEverybody && needsOlderWords(event, subscription.peer)
            if number != subscription.number || seq != subscription.seq || isOlder != needsOlder {
                writeFrame(of: event, for: subscription)
                (number, seq, isOlder) = (subscription.number, subscription.seq, needsOlder)
                frame = subscriptions.count > 1 ? copyOfScratch() : []
            }
            deliver(event.seq, of: event.owner, to: subscription, frame)
        }
    }

    /// Writes what is the same for all subscribers: the rest of the params, and the end of the
    /// frame.
    private func write(
        _ topic: Topic, _ call: CallID?, _ provider: ProviderID?,
        _ data: (inout JSONWriter) -> Void, to writer: inout JSONWriter
    ) {
        writer.member("at_ms", clock.unixMS)
        writer.member("topic", topic.word)
        if let call { writer.member("call", call) }
        if let provider { writer.member("provider", provider) }
        writer.name("data")
        writer.object(data)
        writer.bytes.append(contentsOf: "}}".utf8)
        writer.endLine()
    }

    private func writeFrame(of event: EventFeed.Event, for subscription: Subscription) {
        beginFrame(event.seq, for: subscription)
        scratch.bytes.append(UInt8(ascii: ","))
        let isWhole = event.changes.isEmpty || !subscription.wantsChanges
        scratch.bytes.append(contentsOf: isWhole ? event.text : event.changes)
        if needsOlderWords(event, subscription.peer) {
            OlderWords.replaceAlerting(in: &scratch.bytes)
        }
    }

    @inline(__always)
    private func needsOlderWords(_ event: EventFeed.Event, _ peer: Peer) -> Bool {
        event.feature.map { !peer.knows($0) } ?? false
    }

    private func beginFrame(_ seq: Int64, for subscription: Subscription) {
        scratch.bytes.removeAll(keepingCapacity: true)
        beginEvent()
        scratch.member("subscription", subscription.number)
        scratch.member("epoch", broker.epoch)
        scratch.member("seq", seq)
        scratch.member("prev", subscription.seq)
    }

    private func copyOfScratch() -> [UInt8] {
        scratch.bytes.withUnsafeBufferPointer { Array($0) }
    }

    private func beginEvent() {
        scratch.bytes.append(UInt8(ascii: "{"))
        scratch.member("jsonrpc", "2.0" as StaticString)
        scratch.member("method", "event" as StaticString)
        scratch.name("params")
        scratch.bytes.append(UInt8(ascii: "{"))
    }

    /// Sends the frame in `scratch`.
    ///
    /// - Parameters:
    ///   - seq: the number of the event.
    ///   - owner: the provider whose calls it is about.
    ///   - subscription: the receiver.
    ///   - frame: the same frame in an array of its own, if other subscribers share it.
    private func deliver(
        _ seq: Int64, of owner: ProviderID? = nil, to subscription: Subscription,
        _ frame: [UInt8] = []
    ) {
        subscription.seq = seq
        subscription.lastSentAtMS = clock.now.milliseconds
        if !subscription.isUnlimited, let redaction = subscription.peer.redaction,
            !redaction.spares(callsOf: owner)
        {
            return outbox.send(scratch.bytes, redaction, to: subscription.peer)
        }
        guard !frame.isEmpty else {
            return outbox.send(scratch.bytes, to: subscription.peer)
        }
        subscription.connection.send(shared: frame)
        outbox.count(sentBytes: frame.count)
    }

    /// Sends an event without a number of its own to a subscription that is up to date; it repeats
    /// the latest number.
    func publishUnnumbered(
        _ topic: Topic, _ call: CallID? = nil, to subscription: Subscription,
        _ data: (inout JSONWriter) -> Void
    ) {
        if topic == .allowedChanged, let call { recordShown(call) }
        beginFrame(feed.seq, for: subscription)
        write(topic, call, nil, data, to: &scratch)
        deliver(feed.seq, to: subscription)
    }

    // MARK: - Catching up

    /// Sends the events that the peer has not accepted before. If the feed has evicted any of them,
    /// sends a gap and ends the subscription, and the client has to subscribe again.
    ///
    /// - Parameter isBounded: true to send only what fits into this turn and into the queue of the
    ///   peer.
    func catchUp(_ subscription: Subscription, isBounded: Bool) {
        guard feed.covers(since: subscription.seq, subscription.topics),
            broker.pluginLogs.coversLines(of: subscription)
        else { return sendGap(subscription) }
        subscription.isBehind = false
        feed.forEach(after: subscription.seq) { event in
            guard subscription.topics.contains(TopicSet(event.topic)),
                subscription.peer.sees(event)
            else { return true }
            guard
                !isBounded
                    || peers.hasRoomForEvents(subscription.connection)
                        && turn.maySendEvent()
            else {
                subscription.isBehind = true
                return false
            }
            let frame = lateFrame(of: event, for: subscription)
            deliver(event.seq, of: event.owner, to: subscription, frame)
            return true
        }
        guard !subscription.isBehind else { return }
        broker.pluginLogs.catchUpWithLines(subscription)
        broker.allowed.catchUp(subscription)
        broker.presence.catchUp(subscription)
    }

    /// Returns the frame of an event for a subscription that is behind. Those that lag behind
    /// together share it.
    private func lateFrame(of event: EventFeed.Event, for subscription: Subscription) -> [UInt8] {
        let isPlain =
            subscription.peer.redaction == nil && !needsOlderWords(event, subscription.peer)
        let key = LateFrames.Key(of: event.seq, for: subscription)
        if isPlain, let frame = lateFrames[key] { return frame }
        writeFrame(of: event, for: subscription)
        guard isPlain, !laggingPeers.isEmpty else { return [] }
        let frame = copyOfScratch()
        lateFrames[key] = frame
        return frame
    }

    /// Queues a peer with lagging subscriptions for the next turn. If the peer has not read
    /// everything by then, it is queued again when it has. Meanwhile its requests wait.
    func markLagging(_ peer: Peer) {
        guard !peer.subscriptions.isLagging, peer.subscriptions.areBehind else { return }
        if broker.configuration.isTestMode { broker.testClock.recordLagging(peer) }
        peer.subscriptions.isLagging = true
        laggingPeers.append(peer)
    }

    /// Catches up with lagging peers, the one that waits longest first.
    func catchUpLaggingPeers() {
        turn.renewEvents()
        for _ in 0..<laggingPeers.count {
            guard turn.eventsLeft > 0, let peer = laggingPeers.popFirst() else { break }
            peer.subscriptions.isLagging = false
            if peer.stage == .ready, peers.hasRoomForEvents(peer.connection) {
                catchUp(peer)
            }
            if turn.areEventsUsedUp { break }
        }
        if laggingPeers.isEmpty { lateFrames = LateFrames() }
    }

    private func catchUp(_ peer: Peer) {
        for subscription in peer.subscriptions.all where subscription.isBehind {
            catchUp(subscription, isBounded: true)
        }
        markLagging(peer)
        turn.releaseFrames(of: peer)
    }

    private func sendGap(_ subscription: Subscription) {
        outbox.notify(subscription.peer, "events.gap") { writer in
            writer.member("subscription", subscription.number)
            writer.member("from", subscription.seq + 1)
            writer.member("to", feed.seq)
            writer.member("reason", "overflow" as StaticString)
        }
        remove(subscription)
    }

    /// Sends a peer every earlier event before a reply: a reply is a barrier. A subscription that
    /// lags by more than one turn can send ends with a gap.
    func bringUpToDate(_ peer: Peer) {
        var eventsMax = Int64(limits.eventsPerTurn)
        for subscription in peer.subscriptions.all where subscription.isBehind {
            eventsMax -= feed.seq - subscription.seq
            if eventsMax < 0 {
                sendGap(subscription)
            } else {
                catchUp(subscription, isBounded: false)
            }
        }
    }

    func remove(_ subscription: Subscription) {
        feed.markUnsubscribed(subscribers.remove(subscription))
        if subscribers.countOfChanges == 0 { latestCallEvents = LatestCallEvents() }
        subscription.peer.subscriptions.remove(subscription)
    }

    // MARK: - Sending directly

    /// Sends the outcome of a transaction to the peer that requested it, unless its subscription
    /// does.
    func sendCompletion(of report: TransactionReport, to peer: Peer) {
        guard completion?.transaction == report.transaction else {
            // A client that withdraws from a joined transaction gets its outcome alone: nothing has
            // changed for others.
            let cause = Cause(broker.requester(peer).origin, transaction: report.transaction)
            return sendUnnumbered(report, cause, seq: feed.seq, peer)
        }
        let isSubscribed = peer.subscriptions.all.contains {
            $0.topics.contains(TopicSet(.transactionCompleted))
        }
        guard !isSubscribed, completion?.recipients.insert(peer.number).inserted == true,
            let completion
        else { return }
        sendUnnumbered(report, completion.cause, seq: completion.seq, peer)
    }

    private func sendUnnumbered(
        _ report: TransactionReport, _ cause: Cause, seq: Int64, _ peer: Peer
    ) {
        scratch.bytes.removeAll(keepingCapacity: true)
        beginEvent()
        scratch.member("epoch", broker.epoch)
        scratch.member("seq", seq)
        write(.transactionCompleted, nil, nil, { $0.members(of: report, cause) }, to: &scratch)
        if let redaction = peer.redaction {
            outbox.send(scratch.bytes, redaction, to: peer)
        } else {
            outbox.send(scratch.bytes, to: peer)
        }
    }

    // MARK: - Storing

    func store(in snapshot: inout JournalSnapshot) {
        snapshot.seq = Int(feed.seq)
        snapshot.topics = UInt64(feed.wanted.rawValue)
    }

    func restore(_ snapshot: JournalSnapshot) {
        feed.resume(after: Int64(snapshot.seq), wanting: TopicSet(bits: snapshot.topics))
    }
}
