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
    /// It was not told what is allowed for some calls now.
    var hasMissedAllowed = false
    /// When it was last sent something.
    var toldAtMS: Int64
    /// Its places among the subscribers of its topics, by topic.
    fileprivate var places: [Int32] = []

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

/// All subscriptions, by topic: telling an event costs nothing for those who did not ask for it, and
/// one that ends costs the same however many others there are. They are in no order.
struct Subscribers {
    private var byTopic = [[Subscription]](repeating: [], count: Topic.allCases.count)
    private(set) var count = 0

    subscript(topic: Topic) -> [Subscription] {
        byTopic[topic.index]
    }

    mutating func add(_ subscription: Subscription) {
        subscription.places = [Int32](repeating: -1, count: Topic.allCases.count)
        for topic in subscription.topics.topics {
            subscription.places[topic.index] = Int32(byTopic[topic.index].count)
            byTopic[topic.index].append(subscription)
        }
        count += 1
    }

    /// - Returns: The topics that nobody subscribes to any more.
    mutating func remove(_ subscription: Subscription) -> TopicSet {
        var unheard: TopicSet = []
        for topic in subscription.topics.topics {
            remove(subscription, from: topic.index)
            if byTopic[topic.index].isEmpty { unheard.insert(TopicSet(topic)) }
        }
        count -= 1
        return unheard
    }

    /// The last subscriber of the topic takes its place.
    private mutating func remove(_ subscription: Subscription, from topic: Int) {
        let place = subscription.places[topic]
        guard let last = byTopic[topic].popLast(), last !== subscription else { return }
        byTopic[topic][Int(place)] = last
        last.places[topic] = place
    }
}
