internal import BrokerSocket
internal import CallProtocol

/// A client's subscription: its topics, and the latest event that it was sent.
final class Subscription {
    /// The number of the subscription within its connection, from 1.
    let number: Int
    let topics: TopicSet
    /// True if the peer is sent the changes of calls instead of whole ones.
    let wantsChanges: Bool
    unowned let peer: Peer
    /// The connection of the peer.
    let connection: Connection
    /// True if the peer may see everything. Its rights are those of its hello, until it is gone.
    let isUnlimited: Bool
    /// The number of the latest event that was sent; before the first, the number at which it
    /// began.
    var seq: Int64
    /// The global index of the latest plugin line that was sent, if the subscription includes
    /// those.
    var line: Int
    /// True while the peer does not read what it was sent; afterwards the subscription resumes from
    /// the feed.
    var isBehind = false
    /// True if a change of allowed actions was not sent.
    var hasMissedAllowed = false
    /// True if a change of the host's presence was not sent.
    var hasMissedPresence = false
    /// The time of the latest frame, in milliseconds of monotonic time.
    var lastSentAtMS: Int64
    /// The indices among the subscribers of its topics, by topic.
    fileprivate var indices: [Int32] = []

    init(
        number: Int, topics: TopicSet, wantsChanges: Bool = false, peer: Peer, seq: Int64,
        line: Int, atMS: Int64
    ) {
        self.number = number
        self.topics = topics
        self.wantsChanges = wantsChanges
        self.peer = peer
        connection = peer.connection
        isUnlimited = !peer.rights.isLimited
        self.seq = seq
        self.line = line
        lastSentAtMS = atMS
    }
}

/// All subscriptions, by topic, in no order: publishing an event costs nothing for subscriptions to
/// other topics, and removing a subscription costs the same however many others there are.
struct Subscribers {
    private var byTopic = [[Subscription]](repeating: [], count: Topic.allCases.count)
    private(set) var count = 0
    /// The number of those that are sent the changes of calls.
    private(set) var countOfChanges = 0

    subscript(topic: Topic) -> [Subscription] {
        byTopic[topic.index]
    }

    mutating func add(_ subscription: Subscription) {
        subscription.indices = [Int32](repeating: -1, count: Topic.allCases.count)
        for topic in subscription.topics.topics {
            subscription.indices[topic.index] = Int32(byTopic[topic.index].count)
            byTopic[topic.index].append(subscription)
        }
        count += 1
        if subscription.wantsChanges { countOfChanges += 1 }
    }

    /// Removes a subscription.
    ///
    /// - Returns: the topics that have lost their last subscriber.
    mutating func remove(_ subscription: Subscription) -> TopicSet {
        var unsubscribed: TopicSet = []
        for topic in subscription.topics.topics {
            remove(subscription, from: topic.index)
            if byTopic[topic.index].isEmpty { unsubscribed.insert(TopicSet(topic)) }
        }
        count -= 1
        if subscription.wantsChanges { countOfChanges -= 1 }
        return unsubscribed
    }

    /// Removes a subscription from a topic, whose last subscriber moves to its index.
    private mutating func remove(_ subscription: Subscription, from topic: Int) {
        let index = subscription.indices[topic]
        guard let last = byTopic[topic].popLast(), last !== subscription else { return }
        byTopic[topic][Int(index)] = last
        last.indices[topic] = index
    }
}
