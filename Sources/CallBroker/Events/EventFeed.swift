package import BrokerJSON
package import CallModel
package import CallProtocol

/// The sequence of numbered events, with the text of the latest ones, so that a subscriber that
/// lags behind or reconnects can resume where it was.
///
/// Every change is assigned a number, whether there are subscribers or not. Its text is kept only
/// if its topic has subscribers, or had some a short while ago; otherwise, and once it has left the
/// ring, its topic counts as evicted up to that number. So one question decides whether a
/// subscriber can resume from a number or needs a snapshot: was any event of its topics evicted
/// after it?
package struct EventFeed {
    package struct Event {
        package fileprivate(set) var seq: Int64 = 0
        package fileprivate(set) var topic = Topic.bookmark
        /// The provider whose calls the event is about; nil if it is about something else.
        package fileprivate(set) var owner: ProviderID?
        /// The members of the frame's params that are the same for all subscribers, and the end of
        /// the frame.
        package fileprivate(set) var text: [UInt8] = []
        /// The same of an event about a call, with nothing but its changes; empty if it has none
        /// such.
        package fileprivate(set) var changes: [UInt8] = []
        /// The feature whose words the text has, for which other clients are sent older ones.
        package fileprivate(set) var feature: HelloParams.Feature?
        package fileprivate(set) var audience = Audience.everybody
    }

    /// The clients that are sent an event, by the features that they have named.
    package enum Audience: Equatable {
        case everybody
        case knowing(HelloParams.Feature)
        case notKnowing(HelloParams.Feature)
    }

    /// The number of the latest event.
    package private(set) var seq: Int64 = 0
    package private(set) var wanted: TopicSet = []
    /// The number since which a topic has no subscribers, though it is wanted; by topic.
    private var unsubscribedSince = [Int64?](repeating: nil, count: Topic.allCases.count)
    /// The ring buffer of kept events; a slot keeps its buffer.
    private var ring: [Event] = []
    private var oldest = 0
    private var count = 0
    private var bytes = 0
    /// The number of the latest event whose text is not kept any more; by topic.
    private var evictedThrough = [Int64](repeating: 0, count: Topic.allCases.count)
    private let countMax: Int
    private let bytesMax: Int

    package init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    /// Keeps the text of events of these topics, beginning with the next one.
    package mutating func want(_ topics: TopicSet) {
        wanted.formUnion(topics)
        for topic in topics.topics { unsubscribedSince[topic.index] = nil }
    }

    /// Resumes the sequence of another feed, whose events are not available here.
    package mutating func resume(after seq: Int64, wanting topics: TopicSet) {
        self.seq = seq
        evictedThrough = evictedThrough.map { _ in seq }
        want(topics)
    }

    /// Marks topics that have lost their last subscriber. It may come back and resume, so their
    /// events are kept as long as the ring could reach back to this moment.
    package mutating func markUnsubscribed(_ topics: TopicSet) {
        for topic in topics.topics { unsubscribedSince[topic.index] = seq }
    }

    /// Assigns a number to an event, and keeps what `write` writes if its topic is wanted.
    ///
    /// - Parameters:
    ///   - topic: The topic of the event.
    ///   - owner: The provider whose calls it is about.
    ///   - feature: The feature whose words the event has.
    ///   - audience: The clients that are sent it.
    ///   - write: Writes the text of the event.
    /// - Returns: the event that is kept; nil if its topic is not wanted.
    package mutating func add(
        _ topic: Topic, of owner: ProviderID? = nil, _ feature: HelloParams.Feature? = nil,
        to audience: Audience = .everybody, _ write: (inout JSONWriter) -> Void
    ) -> Event? {
        number(topic)
        guard wanted.contains(TopicSet(topic)) else {
            evictedThrough[topic.index] = seq
            return nil
        }
        let index = freeIndex()
        var writer = JSONWriter()
        swap(&writer.bytes, &ring[index].text)
        write(&writer)
        swap(&writer.bytes, &ring[index].text)
        ring[index].seq = seq
        ring[index].topic = topic
        ring[index].owner = owner
        ring[index].feature = feature
        ring[index].audience = audience
        count += 1
        add(bytes: ring[index].text.count)
        return ring[index]
    }

    /// Keeps the text with the changes alone of the event that was added last.
    ///
    /// - Returns: the event.
    package mutating func keep(changes: [UInt8]) -> Event {
        let index = (oldest + count - 1) % ring.count
        ring[index].changes = changes
        add(bytes: changes.count)
        return ring[index]
    }

    /// Counts bytes of the latest event, and evicts the oldest ones if there are too many.
    private mutating func add(bytes added: Int) {
        bytes += added
        while bytes > bytesMax, count > 1 { evictOldest() }
    }

    /// Assigns a number to an event whose text is not kept: nobody wants it, or an earlier broker
    /// published it.
    package mutating func skip(_ topic: Topic) {
        number(topic)
        evictedThrough[topic.index] = seq
    }

    private mutating func number(_ topic: Topic) {
        seq += 1
        guard let since = unsubscribedSince[topic.index], seq - since > Int64(countMax) else {
            return
        }
        wanted.subtract(TopicSet(topic))
        unsubscribedSince[topic.index] = nil
    }

    private mutating func freeIndex() -> Int {
        if count == countMax { evictOldest() }
        if ring.count < countMax, oldest + count == ring.count { ring.append(Event()) }
        let index = (oldest + count) % ring.count
        ring[index].text.removeAll(keepingCapacity: true)
        ring[index].changes = []
        return index
    }

    private mutating func evictOldest() {
        let event = ring[oldest]
        evictedThrough[event.topic.index] = event.seq
        bytes -= event.text.count + event.changes.count
        oldest = (oldest + 1) % countMax
        count -= 1
    }

    /// Returns true if every event of these topics after number `seq` is still kept.
    package func covers(since seq: Int64, _ topics: TopicSet) -> Bool {
        seq <= self.seq && topics.topics.allSatisfy { evictedThrough[$0.index] <= seq }
    }

    /// Calls `body` with each kept event after number `seq`, oldest first, until `body` returns
    /// false.
    package func forEach(after seq: Int64, _ body: (Event) -> Bool) {
        var index = firstIndex(after: seq)
        while index < count {
            guard body(ring[(oldest + index) % ring.count]) else { return }
            index += 1
        }
    }

    private func firstIndex(after seq: Int64) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = (low + high) / 2
            if ring[(oldest + middle) % ring.count].seq <= seq {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low
    }
}

extension Topic {
    /// The index of this topic among all topics.
    var index: Int {
        TopicSet(self).rawValue.trailingZeroBitCount
    }
}
