import BrokerSocket
import CallBroker
import CallTesting
import Testing

struct BrokerConnectionsTests {
    private let other: UInt32 = 1_001
    private let third: UInt32 = 1_002
    private let tooMany = Frame.goodbye(
        "too_many_connections", "the broker has too many connections", reconnectAfterMS: 1_000)
    private let noDescriptors = Frame.goodbye(
        "too_many_connections", "the broker is out of descriptors", reconnectAfterMS: 1_000)

    // MARK: - Too many

    @Test func `one connection too many is told so and closed`() {
        let host = MemoryBroker { $0.limits.connections = 2 }
        let peers = (0..<3).map { _ in host.connect() }
        #expect(peers.map(\.isClosed) == [false, false, true])
        #expect(peers[2].lines() == [tooMany])
        host.turn()

        peers[0].vanish()
        #expect(!host.connect().isClosed)
        #expect(host.connect().isClosed)
    }

    @Test func `another user gets fewer connections than we do`() {
        let host = MemoryBroker { $0.limits.otherUserConnections = 1 }
        #expect(!host.connect(uid: other).isClosed)
        let refused = host.connect(uid: other)
        #expect(refused.lines() == [tooMany])
        #expect(refused.isClosed)
        #expect(!host.connect(uid: third).isClosed)
        for _ in 0..<10 { #expect(!host.connect().isClosed) }
        #expect(!host.connect(uid: 0).isClosed)
    }

    @Test func `other users may be shut out altogether`() {
        let host = MemoryBroker { $0.limits.otherUserConnections = 0 }
        #expect(host.connect(uid: other).isClosed)
        #expect(!host.connect().isClosed)
    }

    @Test func `another user connects so often a second`() {
        let host = MemoryBroker { $0.limits.otherUserConnectsPerSecond = 2 }
        #expect(!host.connect(uid: other).isClosed)
        #expect(!host.connect(uid: other).isClosed)
        let refused = host.connect(uid: other)
        #expect(refused.isClosed)
        #expect(refused.lines() == [tooMany])
        #expect(!host.connect(uid: third).isClosed)
        host.turn(afterMS: 500)
        #expect(!host.connect(uid: other).isClosed)
        #expect(host.connect(uid: other).isClosed)
    }

    @Test func `nothing that a refused connection sends is read`() {
        let host = MemoryBroker { $0.limits.connections = 0 }
        let refused = host.connect()
        #expect(refused.ask(Frame.request(1, "broker.ping")) == [tooMany])
        refused.endInput()
        #expect(refused.lines() == [])
    }

    // MARK: - Requests of other users

    @Test func `another user asks so often a second`() {
        let host = MemoryBroker { $0.limits.otherUserRequestsPerSecond = 2 }
        let peer = host.connect(uid: other)
        let pings = (1...3).map { Frame.request($0, "broker.ping") }
        peer.send(pings)
        #expect(peer.lines() == [Frame.result(1), Frame.result(2), tooOften(3)])
        let second = host.connect(uid: other)
        #expect(second.ask(pings[0]) == [tooOften(1)])
        host.turn(afterMS: 500)
        #expect(second.ask(pings[0], pings[1]) == [Frame.result(1), tooOften(2)])
    }

    @Test func `requests for methods that do not exist count as well`() {
        let host = MemoryBroker { $0.limits.otherUserRequestsPerSecond = 2 }
        let peer = host.connect(uid: other)
        peer.send((1...3).map { Frame.request($0, "broker.nonsense") })
        #expect(peer.lines().last == tooOften(3))
    }

    @Test func `we ask as often as we like`() {
        let host = MemoryBroker {
            $0.limits.otherUserRequestsPerSecond = 1
            $0.limits.framesPerTurn = 1_000
        }
        for peer in [host.connect(), host.connect(uid: 0)] {
            peer.send((0..<600).map { Frame.request($0, "broker.ping") })
            #expect(peer.lines() == (0..<600).map { Frame.result($0) })
        }
    }

    private func tooOften(_ id: Int) -> String {
        Frame.error(
            "\(id)", -32_012, "rate", "too many requests per second",
            #","retry_after_ms":1000,"limit":{"name":"other_user_requests_per_second","value":2}"#)
    }

    // MARK: - No descriptor is free

    @Test func `the newest connection of the user with most of them goes`() {
        let host = MemoryBroker()
        let ours = [host.connect(), host.connect()]
        let theirs = (0..<3).map { _ in host.connect(uid: other) }
        host.broker.handle(.descriptorsExhausted)
        #expect(theirs.map(\.isClosed) == [false, false, true])
        #expect(theirs[2].lines() == [noDescriptors])
        #expect(ours.allSatisfy { !$0.isClosed })
    }

    @Test func `newest means the last to come, wherever it was put`() {
        let host = MemoryBroker()
        let peers = (0..<3).map { _ in host.connect() }
        peers[0].vanish()
        let newest = host.connect()
        #expect(newest.connection.slot == 0)
        host.broker.handle(.descriptorsExhausted)
        #expect(newest.isClosed)
        host.turn()
        host.broker.handle(.descriptorsExhausted)
        #expect(peers[2].isClosed && !peers[1].isClosed)
    }

    @Test func `as long as one is on its way nobody else has to go`() {
        let host = MemoryBroker()
        let peers = (0..<3).map { _ in host.connect() }
        host.broker.handle(.descriptorsExhausted)
        host.broker.handle(.descriptorsExhausted)
        #expect(peers.map(\.isClosed) == [false, false, true])
        host.turn()
        host.broker.handle(.descriptorsExhausted)
        #expect(peers.map(\.isClosed) == [false, true, true])
    }

    @Test func `nobody there is nobody to close`() {
        let host = MemoryBroker()
        host.broker.handle(.descriptorsExhausted)
        #expect(host.broker.isIdle)
    }

    // MARK: - Bytes that one user leaves unread

    @Test func `the peer with the most unread bytes of a user goes`() {
        let host = MemoryBroker { $0.limits.userQueueBytes = 4_096 }
        let (large, small) = (host.ready("observer"), host.ready("observer"))
        large.send(Frame.ping(1, payloadBytes: 3_000))
        large.block()
        small.send(Frame.ping(1, payloadBytes: 900))
        small.block()
        #expect(!large.isClosed && !small.isClosed)
        small.send(Frame.ping(2, payloadBytes: 900))
        small.block()
        #expect(large.isClosed && !small.isClosed)
        let goodbye = Frame.goodbye("stalled", "clients of this user leave too much unread")
        #expect(large.lines().last == goodbye)
    }

    @Test func `one that goes is enough`() {
        let host = MemoryBroker { $0.limits.userQueueBytes = 4_096 }
        let (large, small) = (host.ready("observer"), host.ready("observer"))
        large.send(Frame.ping(1, payloadBytes: 4_000))
        large.block()
        small.send(Frame.ping(1, payloadBytes: 1_000))
        small.block()
        #expect(large.isClosed)
        // The next turn, in which the large one still waits to be closed.
        small.block()
        #expect(!small.isClosed)
    }

    @Test func `another user has a bound of its own, and we do not pay for it`() {
        let host = MemoryBroker { $0.limits.otherUserQueueBytes = 4_096 }
        let ours = host.connect()
        let theirs = host.connect(uid: other)
        for peer in [ours, theirs] {
            peer.send(Frame.ping(1, payloadBytes: 5_000))
            peer.block()
        }
        #expect(theirs.isClosed && !ours.isClosed)
    }

    @Test func `what was read or closed is unread no more`() {
        let host = MemoryBroker { $0.limits.userQueueBytes = 4_096 }
        let peers = (0..<3).map { _ in host.ready("observer") }
        for peer in peers {
            peer.send(Frame.ping(1, payloadBytes: 3_000))
            peer.block()
            if peer === peers[0] { _ = peer.drain() } else { peer.vanish() }
        }
        #expect(!peers[0].isClosed)
        let stats = host.ready("admin").ask(Frame.request(1, "broker.stats")).joined()
        #expect(stats.contains(#""bytes_queued":0,"#))
    }
}
