package import BrokerSocket
internal import CallBroker

/// A client of a broker in memory. Every frame that it reads is audited.
package final class MemoryPeer {
    package let connection: Connection
    package let host: MemoryBroker
    /// The id of the latest request that `tell` has made.
    package var lastID = 0
    package private(set) var audit = FrameAudit()
    /// The positions of the unread frames among all frames that the broker has sent.
    private var places: [Int] = []

    package init(_ connection: Connection, of host: MemoryBroker) {
        self.connection = connection
        self.host = host
        connection.whenQueued = { [weak self] in
            if let self { places.append(self.host.nextFramePlace()) }
        }
    }

    package var isClosed: Bool {
        connection.state == .closed
    }

    /// Sends whole frames, which the broker reads at once.
    package func send(_ frames: String...) {
        send(frames)
    }

    package func send(_ frames: [String]) {
        sendRaw(frames.map { $0 + "\n" }.joined())
    }

    package func sendRaw(_ text: String) {
        sendRaw(Array(text.utf8))
    }

    package func sendRaw(_ bytes: [UInt8]) {
        audit.sent(bytes)
        bytes.withUnsafeBufferPointer { host.broker.handle(.received(connection, $0)) }
    }

    /// Shuts the writing side.
    package func endInput() {
        audit.sentEnd()
        connection.endInput()
        host.broker.handle(.inputEnded(connection))
    }

    /// Removes and returns the unread frames, with their positions among all frames that the broker
    /// has sent.
    func placedLines() -> [(place: Int, text: String)] {
        let places = places
        let lines = lines()
        return zip(places.suffix(lines.count), lines).map { (place: $0, text: $1) }
    }

    /// Removes and returns the unread frames.
    package func lines() -> [String] {
        places = []
        let lines = connection.takeSent()
            .split(separator: 0x0A, omittingEmptySubsequences: false).dropLast()
            .map { String(decoding: $0, as: UTF8.self) }
        for line in lines {
            for fault in audit.faults(in: line) {
                host.tellFault("\(fault), in: \(line.prefix(2_000))")
            }
        }
        return lines
    }

    /// Sends frames, and returns the frames that the broker sends back.
    package func ask(_ frames: String...) -> [String] {
        send(frames)
        return lines()
    }

    /// Removes and returns the unread frames, and reports to the broker that they were written.
    package func drain() -> [String] {
        placedDrain().map(\.text)
    }

    func placedDrain() -> [(place: Int, text: String)] {
        let lines = placedLines()
        host.broker.handle(.drained(connection))
        return lines
    }

    /// Reports to the broker that the queue could not be written whole.
    package func block() {
        host.broker.handle(.blocked(connection))
    }

    /// Hangs up. Frames that were sent before can still be read.
    package func hangUp() {
        connection.discardOutput()
        host.broker.handle(.drained(connection))
    }

    /// Closes the connection without a goodbye.
    package func vanish() {
        connection.abort()
        host.turn()
    }
}
