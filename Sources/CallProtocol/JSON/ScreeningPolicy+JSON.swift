package import BrokerJSON
package import CallModel

extension ScreeningPolicy {
    /// Applies the members of a checked part of a policy.
    package mutating func merge(checked value: JSONValue) {
        if let part = value["do_not_disturb"] { doNotDisturb.merge(checked: part) }
        if let word = value["unknown_callers"]?.utf8 {
            silencesUnknownCallers = word.elementsEqual("silence".utf8)
        }
        if let text = value["region"]?.string { region = text }
    }
}

extension DoNotDisturb {
    /// The days of the week as words of the wire.
    package static let days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]

    /// Reads settings as the broker sends them.
    package init(checked value: JSONValue) {
        self.init()
        merge(checked: value)
    }

    fileprivate mutating func merge(checked value: JSONValue) {
        if let flag = value["on"]?.boolean { isOn = flag }
        if let until = value["until_at_ms"] { untilMS = until.integer }
        if let periods = value["schedule"] {
            schedule = periods.elements.compactMap(WeeklyPeriod.init(checked:))
        }
        if let flag = value["repeated_calls_pass"]?.boolean { letsRepeatedCallsPass = flag }
        if let flag = value["priority_callers_pass"]?.boolean { letsPriorityCallersPass = flag }
    }
}

extension WeeklyPeriod {
    fileprivate init?(checked value: JSONValue) {
        guard let start = value["from"]?.utf8.flatMap({ Self.minutes(ofClock: $0) }),
            let end = value["to"]?.utf8.flatMap({ Self.minutes(ofClock: $0) })
        else { return nil }
        let words = value["days"]?.elements.compactMap(\.string) ?? DoNotDisturb.days
        let bits = words.compactMap(DoNotDisturb.days.firstIndex(of:)).map { UInt8(1) << $0 }
        self.init(days: bits.reduce(0, |), start: start, end: end)
    }

    /// Parses a time such as 07:30; nil for any other text.
    static func minutes(ofClock text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard text.count == 5, text[2] == UInt8(ascii: ":") else { return nil }
        let digits = [text[0], text[1], text[3], text[4]].map { Int($0) - Int(UInt8(ascii: "0")) }
        guard digits.allSatisfy((0...9).contains) else { return nil }
        let (hour, minute) = (digits[0] * 10 + digits[1], digits[2] * 10 + digits[3])
        return hour < 24 && minute < 60 ? hour * 60 + minute : nil
    }

    package static func minutes(ofClock text: String) -> Int? {
        var text = text
        return text.withUTF8 { minutes(ofClock: $0) }
    }

    fileprivate static func clock(_ minutes: Int) -> String {
        let padded = { (number: Int) in (number < 10 ? "0" : "") + String(number) }
        return padded(minutes / 60) + ":" + padded(minutes % 60)
    }
}

extension JSONWriter {
    package mutating func members(of policy: ScreeningPolicy) {
        name("do_not_disturb")
        object { $0.members(of: policy.doNotDisturb) }
        member(
            "unknown_callers",
            (policy.silencesUnknownCallers ? "silence" : "ring") as StaticString)
        member("region", policy.region)
    }

    package mutating func members(of quiet: DoNotDisturb) {
        member("on", quiet.isOn)
        name("until_at_ms")
        if let until = quiet.untilMS { value(until) } else { null() }
        name("schedule")
        array { writer in
            for period in quiet.schedule { writer.object { $0.members(of: period) } }
        }
        member("repeated_calls_pass", quiet.letsRepeatedCallsPass)
        member("priority_callers_pass", quiet.letsPriorityCallersPass)
    }

    private mutating func members(of period: WeeklyPeriod) {
        member(
            "days",
            words: DoNotDisturb.days.enumerated().filter { period.days & (1 << $0.offset) != 0 }
                .map(\.element))
        member("from", WeeklyPeriod.clock(period.start))
        member("to", WeeklyPeriod.clock(period.end))
    }
}
