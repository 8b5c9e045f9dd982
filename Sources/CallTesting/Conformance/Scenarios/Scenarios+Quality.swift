internal import CallProtocol

/// Scenarios about the quality of calls.
extension Scenario {
    static let quality: [Scenario] = [
        Scenario(
            "reports_quality", "The quality that is reported of a call is in the call's time line.",
            of: .provider
        ) { run in
            try run.begin()
            let call = try run.neededCall()
            let report = try run.qualityReport()
            if let error = report.reply?["error"] {
                throw Stop.failed(
                    "call.report_quality was refused: \(error["message"]?.string ?? "no reason")")
            }
            let timeline = run.user.request("call.timeline", #"{"call":"\#(call)"}"#)
            let entries = timeline.result?["entries"]?.elements ?? []
            guard entries.contains(where: { $0["event"]?.string == "quality" }) else {
                throw Stop.failed("the time line of the call has no quality")
            }
        }
    ]
}

extension ConformanceRun {
    /// The time for a program whose calls have no quality; the others report at the beginning, or
    /// every few seconds.
    private static let qualityMS = 2_000

    /// Waits for the first report of quality, and its reply.
    fileprivate func qualityReport() throws -> Wire.Own {
        func report() -> Wire.Own? {
            wires.flatMap(\.own).first { $0.method == "call.report_quality" && $0.reply != nil }
        }
        wait(min(patienceMS, Self.qualityMS), until: { report() != nil })
        guard let report = report() else {
            throw Stop.notApplicable("the program reports no quality")
        }
        return report
    }
}
