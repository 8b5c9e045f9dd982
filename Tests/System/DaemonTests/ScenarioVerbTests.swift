import Foundation
import Testing

/// `callbroker scenario run`, as scripts see it.
struct ScenarioVerbTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    private static let good = """
        # One call, and <the end> of it.
        provider desk
        > desk call.report_incoming call=1 remote=phone:+15550101
        > @+1500ms user call.end call=1
        = gone call=1

        """
    private static let bad = good + "= call call=1\n"

    @Test func `all that came as expected is told in a line each`() throws {
        let file = try folder.write(Self.good, to: "good.scenario")
        let run = try Tool("scenario", "run", file)
        #expect(
            run.output == "passed  \(file): One call, and <the end> of it. (1.500 s)\n"
                + "1 passed, 0 failed\n")
        #expect(run.end == .exited(0))
    }

    @Test func `a failure is told with file and line`() throws {
        let file = try folder.write(Self.bad, to: "bad.scenario")
        let good = try folder.write(Self.good, to: "good.scenario")
        let run = try Tool("scenario", "run", file, good)
        #expect(
            run.output == """
                FAILED  \(file): One call, and <the end> of it.
                \(file):6: expected call call=1
                  received instead:
                    there is no such call
                passed  \(good): One call, and <the end> of it. (1.500 s)
                1 passed, 1 failed

                """)
        #expect(run.end == .exited(1))
    }

    @Test func `JUnit and JSON tell the same`() throws {
        let file = try folder.write(Self.bad, to: "bad.scenario")
        let report = folder.file("report.xml")
        let run = try Tool("scenario", "run", "--json", "--junit", report, file)
        let lines = run.output.split(separator: "\n")
        let first = String(lines.first ?? "").replacing(/"ms":[0-9]+/, with: #""ms":0"#)
        #expect(
            first == #"{"file":"\#(file)","scenario":"One call, and <the end> of it.","line":6,"#
                + #""outcome":"failed","clock_ms":1500,"ms":0,"expected":"call call=1","#
                + #""instead":["there is no such call"],"printed":[]}"#)
        #expect(lines.last == #"{"passed":0,"failed":1}"#)
        let xml = try String(contentsOfFile: report, encoding: .utf8)
            .replacing(/time="[0-9.]+"/, with: #"time="T""#)
        #expect(
            xml == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuite name="callbroker scenario" tests="1" failures="1" time="T">
                  <testcase classname="\(file)" name="One call, and &lt;the end&gt; of it." time="T">
                    <failure message="\(file):6: expected call call=1">received instead:&#10;there is no such call</failure>
                  </testcase>
                </testsuite>

                """)
        #expect(run.end == .exited(1))
    }

    @Test func `files that cannot be read are all told, and nothing is played`() throws {
        let good = try folder.write(Self.good, to: "good.scenario")
        let wrong = try folder.write(
            "provider desk\n> desk call.ansewr call=1\nwhat\n", to: "wrong")
        let missing = folder.file("missing")
        let run = try Tool("scenario", "run", good, wrong, missing)
        #expect(run.end == .exited(2))
        #expect(run.output == "")
        #expect(
            run.errors == """
                \(wrong):2:8: expected call.answer, found "call.ansewr"
                \(wrong):3:1: expected one of >, <, =, !, $, #, provider, program, controller, \
                observer, screen, screener, directory, found "what"
                callbroker: cannot open \(missing): No such file or directory

                """)
    }

    @Test func `an interrupt takes all its programs with it`() throws {
        let fifo = folder.file("alive")
        try #require(mkfifo(fifo, 0o600) == 0)
        let alive = PipeReader(open(fifo, O_RDONLY | O_NONBLOCK | O_CLOEXEC))
        // They hold the pipe, and would not notice that nobody listens to them any more.
        let programs = ["one", "two"].map { name in
            let frames = [
                #"{"jsonrpc":"2.0","id":1,"method":"broker.hello","params":{"protocol":{"min":1,"#
                    + #""max":1},"roles":["provider"],"identity":"org.example.\#(name)","#
                    + #""client":{"name":"sh","version":"1"}}}"#,
                #"{"jsonrpc":"2.0","id":2,"method":"provider.register","params":{"#
                    + #""display_name":"sh","handle_types":["phone"]}}"#,
            ].map { "echo '\($0.replacing("\"", with: "\\\""))';" }.joined()
            return "program \(name) transport=stdio exec=[sh,-c,\"exec 9>'\(fifo)';\(frames)"
                + "exec sleep 1000\"]\n"
        }
        let text = "# Two.\n" + programs.joined() + "$ echo ready; exec sleep 1000\n"
        let file = try folder.write(text, to: "two.scenario")
        let process = try ChildProcess([executablePath, "scenario", "run", file])
        let isReady = try process.errors.wait(for: { $0.contains("ready") })
        try #require(isReady, "\(process.output.text)")
        process.signal(SIGINT)
        #expect(try process.waitForEnd() == .exited(128 + SIGINT))
        try alive.readToEnd()
    }

    @Test(arguments: [
        ["scenario", "run"], ["scenario", "run", "--patience", "0", "x"],
        ["scenario", "play", "x"],
    ])
    func `wrong usage exits with 2`(arguments: [String]) throws {
        let process = try ChildProcess([executablePath] + arguments)
        #expect(try process.waitForEnd() == .exited(2))
    }
}
