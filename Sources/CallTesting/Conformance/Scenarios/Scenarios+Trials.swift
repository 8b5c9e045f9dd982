/// Scenarios about programs that ask whether a call may ring (`call.report_incoming` with
/// `dry_run`).
extension Scenario {
    static let trials: [Scenario] = [
        Scenario(
            "asks_first",
            "A call is none of the program's while it has only asked whether the call may ring."
        ) { run in
            try run.begin()
            run.refuseIncoming()
            let call = try run.askWhetherItRings()
            try run.ping()
            let others = try run.wire().own.filter {
                $0.call == call && $0.method != "call.report_incoming"
            }
            if let other = others.first {
                throw Stop.failed("the broker said no, and the program sent \(other.method)")
            }
            guard run.program.transport == .connect else { return }
            try run.reconnect()
            try run.expectUnlisted(call, "the program lists a call about which it only asked")
        }
    ]
}

extension ConformanceRun {
    /// Causes a call about which the program asks first. Returns its id.
    fileprivate func askWhetherItRings() throws -> String {
        let command = try ringCommand()
        let report = try report(after: command) { $0.method == "call.report_incoming" }
        guard report.isDryRun else {
            throw Stop.notApplicable("the program does not ask whether a call may ring")
        }
        return report.call
    }
}
