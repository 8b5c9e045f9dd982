import CallTesting
import CallTranscript
import TestSupport
import Testing

/// What may stand in a scenario file, and what is said of what may not.
struct ScenarioReaderTests {
    private static let beginning = """
        # One call.
        provider desk
        > desk call.report_incoming call=1 remote=phone:+15550101

        """

    private static func faults(_ text: String) -> [String] {
        do {
            _ = try ScenarioFile(Array(text.utf8))
            return []
        } catch {
            return error.faults.map(\.description)
        }
    }

    @Test(arguments: [
        "", "# Only words", "> @+1s", "> @1500", "> @+10min user call.answer call=1",
        "> user call.answer call=00000000-0000-4000-8000-000000000001 choice=answer",
        "provider mobile max_call_groups=1 answers=(answer=never start=after:2s:fail:busy)",
        "provider mobile identity=com.example.mobile display_name=\"The mobile\"",
        "program door exec=[python3,door.py,\"two words\"] transport=stdio env=(A=b)",
        "program door manifest=door", "controller wall", "$ echo Ann >bell",
        "> desk answers set_held=fail:busy", "> desk fulfils kind=answer call=1",
        "> desk fails kind=answer call=1 reason=far_end_busy", "> desk disconnects",
        "> desk reconnects calls=[(call=1 direction=incoming state=active remote=phone:+15550101)]",
        "> desk dies", "> desk starts", "> broker restarts",
        "> user transaction.request actions=[(kind=set_held call=1 arguments=(held=true))]",
        "< desk provider.perform kind=set_held call=1 held=true",
        "< @0 user call.added call=new:first display_name=null",
        "< desk result state=ringing", "< desk error code=-32008 reason=do_not_disturb",
        "! @+5s desk provider.perform kind=x_wave", "= call call=1 state=active",
        #"provider mobile topics=["call.*",host.changed]"#, "observer wall",
        #"observer wall topics=["call.*"]"#,
        #"screen wall priority=5 topics=["call.*"] answers=(present=(presented=false))"#,
        "screen wall answers=(present=after:2s)", "screener guard budget_ms=500 fail=closed",
        "screener guard identity=com.example.guard answers=(check=(verdict=block after=2s))",
        "directory book answers=(lookup=(display_name=Ann blocked=true))",
        "directory book answers=(lookup=never)", "< desk transaction.completed state=completed",
        "screener guard\n> guard answers check=(verdict=allow)\n> guard answers check=fail:not_now",
        "screener guard\n> guard replies call=1 verdict=block\n> guard fails call=1 reason=not_now",
        "directory book\n> book replies display_name=Ann\n> book disconnects\n> book reconnects",
        "screen wall\n> wall ui.release\n> wall replies call=1 presented=true\n> wall call.answer call=1",
        "< user call.added\n< then desk provider.perform\n< @+2s then user call.removed",
        "= gone call=1", "= host held_groups=0", "= call call=1 remote=phone:+15550101  ",
    ])
    func `nothing is wrong with`(line: String) {
        #expect(Self.faults(Self.beginning + line) == [])
    }

