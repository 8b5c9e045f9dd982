internal import BrokerSocket

/// Whether the store works, and how long it is left alone before it is tried again.
struct StoreHealth {
    private static let pauseMS = 1_000...60_000

    /// Why it does not work, in words; nil if it does.
    private(set) var fault: String?
    /// Its file is open: it can be asked, whatever else fails.
    private(set) var isOpen = true
    private var pauseMS = Self.pauseMS.lowerBound
    /// Runs until it is tried again.
    var timer: TimerQueue<TimerPurpose>.Handle?

    /// It does not work. Whether that is news.
    mutating func fail(_ why: String, isOpen: Bool) -> Bool {
        let isNews = fault == nil || self.isOpen != isOpen
        (fault, self.isOpen) = (why, isOpen)
        return isNews
    }

    /// It works. Whether that is news.
    mutating func recover() -> Bool {
        defer { (fault, isOpen, pauseMS) = (nil, true, Self.pauseMS.lowerBound) }
        return fault != nil
    }

    /// How long until the next try: each time twice as long, up to a minute.
    mutating func nextPauseMS() -> Int {
        defer { pauseMS = min(pauseMS * 2, Self.pauseMS.upperBound) }
        return pauseMS
    }
}
