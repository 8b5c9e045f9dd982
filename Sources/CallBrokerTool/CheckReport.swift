internal import BrokerJSON
internal import CallTesting

/// What `callbroker plugin check` tells, as it comes.
struct CheckReport {
    private(set) var passed = 0
    private(set) var failed = 0
    private(set) var notApplicable = 0
    private let isJSON: Bool
    private var verdicts: [Conformance.Verdict] = []

    /// Frames longer than this are cut on a screen; JUnit and JSON have them whole.
    private static let columns = 2_000

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
            lines += verdict.frames.map { "    \(cut($0))" }
            if !verdict.printed.isEmpty { lines.append("  it printed last:") }
            lines += verdict.printed.map { "    \(cut($0))" }
            return lines.joined(separator: "\n")
        }
    }

    /// No escape sequence of somebody else's reaches the terminal.
    private static func cut(_ line: String) -> String {
        let shown = line.unicodeScalars.prefix(columns).map {
            $0.value < 0x20 || (0x7F...0x9F).contains($0.value) ? "\u{FFFD}" : String($0)
        }
        let isCut = line.unicodeScalars.count > columns
        return shown.joined() + (isCut ? "... (\(line.utf8.count) bytes)" : "")
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

    /// As continuous integration reads it.
    func junit(of program: String) -> String {
        let total = verdicts.reduce(0) { $0 + $1.milliseconds }
        var lines = [
            #"<?xml version="1.0" encoding="UTF-8"?>"#,
            #"<testsuite name="\#(Self.escaped(program))" tests="\#(verdicts.count)" "#
                + #"failures="\#(failed)" skipped="\#(notApplicable)" "#
                + #"time="\#(Self.seconds(total))">"#,
        ]
        for verdict in verdicts { lines += Self.testcase(verdict) }
        return (lines + ["</testsuite>", ""]).joined(separator: "\n")
    }

    private static func testcase(_ verdict: Conformance.Verdict) -> [String] {
        let head =
            #"  <testcase classname="callbroker.provider" name="\#(verdict.scenario.name)" "#
            + #"time="\#(seconds(verdict.milliseconds))""#
        switch verdict.outcome {
        case .passed: return [head + "/>"]
        case .notApplicable(let why):
            return [head + ">", #"    <skipped message="\#(escaped(why))"/>"#, "  </testcase>"]
        case .failed(let why):
            let body = ["promised: \(verdict.scenario.promise)"] + verdict.frames + verdict.printed
            return [
                head + ">",
                #"    <failure message="\#(escaped(why))">\#(escaped(body.joined(separator: "\n")))"#
                    + "</failure>", "  </testcase>",
            ]
        }
    }

    private static func seconds(_ milliseconds: Int64) -> String {
        let rest = String(milliseconds % 1_000)
        return "\(milliseconds / 1_000).\(String(repeating: "0", count: 3 - rest.count))\(rest)"
    }

    /// XML takes no control characters, not even escaped.
    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n": escaped += "&#10;"
            default:
                let isLegal = scalar.value >= 0x20 && ![0xFFFE, 0xFFFF].contains(scalar.value)
                escaped.unicodeScalars.append(isLegal ? scalar : "\u{FFFD}")
            }
        }
        return escaped
    }
}
