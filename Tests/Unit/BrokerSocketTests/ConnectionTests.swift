import BrokerSocket
import Glibc
import Testing

struct ConnectionTests {
    private let harness: LoopHarness
    private let megabyte = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20)

    init() throws {
        harness = try LoopHarness()
    }

    @Test func `what is sent within a turn leaves in one write`() {
        // A packet socket keeps the edges of writes, which a stream does not.
        let (connection, peer) = harness.connect(SOCK_SEQPACKET)
        peer.send("go")
        harness.turn { event in
            guard case .received = event else { return }
            for word in ["one\n", "two\n", "three\n"] { connection.send(Array(word.utf8)) }
        }
        #expect(peer.read() == Array("one\ntwo\nthree\n".utf8))
        #expect(peer.read() == nil)
    }

    @Test func `nothing is written before the end of the turn`() {
        let (connection, peer) = harness.connect()
        connection.send([1, 2, 3])
        #expect(peer.read() == nil)
        #expect(connection.queuedBytes == 3)
        harness.settle()
        #expect(peer.read() == [1, 2, 3])
        #expect(connection.queuedBytes == 0)
    }

    @Test func `bytes and frames are counted`() {
        let (connection, peer) = harness.connect()
        connection.send(Array("a\n".utf8))
        connection.send(Array("bc\n".utf8))
        #expect(connection.queuedFrames == 2)
        #expect(connection.queuedBytes == 5)
        #expect(connection.sentBytes == 0)
        #expect(harness.settle() == [])
        #expect(connection.queuedFrames == 0)
        #expect(connection.queuedBytes == 0)
        #expect(connection.sentBytes == 5)
        #expect(peer.readText() == "a\nbc\n")
    }

    @Test func `a frame that many get is in its place in the queue of each`() {
        let (first, one) = harness.connect(SOCK_SEQPACKET)
        let (second, other) = harness.connect(SOCK_SEQPACKET)
        let (shared, last) = (Array("shared\n".utf8), Array("last\n".utf8))
        first.send(Array("own\n".utf8))
        for connection in [first, second] { connection.send(shared: shared) }
        first.send(shared: last)
        second.send(last)
        #expect(first.queuedFrames == 3)
        #expect(second.queuedFrames == 2)
        harness.settle()
        #expect(one.readText() == "own\nshared\nlast\n")
        #expect(other.readText() == "shared\nlast\n")
        #expect(second.sentBytes == 12)
        second.send(shared: shared)
        #expect(second.queuedBytes == 7)
        harness.settle()
        #expect(other.readText() == "shared\n")
    }

    @Test func `a burst of shared frames arrives in order, with own frames among them`() {
        let (connection, peer) = harness.connect()
        var (expected, got) = ([UInt8](), [UInt8]())
        for number in 0..<2_000 {
            let frame = Array("\(number) \(String(repeating: "x", count: number % 700))\n".utf8)
            if number % 5 == 0 { connection.send(frame) } else { connection.send(shared: frame) }
            expected += frame
        }
        #expect(connection.queuedFrames == 2_000)
        #expect(connection.queuedBytes == expected.count)
        while got.count < expected.count {
            harness.turn()
            got += peer.readAll()
            #expect(connection.sentBytes + connection.queuedBytes == expected.count)
            let left = expected.dropFirst(connection.sentBytes).count { $0 == UInt8(ascii: "\n") }
            #expect(connection.queuedFrames == left)
        }
        #expect(got == expected)
        #expect(connection.queuedFrames == 0)
    }

    @Test func `what one peer has taken of a shared frame is not gone from another's`() {
        let (first, one) = harness.connect()
        let (second, other) = harness.connect()
        for connection in [first, second] { connection.send(shared: megabyte) }
        first.send([1])
        #expect(harness.settle().count == 2)
        #expect(first.queuedBytes + first.sentBytes == megabyte.count + 1)
        #expect(second.queuedBytes + second.sentBytes == megabyte.count)
        var (got, gotOther) = (one.readAll(), other.readAll())
        while got.count <= megabyte.count || gotOther.count < megabyte.count {
            harness.turn()
            got += one.readAll()
            gotOther += other.readAll()
        }
        #expect(got == megabyte + [1])
        #expect(gotOther == megabyte)
    }

    @Test func `the queue of a peer that does not read grows and is drained when it does`() {
        let (connection, peer) = harness.connect()
        var sent: [UInt8] = []
        for number in 0..<2_000 {
            let line = Array("\(number) ".utf8) + [UInt8](repeating: 0x78, count: 500) + [0x0A]
            connection.send(line)
            sent += line
        }
        #expect(harness.settle() == [.blocked(0)])
        let held = connection.queuedBytes
        #expect(held > 0)
        #expect(connection.sentBytes == sent.count - held)
        let heldFrames = sent.suffix(held).count { $0 == 0x0A }
        #expect(connection.queuedFrames == heldFrames)
        #expect(harness.turn() == [])

        var got = peer.readAll()
        #expect(got == Array(sent.prefix(sent.count - held)))
        while got.count < sent.count {
            #expect(harness.turn() == [.drained(0)])
            got += peer.readAll()
        }
        #expect(got == sent)
        #expect(connection.queuedBytes == 0)
        #expect(connection.queuedFrames == 0)
        #expect(harness.turn() == [])
    }

    @Test func `a blocked peer that reads a little makes progress`() {
        let (connection, peer) = harness.connect()
        connection.send(megabyte)
        harness.settle()
        let before = connection.sentBytes
        #expect(peer.read(upTo: before - 1)?.count == before - 1)
        #expect(harness.turn() == [.drained(0)])
        #expect(connection.sentBytes > before)
        #expect(connection.queuedBytes > 0)
    }

    @Test func `a queue that empties at the end of a turn is drained too`() {
        let (connection, peer) = harness.connect()
        connection.send([UInt8](repeating: 0, count: 300_000))
        #expect(harness.settle() == [.blocked(0)])
        harness.loop.wait(until: .zero)
        // The peer reads after the loop has looked, and before it writes.
        _ = peer.readAll()
        connection.send([1])
        #expect(harness.settle() + harness.turn() == [.drained(0)])
        #expect(connection.queuedBytes == 0)
    }

    @Test func `a paused connection is not read until it goes on`() {
        let (connection, peer) = harness.connect()
        connection.pauseReading(true)
        #expect(connection.isReadingPaused)
        peer.send("patience")
        peer.endOutput()
        #expect(harness.turn() == [])
        connection.pauseReading(true)
        connection.pauseReading(false)
        #expect(!connection.isReadingPaused)
        #expect(harness.turn() == [.received(0, "patience")])
        #expect(harness.turn() == [.inputEnded(0)])
    }

    @Test func `a paused connection is still written`() {
        let (connection, peer) = harness.connect()
        connection.pauseReading(true)
        connection.send([1])
        harness.turn()
        #expect(peer.read() == [1])
    }

    @Test func `closing after sending delivers everything first`() {
        let (connection, peer) = harness.connect()
        connection.send(megabyte)
        connection.closeAfterSending()
        #expect(harness.settle() == [.blocked(0)])
        #expect(connection.state == .draining)
        var got: [UInt8] = []
        var seen: [LoopHarness.Seen] = []
        while seen.last != .closed(0), got.count <= megabyte.count {
            got += peer.readAll()
            seen = harness.turn()
        }
        got += peer.readAll()
        #expect(got == megabyte)
        #expect(peer.isAtEnd)
        #expect(connection.state == .closed)
        #expect(connection.sentBytes == megabyte.count)
    }

    @Test func `a draining connection neither reads nor takes more to send`() {
        let (connection, peer) = harness.connect()
        connection.send(megabyte)
        connection.closeAfterSending()
        harness.settle()
        let held = connection.queuedBytes
        connection.send([1, 2, 3])
        #expect(connection.queuedBytes == held)
        peer.send("unheard")
        #expect(harness.turn() == [])
    }

    @Test func `a draining connection whose peer vanishes is closed`() {
        let (connection, peer) = harness.connect()
        connection.send(megabyte)
        connection.closeAfterSending()
        harness.settle()
        peer.close()
        #expect(harness.turn().last == .closed(0))
        #expect(connection.state == .closed)
        #expect(harness.loop.connectionCount == 0)
    }

    @Test func `closing with an empty queue is immediate`() {
        let (connection, peer) = harness.connect()
        connection.closeAfterSending()
        #expect(connection.state == .closed)
        #expect(harness.settle() == [.closed(0)])
        #expect(peer.isAtEnd)
        connection.closeAfterSending()
        connection.abort()
        #expect(harness.settle() == [])
    }

    @Test func `an abort loses what is queued`() {
        let (connection, peer) = harness.connect()
        connection.send([1, 2, 3])
        connection.abort()
        #expect(connection.state == .closed)
        #expect(connection.queuedBytes == 0)
        connection.send([4])
        #expect(connection.queuedBytes == 0)
        #expect(harness.settle() == [.closed(0)])
        #expect(peer.isAtEnd)
    }

    @Test func `a connection may be closed while the end of a turn is handled`() {
        let (connection, peer) = harness.connect()
        connection.send(megabyte)
        let seen = harness.settle { event in
            if case .blocked(let connection) = event { connection.abort() }
        }
        #expect(seen == [.blocked(0), .closed(0)])
        #expect(peer.readAll().count < megabyte.count)
    }

    @Test func `what is sent when another connection closes still leaves in this turn`() {
        let (first, _) = harness.connect()
        let (second, peer) = harness.connect()
        first.abort()
        harness.settle { event in
            if case .closed = event { second.send([1]) }
        }
        #expect(peer.read() == [1])
    }
}

