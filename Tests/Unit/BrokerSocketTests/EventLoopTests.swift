import BrokerSocket
import Glibc
import Testing

struct EventLoopTests {
    private let harness: LoopHarness

    init() throws {
        harness = try LoopHarness()
    }

    @Test func `an echo goes there and back`() {
        let (_, peer) = harness.connect()
        #expect(harness.turn() == [])
        peer.send("hello")
        #expect(harness.turn(echo) == [.received(0, "hello")])
        #expect(peer.readText() == "hello")
        peer.close()
        #expect(harness.turn(echo) == [.drained(0), .inputEnded(0), .closed(0)])
        #expect(harness.loop.connectionCount == 0)
    }

    @Test func `everything that is readable is handled in one turn`() {
        let peers = (0..<3).map { _ in harness.connect().peer }
        for peer in peers { peer.send("x") }
        #expect(
            harness.turn().sorted { "\($0)" < "\($1)" }
                == [.received(0, "x"), .received(1, "x"), .received(2, "x")])
    }

    @Test func `a turn reads each connection once and at most 64 KiB`() {
        let (_, peer) = harness.connect()
        let text = String(repeating: "x", count: 65_536)
        peer.send(text + "rest")
        #expect(harness.turn() == [.received(0, text)])
        #expect(harness.turn() == [.received(0, "rest")])
        #expect(harness.turn() == [])
    }

    @Test func `more connections than one wait reports are served in the next turns`() throws {
        let harness = try LoopHarness(eventsMax: 256)
        let peers = (0..<300).map { _ in harness.connect().peer }
        for peer in peers { peer.send("x") }
        let turns = [harness.turn().count, harness.turn().count, harness.turn().count]
        #expect(turns == [256, 44, 0])
    }

    @Test func `those who must wait are served as long as there is time, and one at least`() {
        let peers = (1...3).map { harness.connect(process: $0).peer }
        let middle = harness.connections[1].slot
        for peer in peers { peer.send("x") }
        harness.mustWait = { $0.slot != middle }
        #expect(harness.turn() == [.received(1, "x")])
        #expect(harness.loop.isBehind)
        #expect(harness.wait(whileTrue: { false }) == [.received(0, "x")])
        #expect(harness.wait(whileTrue: { true }) == [.received(2, "x")])
        #expect(!harness.loop.isBehind)
        harness.mustWait = { _ in false }
        #expect(harness.turn() == [])
    }

    @Test func `what a process does stays in its order, over all its connections`() {
        let (first, second) = (harness.connect().peer, harness.connect().peer)
        first.send("x")
        harness.mustWait = { _ in true }
        #expect(harness.turn() == [])
        harness.mustWait = { _ in false }
        second.send("y")
        #expect(harness.turn() == [])
        #expect(harness.wait(whileTrue: { true }) == [.received(0, "x"), .received(1, "y")])
    }

    @Test func `one that waits is found once, and not read once reading is paused`() {
        let (connection, peer) = harness.connect()
        peer.send("x")
        harness.mustWait = { _ in true }
        for _ in 1...3 { #expect(harness.turn() == []) }
        harness.mustWait = { _ in false }
        connection.pauseReading(true)
        #expect(harness.wait(whileTrue: { true }) == [])
        connection.pauseReading(false)
        #expect(harness.turn() == [.received(0, "x")])
    }

    @Test
    func `of many that wait those beyond a bound are not found again until something new happens`()
    {
        let count = EventLoop.levelTriggeredMax + 2
        let peers = (0..<count).map { _ in harness.connect().peer }
        for peer in peers { peer.send("x") }
        harness.mustWait = { _ in true }
        // What is watched otherwise is found once more.
        for _ in 1...2 { #expect(harness.turn() == []) }
        harness.loop.wait(until: .zero)
        #expect(harness.loop.readyCount == EventLoop.levelTriggeredMax)
        peers[count - 1].send("y")
        harness.loop.wait(until: .zero)
        #expect(harness.loop.readyCount == EventLoop.levelTriggeredMax + 1)
        harness.mustWait = { _ in false }
        #expect(harness.wait(whileTrue: { true }).count == count)
        #expect(harness.turn() == [])
        peers[count - 1].send("z")
        #expect(harness.turn() == [.received(count - 1, "z")])
    }

    @Test func `connections are closed as long as there is time, and one at least`() {
        let connections = (0..<3).map { _ in harness.connect().connection }
        for connection in connections { connection.abort() }
        harness.loop.settle(while: { false }) { _ in }
        #expect(harness.loop.connectionCount == 2)
        #expect(harness.loop.isBehind)
        harness.loop.settle { _ in }
        #expect(harness.loop.connectionCount == 0)
    }

    @Test func `a half-closed peer still gets its answer`() {
        let (connection, peer) = harness.connect()
        peer.send("last words")
        peer.endOutput()
        #expect(harness.turn() == [.received(0, "last words")])
        #expect(harness.turn() == [.inputEnded(0)])
        #expect(connection.hasInputEnded)
        #expect(harness.turn() == [])
        connection.send(Array("answer".utf8))
        connection.closeAfterSending()
        #expect(harness.turn() == [.closed(0)])
        #expect(peer.readText() == "answer")
        #expect(peer.isAtEnd)
    }

    @Test func `what a peer sent before it vanished is still read`() {
        let (_, peer) = harness.connect()
        peer.send("last words")
        peer.close()
        #expect(harness.turn() == [.drained(0), .received(0, "last words")])
        #expect(harness.turn(echo) == [.drained(0), .inputEnded(0), .closed(0)])
    }

    @Test func `an answer to a peer that vanished is dropped without a signal`() {
        let (connection, peer) = harness.connect()
        peer.close()
        connection.send(Array("too late".utf8))
        #expect(harness.settle() == [])
        #expect(connection.queuedBytes == 0)
        #expect(harness.turn(echo) == [.drained(0), .inputEnded(0), .closed(0)])
    }

    @Test func `a peer that vanishes with data queued is closed`() {
        let (connection, peer) = harness.connect(sendBufferBytes: 1)
        connection.send([UInt8](repeating: 0, count: 1 << 20))
        #expect(harness.settle() == [.blocked(0)])
        peer.close()
        let seen = harness.turn(echo)
        #expect(seen.last == .closed(0))
        #expect(seen.contains(.inputEnded(0)))
        #expect(connection.queuedBytes == 0)
        #expect(connection.queuedFrames == 0)
    }

    @Test func `what a connection that closes leads to is prepared before it is written`() throws {
        let harness = try LoopHarness()
        let (leaving, _) = harness.connect()
        let (other, _) = harness.connect()
        var steps: [String] = []
        leaving.abort()
        harness.loop.settle(prepare: { steps.append("prepare, \(other.queuedBytes) wait") }) {
            guard case .closed = $0 else { return }
            steps.append("closed")
            other.send(Array("gone\n".utf8))
        }
        #expect(
            steps == ["prepare, 0 wait", "closed", "prepare, 5 wait", "prepare, 0 wait"])
    }

    @Test func `a peer that only stops reading loses its answers, not its voice`() {
        let (connection, peer) = harness.connect()
        peer.endInput()
        connection.send(Array("unheard".utf8))
        harness.settle()
        #expect(connection.queuedBytes == 0)
        peer.send("still here")
        #expect(harness.turn().contains(.received(0, "still here")))
    }

    @Test func `an event of this turn does not reach a connection that was aborted in it`() {
        let (first, one) = harness.connect()
        let (second, two) = harness.connect()
        one.send("x")
        two.send("x")
        let seen = harness.turn { event in
            guard case .received(let connection, _) = event else { return }
            (connection === first ? second : first).abort()
        }
        #expect(seen.count == 2)
        #expect(
            seen == [.received(0, "x"), .closed(1)] || seen == [.received(1, "x"), .closed(0)])
    }

    @Test func `a number used again gets no events of its last owner`() async {
        await #expect(processExitsWith: .success) {
            let harness = try LoopHarness()
            let (first, one) = harness.connect(least: 500)
            one.send("to the first")
            harness.loop.wait(until: .zero)
            first.abort()
            #expect(harness.settle() == [.closed(0)])
            let (second, two) = harness.connect(least: 500)
            #expect(second.slot == first.slot)
            harness.loop.dispatch { _ in Issue.record("nothing was sent to the second") }
            two.send("to the second")
            #expect(harness.turn() == [.received(1, "to the second")])
        }
    }

    @Test func `a descriptor without a peer is closed instead of adopted`() async {
        await #expect(processExitsWith: .success) {
            let loop = try EventLoop()
            let descriptor = fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 500)
            #expect(loop.adopt(descriptor) == nil)
            #expect(loop.connectionCount == 0)
            #expect(fcntl(descriptor, F_GETFD) == -1)
        }
    }

    @Test func `signals become events`() async {
        await #expect(processExitsWith: .success) {
            let harness = try LoopHarness()
            try harness.loop.watch(signals: [SIGUSR1, SIGUSR2])
            #expect(harness.turn() == [])
            raise(SIGUSR1)
            #expect(harness.turn() == [.signal(SIGUSR1)])
            raise(SIGUSR2)
            raise(SIGUSR1)
            raise(SIGUSR1)
            #expect(harness.turn() == [.signal(SIGUSR1), .signal(SIGUSR2)])
            #expect(harness.turn() == [])
        }
    }

    private func echo(_ event: EventLoop.Event) {
        switch event {
        case .received(let connection, let bytes): connection.send(bytes)
        case .inputEnded(let connection): connection.closeAfterSending()
        default: break
        }
    }
}

