internal import ArgumentParser
internal import BrokerSocket
internal import CallTesting
internal import CallTranscript

/// `callbroker scenario`: tests of call flows.
struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario", abstract: "Test call flows.",
        subcommands: [ScenarioRunCommand.self])
}

/// `callbroker scenario run`: runs scenario files, and reports deviations.
struct ScenarioRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Run scenarios, and report deviations.",
        discussion: """
            Runs each section of a file on a broker of its own, in memory, with a clock that only the \
            file advances. Needs no running broker.

            provider NAME MEMBER=VALUE ...   a scripted app (members of provider.register, and \
            answers=(KIND=ANSWER ...): fulfil, fail:REASON, never, after:TIME)
            program NAME exec=[PROGRAM,...]  a real app, which connects to BROKER_SOCKET; \
            transport=stdio or fd3; or manifest=FOLDER
            observer | screen | screener | directory NAME ...   another client \
            (topics=[...], priority=N, answers=(present | check | lookup=(MEMBER=VALUE ...)))
            > [@TIME] WHO METHOD MEMBER=VALUE ...   a request; WHO is user for the user
            > [@TIME] WHO answers | fulfils | replies | fails | disconnects | reconnects | dies | starts ...
            < [@TIME] [then] WHO METHOD | EVENT | result | error MEMBER=VALUE ...   is received; \
            then: after the line above
            ! [@TIME] WHO METHOD | EVENT ...        is not received
            = call call=ID ...   = gone call=ID   = host ...   the state at that time
            $ COMMAND            a shell command
            ## TITLE             starts a section; lines before the first one begin every section

            A time is @1500 (ms from the start), @+30s or @+10min. An id is a number; call=new:NAME \
            names an id that another client has created.

            Exit codes: 0 all passed, 1 a scenario failed, 2 wrong usage or an unreadable file.
            """)

    @Argument(help: "The scenario files.", completion: .file(extensions: ["scenario"]))
    var files: [String]

    @Option(
        help: ArgumentHelp(
            "The timeout of each step of a real program: milliseconds, or a time \(TimeSpan.forms).",
            discussion: "Default: 5 s."),
        transform: { try TimeSpan(option: $0, .milliseconds) })
    var patience: TimeSpan?

    @Option(help: "Also write the report as JUnit XML to this file.", completion: .file())
    var junit: String?

    @Option(
        help: ArgumentHelp(
            "Also draw the calls of each scenario over time into this file, as SVG.",
            discussion: "Of several scenarios, FILE-1.svg, FILE-2.svg and so on."),
        completion: .file(extensions: ["svg"]))
    var timeline: String?

    @Flag(help: "Print JSON: one document per scenario, and a summary.")
    var json = false

    private static let bytesMax = 4 << 20

    private var patienceMS: Int { patience.map { Int($0.milliseconds) } ?? 5_000 }

    func validate() throws {
        guard (1...600_000).contains(patienceMS) else {
            throw ValidationError("--patience takes 1 ms to 10 min")
        }
    }

    func run() throws {
        let scenarios = try read()
        ChildProgram.endWithUs()
        var report = ScenarioReport(isJSON: json)
        var pictures = timeline.map {
            TimelineOfScenario($0, of: scenarios.reduce(0) { $0 + $1.file.sections.count })
        }
        for (path, file) in scenarios {
            for section in file.sections {
                let began = MonotonicTime.now()
                let run = ScenarioRun(
                    path: path, environment: Environment.current, patienceMS: patienceMS)
                let failure = run.run(section)
                report.add(
                    ScenarioReport.Verdict(
                        file: path, title: section.title, line: section.line, failure: failure,
                        milliseconds: MonotonicTime.now().milliseconds - began.milliseconds,
                        clock: run.now, picture: try pictures?.draw(run)))
            }
        }
        report.end()
        if let junit {
            do throws(SocketError) {
                try HostFile.write(junit, Array(report.junit.utf8))
            } catch {
                throw ToolFailure(.errorReply, "\(error)")
            }
        }
        if report.failed > 0 { throw ExitCode(ToolFailure.Code.errorReply.rawValue) }
    }

    /// Reads all files before any is run, and reports all errors at once.
    private func read() throws -> [(path: String, file: ScenarioFile)] {
        var scenarios: [(path: String, file: ScenarioFile)] = []
        var faults: [String] = []
        for path in files {
            do {
                let bytes = try Terminal.read(path, bytesMax: Self.bytesMax)
                scenarios.append((path, try ScenarioFile(bytes)))
            } catch let error as ScenarioFile.Unreadable {
                faults += error.faults.map {
                    "\(path):\($0.line):\($0.column): expected \($0.expected), found \($0.found)"
                }
            } catch let failure as ToolFailure {
                faults.append(failure.message)
            } catch {
                faults.append("callbroker: \(error)")
            }
        }
        guard faults.isEmpty else {
            throw ToolFailure(code: .usage, message: faults.joined(separator: "\n"))
        }
        return scenarios
    }
}
