internal import BrokerSocket
internal import CallProtocol

/// What one client wants to hear of, and how far it has heard it.
final class Subscription {
    /// Counts the subscriptions of a connection from 1.
    let number: Int
    let topics: TopicSet
    unowned let peer: Peer
    /// The peer's.
    let connection: Connection
    /// The latest event it was sent; the number it began at before the first.
    var seq: Int64
    /// The place of the latest line of a plugin that it was sent, if it wants those.
    var line: Int
    /// Its peer did not take what it was sent: it goes on from the feed when it has.
    var isBehind = false
    /// When it was last sent something.
    var toldAtMS: Int64

    init(number: Int, topics: TopicSet, peer: Peer, seq: Int64, line: Int, atMS: Int64) {
        self.number = number
        self.topics = topics
        self.peer = peer
        connection = peer.connection
        self.seq = seq
        self.line = line
        toldAtMS = atMS
    }
}

/// All subscriptions, by topic: telling an event costs nothing for those who did not ask for it.
struct Subscribers {
    private var byTopic = [[Subscription]](repeating: [], count: Topic.allCases.count)
    private(set) var count = 0

    subscript(topic: Topic) -> [Subscription] {
        byTopic[topic.index]
    }

    mutating func add(_ subscription: Subscription) {
        for topic in subscription.topics.topics { byTopic[topic.index].append(subscription) }
        count += 1
    }

    /// - Returns: The topics that nobody subscribes to any more.
    mutating func remove(_ subscription: Subscription) -> TopicSet {
        for topic in subscription.topics.topics {
            byTopic[topic.index].removeAll { $0 === subscription }
        }
        count -= 1
        let unheard = subscription.topics.topics.filter { byTopic[$0.index].isEmpty }
        return TopicSet(unheard.map { TopicSet($0) })
    }
}
