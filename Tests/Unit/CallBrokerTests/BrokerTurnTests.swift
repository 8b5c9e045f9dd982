import BrokerRPC
import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// What a peer may use of one turn, and what happens to one that does not read.
struct BrokerTurnTests {
    @Test func `64 frames are handled in a turn and the 65th waits for the next`() {
        let host = MemoryBroker()
        let peer = host.connect()
        peer.send((0..<65).map { Frame.request($0, "broker.ping") })
        #expect(peer.lines() == (0..<64).map { Frame.result($0) })
        #expect(peer.connection.isReadingPaused)
        #expect(host.broker.hasWork)
        #expect(host.broker.nextDeadline == host.now)
        host.turn()
        #expect(peer.lines() == [Frame.result(64)])
        #expect(!peer.connection.isReadingPaused)
        #expect(!host.broker.hasWork)
    }

    @Test func `a flood takes as many turns as it needs and keeps its order`() {
        let host = MemoryBroker { $0.limits.framesPerTurn = 10 }
        let peer = host.connect()
        peer.send((0..<95).map { Frame.request($0, "broker.ping") })
        var turns = [peer.lines()]
        while host.broker.hasWork {
            host.turn()
            turns.append(peer.lines())
        }
        #expect(turns.map(\.count) == Array(repeating: 10, count: 9) + [5])
        #expect(Array(turns.joined()) == (0..<95).map { Frame.result($0) })
    }

    @Test func `a flood does not make the others wait`() {
        let host = MemoryBroker { $0.limits.framesPerTurn = 10 }
        let flood = host.connect()
        let other = host.connect()
        flood.send((0..<25).map { Frame.request($0, "broker.ping") })
        #expect(other.ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])
        #expect(flood.lines().count == 10)
        other.send((0..<15).map { Frame.request($0, "broker.ping") })
        host.turn()
        #expect(flood.lines().count == 10)
        #expect(other.lines().count == 15)
        host.turn()
        #expect(flood.lines().count == 5)
        #expect(!host.broker.hasWork)
    }

    @Test func `a half-closed flood is answered to its end`() {
        let host = MemoryBroker { $0.limits.framesPerTurn = 10 }
        let peer = host.connect()
        peer.sendRaw((0..<26).map { Frame.request($0, "broker.ping") }.joined(separator: "\n"))
        peer.endInput()
        #expect(!peer.isClosed)
        while host.broker.hasWork { host.turn() }
        #expect(peer.lines() == (0..<26).map { Frame.result($0) })
        #expect(peer.isClosed)
    }

    @Test func `a peer that goes with frames waiting is forgotten`() {
        let host = MemoryBroker { $0.limits.framesPerTurn = 10 }
        let peer = host.connect()
        peer.send((0..<25).map { Frame.request($0, "broker.ping") })
        peer.vanish()
        host.turn()
        #expect(!host.broker.hasWork)
        #expect(host.broker.isIdle)
    }

