internal import BrokerSocket

/// Runs a program through scenarios, each in a process of its own.
package struct Conformance {
    package enum Outcome: Equatable, Sendable {
        case passed
        case failed(String)
        /// The scenario needs what this program does not have: it says nothing.
        case notApplicable(String)
    }

    /// What came of one scenario.
    package struct Verdict: Sendable {
        package let scenario: Scenario
        package var outcome: Outcome
        /// What went over the wire, as recorded transcripts write it: `>` the program, `<` the
        /// broker, `#` what was done besides. Empty unless it failed.
        package var frames: [String] = []
        /// The last lines that the program printed.
        package var printed: [String] = []
        package var milliseconds: Int64 = 0
    }

    /// There is nothing that could be checked.
    package struct CannotStart: Error, CustomStringConvertible {
        package let description: String
    }

    package var program: ProviderProgram
    /// How long the program may take for anything it does, in real time.
    package var patienceMS = 5_000

    private static let framesShown = 40
    private static let framesAroundFault = 8
    private static let printedLines = 5

    package init(_ program: ProviderProgram) {
        self.program = program
    }

    /// - Parameter tell: hears each verdict as soon as it is there; those about every frame come last.
    package func run(
        _ scenarios: [Scenario], tell: (Verdict) -> Void = { _ in }
    ) throws -> [Verdict] {
        var verdicts: [Verdict] = []
        var seen: [Fault: (reason: String, frames: [String], count: Int)] = [:]
        var isHopeless = false
        for scenario in scenarios {
            var verdict = Verdict(scenario: scenario, outcome: .passed)
            if isHopeless {
                verdict.outcome = .notApplicable("it does not register: see \"registers\"")
            } else {
                let began = MonotonicTime.now()
                let trial = try self.trial()
                verdict = try judge(scenario, trial)
                verdict.milliseconds = MonotonicTime.now().milliseconds - began.milliseconds
                collect(trial, into: &seen)
            }
            if !scenario.forbids.isEmpty { judge(&verdict, seen) }
            if scenario.name == "registers", case .failed = verdict.outcome { isHopeless = true }
            tell(verdict)
            verdicts.append(verdict)
        }
        return verdicts
    }

    private func trial() throws -> Trial {
        let folder: String
        do throws(SocketError) {
            folder = try HostFile.makeTemporaryFolder(
                prefix: "callbroker-check", environment: program.environment)
        } catch {
            throw CannotStart(description: "\(error)")
        }
        return Trial(program, in: folder, patienceMS: patienceMS)
    }

    private func judge(_ scenario: Scenario, _ trial: Trial) throws -> Verdict {
        var verdict = Verdict(scenario: scenario, outcome: .passed)
        do {
            defer {
                trial.finish()
                trial.removeFolder()
            }
            try scenario.run(trial)
        } catch Stop.failed(let reason) {
            verdict.outcome = .failed(reason)
        } catch Stop.notApplicable(let reason) {
            verdict.outcome = .notApplicable(reason)
        } catch Stop.cannotStart(let reason) {
            throw CannotStart(description: reason)
        }
        guard case .failed = verdict.outcome else { return verdict }
        verdict.frames = Self.last(trial.lines)
        let printed = String(decoding: trial.errorOutput, as: UTF8.self).split(separator: "\n")
        verdict.printed = printed.suffix(Self.printedLines).map(String.init)
        return verdict
    }

    private static func last(_ lines: [String]) -> [String] {
        guard lines.count > framesShown else { return lines }
        return ["# ... \(lines.count - framesShown) lines before"] + lines.suffix(framesShown)
    }

    private func collect(
        _ trial: Trial, into seen: inout [Fault: (reason: String, frames: [String], count: Int)]
    ) {
        for (fault, reason, line) in trial.faults {
            let before = max(0, min(line, trial.lines.count) - Self.framesAroundFault)
            let frames = Array(trial.lines[before..<min(line, trial.lines.count)])
            seen[fault, default: (reason, frames, 0)].count += 1
        }
    }

    /// What was seen anywhere decides about every frame.
    private func judge(
        _ verdict: inout Verdict,
        _ seen: [Fault: (reason: String, frames: [String], count: Int)]
    ) {
        for fault in Fault.allCases where verdict.scenario.forbids.contains(fault) {
            guard let found = seen[fault] else { continue }
            let more = found.count > 1 ? " (\(found.count) times in this run)" : ""
            verdict.outcome = .failed(found.reason + more)
            verdict.frames = found.frames
            return
        }
        if case .failed(let reason) = verdict.outcome {
            verdict.outcome = .notApplicable("the tour came to no end: \(reason)")
            verdict.frames = []
        }
    }
}
