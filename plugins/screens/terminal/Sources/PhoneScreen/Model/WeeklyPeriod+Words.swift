internal import CallModel

extension WeeklyPeriod {
    private static let dayWords = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
    private static let everyDay: UInt8 = 0x7F

    /// Reads a period such as `22:00-06:30`, `mon,tue:22:00-06:30` or `mon-fri:12:00-13:00`; nil if
    /// it is none.
    ///
    /// - Parameter names: what the user's language calls the days, from Monday.
    init?(typed text: String, names: [String]) {
        let words = text.lowercased().filter { !$0.isWhitespace }
        let times = words.split(separator: "-", omittingEmptySubsequences: false)
        guard let last = times.last, let end = Self.minute(last), times.count > 1 else {
            return nil
        }
        let before = times.dropLast().joined(separator: "-")
        let parts = before.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2 || parts.count == 3,
            let start = Self.minute(parts.suffix(2).joined(separator: ":")[...])
        else { return nil }
        let lowercased = names.map { $0.lowercased() }
        let days = parts.count == 3 ? Self.days(parts[0], lowercased) : Self.everyDay
        guard let days, days != 0 else { return nil }
        self.init(days: days, start: start, end: end)
    }

    private static func minute(_ text: Substring) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), (0..<24).contains(hour),
            (0..<60).contains(minute)
        else { return nil }
        return hour * 60 + minute
    }

    /// Returns the days of a list of days and ranges of days, as bits.
    private static func days(_ list: Substring, _ names: [String]) -> UInt8? {
        var days: UInt8 = 0
        for part in list.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = part.split(separator: "-", omittingEmptySubsequences: false)
            guard ends.count <= 2, let first = ends.first.flatMap({ day($0, names) }),
                let last = ends.last.flatMap({ day($0, names) })
            else { return nil }
            for offset in 0...(last - first + 7) % 7 { days |= 1 << ((first + offset) % 7) }
        }
        return days
    }

    private static func day(_ word: Substring, _ names: [String]) -> Int? {
        dayWords.firstIndex { $0 == word } ?? names.firstIndex { $0 == word }
    }

    /// The period for people.
    func words(_ names: [String], everyDay: String) -> String {
        let days = (0..<7).filter { self.days & 1 << $0 != 0 }
            .map { names.indices.contains($0) ? names[$0] : Self.dayWords[$0] }
        let called = self.days == Self.everyDay ? everyDay : days.joined(separator: " ")
        return "\(called)  \(Self.time(start))-\(Self.time(end))"
    }

    private static func time(_ minute: Int) -> String {
        let (hour, rest) = (minute / 60, minute % 60)
        return "\(hour < 10 ? "0" : "")\(hour):\(rest < 10 ? "0" : "")\(rest)"
    }
}
