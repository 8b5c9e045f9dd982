internal import BrokerJSON
internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// From one event to all who want to hear of it. Its text is written once; each connection gets a
/// copy behind its own few numbers, and those who have the same numbers get the same bytes, of which
/// nobody makes a copy.
extension Broker {
    /// So many get an event in the turn in which it happens; of more all for whom there is time.
    private static let crowd = 64

    /// Takes the share of one event of what this turn sends; the clock is read now and then.
    func mayTell() -> Bool {
        if eventsLeft & 63 == 0, turn.isUsedUp(.closing) { eventsLeft = 0 }
        guard eventsLeft > 0 else { return false }
        eventsLeft -= 1
        return true
    }

    /// Numbers an event, and sends it to everybody who asked for its topic.
    func tell(
        _ topic: Topic, _ call: CallID? = nil, _ provider: ProviderID? = nil,
        _ data: (inout JSONWriter) -> Void
    ) {
        let event = feed.add(topic) { write(topic, call, provider, data, to: &$0) }
        guard let event else { return }
        let subscriptions = subscribers[topic]
        // What the one before got; subscriptions are counted from 1.
        var (number, seq, frame) = (0, Int64(0), [UInt8]())
        let isCrowd = subscriptions.count > Self.crowd
        let start = isCrowd ? MonotonicTime.now() : .zero
        defer {
            if isCrowd { crowdNanoseconds += MonotonicTime.now().nanoseconds - start.nanoseconds }
        }
        for subscription in subscriptions where !subscription.isBehind {
            guard !isCrowd || mayTell(), !isOverSoftBound(subscription.connection) else {
                subscription.isBehind = true
                noteLagging(subscription.peer)
                continue
            }
            if number != subscription.number || seq != subscription.seq {
                writeFrame(of: event, for: subscription)
                (number, seq) = (subscription.number, subscription.seq)
                frame = subscriptions.count > 1 ? copyOfScratch() : []
            }
            deliver(event.seq, to: subscription, frame)
        }
    }

    /// What is the same for all: the rest of the params, and the end of the frame.
    private func write(
        _ topic: Topic, _ call: CallID?, _ provider: ProviderID?,
        _ data: (inout JSONWriter) -> Void, to writer: inout JSONWriter
    ) {
        writer.member("at_ms", unixMS)
        writer.member("topic", topic.word)
        if let call { writer.member("call", call) }
        if let provider { writer.member("provider", provider) }
        writer.name("data")
        writer.object(data)
        writer.bytes.append(UInt8(ascii: "}"))
        writer.bytes.append(UInt8(ascii: "}"))
        writer.endLine()
    }

    private func writeFrame(of event: EventFeed.Event, for subscription: Subscription) {
        beginFrame(event.seq, for: subscription)
        scratch.bytes.append(UInt8(ascii: ","))
        scratch.bytes.append(contentsOf: event.text)
    }

