internal import BrokerSocket

/// The health of the store, with the pauses between retries.
struct StoreHealth {
    private static let pauseMS = 1_000...60_000

    /// The fault in words; nil if the store works.
    private(set) var fault: String?
    /// True if the store's file is open, so that it can be read, whatever else fails.
    private(set) var isOpen = true
    private var pauseMS = Self.pauseMS.lowerBound
    /// The timer until the next retry.
    var timer: TimerQueue<TimerPurpose>.Handle?

    /// Records a failure. Returns true if the health has changed.
    mutating func fail(_ why: String, isOpen: Bool) -> Bool {
        let hasChanged = fault == nil || self.isOpen != isOpen
        (fault, self.isOpen) = (why, isOpen)
        return hasChanged
    }

    /// Records a success. Returns true if the store has failed before.
    mutating func recover() -> Bool {
        defer { (fault, isOpen, pauseMS) = (nil, true, Self.pauseMS.lowerBound) }
        return fault != nil
    }

    /// Returns the pause before the next retry, which doubles each time, up to a minute.
    mutating func nextPauseMS() -> Int {
        defer { pauseMS = min(pauseMS * 2, Self.pauseMS.upperBound) }
        return pauseMS
    }
}
