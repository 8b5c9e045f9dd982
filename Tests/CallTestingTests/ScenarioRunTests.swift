import BrokerSocket
import CallTesting
import Foundation
import Testing

/// What comes of scenarios that fail, and of those that do not.
struct ScenarioRunTests {
    private static let beginning = """
        # One call.
        provider desk
        > desk call.report_incoming call=1 remote=phone:+15550101
        > user call.answer call=1

        """
    private static let call = "00000000-0000-4000-8000-000000000001"
    private static let answered =
        #"@0 < {"jsonrpc":"2.0","id":1,"method":"provider.perform","params":{"#
        + #""action":"00000000-0000-8000-8000-000000000002","kind":"answer","call":"\#(call)","#
        + #""arguments":{},"transaction":"00000000-0000-8000-8000-000000000001","#
        + #""cause":{"origin":"user","transaction":"00000000-0000-8000-8000-000000000001"},"#
        + #""deadline_ms":60000,"attempt":1}}"#
    private static let activated =
        #"@0 < {"jsonrpc":"2.0","method":"audio.activated","params":{"group":"\#(call)","#
        + #""calls":["\#(call)"]}}"#
    private static let active =
        #"{"call":"\#(call)","provider":"org.example.desk","direction":"incoming","#
        + #""state":"active","can_hold_now":true,"muted":false,"silenced":false,"#
        + #""group":"\#(call)","remote":{"type":"phone","value":"+15550101"},"has_video":false,"#
        + #""supports_holding":true,"supports_grouping":true,"supports_ungrouping":true,"#
        + #""supports_dtmf":true,"remote_held":false,"priority":"normal","#
        + #""provider_connected":true,"allowed":["end","hold","mute","play_dtmf"],"#
        + #""created_at_ms":1767225600000,"connected_at_ms":1767225600000,"rev":2}"#

    private static func run(_ text: String) throws -> ScenarioFailure? {
        let file = try ScenarioFile(Array(text.utf8))
        let run = ScenarioRun(path: "x.scenario", environment: Environment.current)
        return run.run(try #require(file.sections.first))
    }

    @Test(arguments: [
        (
            "< desk provider.perform kind=end call=1", "desk provider.perform kind=end call=1",
            [#"with kind="answer": \#(answered)"#]
        ),
        (
            "< @+60s desk provider.perform kind=answer call=1",
            "@60000 desk provider.perform kind=answer call=1", ["with @0: \(answered)"]
        ),
        (
            "! desk provider.perform kind=answer", "never: desk provider.perform kind=answer",
            [answered]
        ),
        ("< desk provider.timed_out", "desk provider.timed_out", [answered, activated]),
        (
            "= call call=1 state=held", "call call=1 state=held",
            [#"with state="active": \#(active)"#]
        ),
        ("= call call=2", "call call=2", ["there is no such call", "call \(active)"]),
        ("= gone call=1", "gone call=1", ["call \(active)"]),
        (
            "= host ringing=1", "host ringing=1",
            [
                #"with ringing=0: {"live_group":"\#(call)","held_groups":0,"ringing":0,"#
                    + #""busy":false,"emergency":false}"#
            ]
        ),
        (
            "> desk fails kind=end call=1", "desk was asked to perform end on that call",
            ["answer of \(call)"]
        ),
        (
            "program x exec=./nothing", "x runs",
            ["cannot start ./nothing: No such file or directory"]
        ),
        ("$ exit 3", "exit 3", ["it ended with exit status 3"]),
    ])
    func `a failure tells the line, what was expected, and what came instead`(
        line: String, expected: String, instead: [String]
    ) throws {
        #expect(
            try Self.run(Self.beginning + line)
                == ScenarioFailure(line: 5, expected: expected, instead: instead))
    }

    @Test func `an error that nobody expects is a failure of the line that asked`() throws {
        let failure = try Self.run(
            Self.beginning + "> user call.answer call=2\n= call call=1\n> @+1s")
        #expect(failure?.line == 5)
        #expect(
            failure?.expected
                == "a result: nobody expects an error of > user call.answer call=2")
        #expect(failure?.instead.count == 1)
        #expect(failure?.instead.first?.contains(#""reason":"unknown_call""#) == true)
    }

    @Test func `an error that somebody expects is none`() throws {
        let lines = "> user call.answer call=2\n< user error code=-32004 reason=unknown_call"
        #expect(try Self.run(Self.beginning + lines) == nil)
    }

    @Test func `what came before what was expected last does not come again`() throws {
        let lines = "< user call.changed call=1 state=active\n< user call.added call=1"
        let failure = try Self.run(Self.beginning + lines)
        #expect(failure?.line == 6)
        #expect(
            failure?.instead.first?.hasPrefix(
                "with an earlier place: before what was expected last: @0 < ") == true)
    }

