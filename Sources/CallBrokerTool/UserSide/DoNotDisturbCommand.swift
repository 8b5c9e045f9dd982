internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// `callbroker dnd`: do-not-disturb.
struct DoNotDisturbCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "dnd", abstract: "Manage do-not-disturb: now, until a time, or on a schedule.",
        discussion: """
            Contacts that break through (callbroker contact put --breakthrough) still ring, and so does \
            a second call within three minutes.
            """,
        subcommands: [Show.self, On.self, Off.self, Schedule.self, Repeated.self, Priority.self],
        defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Show the current state.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            session.showDoNotDisturb(try session.request(.getPolicy)) { $0.description }
        }
    }

    struct On: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "on", abstract: "Turn on.")

        @Option(help: "Turn off at this time of the day, such as 07:30.") var until: String?
        @Option(
            name: .customLong("for"),
            help: "Turn off after this time: minutes, or a time \(TimeSpan.forms).",
            transform: { try TimeSpan(option: $0, .minutes) })
        var span: TimeSpan?
        @OptionGroup var client: ClientOptions

        func validate() throws {
            guard until == nil || span == nil else {
                throw ValidationError("choose one of --until and --for")
            }
        }

        func run() throws {
            let end = try endMS()
            try client.setDoNotDisturb { writer in
                writer.member("on", true)
                writer.name("until_at_ms")
                if let end { writer.value(end) } else { writer.null() }
            }
        }

        private func endMS() throws -> Int64? {
            let now = LoopClock.monotonic.unixMS
            guard let until else { return span.map { now + $0.milliseconds } }
            guard let minute = WeeklyPeriod.minutes(ofClock: until) else {
                throw ToolFailure(.usage, Messages.dndUntilForm)
            }
            let day = Int64(WeeklyPeriod.minutesOfDay)
            let present = Int64(ClockTime.minuteOfWeek(unixMS: now)) % day
            let wait = (Int64(minute) - present + day - 1) % day + 1
            return (now / 60_000 + wait) * 60_000
        }
    }

    struct Off: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "off",
            abstract: "Turn off, except during scheduled hours.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            try client.setDoNotDisturb { writer in
                writer.member("on", false)
                writer.name("until_at_ms")
                writer.null()
            }
        }
    }

    struct Schedule: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "schedule",
            abstract: "Show or set the weekly schedule.",
            discussion: """
                Examples: 22:00-07:00 for every night, mon,tue:22:00-06:30. A period that ends before it \
                begins ends on the next day. Without arguments the schedule is shown.
                """)

        @Argument(help: "DAYS:FROM-TO or FROM-TO.") var periods: [String] = []
        @Flag(help: "Remove the schedule.") var clear = false
        @OptionGroup var client: ClientOptions

        func validate() throws {
            guard periods.isEmpty || !clear else {
                throw ValidationError("choose one of the periods and --clear")
            }
        }

        func run() throws {
            guard !periods.isEmpty || clear else {
                let session = try client.open(.observer)
                let policy = try session.request(.getPolicy)
                return session.showDoNotDisturb(policy) { $0.schedule }
            }
            let periods = try periods.map(Period.init)
            try client.setDoNotDisturb { writer in
                writer.name("schedule")
                writer.array { writer in
                    for period in periods { writer.object { period.write(&$0) } }
                }
            }
        }
    }

    struct Repeated: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "repeated",
            abstract: "Let a second call within three minutes through.")

        @Argument(help: "pass, or stop.") var choice: Choice
        @OptionGroup var client: ClientOptions

        func run() throws {
            try client.setDoNotDisturb { $0.member("repeated_calls_pass", choice == .pass) }
        }
    }

    struct Priority: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "priority",
            abstract: "Let calls of priority callers through.")

        @Argument(help: "pass, or stop.") var choice: Choice
        @OptionGroup var client: ClientOptions

        func run() throws {
            try client.setDoNotDisturb { $0.member("priority_callers_pass", choice == .pass) }
        }
    }

    enum Choice: String, CaseIterable, ExpressibleByArgument {
        case pass, stop
    }

    /// A period, parsed from DAYS:FROM-TO. The broker checks the words.
    private struct Period {
        let days: [String]?
        let from: String
        let to: String

        init(_ text: String) throws {
            let times = text.suffix(11).split(separator: "-")
            let days = text.dropLast(11)
            guard times.count == 2, text.count >= 11, days.isEmpty || days.hasSuffix(":") else {
                throw ToolFailure(.usage, Messages.dndPeriodForm)
            }
            (from, to) = (String(times[0]), String(times[1]))
            self.days =
                days.isEmpty ? nil : days.dropLast().split(separator: ",").map(String.init)
        }

        func write(_ writer: inout JSONWriter) {
            if let days { writer.member("days", words: days) }
            writer.member("from", from)
            writer.member("to", to)
        }
    }
}