struct EventLoopTimeTests {
    @Test func `a turn does not wait when a deadline has passed`() throws {
        let harness = try LoopHarness()
        let past = MonotonicTime.now()
        #expect(harness.turn(until: past) == [])
        #expect(harness.loop.pollTime >= past)
    }

    @Test func `a turn waits until its deadline has passed`() throws {
        let harness = try LoopHarness()
        let deadline = MonotonicTime.now().advanced(milliseconds: 2)
        #expect(harness.turn(until: deadline) == [])
        #expect(MonotonicTime.now() >= deadline)
    }

    @Test func `what is ready ends the wait before any deadline`() throws {
        let harness = try LoopHarness()
        let (_, peer) = harness.connect()
        peer.send("x")
        #expect(harness.turn(until: nil) == [.received(0, "x")])
    }

    @Test func `a manual clock stands still until it is moved`() throws {
        let harness = try LoopHarness(clock: .manual(.zero))
        #expect(harness.turn(until: .zero) == [])
        #expect(harness.loop.pollTime == .zero)
        let later = MonotonicTime.zero.advanced(milliseconds: 1_000)
        harness.loop.clock = .manual(later)
        #expect(harness.turn(until: later) == [])
        #expect(harness.loop.pollTime == later)
    }

    @Test func `a deadline of a manual clock does not end the wait`() throws {
        let harness = try LoopHarness(clock: .manual(.zero))
        let wakeup = try Wakeup()
        try harness.loop.watch(wakeup)
        wakeup.signal()
        // With a time-out the loop would look once, find the wake-up, and find nothing more.
        let deadline = MonotonicTime.zero.advanced(milliseconds: 1)
        #expect(harness.turn(until: deadline) == [.woken])
        #expect(harness.loop.pollTime == .zero)
    }
}
