/// The schedule of trimming the history. Decides whether the wall clock is reliable enough to
/// remove entries by age: not if it was just set, or if nothing confirms it.
///
/// "Running" is the time since the boot, including sleep.
struct RetentionClock {
    /// The part of the entries that may be removed for their age.
    enum AgeRule: Equatable {
        case nothing
        /// An eighth at most, so that a clock that is wrong nevertheless removes only a share.
        case share
        /// All, because the user has just changed how much is kept.
        case all
    }

    /// The change of the wall clock against the running time beyond which it was set, not
    /// corrected.
    private static let jumpMS: Int64 = 3_600_000
    /// The time after which a clock that was set is trusted, and in which one share is removed.
    private static let dayMS: Int64 = 86_400_000
    /// The number of new entries after which excess entries are removed.
    private static let entriesMax = 1_024

    private var offsetMS: Int64?
    private var setAtMS: Int64?
    private var trimmedAtMS: Int64?
    private var agedAtMS: Int64?
    /// True if entries were trimmed since the clock was last set.
    private var hasTrimmed = false
    private var recorded = 0

    /// Records both clocks; called in each turn.
    mutating func record(wallMS: Int64, runningMS: Int64) {
        let offset = wallMS &- runningMS
        if let offsetMS, abs(offset &- offsetMS) > Self.jumpMS {
            setAtMS = runningMS
            hasTrimmed = false
        }
        offsetMS = offset
    }

    /// Counts entries that are written to the store. Returns true if it is time to trim.
    mutating func record(entries: Int, keeping countMax: Int, runningMS: Int64) -> Bool {
        recorded += entries
        // A small excess is tolerated, unless few entries are to be kept.
        if recorded >= min(Self.entriesMax, max(1, countMax / 8)) { return true }
        return trimmedAtMS.map { runningMS - $0 >= Self.dayMS } ?? true
    }

    /// Begins to trim, and returns which entries may be removed for their age.
    ///
    /// - Parameters:
    ///   - isChosen: True if the user has just changed how much is kept.
    ///   - isSynchronised: True if the kernel confirms the wall clock.
    ///   - runningMS: The time for which the host has run, in milliseconds.
    mutating func trim(isChosen: Bool, isSynchronised: Bool, runningMS: Int64) -> AgeRule {
        (recorded, trimmedAtMS) = (0, runningMS)
        defer { hasTrimmed = true }
        if let setAtMS, runningMS - setAtMS < Self.dayMS { return .nothing }
        guard isSynchronised || hasTrimmed else { return .nothing }
        if isChosen { return .all }
        if let agedAtMS, runningMS - agedAtMS < Self.dayMS { return .nothing }
        agedAtMS = runningMS
        return .share
    }
}
