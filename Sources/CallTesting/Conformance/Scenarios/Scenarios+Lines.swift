internal import BrokerJSON

/// Scenarios about the lines of programs.
extension Scenario {
    static let lines: [Scenario] = [
        Scenario(
            "answers_line_setting",
            "A change of a line's setting is answered once, with a result or an error."
        ) { run in
            try run.begin()
            let params = try run.unchangedSetting()
            try run.settle(
                try run.wire().ask("line.change_setting", params), "line.change_setting")
        }
    ]
}

extension ConformanceRun {
    /// Returns the params that set a setting of a registered line to what it is. Forwarding stays
    /// untouched where it is on.
    fileprivate func unchangedSetting() throws -> String {
        for line in registration["lines"]?.elements ?? [] {
            let settings = line["settings"]?.elements ?? []
            guard let setting = settings.first(where: { $0["to"] == nil }),
                let id = line["line"]?.string, let kind = setting["setting"]?.string
            else { continue }
            var writer = JSONWriter()
            writer.object { writer in
                writer.member("line", id)
                writer.member("setting", kind)
                writer.member("on", setting["on"]?.boolean ?? false)
                writer.member("deadline_ms", 5_000)
            }
            return writer.text
        }
        throw Stop.notApplicable("the program registers no line with settings")
    }
}
