internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallJournal
internal import CallModel
internal import CallProtocol

/// Who wants to hear of what, from where on.
extension Broker {
    func subscribe(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let peer = target.peer
        guard peer.subscriptions.count < limits.subscriptions else {
            throw RPCError(
                .limitReached, reason: "subscriptions", "the connection has too many subscriptions"
            ).with {
                $0.limit = RPCError.Limit(name: "subscriptions", value: limits.subscriptions)
                $0.hint = "end one with events.unsubscribe"
            }
        }
        let topics = try readTopics(params, for: peer)
        want(topics)
        let cursor = readCursor(params)
        let goesOn = cursor.map { feed.reaches(backTo: $0, topics) } ?? false
        peer.lastSubscription += 1
        let subscription = Subscription(
            number: peer.lastSubscription, topics: topics, peer: peer,
            seq: goesOn ? cursor ?? feed.seq : feed.seq, line: plugins.lastLine,
            atMS: now.milliseconds)
        let wantsSnapshot = !goesOn && params?["snapshot"]?.boolean ?? true
        let filter = CallFilter(checked: params)
        reply(target) { writer in
            writer.member("subscription", subscription.number)
            writer.member("epoch", epoch)
            writer.member("seq", subscription.seq)
            writer.member("resync", params?["cursor"] != nil && !goesOn)
            guard wantsSnapshot else { return }
            writer.name("snapshot")
            writer.object { writer in
                writePage(after: 0, filter, limit: .max, to: &writer)
                writer.name("host")
                writer.object { writeHost(to: &$0) }
            }
        }
        peer.subscriptions.append(subscription)
        subscribers.add(subscription)
        startBookmarks(quietSinceMS: now.milliseconds)
        beginAllowed(of: subscription, goesOn: goesOn)
        guard goesOn else { return }
        catchUp(subscription, isBounded: true)
        noteLagging(peer)
    }

    /// The same without a reply, for one that did not ask itself.
    func subscribe(_ peer: Peer, to topics: TopicSet) {
        guard !topics.isEmpty else { return }
        want(topics)
        peer.lastSubscription += 1
        let subscription = Subscription(
            number: peer.lastSubscription, topics: topics, peer: peer, seq: feed.seq,
            line: plugins.lastLine, atMS: now.milliseconds)
        peer.subscriptions.append(subscription)
        subscribers.add(subscription)
        startBookmarks(quietSinceMS: now.milliseconds)
        beginAllowed(of: subscription, goesOn: false)
    }

    private func want(_ subscribed: TopicSet) {
        // Lines are kept in the logs, wanted or not.
        let topics = subscribed.subtracting(TopicSet(.pluginLog))
        guard !feed.wanted.isSuperset(of: topics) else { return feed.want(topics) }
        feed.want(topics)
        journal?.append(JournalEntry(.topics(UInt64(topics.rawValue)), at: instant))
    }

    private func readTopics(
        _ params: JSONValue?, for peer: Peer
    ) throws(RPCError) -> TopicSet {
        var topics: TopicSet = []
        var index = 0
        for pattern in params?["topics"]?.elements.compactMap(\.string) ?? [] {
            guard let named = TopicSet(pattern: pattern) else {
                throw RPCError(
                    .invalidParams, reason: "unknown_topic", "no topic has this name"
                ).with {
                    $0.field = "/topics/\(index)"
                    $0.hint = "rpc.discover lists the topics; noun.* and * stand for several"
                }
            }
            guard named.topics.allSatisfy({ !$0.roles.isDisjoint(with: peer.roles) }) else {
                throw RPCError(
                    .permissionDenied, reason: "role_not_granted",
                    "what plugins write is told to admins only"
                ).with {
                    $0.field = "/topics/\(index)"
                    $0.hint = "ask for the role admin in broker.hello"
                }
            }
            topics.formUnion(named)
            index += 1
        }
        return topics
    }

    /// The number to go on from; nil if it belongs to another line of states.
    private func readCursor(_ params: JSONValue?) -> Int64? {
        guard let cursor = params?["cursor"], let named = cursor["epoch"]?.utf8,
            let bits = UUIDBits(utf8: named), bits == epochBits
        else { return nil }
        return cursor["seq"]?.integer
    }

    func unsubscribe(_ params: JSONValue?, _ target: ReplyTarget) throws(RPCError) {
        let number = params?["subscription"]?.integer
        let found = target.peer.subscriptions.first { Int64($0.number) == number }
        guard let found else {
            throw RPCError(
                .notFound, reason: "unknown_subscription",
                "the connection has no such subscription")
        }
        end(found)
        reply(target) { $0.member("seq", feed.seq) }
    }

    // MARK: - Bookmarks

    /// Silence for so long moves the cursor of a subscription on.
    private static let bookmarkMS = 30_000
    /// So long at least between two looks at who is silent: many may have begun at any time.
    private static let bookmarkPauseMS = 1_000

    /// - Parameter quietSinceMS: since when the one that has heard nothing for longest has.
    private func startBookmarks(quietSinceMS: Int64) {
        guard bookmarkTimer == nil, subscribers.count > 0 else { return }
        let restMS = Self.bookmarkMS - Int(now.milliseconds - quietSinceMS)
        bookmarkTimer = startTimer(afterMS: max(restMS, Self.bookmarkPauseMS), .bookmark)
    }

    /// Who has heard nothing for a while is told the current number, so that a narrow filter need not
    /// go back far when it comes again.
    func tellBookmarks() {
        bookmarkTimer = nil
        var quietSinceMS = now.milliseconds
        for case let peer? in peers {
            for subscription in peer.subscriptions where !subscription.isBehind {
                let quietMS = now.milliseconds - subscription.toldAtMS
                if quietMS >= Int64(Self.bookmarkMS) { tellBookmark(subscription) }
                quietSinceMS = min(quietSinceMS, subscription.toldAtMS)
            }
        }
        startBookmarks(quietSinceMS: quietSinceMS)
    }

    /// One that has not even taken what it was sent is not silent, and must not get more of it for ever.
    private func tellBookmark(_ subscription: Subscription) {
        guard subscription.connection.queuedFrames == 0 else {
            subscription.toldAtMS = now.milliseconds
            return
        }
        tellUnnumbered(.bookmark, to: subscription) { $0.member("seq", feed.seq) }
    }
}
