internal import BrokerSocket

/// The progress of a peer in reading what it was sent.
struct ReadProgress {
    /// The time since which the peer has read nothing.
    private(set) var unchangedSince = MonotonicTime.zero
    /// The bytes that are accounted as unread in the ledger of users.
    private(set) var unreadBytes = 0
    private var readBytes = 0

    /// Records the number of bytes read so far.
    ///
    /// - Returns: true if the peer has read more since.
    @discardableResult
    mutating func record(readBytes: Int, at now: MonotonicTime) -> Bool {
        guard self.readBytes != readBytes else { return false }
        self.readBytes = readBytes
        unchangedSince = now
        return true
    }

    /// Records that bytes were left in the queue; the wait begins with the first of them.
    mutating func recordBlocked(at now: MonotonicTime) {
        if unreadBytes == 0 { unchangedSince = now }
    }

    /// Sets the unread bytes.
    ///
    /// - Returns: the difference to the former value.
    mutating func set(unreadBytes: Int) -> Int {
        let change = unreadBytes - self.unreadBytes
        self.unreadBytes = unreadBytes
        return change
    }
}
