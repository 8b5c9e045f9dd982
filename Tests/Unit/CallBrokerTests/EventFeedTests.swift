import BrokerJSON
import CallBroker
import CallProtocol
import CallTesting
import Testing

/// What is written down for whom, and for how long.
struct EventFeedTests {
    private var feed = EventFeed(countMax: 4, bytesMax: 1_000_000)

    private mutating func add(_ topic: Topic) -> Bool {
        feed.add(topic) { $0.member("at_ms", 1) } != nil
    }

    @Test mutating func `a topic nobody ever asked for is numbered only`() {
        #expect(!add(.callAdded))
        #expect(feed.seq == 1)
        #expect(!feed.covers(since: 0, TopicSet(.callAdded)))
        #expect(feed.covers(since: 1, TopicSet(.callAdded)))
    }

    @Test mutating func `who leaves and comes back in time finds what was told meanwhile`() {
        feed.want(TopicSet(.callAdded))
        feed.markUnsubscribed(TopicSet(.callAdded))
        for _ in 1...4 { #expect(add(.callAdded)) }
        #expect(feed.covers(since: 0, TopicSet(.callAdded)))
    }

    @Test
    mutating func `a topic nobody listens to is written down no longer than the ring reaches`() {
        feed.want([TopicSet(.callAdded), TopicSet(.callRemoved)])
        feed.markUnsubscribed(TopicSet(.callAdded))
        for _ in 1...4 { #expect(add(.callRemoved)) }
        #expect(!add(.callAdded))
        #expect(add(.callRemoved))
        #expect(!feed.covers(since: 4, TopicSet(.callAdded)))
        #expect(feed.covers(since: 5, TopicSet(.callAdded)))
    }

    @Test mutating func `who listens again has it written down again`() {
        feed.want(TopicSet(.callAdded))
        feed.markUnsubscribed(TopicSet(.callAdded))
        for _ in 1...3 { _ = add(.callRemoved) }
        feed.want(TopicSet(.callAdded))
        for _ in 1...9 { #expect(add(.callAdded)) }
    }
}
