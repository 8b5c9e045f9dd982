package import BrokerSocket
internal import CallBroker

/// A client of a broker in memory. Whatever it reads is audited.
package final class MemoryPeer {
    package let connection: Connection
    package let host: MemoryBroker
    /// The id of its latest request that `tell` has made.
    package var lastID = 0
    package private(set) var audit = FrameAudit()
    /// The places of the frames that it has not read, among all that the broker has sent to anybody.
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

    /// Sends whole frames, all in one read of the broker.
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

    /// Takes what the broker has sent, each with its place among all frames that it has sent.
    func placedLines() -> [(place: Int, text: String)] {
        let places = places
        let lines = lines()
        return zip(places.suffix(lines.count), lines).map { (place: $0, text: $1) }
    }

    /// Takes what the broker has sent.
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

    /// Sends frames and takes what is sent back.
    package func ask(_ frames: String...) -> [String] {
        send(frames)
        return lines()
    }

    /// Takes what the broker has sent, and the loop tells it so.
    package func drain() -> [String] {
        placedDrain().map(\.text)
    }

    func placedDrain() -> [(place: Int, text: String)] {
        let lines = placedLines()
        host.broker.handle(.drained(connection))
        return lines
    }

    /// The loop could not write everything that is queued.
    package func block() {
        host.broker.handle(.blocked(connection))
    }

    /// Is gone, and what it has sent can still be read.
    package func hangUp() {
        connection.discardOutput()
        host.broker.handle(.drained(connection))
    }

    /// Vanishes.
    package func vanish() {
        connection.abort()
        host.turn()
    }
}
