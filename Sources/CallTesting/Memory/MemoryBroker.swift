package import BrokerSocket
package import CallBroker
package import CallJournal
internal import Logging

/// A broker without sockets, with the clock of its test. Nothing happens unless the test requests
/// it.
package final class MemoryBroker {
    package static let ownUID: UInt32 = 1_000

    package let broker: Broker
    package let log = CapturedLog()
    package let medium = MemoryMedium()
    let tellFault: (String) -> Void
    package private(set) var now = MonotonicTime.zero
    /// The readings of the other clocks, from the next turn on.
    package var host = HostClocks()
    package private(set) var peers: [MemoryPeer] = []
    private var framesQueued = 0

    /// - Parameter tellFault: called with a description of each frame that breaks the protocol.
    package init(
        tellFault: @escaping (String) -> Void,
        _ change: (inout BrokerConfiguration) -> Void = { _ in }
    ) {
        self.tellFault = tellFault
        var configuration = BrokerConfiguration()
        configuration.isTestMode = true
        // The host's clock must not decide how many frames one turn processes.
        configuration.limits.turnMS = 1_000_000
        // A client that sends nothing in a test is not pinged.
        configuration.choices.heartbeatMS = 0
        change(&configuration)
        let log = log
        broker = Broker(
            configuration: configuration, clock: .manual(now), ownUID: Self.ownUID,
            logger: Logger(label: "test") { _ in CapturingLogHandler(log) })
        broker.attach(Journal(medium))
    }

    /// Continues from the journal of another broker.
    package init(goingOnAfter former: MemoryBroker) throws {
        tellFault = former.tellFault
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
        broker.attach(Journal(medium))
    }

    /// Returns a reader of the journal so far.
    package func kept() throws -> JournalReader {
        broker.commit()
        return try JournalReader(medium.bytes)
    }

    /// Opens a connection.
    ///
    /// - Parameters:
    ///   - uid: the user at the other end.
    ///   - pid: the number of the process at the other end; by default all clients are one.
    ///   - process: the process at the other end.
    ///   - known: what the kernel says about the process.
    package func connect(
        uid: UInt32 = ownUID, pid: Int32 = 1, process: ProcessWatch? = nil,
        known: PeerProcess = PeerProcess()
    ) -> MemoryPeer {
        var slot = 0
        while peers.contains(where: { $0.connection.slot == slot }) { slot += 1 }
        let credentials = PeerCredentials(pid: pid, uid: uid, gid: uid)
        let connection = Connection(
            inMemory: slot, credentials: credentials, process: process, known: known)
        let peer = MemoryPeer(connection, of: self)
        peers.append(peer)
        broker.handle(.opened(peer.connection))
        return peer
    }

    func nextFramePlace() -> Int {
        framesQueued += 1
        return framesQueued
    }

    /// Adopts a connection that the broker has opened itself.
    package func adopt(_ connection: Connection) -> MemoryPeer {
        let peer = MemoryPeer(connection, of: self)
        peers.append(peer)
        return peer
    }

    /// Runs one turn of the loop after some time: the backlog, exits and timers.
    package func turn(afterMS milliseconds: Int = 0) {
        now = now.advanced(milliseconds: milliseconds)
        broker.beginTurn(.staged(now, host))
        broker.resumeBacklog()
        broker.handleExits()
        broker.fireTimers(dueBy: now)
        broker.publishDerived()
        noteClosed()
    }

    /// Reports the exit of a process to the broker.
    package func exit(_ process: ProcessWatch) {
        broker.handle(.exited(process))
        broker.handleExits()
        noteClosed()
    }

    /// Runs `test.advance` to its end, or to where it waits for a client, as the loop does when
    /// nothing else is left to do.
    package func finishAdvance() {
        while broker.mayAdvance {
            now = broker.stepAdvance()
            noteClosed()
        }
    }

    package func stop() {
        broker.beginStop()
        broker.dismissAllPeers()
    }

    /// Reports all closed connections to the broker.
    private func noteClosed() {
        let closed = peers.filter(\.isClosed)
        peers.removeAll(where: \.isClosed)
        for peer in closed { broker.handle(.closed(peer.connection)) }
    }
}
