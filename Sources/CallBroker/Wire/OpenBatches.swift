internal import BrokerRPC

/// The incomplete batches of replies of a connection.
struct OpenBatches {
    private var replies: [Int: BatchReply] = [:]
    private var lastNumber = 0

    /// Opens a batch, and returns its number.
    mutating func open(entries: Int, frameOutBytes: Int) -> Int {
        lastNumber += 1
        replies[lastNumber] = BatchReply(entries: entries, frameOutBytes: frameOutBytes)
        return lastNumber
    }

    /// Accesses a batch in place; nil if it was sent.
    subscript(number: Int) -> BatchReply? {
        get { replies[number] }
        _modify { yield &replies[number] }
    }
}
