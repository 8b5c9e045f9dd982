/// When entries of the history go, and whether the wall clock may say which of them are too old: one that
/// was just set, or that nothing vouches for, may not.
///
/// "Running" is the time since the boot, with the time asleep.
struct RetentionClock {
    /// How far what is too old may go at once.
    enum AgeRule: Equatable {
        case nothing
        /// One of eight at most: a clock that is wrong all the same costs a share, and not all.
        case share
        /// The user has just said how much is to be kept.
        case all
    }

    /// Against the running time the wall clock is corrected by less, or it was set.
    private static let jumpMS: Int64 = 3_600_000
    /// A clock that was set counts after such a time, and a share goes once in it.
    private static let dayMS: Int64 = 86_400_000
    /// After so many entries those that are too many go.
    private static let entriesMax = 1_024

    private var offsetMS: Int64?
    private var setAtMS: Int64?
    private var trimmedAtMS: Int64?
    private var agedAtMS: Int64?
    /// Another entry was recorded since the clock was last set.
    private var hasEntry = false
    private var recorded = 0

    /// In each turn.
    mutating func note(wallMS: Int64, runningMS: Int64) {
        let offset = wallMS &- runningMS
        if let offsetMS, abs(offset &- offsetMS) > Self.jumpMS {
            setAtMS = runningMS
            hasEntry = false
        }
        offsetMS = offset
    }

    /// So many entries go to the store. Whether it is time to trim.
    mutating func note(entries: Int, keeping countMax: Int, runningMS: Int64) -> Bool {
        recorded += entries
        // A few too many are none, unless few are wanted.
        if recorded >= min(Self.entriesMax, max(1, countMax / 8)) { return true }
        return trimmedAtMS.map { runningMS - $0 >= Self.dayMS } ?? true
    }

    /// Entries are trimmed now: which may go for their age.
    /// - Parameters:
    ///   - isChosen: The user has just said how much is to be kept.
    ///   - isSynchronised: The kernel vouches for the wall clock.
    mutating func trim(isChosen: Bool, isSynchronised: Bool, runningMS: Int64) -> AgeRule {
        (recorded, trimmedAtMS) = (0, runningMS)
        defer { hasEntry = true }
        if let setAtMS, runningMS - setAtMS < Self.dayMS { return .nothing }
        guard isSynchronised || hasEntry else { return .nothing }
        if isChosen { return .all }
        if let agedAtMS, runningMS - agedAtMS < Self.dayMS { return .nothing }
        agedAtMS = runningMS
        return .share
    }
}