    @Test func `what came of an earlier line does not count for a later one`() throws {
        let lines =
            "= call call=1\n> user call.set_muted call=1 muted=true\n< user call.added call=1"
        #expect(
            try Self.run(Self.beginning + lines)?.line == 7)
    }

    @Test func `a name is given to what somebody else has made, not to what has a number`() throws {
        let lines = """
            > user call.start provider=desk remote=phone:+15550102
            < user call.added call=new:other
            = call call=other state=starting
            """
        let text = Self.beginning.replacing(
            "provider desk", with: "provider desk answers=(start=never)")
        #expect(try Self.run(text + lines) == nil)
    }

    @Test func `a program that ends shows what it printed`() throws {
        let failure = try Self.run(
            Self.beginning + #"program x exec=[sh,-c,"echo oops; exit 7"]"#)
        #expect(
            failure
                == ScenarioFailure(
                    line: 5, expected: "x runs", instead: ["it has ended: exit status 7"],
                    printed: ["x: oops"]))
    }

    @Test func `a program that does not answer is not waited for a second time`() throws {
        let program =
            #"exec=[python3,-c,"import os,socket,time\ns=socket.socket(socket.AF_UNIX);"#
            + #"s.connect(os.environ['BROKER_SOCKET'])\n"#
            + #"s.sendall(b'{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"broker.hello\",\"params\":"#
            + #"{\"protocol\":{\"min\":1,\"max\":1},\"roles\":[\"provider\"],"#
            + #"\"identity\":\"org.example.mute\",\"client\":{\"name\":\"m\",\"version\":\"1\"}}}\\n"#
            + #"{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"provider.register\",\"params\":"#
            + #"{\"display_name\":\"m\",\"handle_types\":[\"phone\"]}}\\n')\n"#
            + #"while s.recv(9999): pass"]"#
        let text = """
            # A program that registers and says no more.
            program mute \(program)
            > user call.start call=1 provider=mute remote=phone:+15550100
            < mute provider.perform kind=start call=1
            < @+1min mute provider.timed_out kind=start call=1
            = gone call=1
            """
        let file = try ScenarioFile(Array(text.utf8))
        let run = ScenarioRun(
            path: "x.scenario", environment: Environment.current, patienceMS: 300)
        #expect(run.run(try #require(file.sections.first)) == nil)
        #expect(run.now == .seconds(60))
    }

    @Test(arguments: [("stdio", 0, 1), ("fd3", 3, 3)])
    func `a real program may have its stream from the start`(
        transport: String, input: Int, output: Int
    ) throws {
        let say = { (frame: String) in
            "echo '\(frame.replacing("\"", with: "\\\""))' >&\(output);"
        }
        let program =
            say(
                #"{"jsonrpc":"2.0","id":1,"method":"broker.hello","params":{"protocol":{"min":1,"#
                    + #""max":1},"roles":["provider"],"identity":"org.example.sh","#
                    + #""client":{"name":"sh","version":"1"}}}"#)
            + say(
                #"{"jsonrpc":"2.0","id":2,"method":"provider.register","params":{"#
                    + #""display_name":"sh","handle_types":["phone"]}}"#)
            + "cat <&\(input) >/dev/null"
        let text = """
            # A program that registers, and then only listens.
            program quiet exec=[sh,-c,"\(program)"] transport=\(transport)
            < user provider.added provider=quiet
            > quiet dies
            < user provider.removed provider=quiet reason=process_exited
            """
        #expect(try Self.run(text) == nil)
    }

    @Test func `a broker in a scenario makes the same ids in every run`() throws {
        let lines = Self.beginning + "< desk provider.perform kind=end"
        #expect(try Self.run(lines) == Self.run(lines))
    }

    // MARK: - Those that come with the sources

    private static let folder =
        #filePath.split(separator: "/").dropLast(3).map { "/\($0)" }.joined()
        + "/examples/scenarios"

    static let examples = HostFile.names(inFolder: folder).filter { $0.hasSuffix(".scenario") }

    @Test func `there are examples`() {
        #expect(Self.examples.count >= 7)
    }

    @Test(arguments: examples)
    func `the examples pass`(name: String) throws {
        let path = "\(Self.folder)/\(name)"
        let file = try ScenarioFile(try HostFile.read(path))
        for section in file.sections {
            let run = ScenarioRun(
                path: path, environment: Environment.current, patienceMS: 30_000)
            #expect(run.run(section) == nil, "\(name): \(section.title)")
        }
    }

    @Test func `the scenario of the description passes`() throws {
        let page = String(decoding: try HostFile.read("\(Self.folder)/README.md"), as: UTF8.self)
        let blocks = page.components(separatedBy: "\n```").filter { $0.hasPrefix("\n# ") }
        #expect(blocks.count == 1)
        for block in blocks { #expect(try Self.run(block) == nil) }
    }

    @Test func `ten minutes of a hundred calls are ten minutes by the clock of the broker`() throws
    {
        var text = "# A hundred calls of two apps, each answered over the one before.\n"
        text += "provider desk\nprovider mobile\n"
        for number in 1...100 {
            let who = number % 2 == 0 ? "desk" : "mobile"
            text += """
                > @+2s \(who) call.report_incoming call=\(number) remote=phone:+15550100
                > user call.answer call=\(number)
                < \(who) provider.perform kind=answer call=\(number)
                = call call=\(number) state=active
                > @+4s

                """
            guard number > 1 else { continue }
            text += """
                = call call=\(number - 1) state=held held_because_of=\(number)
                > user call.end call=\(number - 1)
                = gone call=\(number - 1)

                """
        }
        let file = try ScenarioFile(Array(text.utf8))
        let run = ScenarioRun(path: "x.scenario", environment: Environment.current)
        #expect(run.run(try #require(file.sections.first)) == nil)
        #expect(run.now == .seconds(600))
    }
}
