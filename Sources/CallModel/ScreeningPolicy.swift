/// The user's policy for incoming calls: which callers may ring, and when.
public struct ScreeningPolicy: Hashable, Sendable {
    /// The do-not-disturb settings.
    public var doNotDisturb = DoNotDisturb()
    /// Silences callers who are not in the user's contacts.
    public var silencesUnknownCallers = false
    /// The country of numbers without a country code, as two letters of ISO 3166. If empty, such
    /// numbers stay as they are.
    public var region = ""

    /// Creates the default policy: every call rings.
    public init() {}
}

/// Settings that decide when calls do not ring. Contacts that break through ring regardless.
public struct DoNotDisturb: Hashable, Sendable {
    /// Indicates that the user turned do-not-disturb on, until `untilMS` if that is set.
    public var isOn = false
    /// The end of the manual setting, in milliseconds of Unix time; nil if there is none.
    public var untilMS: Int64?
    /// The periods in which do-not-disturb is on automatically.
    public var schedule: [WeeklyPeriod] = []
    /// Lets a second call of the same caller within three minutes through, as it may be urgent.
    public var letsRepeatedCallsPass = true

    /// Lets priority callers through (rule 43).
    public var letsPriorityCallersPass = false

    /// The time in which a second call counts as repeated, in milliseconds. Three minutes is
    /// customary for phones.
    public static let repeatedCallMS = 180_000

    /// Creates settings that are off.
    public init() {}

    /// Returns whether a call of a priority rings although do-not-disturb is on.
    public func lets(pass priority: Priority) -> Bool {
        priority == .emergency || priority == .priorityCaller && letsPriorityCallersPass
    }

    /// Returns whether do-not-disturb is on, manually or by schedule.
    ///
    /// - Parameters:
    ///   - unixMS: The time in question, in milliseconds of Unix time.
    ///   - minute: The same time in minutes since Monday 00:00 in the user's time zone; evaluated
    ///     only if there is a schedule.
    public func isActive(at unixMS: Int64, minuteOfWeek minute: @autoclosure () -> Int) -> Bool {
        if isOn, untilMS.map({ unixMS < $0 }) ?? true { return true }
        guard !schedule.isEmpty else { return false }
        let minute = minute()
        return schedule.contains { $0.contains(minuteOfWeek: minute) }
    }

    /// Returns the next time, in milliseconds of Unix time, at which `isActive` may change by
    /// itself; nil if it cannot. With a schedule that is at most a quarter of an hour from now, as
    /// the clocks of the user's time zone may be changed, which they are at full quarters.
    ///
    /// - Parameters:
    ///   - unixMS: The time from which on, in milliseconds of Unix time.
    ///   - minute: The same time in minutes since Monday 00:00 in the user's time zone.
    public func nextChangeMS(after unixMS: Int64, minuteOfWeek minute: Int) -> Int64? {
        let endMS = isOn ? untilMS.flatMap { $0 > unixMS ? $0 : nil } : nil
        let edge = schedule.lazy.map { $0.minutesUntilEdge(after: minute) }.min()
        let scheduledMS = edge.map { edge in
            let minutes = min(edge, Self.quarter - minute % Self.quarter)
            return (unixMS / Self.minuteMS + Int64(minutes)) * Self.minuteMS
        }
        return [endMS, scheduledMS].compactMap { $0 }.min()
    }

    private static let quarter = 15
    private static let minuteMS: Int64 = 60_000
}

/// A time of day that recurs on some days of the week.
public struct WeeklyPeriod: Hashable, Sendable {
    /// The number of minutes in a day.
    public static let minutesOfDay = 1_440
    static let daysOfWeek = 7

    /// The days on which the period begins, as bits; bit 0 is Monday.
    public var days: UInt8
    /// The first minute, counted from midnight, 0 to 1,439.
    public var start: Int
    /// The minute after the last one, counted like `start`; if not later than `start`, it is on the
    /// next day.
    public var end: Int

    /// Creates a period.
    public init(days: UInt8, start: Int, end: Int) {
        self.days = days
        self.start = start
        self.end = end
    }

    /// The minutes that it lasts, at least one and at most a day.
    private var length: Int {
        (end - start + Self.minutesOfDay - 1) % Self.minutesOfDay + 1
    }

    func contains(minuteOfWeek minute: Int) -> Bool {
        (0..<Self.daysOfWeek).contains { day in
            guard days & (1 << day) != 0 else { return false }
            let week = Self.daysOfWeek * Self.minutesOfDay
            let since = (minute - day * Self.minutesOfDay - start + 2 * week) % week
            return since < length
        }
    }

    /// The minutes from a minute of the week until this period begins or ends next, at least 1.
    func minutesUntilEdge(after minute: Int) -> Int {
        let week = Self.daysOfWeek * Self.minutesOfDay
        let days = (0..<Self.daysOfWeek).filter { self.days & (1 << $0) != 0 }
        let edges = days.flatMap { day in
            [start, start + length].map {
                (day * Self.minutesOfDay + $0 - minute - 1 + week) % week + 1
            }
        }
        return edges.min() ?? week
    }
}

/// The user's decision about an app as a provider.
public enum Authorization: String, CaseIterable, Sendable {
    /// The user has not decided.
    case notDetermined = "not_determined"
    /// The app may register as a provider and have calls.
    case authorized
    /// The app is refused as a provider.
    case denied
}

/// The policy for providers that the user has not decided about.
public enum NewProviders: String, CaseIterable, Sendable {
    /// Authorizes them.
    case allow
    /// Leaves them undetermined until the user decides.
    case ask
    /// Denies them.
    case deny

    /// The authorization of such a provider.
    public var authorization: Authorization {
        switch self {
        case .allow: .authorized
        case .ask: .notDetermined
        case .deny: .denied
        }
    }
}