    @Test(arguments: [
        (
            "hello",
            #"column 1: expected one of >, <, =, !, $, #, provider, program, controller, observer, screen, screener, directory, found "hello""#
        ),
        (">desk", #"column 2: expected a space after the mark, found "desk""#),
        ("> dek call.answer", #"column 3: expected desk, found "dek""#),
        (
            "> desk call.reprot_ended call=1",
            #"column 8: expected call.report_ended, found "call.reprot_ended""#
        ),
        ("> user call.anwser call=1", #"column 8: expected call.answer, found "call.anwser""#),
        ("> user call.answer cal=1", #"column 20: expected call, found "cal""#),
        ("> user call.answer", "column 19: expected all of call=, found the end of the line"),
        (
            "> user call.answer call=first",
            #"column 25: expected a number from 0 to 999999999999, a UUID, found "first""#
        ),
        (
            "> user call.answer call=1 call=2",
            #"column 27: expected each member once, found "call""#
        ),
        (
            "> user call.answer call=new:first",
            #"column 25: expected a number from 0 to 999999999999, a UUID, found "new:first""#
        ),
        (
            "> user call.set_held call=1 held=yes",
            #"column 34: expected true or false, not a string, found "yes""#
        ),
        (
            "> @soon user call.answer call=1",
            #"column 4: expected a time such as @1500, @+30s or @+10min, within 30 days, found "soon""#
        ),
        (
            "> @+44000min",
            #"column 4: expected a time such as @1500, @+30s or @+10min, within 30 days, found "+44000min""#
        ),
        ("> desk answers set_hold=never", #"column 16: expected set_held, found "set_hold""#),
        (
            "> desk answers answer=maybe",
            #"column 23: expected one of fulfil, fail, fail:REASON, never, after:TIME, after:TIME:fail:REASON, found "maybe""#
        ),
        (
            "> desk leaves",
            #"column 8: expected a method, or one of answers, fulfils, fails, disconnects, reconnects, dies, starts, found "leaves""#
        ),
        ("< user call.changed call=1 state=helt", #"column 34: expected held, found "helt""#),
        ("< user call.changed stat=held", #"column 21: expected state, found "stat""#),
        (
            "< user result",
            "column 8: expected an event or a method: user has made no request yet, found \"result\""
        ),
        ("! desk result", #"column 8: expected an event or a method, found "result""#),
        ("= call state=held", "column 18: expected call=, found the end of the line"),
        ("= cal call=1", #"column 3: expected call, found "cal""#),
        ("provider desk", #"column 10: expected a name that is not in use, found "desk""#),
        (
            "provider Desk",
            #"column 10: expected a name of small letters, digits, - and _, such as desk, found "Desk""#
        ),
        (
            "provider mobile max_call_groups=many",
            #"column 33: expected an integer, not a string, found "many""#
        ),
        (
            "program door",
            "column 13: expected exec=[PROGRAM,...] or manifest=PATH, found the end of the line"
        ),
        ("program door exec=x transport=tcp", #"column 31: expected "#),
        ("provider then", #"column 10: expected a name that is not in use, found "then""#),
        ("observer wall answers=(check=never)", #"column 24: expected nothing"#),
        (#"observer wall topics=["call.*",call.chnged]"#, #"column 32: expected call.changed"#),
        ("screener guard fail=ajar", #"column 21: expected "#),
        ("screener guard answers=(check=(verdict=blok))", #"column 40: expected block"#),
        ("screener guard answers=(check=(label=Spam))", "column 31: expected all of verdict="),
        ("screener guard answers=(look=never)", #"column 25: expected check, found "look""#),
        (
            "screener guard answers=(check=maybe)",
            "column 31: expected a result in brackets, or one of never, fail, fail:REASON, after:TIME"
        ),
        (
            "screener guard answers=(check=(verdict=allow after=soon))",
            "column 52: expected a time such as 2s, within a day"
        ),
        (
            "< desk call.added call=1",
            #"column 8: expected a method: desk receives events only with topics=[...], found"#
        ),
        ("< then user call.added", "column 3: expected who: there is no line above"),
        (
            "! then user call.added",
            "column 3: expected who: a frame that must not come has no place"
        ),
        ("$", "column 2: expected a space after the mark, found the end of the line"),
        (
            "< user call.added call=((((((((((((((((((1",
            #"column 40: expected at most 16 nested brackets, found "(""#
        ),
        ("> user call.answer call=\"1", "column 27: expected the \\\" that ends the string"),
    ])
    func `what is wrong is told with its place and what would be right`(
        line: String, fault: String
    ) {
        let told = Self.faults(Self.beginning + line)
        let expected = "line 4, \(fault.replacing("\\\"", with: "\""))"
        #expect(told.count == 1 && told[0].hasPrefix(expected), "\(told)")
    }

    @Test func `time does not go back`() {
        let told = Self.faults(
            Self.beginning
                + "> @+5s\n> @4s\n< @1s desk provider.timed_out\n! @4s desk provider.timed_out")
        #expect(
            told == [
                #"line 5, column 4: expected a time from @5000 on, which the clock has reached, found "4s""#,
                #"line 7, column 4: expected a time from @5000 on, which the clock has reached, found "4s""#,
            ])
    }

    @Test func `all bad lines of a file are told, up to twenty`() {
        #expect(Self.faults(String(repeating: "what\n", count: 3)).count == 3)
        #expect(Self.faults(String(repeating: "what\n", count: 300)).count == 20)
    }

    @Test func `sections begin with what stands before the first`() throws {
        let file = try ScenarioFile(Array((Self.beginning + "## One\n> @+1s\n## Two\n> @+2s").utf8))
        #expect(file.story == "One call.")
        #expect(file.sections.map(\.title) == ["One", "Two"])
        #expect(file.sections.map { $0.lines.map(\.number) } == [[2, 3, 5], [2, 3, 7]])
    }

    @Test func `a section does not know the names of another`() {
        let one = "## One\n< user call.added call=new:a\n> user call.end call=a\n"
        #expect(Self.faults(Self.beginning + one + "## Two\n< user call.added call=new:a") == [])
        #expect(Self.faults(Self.beginning + one + "## Two\n> user call.end call=a").count == 1)
    }

    @Test func `lines that nobody would write are read or told, whatever stands in them`() {
        var random = SeededRandom(for: "ScenarioReaderTests")
        let words = [
            ">", "<", "=", "!", "$", "#", "##", "@", "@+", "@+5s", "@99999999999999999999", "desk",
            "user", "broker", "provider", "program", "call", "call.answer", "call.report_incoming",
            "provider.perform", "call.changed", "result", "error", "call=1", "call=new:x", "call=x",
            "kind=set_held", "held=true", "calls=[(", "(", ")", "[", "]", "\"", "\\", "=", ",", ":",
            "null", "remote=phone:+1", "remote=(type=phone", "answers=(answer=after:1s:after:1s)",
            "exec=[a,b", "-9223372036854775809", "\u{0}", "é", "\u{1F600}", "\t", "state=[1,(a=1)]",
        ]
        for _ in 0..<3_000 {
            let count = Int.random(in: 0...9, using: &random)
            let separator = random.chance(80) ? " " : ""
            var line = Array(
                (0..<count).map { _ in random.pick(words) }.joined(separator: separator).utf8)
            if random.chance(20), !line.isEmpty {
                line[Int.random(in: line.indices, using: &random)] = UInt8.random(
                    in: 0...255, using: &random)
            }
            do {
                _ = try ScenarioFile(Array(Self.beginning.utf8) + line)
            } catch {
                for fault in error.faults {
                    #expect((4...13).contains(fault.line))
                    #expect((1...line.count + 1).contains(fault.column))
                }
            }
        }
    }
}
