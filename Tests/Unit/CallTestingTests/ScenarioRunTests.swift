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
        + #""deadline_ms":60000,"attempt":1,"age_ms":0}}"#
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
            "> desk fails kind=end call=1", "a request to desk to perform end on that call",
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
                == "a result: no line expects an error of > user call.answer call=2")
        #expect(failure?.instead.count == 1)
        #expect(failure?.instead.first?.contains(#""reason":"unknown_call""#) == true)
    }

    @Test func `an error that somebody expects is none`() throws {
        let lines = "> user call.answer call=2\n< user error code=-32004 reason=unknown_call"
        #expect(try Self.run(Self.beginning + lines) == nil)
    }

    // MARK: - Refusals

    private static let refused = Self.beginning + "> user call.answer call=2\n"
    private static let refusal = "refused, in line 5, > user call.answer call=2: error "

    @Test(arguments: [
        "< user call.changed call=1 state=held", "< desk provider.perform kind=set_held call=1",
        "= call call=1 state=held", "= call call=2", "= gone call=1", "= host ringing=1",
        "> desk fulfils kind=end call=1",
    ])
    func `what was refused is shown before what came besides`(line: String) throws {
        let failure = try #require(try Self.run(Self.refused + line))
        #expect(failure.line == 6)
        #expect(failure.instead.first?.hasPrefix(Self.refusal) == true, "\(failure.instead)")
        #expect(failure.instead.first?.contains(#""reason":"unknown_call""#) == true)
        #expect(failure.instead.count > 1)
    }

    @Test func `a refusal that somebody expects is not why nothing else came`() throws {
        let lines = "< user error code=-32004\n< user call.changed call=1 state=held"
        let failure = try #require(try Self.run(Self.refused + lines))
        #expect(failure.line == 7)
        #expect(failure.instead.allSatisfy { !$0.hasPrefix("refused") })
    }

    @Test func `an app that may not come back is a failure of its line`() throws {
        let lines = """
            > desk disconnects
            > @+1min
            provider twin identity=org.example.desk
            > desk reconnects
            """
        let failure = try #require(try Self.run(Self.beginning + lines))
        #expect(failure.line == 8)
        #expect(failure.expected == "desk is registered")
    }

    // MARK: - The order between participants

    private static let second = """
        # The second call is answered.
        provider mobile
        provider desk
        > desk call.report_incoming call=1 remote=phone:+15550101
        > user call.answer call=1
        > mobile call.report_incoming call=2 remote=phone:+15550102
        > user call.answer call=2

        """

    @Test func `a line may wait for the line above, whoever that is about`() throws {
        let lines = """
            < desk provider.perform kind=set_held call=1 held=true
            < then desk audio.deactivated calls=[1]
            < then mobile provider.perform kind=answer call=2
            < then user call.changed call=2 state=active
            < then mobile audio.activated calls=[2]
            """
        #expect(try Self.run(Self.second + lines) == nil)
    }

    @Test func `what came before the line above is told`() throws {
        let lines = """
            < mobile provider.perform kind=answer call=2
            < then desk provider.perform kind=set_held call=1
            """
        let failure = try #require(try Self.run(Self.second + lines))
        #expect(failure.line == 9)
        #expect(failure.expected == "then desk provider.perform kind=set_held call=1")
        #expect(
            failure.instead.first?.hasPrefix(
                "with an earlier place: before what the line above expects: @0 < ") == true)
    }

    @Test func `a reply has its place among the frames of others`() throws {
        let lines = """
            < user result
            < then desk provider.perform kind=set_held call=1
            < then user call.changed call=2 state=active
            """
        let after = """
            < user call.changed call=2 state=active
            < then user result
            """
        #expect(try Self.run(Self.second + lines) == nil)
        let failure = try #require(try Self.run(Self.second + after))
        #expect(failure.line == 9)
        #expect(
            failure.instead.first?.hasPrefix("before what the line above expects: @0 < ") == true)
    }

    @Test func `frames are recorded in the order in which the broker sends them`() {
        let broker = TestBroker()
        // Who came first does not hear first.
        let late = broker.provider("org.example.late")
        let early = broker.provider("org.example.early")
        let user = broker.controller()
        func call(_ number: Int) -> String { "00000000-0000-4000-8000-00000000000\(number)" }
        early.ring(call(1), from: "+15550101")
        user.request("call.answer", #"{"call":"\#(call(1))"}"#)
        late.ring(call(2), from: "+15550102")
        let known = broker.frames.count
        user.request("call.answer", #"{"call":"\#(call(2))"}"#)
        let told = broker.frames.dropFirst(known).filter { $0.sender == .broker }
        let deactivated = told.firstIndex { $0.text.contains(#""method":"audio.deactivated""#) }
        let answer = told.firstIndex { $0.peer == late.identity && $0.text.contains("perform") }
        #expect(deactivated ?? .max < answer ?? 0)
        #expect(late.performed.map(\.kind) == ["answer"])
    }

    // MARK: - Others than apps

    @Test func `a screener decides, late or not, and its silence may close the door`() throws {
        let text = """
            # A screener.
            provider desk
            screener guard budget_ms=1000 fail=closed answers=(check=(verdict=block label=Survey))
            > desk call.report_incoming call=1 remote=phone:+15550101
            < guard screener.check call=1 provider=desk
            < desk error code=-32008 reason=screener
            = gone call=1
            > guard answers check=(verdict=silence after=900)
            > desk call.report_incoming call=2 remote=phone:+15550101
            < @+900 desk result presentation=silent
            > guard answers check=never
            > desk call.report_incoming call=3 remote=phone:+15550101
            > @+500 guard replies call=3 verdict=continue
            < desk result state=ringing
            > desk call.report_incoming call=4 remote=phone:+15550101
            < @+1s desk error reason=screener
            > guard replies call=4 verdict=continue
            = gone call=4
            > guard disconnects
            > desk call.report_incoming call=5 remote=phone:+15550101
            < desk result state=waiting
            > guard reconnects
            > desk call.report_incoming call=6 remote=phone:+15550101
            < guard screener.check call=6
            > guard fails call=6
            < desk error reason=screener
            """
        #expect(try Self.run(text) == nil)
    }

    @Test func `a directory says who calls, also when the call rings already`() throws {
        let text = """
            # A directory.
            provider desk
            directory book answers=(lookup=(display_name="Example Ltd" after=2s))
            > desk call.report_incoming call=1 remote=phone:+15550101
            < book directory.lookup remote=phone:+15550101
            ! user call.added call=1
            < @+700 desk result state=ringing
            < user call.added call=1
            < @+1300 user call.changed call=1 caller=(name="Example Ltd" source=org.example.book)
            """
        #expect(try Self.run(text) == nil)
    }

    @Test func `screens are asked one after the other, and one has the call`() throws {
        let text = """
            # Two screens.
            provider desk
            screen wall priority=5 answers=(present=(presented=false))
            screen hall
            > desk call.report_incoming call=1 remote=phone:+15550101
            < wall ui.present call=1
            < hall call.added call=1
            < then hall ui.present call=1
            > hall call.answer call=1
            < desk provider.perform kind=answer call=1
            > hall ui.release
            < wall ui.present call=1
            < hall ui.dismiss call=1 reason=released
            > wall answers present=never
            > hall ui.claim priority=9
            < hall ui.present call=1
            > broker restarts
            < hall ui.present call=1
            > hall disconnects
            < wall ui.present call=1
            > wall replies call=1 presented=true
            """
        #expect(try Self.run(text) == nil)
    }

    @Test func `an observer hears of what it has named, and may ask for nothing`() throws {
        let text = """
            # An observer.
            provider desk
            observer wall topics=["call.*"]
            > desk call.report_incoming call=1 remote=phone:+15550101
            < wall call.added call=1 state=ringing
            ! wall provider.added
            > wall call.answer call=1
            < wall error code=-32003 reason=role_not_granted
            """
        #expect(try Self.run(text) == nil)
    }

    @Test func `an app that asks for its own calls hears how it went, and watches if it says so`()
        throws
    {
        let text = """
            # An app that is a controller, too.
            provider desk
            provider mobile topics=["call.*"]
            > desk call.start provider=desk call=1 remote=phone:+15550101
            < desk transaction.completed state=completed
            < mobile call.added call=1 provider=desk
            > mobile call.end call=1
            < mobile error code=-32003 reason=not_your_call
            > desk call.end call=1
            < desk transaction.completed
            < mobile call.removed call=1
            > mobile disconnects
            > mobile reconnects
            > desk call.report_incoming call=2 remote=phone:+15550101
            < mobile call.added call=2
            """
        #expect(try Self.run(text) == nil)
    }

    @Test func `a screen that is refused is a failure of its line`() throws {
        let screens = (1...17).map { "screen wall\($0)\n" }.joined()
        let failure = try #require(try Self.run("# One too many.\n" + screens))
        #expect(failure.line == 18)
        #expect(failure.expected == "wall17 is there")
        #expect(failure.instead.first?.contains("taken") == true)
    }

    @Test func `what somebody was not asked cannot be answered`() throws {
        let failure = try #require(
            try Self.run("# Nothing.\nscreener guard\n> guard replies call=1 verdict=allow"))
        #expect(failure.line == 3)
        #expect(failure.expected == "a request to guard about that call")
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
        #filePath.split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
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
