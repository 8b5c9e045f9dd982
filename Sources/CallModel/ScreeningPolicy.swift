/// What the user wants of calls that come in: whom they may reach, and when.
public struct ScreeningPolicy: Hashable, Sendable {
    public var doNotDisturb = DoNotDisturb()
    /// Whoever is in no contact of the user rings without sound.
    public var silencesUnknownCallers = false
    /// ISO 3166's two letters of the country that numbers without a country code belong to; empty:
    /// such numbers stay as they are.
    public var region = ""

    public init() {}
}

/// When calls do not reach the user. Contacts that break through ring all the same.
public struct DoNotDisturb: Hashable, Sendable {
    /// By hand. It ends at `untilMS`, if that is set.
    public var isOn = false
    /// Unix time.
    public var untilMS: Int64?
    /// When it is on by itself.
    public var schedule: [WeeklyPeriod] = []
    /// Who calls again within three minutes gets through: it may be urgent.
    public var letsRepeatedCallsPass = true

    /// For how long a second call counts as repeated; the time that telephones have settled on.
    public static let repeatedCallMS = 180_000

    public init() {}

    /// - Parameters:
    ///   - unixMS: The moment that is asked about.
    ///   - minute: The same as minutes since Monday 00:00, in the user's time zone. It is not asked
    ///     for where it does not matter.
    public func isActive(at unixMS: Int64, minuteOfWeek minute: @autoclosure () -> Int) -> Bool {
        if isOn, untilMS.map({ unixMS < $0 }) ?? true { return true }
        guard !schedule.isEmpty else { return false }
        let minute = minute()
        return schedule.contains { $0.contains(minuteOfWeek: minute) }
    }
}

/// A time of the day that comes back on some days of the week.
public struct WeeklyPeriod: Hashable, Sendable {
    public static let minutesOfDay = 1_440
    static let daysOfWeek = 7

    /// The days on which it begins: Monday is bit 0.
    public var days: UInt8
    /// Minutes after midnight, 0 to 1,439.
    public var start: Int
    /// As `start`; at or before it: on the next day.
    public var end: Int

    public init(days: UInt8, start: Int, end: Int) {
        self.days = days
        self.start = start
        self.end = end
    }

    func contains(minuteOfWeek minute: Int) -> Bool {
        let length = (end - start + Self.minutesOfDay - 1) % Self.minutesOfDay + 1
        return (0..<Self.daysOfWeek).contains { day in
            guard days & (1 << day) != 0 else { return false }
            let week = Self.daysOfWeek * Self.minutesOfDay
            let since = (minute - day * Self.minutesOfDay - start + 2 * week) % week
            return since < length
        }
    }
}

/// Whether an app may use the broker as a provider.
public enum Authorization: String, CaseIterable, Sendable {
    case notDetermined = "not_determined"
    case authorized
    case denied
}

/// What becomes of providers that the user has said nothing about.
public enum NewProviders: String, CaseIterable, Sendable {
    case allow
    /// They wait until the user says so.
    case ask
    case deny

    /// What such a provider's authorization is.
    public var authorization: Authorization {
        switch self {
        case .allow: .authorized
        case .ask: .notDetermined
        case .deny: .denied
        }
    }
}
