internal import ArgumentParser
internal import BrokerSocket
internal import CallTesting
internal import CallTranscript

/// `callbroker scenario`: flows of calls that somebody wrote down.
struct ScenarioCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scenario", abstract: "Play flows of calls that are written down.",
        subcommands: [ScenarioRunCommand.self])
}

/// `callbroker scenario run`: plays files, and tells what did not come as expected.
struct ScenarioRunCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "run", abstract: "Play scenarios, and tell what did not come as expected.",
        discussion: """
            Each section of a file is played on a broker of its own, in memory, on a clock that only \
            the file moves. Needs no running broker.

            provider NAME MEMBER=VALUE ...   a scripted app (members of provider.register, and \
            answers=(KIND=ANSWER ...): fulfil, fail:REASON, never, after:TIME)
            program NAME exec=[PROGRAM,...]  a real one, which connects to BROKER_SOCKET; \
            transport=stdio or fd3; or manifest=FOLDER
            observer | screen | screener | directory NAME ...   who watches, shows calls, or is asked \
            about them (topics=[...], priority=N, answers=(present | check | lookup=(MEMBER=VALUE ...)))
            > [@TIME] WHO METHOD MEMBER=VALUE ...   somebody asks; the user is called user
            > [@TIME] WHO answers | fulfils | replies | fails | disconnects | reconnects | dies | starts ...
            < [@TIME] [then] WHO METHOD | EVENT | result | error MEMBER=VALUE ...   what they get; \
            then: after what the line above expects
            ! [@TIME] WHO METHOD | EVENT ...        what they do not get
            = call call=ID ...   = gone call=ID   = host ...   what can be seen then
            $ COMMAND            for the shell
            ## TITLE             another section; what stands before the first begins each

            A time is @1500 (ms from the beginning), @+30s or @+10min. An id is a number; call=new:NAME \
            gives a name to one that somebody else has made.

            Exit codes: 0 all passed, 1 one has failed, 2 wrong usage, or a file that cannot be read.
            """)

    @Argument(help: "The files.", completion: .file(extensions: ["scenario"]))
    var files: [String]

    @Option(help: "How long a real program may take for anything, in milliseconds.")
    var patience = 5_000

    @Option(help: "Write the report as JUnit XML, too.", completion: .file())
    var junit: String?

    @Flag(help: "JSON: one document per scenario, and one at the end.")
    var json = false

    private static let bytesMax = 4 << 20

    func validate() throws {
        guard (1...600_000).contains(patience) else {
            throw ValidationError("--patience takes 1 to 600,000 milliseconds")
        }
    }

    func run() throws {
        let scenarios = try read()
        ChildProgram.endWithUs()
        var report = ScenarioReport(isJSON: json)
        for (path, file) in scenarios {
            for section in file.sections {
                let began = MonotonicTime.now()
                let run = ScenarioRun(
                    path: path, environment: Environment.current, patienceMS: patience)
                let failure = run.run(section)
                report.add(
                    ScenarioReport.Verdict(
                        file: path, title: section.title, line: section.line, failure: failure,
                        milliseconds: MonotonicTime.now().milliseconds - began.milliseconds,
                        clock: run.now))
            }
        }
        report.end()
        if let junit {
            do throws(SocketError) {
                try HostFile.write(junit, Array(report.junit.utf8))
            } catch {
                throw ToolFailure(code: .errorReply, message: "callbroker: \(error)")
            }
        }
        if report.failed > 0 { throw ExitCode(ToolFailure.Code.errorReply.rawValue) }
    }

    /// All of them, before anything is played: what is wrong with any is told at once.
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
