/// The mistakes of a client, which are counted and answered with a warning at most.
struct PeerFaults {
    private var badFramesInARow = 0
    private var wasWarnedOfNotifications = false

    mutating func recordGoodFrame() {
        badFramesInARow = 0
    }

    /// Records a bad frame.
    ///
    /// - Returns: the number of bad frames in a row.
    mutating func recordBadFrame() -> Int {
        badFramesInARow += 1
        return badFramesInARow
    }

    /// Returns true the first time: a client is warned once that notifications were dropped.
    mutating func shouldWarnOfNotifications() -> Bool {
        defer { wasWarnedOfNotifications = true }
        return !wasWarnedOfNotifications
    }
}
