internal import BrokerJSON
internal import CallTesting

/// The report of `callbroker plugin check`, printed as it grows.
struct CheckReport {
    private(set) var passed = 0
    private(set) var failed = 0
    private(set) var notApplicable = 0
    private let isJSON: Bool
    private var verdicts: [Conformance.Verdict] = []

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    mutating func add(_ verdict: Conformance.Verdict) {
        verdicts.append(verdict)
        switch verdict.outcome {
        case .passed: passed += 1
        case .failed: failed += 1
        case .notApplicable: notApplicable += 1
        }
        StandardOutput.line(isJSON ? document(verdict) : Self.text(verdict))
    }

    func end() {
        guard isJSON else {
            return StandardOutput.line(
                "\(passed) passed, \(failed) failed, \(notApplicable) not applicable")
        }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("passed", passed)
            writer.member("failed", failed)
            writer.member("not_applicable", notApplicable)
        }
        StandardOutput.line(writer.text)
    }

    // MARK: - For people

    private static func text(_ verdict: Conformance.Verdict) -> String {
        let name = verdict.scenario.name
        switch verdict.outcome {
        case .passed: return "passed          \(name)"
        case .notApplicable(let why): return "not applicable  \(name): \(why)"
        case .failed(let why):
            var lines = [
                "FAILED          \(name): \(why)", "  promised: \(verdict.scenario.promise)",
            ]
            if !verdict.frames.isEmpty { lines.append("  frames (> the program, < the broker):") }
            lines += verdict.frames.map { "    \(Terminal.cut($0))" }
            if !verdict.printed.isEmpty { lines.append("  last output:") }
            lines += verdict.printed.map { "    \(Terminal.cut($0))" }
            return lines.joined(separator: "\n")
        }
    }

    // MARK: - For programs

    private func document(_ verdict: Conformance.Verdict) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("scenario", verdict.scenario.name)
            writer.member("promise", verdict.scenario.promise)
            switch verdict.outcome {
            case .passed: writer.member("outcome", "passed" as StaticString)
            case .failed(let why):
                writer.member("outcome", "failed" as StaticString)
                writer.member("reason", why)
            case .notApplicable(let why):
                writer.member("outcome", "not_applicable" as StaticString)
                writer.member("reason", why)
            }
            writer.member("ms", Int(verdict.milliseconds))
            guard case .failed = verdict.outcome else { return }
            writer.name("frames")
            writer.array { writer in for line in verdict.frames { writer.value(line) } }
            writer.name("printed")
            writer.array { writer in for line in verdict.printed { writer.value(line) } }
        }
        return writer.text
    }

    /// The report as JUnit XML.
    func junit(of program: String) -> String {
        let total = verdicts.reduce(0) { $0 + $1.milliseconds }
        var lines = [
            JUnitText.head,
            #"<testsuite name="\#(XMLText.escaped(program))" tests="\#(verdicts.count)" "#
                + #"failures="\#(failed)" skipped="\#(notApplicable)" "#
                + #"time="\#(JUnitText.seconds(total))">"#,
        ]
        for verdict in verdicts { lines += Self.testcase(verdict) }
        return (lines + ["</testsuite>", ""]).joined(separator: "\n")
    }

    private static func testcase(_ verdict: Conformance.Verdict) -> [String] {
        let head =
            #"  <testcase classname="callbroker.provider" name="\#(verdict.scenario.name)" "#
            + #"time="\#(JUnitText.seconds(verdict.milliseconds))""#
        switch verdict.outcome {
        case .passed: return [head + "/>"]
        case .notApplicable(let why):
            return [
                head + ">", #"    <skipped message="\#(XMLText.escaped(why))"/>"#,
                "  </testcase>",
            ]
        case .failed(let why):
            let body = ["promised: \(verdict.scenario.promise)"] + verdict.frames + verdict.printed
            return [
                head + ">",
                #"    <failure message="\#(XMLText.escaped(why))">"#
                    + XMLText.escaped(body.joined(separator: "\n"))
                    + "</failure>", "  </testcase>",
            ]
        }
    }
}