struct MemoryConnectionTests {
    @Test func `what was sent can be taken once`() {
        let connection = Connection(inMemory: 3)
        connection.send(Array("a\n".utf8))
        connection.send(Array("b\n".utf8))
        #expect(connection.slot == 3)
        #expect(connection.credentials == .own)
        #expect(connection.queuedBytes == 4)
        #expect(connection.queuedFrames == 2)
        #expect(connection.takeSent() == Array("a\nb\n".utf8))
        #expect(connection.takeSent() == [])
        #expect(connection.queuedBytes == 0)
        #expect(connection.queuedFrames == 0)
    }

    @Test func `closing keeps what was sent and an abort does not`() {
        let closed = Connection(inMemory: 0)
        closed.send([1])
        closed.closeAfterSending()
        closed.send([2])
        #expect(closed.state == .closed)
        #expect(closed.takeSent() == [1])

        let aborted = Connection(inMemory: 0)
        aborted.send([1])
        aborted.abort()
        #expect(aborted.state == .closed)
        #expect(aborted.takeSent() == [])
    }

    @Test func `reading is paused and ended by hand`() {
        let connection = Connection(inMemory: 0)
        connection.pauseReading(true)
        connection.endInput()
        #expect(connection.isReadingPaused)
        #expect(connection.hasInputEnded)
        #expect(connection.state == .open)
    }
}