extension ClientOptions {
    fileprivate func setDoNotDisturb(_ members: (inout JSONWriter) -> Void) throws {
        let session = try open(.controller)
        let reply = try session.request(.setPolicy) { writer in
            writer.name("do_not_disturb")
            writer.object(members)
        }
        session.showDoNotDisturb(reply) { $0.description }
    }
}

extension Session {
    fileprivate func showDoNotDisturb(
        _ reply: borrowing Reply, _ text: (DoNotDisturbText) -> String
    ) {
        let quiet = reply.result["policy"]?["do_not_disturb"] ?? reply.result
        switch output.form {
        case .table: StandardOutput.line(text(DoNotDisturbText(quiet, nowMS: nowMS)))
        case .json: StandardOutput.line(ClientOptions.oneLine(quiet))
        case .flat: StandardOutput.line(FlatText(quiet).description)
        case .raw: StandardOutput.line(String(decoding: reply.frame, as: UTF8.self))
        }
    }
}

/// Do-not-disturb as text.
struct DoNotDisturbText: CustomStringConvertible {
    /// The state, with the time at which it ends.
    let state: String
    /// The schedule, one period in each line.
    let schedule: String
    let description: String

    init(_ quiet: JSONValue, nowMS: Int64) {
        state = Self.state(quiet, nowMS)
        let periods = quiet["schedule"]?.elements.map(Self.period) ?? []
        schedule = periods.isEmpty ? Messages.dndNoSchedule : periods.joined(separator: "\n")
        let passes = quiet["repeated_calls_pass"]?.boolean ?? false
        let repeated = passes ? Messages.dndRepeatedPass : Messages.dndRepeatedStop
        let lines = [state] + periods + [repeated]
        let letsPriority = quiet["priority_callers_pass"]?.boolean ?? false
        description = (letsPriority ? lines + [Messages.dndPriorityPass] : lines)
            .joined(separator: "\n")
    }

    private static func state(_ quiet: JSONValue, _ nowMS: Int64) -> String {
        let untilMS = quiet["until_at_ms"]?.integer
        if quiet["on"]?.boolean ?? false, untilMS.map({ nowMS < $0 }) ?? true {
            guard let untilMS else { return Messages.dndOn }
            return Messages.dndOnUntil(when: RelativeTime.day(unixMS: untilMS, nowMS: nowMS))
        }
        let minute = ClockTime.minuteOfWeek(unixMS: nowMS)
        let isScheduled = DoNotDisturb(checked: quiet).isActive(at: nowMS, minuteOfWeek: minute)
        return isScheduled ? Messages.dndOnBySchedule : Messages.dndOff
    }

    private static func period(_ period: JSONValue) -> String {
        let days = period["days"]?.elements.compactMap(\.string).joined(separator: ",") ?? ""
        let (from, to) = (period["from"]?.string ?? "", period["to"]?.string ?? "")
        return Messages.userSchedulePeriod(days: days, from: from, to: to).printable
    }
}