    @Test func `what a process had sent is handled before it is noticed that it has exited`() throws
    {
        let host = MemoryBroker { $0.limits.framesPerTurn = 4 }
        let store = try MemoryStore(of: host)
        let process = ProcessWatch()
        let app = host.connect(process: process)
        _ = app.ask(Frame.hello(#""roles":["provider"],"identity":"org.a""#))
        app.register()
        app.ring(1)
        let pings = (1...4).map { Frame.request(90 + $0, "broker.ping") }
        let ended = #"{"call":"\#(ShortID.call(1))","reason":"remote_ended"}"#
        app.send(pings + [Frame.request(99, "call.report_ended", ended)])
        host.exit(process)
        host.turn()
        host.turn()
        store.settle()
        let user = host.controller()
        user.post("history.list")
        store.settle()
        let entries = try JSONTree(#require(user.lines().last))["result"]?["entries"]?.elements
        #expect(entries?.map { $0["end_reason"]?.string } == ["remote_ended"])
        #expect(app.isClosed)
    }

    @Test func `behind a goodbye nothing is handled any more`() {
        let host = MemoryBroker { $0.limits.framesPerTurn = 2 }
        let peer = host.ready("observer")
        let goodbye = Frame.notification("broker.goodbye", #"{"reason":"done"}"#)
        peer.send(Frame.request(1, "broker.ping"), goodbye, Frame.request(2, "broker.ping"))
        host.turn()
        #expect(peer.lines() == [Frame.result(1)])
    }

    // MARK: - The soft bound

    @Test func `beyond the soft bound reading pauses until the peer reads`() {
        let host = MemoryBroker { $0.limits.queueSoftBytes = 4_096 }
        let peer = host.connect()
        peer.send((0..<9).map { Frame.ping($0, payloadBytes: 1_000) })
        #expect(peer.connection.isReadingPaused)
        let queued = peer.connection.queuedBytes
        #expect((4_097...5_300).contains(queued))

        host.turn()
        #expect(peer.connection.queuedBytes == queued)
        #expect(!host.broker.hasWork)
        #expect(peer.drain().count == 4)
        #expect(host.broker.hasWork)
        host.turn()
        #expect(peer.drain().count == 4)
        host.turn()
        #expect(peer.drain().count == 1)
        #expect(!peer.connection.isReadingPaused)
        #expect(!host.broker.hasWork)
    }

    @Test func `a queue of exactly the soft bound is no reason to pause`() {
        let host = MemoryBroker { $0.limits.queueSoftBytes = 4_096 }
        let peer = host.connect()
        let empty = Frame.result(1, #"{"payload":""}"#).utf8.count + 1
        peer.send(Frame.ping(1, payloadBytes: 4_096 - empty))
        #expect(peer.connection.queuedBytes == 4_096)
        #expect(!peer.connection.isReadingPaused)
        peer.send(Frame.request(2, "broker.ping"))
        #expect(peer.connection.isReadingPaused)
    }

    @Test func `too many frames pause reading as well`() {
        let host = MemoryBroker { $0.limits.queueHardFrames = 16 }
        let peer = host.connect()
        peer.send((0..<40).map { Frame.request($0, "broker.ping") })
        #expect(peer.connection.queuedFrames == 17)
        #expect(peer.connection.isReadingPaused)
        host.turn()
        var lines: [String] = []
        while host.broker.hasWork || peer.connection.queuedFrames > 0 {
            lines += peer.drain()
            host.turn()
        }
        #expect(lines == (0..<40).map { Frame.result($0) })
    }

    @Test func `a peer that takes part of its queue before the turn ends goes on`() {
        let host = MemoryBroker { $0.limits.queueSoftBytes = 4_096 }
        let peer = host.connect()
        peer.send((0..<9).map { Frame.ping($0, payloadBytes: 1_000) })
        #expect(peer.lines().count == 4)
        host.turn()
        #expect(peer.lines().count == 4)
    }

    // MARK: - The hard bound

    @Test func `a peer that takes nothing for 5 s is dismissed`() {
        let host = MemoryBroker { $0.limits.queueHardBytes = 4_096 }
        let peer = host.ready("observer")
        peer.send((0..<5).map { Frame.ping($0, payloadBytes: 1_000) })
        peer.block()
        host.turn(afterMS: 4_999)
        #expect(!peer.isClosed)
        host.turn(afterMS: 1)
        #expect(peer.isClosed)
        #expect(
            peer.lines().last
                == Frame.goodbye("stalled", "the client does not read its replies and events"))
    }

    @Test func `the time runs from the first block, not the last`() {
        let host = MemoryBroker { $0.limits.queueHardBytes = 4_096 }
        let peer = host.ready("observer")
        peer.send((0..<5).map { Frame.ping($0, payloadBytes: 1_000) })
        peer.block()
        host.turn(afterMS: 4_000)
        peer.block()
        host.turn(afterMS: 1_000)
        #expect(peer.isClosed)
    }

    @Test func `frames count like bytes`() {
        let host = MemoryBroker { $0.limits.queueHardFrames = 16 }
        let peer = host.ready("observer")
        peer.send((0..<17).map { Frame.request($0, "broker.ping") })
        peer.block()
        host.turn(afterMS: 5_000)
        #expect(peer.isClosed)
    }

    @Test func `a peer within its hard bound may take its time`() {
        let host = MemoryBroker { $0.limits.queueHardBytes = 4_096 }
        let peer = host.ready("observer")
        peer.send((0..<3).map { Frame.ping($0, payloadBytes: 1_000) })
        peer.block()
        #expect(host.broker.nextDeadline == nil)
        host.turn(afterMS: 1_000_000)
        #expect(!peer.isClosed)
    }

    @Test func `a peer that has read in the meantime stays`() {
        let host = MemoryBroker { $0.limits.queueHardBytes = 4_096 }
        let peer = host.ready("observer")
        peer.send((0..<5).map { Frame.ping($0, payloadBytes: 1_000) })
        peer.block()
        #expect(peer.drain().count == 5)
        host.turn(afterMS: 5_000)
        #expect(!peer.isClosed)
        #expect(host.broker.nextDeadline == nil)
    }
}