    private func beginFrame(_ seq: Int64, for subscription: Subscription) {
        scratch.bytes.removeAll(keepingCapacity: true)
        beginEvent()
        scratch.member("subscription", subscription.number)
        scratch.member("epoch", epoch)
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

    /// Sends the frame that was written last.
    /// - Parameter frame: the same in an array of its own, if others get it too.
    private func deliver(
        _ seq: Int64, to subscription: Subscription, _ frame: [UInt8] = []
    ) {
        subscription.seq = seq
        subscription.toldAtMS = now.milliseconds
        guard !frame.isEmpty else { return sendScratch(to: subscription.peer) }
        subscription.connection.send(shared: frame)
        noteSent(frame.count)
    }

    /// Sends an event that takes no number, to one who was told everything before: it repeats the latest.
    func tellUnnumbered(
        _ topic: Topic, _ call: CallID? = nil, to subscription: Subscription,
        _ data: (inout JSONWriter) -> Void
    ) {
        beginFrame(feed.seq, for: subscription)
        write(topic, call, nil, data, to: &scratch)
        deliver(feed.seq, to: subscription)
    }

    // MARK: - Those who are behind

    /// Goes on with what the peer did not take before. What the feed has forgotten meanwhile is told
    /// as a gap, and the client has to subscribe again.
    ///
    /// - Parameter isBounded: only as far as it fits into this turn, and into the queue of the peer.
    func catchUp(_ subscription: Subscription, isBounded: Bool) {
        guard feed.reaches(backTo: subscription.seq, subscription.topics),
            reachesLines(of: subscription)
        else { return tellGap(subscription) }
        subscription.isBehind = false
        feed.forEach(after: subscription.seq) { event in
            guard subscription.topics.contains(TopicSet(event.topic)) else { return true }
            guard !isBounded || !isOverSoftBound(subscription.connection) && mayTell() else {
                subscription.isBehind = true
                return false
            }
            writeFrame(of: event, for: subscription)
            deliver(event.seq, to: subscription)
            return true
        }
        guard !subscription.isBehind else { return }
        catchUpWithLines(subscription)
        catchUpWithAllowed(subscription)
    }

    /// Some of its subscriptions are behind; it is looked at in the next turn. If it has not taken
    /// everything by then, it is again when it has. Meanwhile it may not ask for more.
    func noteLagging(_ peer: Peer) {
        guard !peer.isLagging, peer.subscriptions.contains(where: \.isBehind) else { return }
        if configuration.isTestMode { behindReaders[peer.number] = peer }
        peer.isLagging = true
        laggards.append(peer)
    }

    /// Goes on with those who are behind, the longest waiting first.
    func catchUpLaggards() {
        eventsLeft = limits.eventsPerTurn
        for _ in 0..<laggards.count {
            guard eventsLeft > 0, let peer = laggards.popFirst() else { break }
            peer.isLagging = false
            if peer.stage == .ready, !isOverSoftBound(peer.connection) { catchUp(peer) }
            if turn.isUsedUp(.events) { break }
        }
    }

    private func catchUp(_ peer: Peer) {
        for subscription in peer.subscriptions where subscription.isBehind {
            catchUp(subscription, isBounded: true)
        }
        noteLagging(peer)
        releaseFrames(of: peer)
    }

    private func tellGap(_ subscription: Subscription) {
        notify(subscription.peer, "events.gap") { writer in
            writer.member("subscription", subscription.number)
            writer.member("from", subscription.seq + 1)
            writer.member("to", feed.seq)
            writer.member("reason", "overflow" as StaticString)
        }
        end(subscription)
    }

    /// A reply is a barrier: what happened before it was told before it. A subscription that is further
    /// behind than one turn sends ends with a gap.
    func bringUpToDate(_ peer: Peer) {
        var eventsMax = Int64(limits.eventsPerTurn)
        for subscription in peer.subscriptions where subscription.isBehind {
            eventsMax -= feed.seq - subscription.seq
            if eventsMax < 0 {
                tellGap(subscription)
            } else {
                catchUp(subscription, isBounded: false)
            }
        }
    }

    func end(_ subscription: Subscription) {
        feed.noteUnheard(subscribers.remove(subscription))
        subscription.peer.subscriptions.removeAll { $0 === subscription }
    }

    // MARK: - For one alone

    /// The one who asked for a transaction hears how it went, subscribed or not.
    func tellCompletion(of report: TransactionReport, to peer: Peer) {
        guard completion?.transaction == report.transaction else {
            // Who gives up what goes on for others is told alone: nothing has changed.
            let cause = Cause(requester(peer).origin, transaction: report.transaction)
            return tellAlone(report, cause, seq: feed.seq, peer)
        }
        let isSubscribed = peer.subscriptions.contains {
            $0.topics.contains(TopicSet(.transactionCompleted))
        }
        guard !isSubscribed, completion?.told.insert(peer.number).inserted == true,
            let completion
        else { return }
        tellAlone(report, completion.cause, seq: completion.seq, peer)
    }

    private func tellAlone(
        _ report: TransactionReport, _ cause: Cause, seq: Int64, _ peer: Peer
    ) {
        scratch.bytes.removeAll(keepingCapacity: true)
        beginEvent()
        scratch.member("epoch", epoch)
        scratch.member("seq", seq)
        write(.transactionCompleted, nil, nil, { $0.members(of: report, cause) }, to: &scratch)
        sendScratch(to: peer)
    }
}

/// The transaction that was completed last.
struct Completion {
    let transaction: TransactionID?
    let cause: Cause
    let seq: Int64
    /// By number: who has heard of it without a subscription.
    var told: Set<Int> = []
}
