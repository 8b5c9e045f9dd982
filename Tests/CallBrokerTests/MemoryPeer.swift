import BrokerSocket
import CallBroker
import CallJournal
import Logging
import Testing

/// A broker without sockets, and the clock of its test: nothing happens unless the test says so.
final class MemoryBroker {
    static let ownUID: UInt32 = 1_000

    let broker: Broker
    let log = CapturedLog()
    let medium = MemoryMedium()
    private(set) var now = MonotonicTime.zero
    private(set) var peers: [MemoryPeer] = []

    init(_ change: (inout BrokerConfiguration) -> Void = { _ in }) {
        var configuration = BrokerConfiguration()
        configuration.isTestMode = true
        // The host's clock must not decide how many frames one turn takes.
        configuration.limits.turnMS = 1_000_000
        change(&configuration)
        let log = log
        broker = Broker(
            configuration: configuration, clock: .manual(now), ownUID: Self.ownUID,
            logger: Logger(label: "test") { _ in CapturingLogHandler(log) })
        broker.keep(in: Journal(medium))
    }

    /// Goes on where another one stopped.
    init(goingOnAfter former: MemoryBroker) throws {
        let log = log
        var reader = try former.kept()
        var configuration = former.broker.configuration
        configuration.epoch = reader.snapshot.epoch
        broker = Broker(
            configuration: configuration, clock: .manual(now), ownUID: Self.ownUID,
            logger: Logger(label: "test") { _ in CapturingLogHandler(log) })
        broker.recover(&reader)
        now = former.now
        broker.resume(.manual(now))
        broker.keep(in: Journal(medium))
    }

    /// What it has kept so far.
    func kept() throws -> JournalReader {
        broker.commit()
        return try JournalReader(medium.bytes)
    }

    /// - Parameter process: at the other end.
    func connect(uid: UInt32 = ownUID, process: ProcessWatch? = nil) -> MemoryPeer {
        var slot = 0
        while peers.contains(where: { $0.connection.slot == slot }) { slot += 1 }
        let credentials = PeerCredentials(pid: 1, uid: uid, gid: uid)
        let connection = Connection(
            inMemory: slot, credentials: credentials, process: process)
        let peer = MemoryPeer(connection, of: self)
        peers.append(peer)
        broker.handle(.opened(peer.connection))
        return peer
    }

    /// One turn of the loop, some time later: what waited, what is due, who has gone.
    func turn(afterMS milliseconds: Int = 0) {
        now = now.advanced(milliseconds: milliseconds)
        broker.beginTurn(.manual(now))
        broker.resumeBacklog()
        broker.fireTimers(dueBy: now)
        close()
    }

    /// A process has exited, and the loop has seen it.
    func exit(_ process: ProcessWatch) {
        broker.handle(.exited(process))
        broker.settleExits()
        close()
    }

    /// Lets `test.advance` come to its end, as the loop does when nothing else is left to do.
    func finishAdvance() {
        while broker.advance != nil {
            now = broker.stepAdvance()
            close()
        }
    }

    func stop() {
        broker.beginStop()
        broker.sayGoodbye()
    }

    /// Tells the broker of every connection that is closed by now.
    private func close() {
        let closed = peers.filter(\.isClosed)
        peers.removeAll(where: \.isClosed)
        for peer in closed { broker.handle(.closed(peer.connection)) }
    }
}

/// A client of a broker in memory. Whatever it reads is audited.
final class MemoryPeer {
    let connection: Connection
    let host: MemoryBroker
    /// The id of its latest request that `tell` has made.
    var lastID = 0
    private(set) var audit = FrameAudit()

    init(_ connection: Connection, of host: MemoryBroker) {
        self.connection = connection
        self.host = host
    }

    var isClosed: Bool {
        connection.state == .closed
    }

    /// Sends whole frames, all in one read of the broker.
    func send(_ frames: String...) {
        send(frames)
    }

    func send(_ frames: [String]) {
        sendRaw(frames.map { $0 + "\n" }.joined())
    }

    func sendRaw(_ text: String) {
        sendRaw(Array(text.utf8))
    }

    func sendRaw(_ bytes: [UInt8]) {
        audit.sent(bytes)
        bytes.withUnsafeBufferPointer { host.broker.handle(.received(connection, $0)) }
    }

    /// Shuts the writing side.
    func endInput() {
        audit.sentEnd()
        connection.endInput()
        host.broker.handle(.inputEnded(connection))
    }

    /// Takes what the broker has sent.
    func lines() -> [String] {
        let lines = connection.takeSent()
            .split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
        for line in lines {
            for fault in audit.faults(in: line) {
                Issue.record("\(fault), in: \(line.prefix(2_000))")
            }
        }
        return lines
    }

    /// Sends frames and takes what is sent back.
    func ask(_ frames: String...) -> [String] {
        send(frames)
        return lines()
    }

    /// Takes what the broker has sent, and the loop tells it so.
    func drain() -> [String] {
        let lines = lines()
        host.broker.handle(.drained(connection))
        return lines
    }

    /// The loop could not write everything that is queued.
    func block() {
        host.broker.handle(.blocked(connection))
    }

    /// Vanishes.
    func vanish() {
        connection.abort()
        host.turn()
    }
}

extension MemoryBroker {
    /// A client whose session is open.
    func ready(_ roles: String..., identity: String? = nil) -> MemoryPeer {
        let peer = connect()
        let names = roles.map { #""\#($0)""# }.joined(separator: ",")
        let member = identity.map { #","identity":"\#($0)""# } ?? ""
        _ = peer.ask(Frame.hello(#""roles":[\#(names)]\#(member)"#))
        return peer
    }
}
