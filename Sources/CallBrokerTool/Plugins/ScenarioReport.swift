internal import BrokerJSON
internal import CallProtocol
internal import CallTesting

/// The report of `callbroker scenario run`, printed as it grows.
struct ScenarioReport {
    struct Verdict {
        let file: String
        let title: String
        let line: Int
        let failure: ScenarioFailure?
        /// The duration in real time.
        let milliseconds: Int64
        /// The duration by the broker's clock.
        let clock: Duration
        /// The path of the picture of its calls.
        let picture: String?
    }

    private let isJSON: Bool
    private var verdicts: [Verdict] = []

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    var failed: Int {
        verdicts.count { $0.failure != nil }
    }

    mutating func add(_ verdict: Verdict) {
        verdicts.append(verdict)
        StandardOutput.line(isJSON ? Self.document(verdict) : Self.text(verdict))
    }

    func end() {
        let passed = verdicts.count - failed
        guard isJSON else { return StandardOutput.line("\(passed) passed, \(failed) failed") }
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("passed", passed)
            writer.member("failed", failed)
        }
        StandardOutput.line(writer.text)
    }

    // MARK: - For people

    private static func text(_ verdict: Verdict) -> String {
        guard let failure = verdict.failure else {
            return "passed  \(verdict.file): \(verdict.title) (\(time(verdict.clock)))"
        }
        var lines = [
            "FAILED  \(verdict.file): \(verdict.title)",
            "\(verdict.file):\(failure.line): expected \(Terminal.cut(failure.expected))",
            "  received instead:",
        ]
        lines += failure.instead.map { "    \(Terminal.cut($0))" }
        if !failure.printed.isEmpty { lines.append("  last output:") }
        lines += failure.printed.map { "    \(Terminal.cut($0))" }
        if let picture = verdict.picture { lines.append("  picture: \(picture.printable)") }
        return lines.joined(separator: "\n")
    }

    private static func time(_ clock: Duration) -> String {
        let milliseconds = Self.milliseconds(clock)
        return milliseconds % 1_000 == 0
            ? "\(milliseconds / 1_000) s" : "\(JUnitText.seconds(milliseconds)) s"
    }

    private static func milliseconds(_ clock: Duration) -> Int64 {
        clock.components.seconds * 1_000 + clock.components.attoseconds / 1_000_000_000_000_000
    }

    // MARK: - For programs

    private static func document(_ verdict: Verdict) -> String {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("file", verdict.file)
            writer.member("scenario", verdict.title)
            writer.member("line", verdict.failure?.line ?? verdict.line)
            if verdict.failure == nil {
                writer.member("outcome", "passed" as StaticString)
            } else {
                writer.member("outcome", "failed" as StaticString)
            }
            writer.member("clock_ms", milliseconds(verdict.clock))
            writer.member("ms", verdict.milliseconds)
            writer.member("picture", ifSet: verdict.picture)
            guard let failure = verdict.failure else { return }
            writer.member("expected", failure.expected)
            writer.member("instead", words: failure.instead)
            writer.member("printed", words: failure.printed)
        }
        return writer.text
    }

    /// The report as JUnit XML.
    var junit: String {
        let total = verdicts.reduce(0) { $0 + $1.milliseconds }
        let head =
            #"<testsuite name="callbroker scenario" tests="\#(verdicts.count)" "#
            + #"failures="\#(failed)" time="\#(JUnitText.seconds(total))">"#
        let cases = verdicts.flatMap(Self.testcase)
        return ([JUnitText.head, head] + cases + ["</testsuite>", ""]).joined(separator: "\n")
    }

    private static func testcase(_ verdict: Verdict) -> [String] {
        let head =
            #"  <testcase classname="\#(XMLText.escaped(verdict.file))" "#
            + #"name="\#(XMLText.escaped(verdict.title))" "#
            + #"time="\#(JUnitText.seconds(verdict.milliseconds))""#
        // As Jenkins and GitLab know attachments.
        let picture = verdict.picture.map {
            ["    <system-out>[[ATTACHMENT|\(XMLText.escaped($0))]]</system-out>"]
        }
        guard let failure = verdict.failure else {
            return picture.map { [head + ">"] + $0 + ["  </testcase>"] } ?? [head + "/>"]
        }
        let place = "\(verdict.file):\(failure.line): expected \(failure.expected)"
        let body = ["received instead:"] + failure.instead + failure.printed
        return [
            head + ">",
            #"    <failure message="\#(XMLText.escaped(place))">"#
                + XMLText.escaped(body.joined(separator: "\n")) + "</failure>",
        ] + (picture ?? []) + ["  </testcase>"]
    }
}
