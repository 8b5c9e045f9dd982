package import BrokerJSON
package import CallProtocol

/// The numbered events, and the latest of them as they were written: a subscriber may be behind, or
/// come back, and go on where it was.
///
/// Every change takes a number, whether anybody listens or not. It is written down only if somebody
/// listens to its topic, or did a short while ago; else, and once it is older than the ring reaches
/// back, its topic counts as forgotten up to there. So one question decides whether a subscriber can go on from a
/// number, or has to look at everything anew: was anything of its topics forgotten after it?
package struct EventFeed {
    package struct Event {
        package fileprivate(set) var seq: Int64 = 0
        package fileprivate(set) var topic = Topic.bookmark
        /// The members of the frame's params that are the same for all, and the end of the frame.
        package fileprivate(set) var text: [UInt8] = []
    }

    /// The number of the latest event.
    package private(set) var seq: Int64 = 0
    package private(set) var wanted: TopicSet = []
    /// By topic: the number since which nobody listens to it, though it is wanted.
    private var unheardSince = [Int64?](repeating: nil, count: Topic.allCases.count)
    /// Used round and round; a place keeps its buffer.
    private var ring: [Event] = []
    private var oldest = 0
    private var count = 0
    private var bytes = 0
    /// By topic: the number of the latest event that cannot be had any more.
    private var forgotten = [Int64](repeating: 0, count: Topic.allCases.count)
    private let countMax: Int
    private let bytesMax: Int

    package init(countMax: Int, bytesMax: Int) {
        self.countMax = countMax
        self.bytesMax = bytesMax
    }

    /// From now on events of these topics are written down.
    package mutating func want(_ topics: TopicSet) {
        wanted.formUnion(topics)
        for topic in topics.topics { unheardSince[topic.index] = nil }
    }

    /// Goes on from where another one was; nothing of before can be had.
    package mutating func goOn(after seq: Int64, wanting topics: TopicSet) {
        self.seq = seq
        forgotten = forgotten.map { _ in seq }
        want(topics)
    }

    /// Nobody listens to these topics any more. Who did may come back, and go on: they are written
    /// down as long as the ring could reach back to now.
    package mutating func noteUnheard(_ topics: TopicSet) {
        for topic in topics.topics { unheardSince[topic.index] = seq }
    }

    /// Numbers an event, and writes it down with `write` if its topic is wanted.
    /// The event as it is kept, or nil.
    package mutating func add(_ topic: Topic, _ write: (inout JSONWriter) -> Void) -> Event? {
        number(topic)
        guard wanted.contains(TopicSet(topic)) else {
            forgotten[topic.index] = seq
            return nil
        }
        let place = freePlace()
        var writer = JSONWriter()
        swap(&writer.bytes, &ring[place].text)
        write(&writer)
        swap(&writer.bytes, &ring[place].text)
        ring[place].seq = seq
        ring[place].topic = topic
        bytes += ring[place].text.count
        count += 1
        while bytes > bytesMax, count > 1 { forgetOldest() }
        return ring[place]
    }

    /// Numbers an event that was told by an earlier broker, and of which nothing more is known.
    package mutating func skip(_ topic: Topic) {
        number(topic)
        forgotten[topic.index] = seq
    }

    private mutating func number(_ topic: Topic) {
        seq += 1
        guard let since = unheardSince[topic.index], seq - since > Int64(countMax) else { return }
        wanted.subtract(TopicSet(topic))
        unheardSince[topic.index] = nil
    }

    private mutating func freePlace() -> Int {
        if count == countMax { forgetOldest() }
        if ring.count < countMax, oldest + count == ring.count { ring.append(Event()) }
        let place = (oldest + count) % ring.count
        ring[place].text.removeAll(keepingCapacity: true)
        return place
    }

    private mutating func forgetOldest() {
        let event = ring[oldest]
        forgotten[event.topic.index] = event.seq
        bytes -= event.text.count
        oldest = (oldest + 1) % countMax
        count -= 1
    }

    /// Whether every event of these topics after number `seq` can still be had.
    package func reaches(backTo seq: Int64, _ topics: TopicSet) -> Bool {
        seq <= self.seq && topics.topics.allSatisfy { forgotten[$0.index] <= seq }
    }

    /// Hands out the events after number `seq`, oldest first, until `take` has enough.
    package func forEach(after seq: Int64, _ take: (Event) -> Bool) {
        var index = firstIndex(after: seq)
        while index < count {
            guard take(ring[(oldest + index) % ring.count]) else { return }
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
    /// Its place among all topics.
    var index: Int {
        TopicSet(self).rawValue.trailingZeroBitCount
    }
}
