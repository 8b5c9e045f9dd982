internal import BrokerJSON
internal import BrokerRPC
internal import BrokerSocket
internal import CallBroker
internal import Logging

/// One peer's conversation with a broker of its own.
struct Conversation {
    private let limits: BrokerLimits
    private let broker: Broker
    private let connection = Connection(inMemory: 0)
    private var lines = 0

    init() {
        var configuration = BrokerConfiguration()
        configuration.isTestMode = true
        // Time must not decide what the fuzzer sees.
        configuration.limits.turnMS = 1_000_000
        limits = configuration.limits
        broker = Broker(
            configuration: configuration, clock: .manual(.zero), ownUID: connection.credentials.uid,
            logger: Logger(label: "fuzz") { _ in SwiftLogNoOpLogHandler() })
    }

    /// How many lines came back.
    consuming func run(_ bytes: [UInt8], pieceBytes: Int) throws(Finding) -> Int {
        broker.handle(.opened(connection))
        var offset = 0
        while offset < bytes.count, connection.state == .open {
            let end = min(offset + pieceBytes, bytes.count)
            receive(bytes[offset..<end])
            offset = end
            try settle()
        }
        if connection.state == .open {
            connection.endInput()
            broker.handle(.inputEnded(connection))
            try settle()
        }
        try require(connection.state == .closed, "the connection is still open")
        broker.handle(.closed(connection))
        try require(broker.isIdle, "the broker still knows somebody")
        return lines
    }

    private func receive(_ piece: ArraySlice<UInt8>) {
        piece.withUnsafeBufferPointer { broker.handle(.received(connection, $0)) }
    }

    /// Lets the broker go on until nothing waits, as the loop would.
    private mutating func settle() throws(Finding) {
        var hasRead = false
        repeat {
            broker.handle(.drained(connection))
            broker.beginTurn(.manual(.zero))
            broker.resumeBacklog()
            if broker.mayAdvance { _ = broker.stepAdvance() }
            let sent = connection.takeSent()
            hasRead = !sent.isEmpty
            try check(sent)
        } while (broker.hasWork || hasRead) && connection.state == .open
    }

    private mutating func check(_ sent: [UInt8]) throws(Finding) {
        for line in sent.split(separator: UInt8(ascii: "\n")) {
            lines += 1
            let bytes = Array(line)
            guard
                let document = try? JSONDocument(
                    parsing: bytes, limits: .init(depth: 64, values: 100_000))
            else { throw Finding(words: "a line that is no JSON was sent") }
            let isDocument = document.root["result"]?["openrpc"] != nil
            try require(
                line.count < limits.frame.frameOutBytes || isDocument,
                "a line beyond the frame limit was sent")
        }
    }
}
