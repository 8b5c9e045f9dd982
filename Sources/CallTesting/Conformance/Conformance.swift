internal import BrokerSocket

/// The conformance suite: it runs a program through scenarios, each in a process of its own.
package struct Conformance {
    /// The outcome of a scenario.
    package enum Outcome: Equatable, Sendable {
        case passed
        case failed(String)
        /// The scenario needs an ability that this program lacks. The text states which one.
        case notApplicable(String)
    }

    /// The result of one scenario.
    package struct Verdict: Sendable {
        package let scenario: Scenario
        package var outcome: Outcome
        /// The frames of a failed scenario, as in recorded transcripts: `>` of the program, `<` of
        /// the broker, `#` for other actions. Empty unless it failed.
        package var frames: [String] = []
        /// The last lines of the program's log output, if the scenario failed.
        package var printed: [String] = []
        package var milliseconds: Int64 = 0
    }

    /// The error of a program that could not be started.
    package struct CannotStart: Error, CustomStringConvertible {
        package let description: String
    }

    package var program: ProviderProgram
    /// The time that the program may take for each step, in milliseconds of real time.
    package var patienceMS = 5_000

    private static let framesShown = 40
    private static let framesAroundFault = 8
    private static let printedLines = 5

    package init(_ program: ProviderProgram) {
        self.program = program
    }

    /// Runs scenarios.
    ///
    /// - Parameter tell: called with each verdict as soon as it is known; those about every frame
    ///   come last.
    package func run(
        _ scenarios: [Scenario], tell: (Verdict) -> Void = { _ in }
    ) throws -> [Verdict] {
        var verdicts: [Verdict] = []
        var seen: [Fault: (reason: String, frames: [String], count: Int)] = [:]
        var cannotRegister = false
        for scenario in scenarios {
            var verdict = Verdict(scenario: scenario, outcome: .passed)
            if cannotRegister {
                verdict.outcome = .notApplicable("the program does not register: see \"registers\"")
            } else {
                let began = MonotonicTime.now()
                let run = try makeRun()
                verdict = try play(scenario, run)
                verdict.milliseconds = MonotonicTime.now().milliseconds - began.milliseconds
                collect(run, into: &seen)
            }
            if !scenario.forbids.isEmpty { decide(&verdict, by: seen) }
            if scenario.name == "registers", case .failed = verdict.outcome {
                cannotRegister = true
            }
            tell(verdict)
            verdicts.append(verdict)
        }
        return verdicts
    }

    private func makeRun() throws -> ConformanceRun {
        let folder: String
        do throws(SocketError) {
            folder = try HostFile.makeTemporaryFolder(
                prefix: "callbroker-check", environment: program.environment)
        } catch {
            throw CannotStart(description: "\(error)")
        }
        return ConformanceRun(program, in: folder, patienceMS: patienceMS)
    }

    private func play(_ scenario: Scenario, _ run: ConformanceRun) throws -> Verdict {
        var verdict = Verdict(scenario: scenario, outcome: .passed)
        do {
            defer {
                run.finish()
                run.removeFolder()
            }
            try scenario.run(run)
        } catch Stop.failed(let reason) {
            verdict.outcome = .failed(reason)
        } catch Stop.notApplicable(let reason) {
            verdict.outcome = .notApplicable(reason)
        } catch Stop.cannotStart(let reason) {
            throw CannotStart(description: reason)
        }
        guard case .failed = verdict.outcome else { return verdict }
        verdict.frames = Self.last(run.lines)
        let printed = String(decoding: run.errorOutput, as: UTF8.self).split(separator: "\n")
        verdict.printed = printed.suffix(Self.printedLines).map(String.init)
        return verdict
    }

    private static func last(_ lines: [String]) -> [String] {
        guard lines.count > framesShown else { return lines }
        return ["# ... \(lines.count - framesShown) earlier lines"] + lines.suffix(framesShown)
    }

    private func collect(
        _ run: ConformanceRun,
        into seen: inout [Fault: (reason: String, frames: [String], count: Int)]
    ) {
        for (fault, reason, line) in run.faults {
            let before = max(0, min(line, run.lines.count) - Self.framesAroundFault)
            let frames = Array(run.lines[before..<min(line, run.lines.count)])
            seen[fault, default: (reason, frames, 0)].count += 1
        }
    }

    /// Decides a scenario about every frame, by the violations of all scenarios.
    private func decide(
        _ verdict: inout Verdict,
        by seen: [Fault: (reason: String, frames: [String], count: Int)]
    ) {
        for fault in Fault.allCases where verdict.scenario.forbids.contains(fault) {
            guard let found = seen[fault] else { continue }
            let more = found.count > 1 ? " (\(found.count) times in this run)" : ""
            verdict.outcome = .failed(found.reason + more)
            verdict.frames = found.frames
            return
        }
        if case .failed(let reason) = verdict.outcome {
            verdict.outcome = .notApplicable("the tour did not complete: \(reason)")
            verdict.frames = []
        }
    }
}
