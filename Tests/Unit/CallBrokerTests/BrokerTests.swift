import BrokerSocket
import CallBroker
import CallTesting
import Glibc
import Logging
import Testing

struct BrokerTests {
    @Test func `every broker has an instance of its own`() {
        #expect(MemoryBroker().broker.instance != MemoryBroker().broker.instance)
    }

    @Test func `an idle broker waits for ever`() {
        let host = MemoryBroker()
        #expect(host.broker.isIdle)
        #expect(!host.broker.hasWork)
        #expect(host.broker.nextDeadline == nil)
        host.broker.handle(.woken)
        host.broker.handle(.signal(1))
        #expect(host.broker.isIdle)
    }

    @Test func `stopping says goodbye to everybody`() {
        let host = MemoryBroker()
        let peers = [host.connect(), host.ready("observer"), host.connect(uid: 1_001)]
        host.stop()
        host.stop()
        for peer in peers {
            #expect(peer.lines() == [Frame.restarting])
            #expect(peer.isClosed)
        }
        #expect(!host.broker.isIdle)
        host.turn()
        #expect(host.broker.isIdle)
        #expect(host.broker.nextDeadline == nil)
    }

    @Test func `what a connection did that nobody knows is nothing`() {
        let host = MemoryBroker()
        let stranger = Connection(inMemory: 7)
        for event in [
            EventLoop.Event.inputEnded(stranger), .blocked(stranger), .drained(stranger),
            .closed(stranger),
        ] {
            host.broker.handle(event)
        }
        Array("{}\n".utf8).withUnsafeBufferPointer {
            host.broker.handle(.received(stranger, $0))
        }
        #expect(stranger.takeSent() == [])
        #expect(host.broker.isIdle)
    }

    @Test func `events behind the end of a connection are nothing`() {
        let host = MemoryBroker()
        let peer = host.connect()
        peer.connection.abort()
        host.turn()
        host.broker.handle(.closed(peer.connection))
        peer.endInput()
        peer.block()
        #expect(peer.ask(Frame.request(1, "broker.ping")) == [])
        #expect(host.broker.isIdle)
    }
}

/// The same broker behind real sockets, where a goodbye can take its time.
struct BrokerOnSocketTests {
    private let loop: EventLoop
    private let broker: Broker
    private let connection: Connection
    private let client: Int32

    init() throws {
        var configuration = BrokerConfiguration()
        configuration.limits.queueHardBytes = 4_096
        configuration.limits.turnMS = 1_000_000
        loop = try EventLoop(clock: .manual(.zero))
        broker = Broker(
            configuration: configuration, clock: loop.clock, ownUID: HostProcess.userID,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        var ends: [Int32] = [-1, -1]
        let type = SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue
        try #require(socketpair(AF_UNIX, Int32(type), 0, &ends) == 0)
        connection = try #require(loop.adopt(ends[0]))
        client = ends[1]
        broker.handle(.opened(connection))
    }

    @Test func `a peer that reads slowly is not taken for one that does not read`() {
        defer { finish() }
        flood()
        turn(atMS: 0)
        #expect(connection.queuedBytes > 4_096)
        for time in [4_999, 9_998, 14_997] {
            turn(atMS: time)
            #expect(read() > 0)
            flood()
            turn(atMS: time + 1)
            #expect(connection.state == .open)
        }
        turn(atMS: 14_997 + 4_999)
        #expect(connection.state == .open)
        turn(atMS: 14_997 + 5_000)
        #expect(connection.state != .open)
    }

    @Test func `a peer that does not read its goodbye is closed after two seconds`() {
        defer { finish() }
        flood()
        turn(atMS: 0)
        broker.beginStop()
        broker.dismissAllPeers()
        turn(atMS: 0)
        #expect(connection.state == .draining)
        turn(atMS: 1_999)
        #expect(!broker.isIdle)
        turn(atMS: 2_000)
        #expect(broker.isIdle)
    }

    @Test func `a peer that reads its goodbye is closed at once`() {
        defer { finish() }
        flood()
        turn(atMS: 0)
        broker.beginStop()
        broker.dismissAllPeers()
        while read() > 0 { turn(atMS: 0) }
        #expect(broker.isIdle)
        #expect(broker.nextDeadline == nil)
    }

    /// Asks for more than the kernel takes, and keeps the hello timer from firing.
    private func flood() {
        let hello = Frame.hello() + "\n" + Frame.ping(1, payloadBytes: 60_000) + "\n"
        for _ in 0..<8 {
            send(client, hello, hello.utf8.count, Int32(MSG_NOSIGNAL))
            turn(atMS: nil)
        }
    }

    private func turn(atMS milliseconds: Int?) {
        if let milliseconds {
            loop.clock = .manual(.zero.advanced(milliseconds: milliseconds))
        }
        loop.wait(until: .zero)
        broker.beginTurn(loop.clock)
        broker.resumeBacklog()
        loop.dispatch { broker.handle($0) }
        broker.fireTimers(dueBy: loop.pollTime)
        loop.settle { broker.handle($0) }
    }

    private func read() -> Int {
        var bytes = [UInt8](repeating: 0, count: 1 << 17)
        var total = 0
        while true {
            let count = recv(client, &bytes, bytes.count, Int32(MSG_DONTWAIT))
            if count <= 0 { return total }
            total += count
        }
    }

    private func finish() {
        connection.abort()
        loop.settle { broker.handle($0) }
        close(client)
    }
}
