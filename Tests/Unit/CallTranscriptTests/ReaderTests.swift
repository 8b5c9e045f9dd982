import CallArbitration
import CallModel
import Testing

@testable import CallTranscript

/// What is read, and what is wrong with what is not.
struct ReaderTests {
    private let reader = TranscriptReader()

    @Test func `members may stand in any order, with any number of spaces`() throws {
        let line = try reader.line("<   tell_timed_out  provider=a call=1   kind=end action=2 ")
        let id = UUIDBits(high: 0, low: 2)
        let call = CallID(UUIDBits(high: 0, low: 1))
        #expect(line == .effect(.tellTimedOut(ActionID(id), .end, call, ProviderID("a"))))
    }

    @Test func `every escape of JSON is read`() throws {
        for (escaped, name) in [
            (#"\"\\\/"#, "\"\\/"), (#"\b\f\n\r\t"#, "\u{8}\u{C}\n\r\t"), (#"\u0041\u00e9"#, "Aé"),
            (#"\ud83d\uDE00"#, "😀"), (#"\u0000"#, "\0"), ("日本", "日本"),
        ] {
            let line = try reader.line("< reset_provider provider=\"\(escaped)\"")
            #expect(line == .effect(.resetProvider(ProviderID(name))))
        }
    }

    @Test func `comments, titles and empty lines are text`() throws {
        for line in ["", "# a", "## b", "#"] {
            #expect(try reader.line(line) == .text(line))
        }
    }

    @Test func `a time may have up to six digits behind the point`() throws {
        for (text, nanoseconds) in [("1.5", 1_500_000), ("0.000001", 1), ("-0.5", -500_000)] {
            let line = try reader.line("> @\(text) provider_lost provider=a")
            let now = Instant(nanoseconds: Int64(nanoseconds))
            #expect(line == .event(.providerLost(ProviderID("a")), at: now))
        }
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let line: String
        let column: Int
        let expected: String
        let found: String

        init(_ line: String, _ column: Int, _ expected: String, _ found: String) {
            self.line = line
            self.column = column
            self.expected = expected
            self.found = found
        }

        var testDescription: String { line }
    }

    private static let end = "the end of the line"
    private static let id = "an id: a number, b and a number, or a UUID"
    private static let time = "milliseconds, such as 1500 or 1500.000250"
    private static let text = "a word or a string"

    static let mistakes = [
        Mistake("hello", 1, "one of >, <, = and #", "\"hello\""),
        Mistake(">@0 provider_lost", 2, "a space after the mark", "\"@\""),
        Mistake(">", 2, "a space after the mark", end),
        Mistake("> provider_lost provider=a", 3, "@ and a time", "\"provider_lost\""),
        Mistake("> @x provider_lost provider=a", 4, time, "\"x\""),
        Mistake("> @ provider_lost provider=a", 4, "a time", "\" \""),
        Mistake("> @+5 provider_lost provider=a", 5, "a time from the beginning", "\"5\""),
        Mistake("> @1.0000001 provider_lost provider=a", 4, time, "\"1.0000001\""),
        Mistake("> @1. provider_lost provider=a", 4, time, "\"1.\""),
        Mistake(
            "> @9223372036854.775808 provider_lost provider=a", 4, time,
            "\"9223372036854.775808\""),
        Mistake("> @99999999999999999999 provider_lost", 4, time, "\"99999999999999999999\""),
        Mistake("> @0 lost", 6, EventKind.words, "\"lost\""),
        Mistake("> @0", 5, EventKind.words, end),
        Mistake("< lost", 3, EffectKind.words, "\"lost\""),
        Mistake("< ", 3, EffectKind.words, end),
        Mistake("= group", 3, "one of call, host", "\"group\""),
        Mistake("< screen=1", 9, "a space", "\"=\""),
        Mistake("< screen", 9, "call=", end),
        Mistake("< screen call", 14, "\"=\"", end),
        Mistake("< screen =1", 10, "a member", "\"=\""),
        Mistake("< screen call=", 15, "a value", end),
        Mistake("< screen call= 1", 15, "a value", "\" \""),
        Mistake("< screen call=é", 15, "a value", "\"é\""),
        Mistake("< screen call=1,2", 16, "a space", "\",\""),
        Mistake("< screen call=x", 15, id, "\"x\""),
        Mistake("< screen call=-1", 15, id, "\"-1\""),
        Mistake("< screen call=b", 15, id, "\"b\""),
        Mistake("< screen call=hold:1", 15, id, "\"hold:1\""),
        Mistake("< screen call=b4611686018427387904", 15, id, "\"b4611686018427387904\""),
        Mistake("< screen call=18446744073709551616", 15, id, "\"18446744073709551616\""),
        Mistake("< screen call=\"1\"", 15, id, "\"\\\"1\\\"\""),
        Mistake("< screen call=(1)", 15, id, "\"(1)\""),
        Mistake("< screen call=(1", 17, "a closing bracket", end),
        Mistake("< screen call=1 call=2", 17, "each member once", "\"call\""),
        Mistake("< screen call=1 color=2", 17, "no more members", "\"color\""),
        Mistake("< acknowledge token=-1", 21, "a number", "\"-1\""),
        Mistake("< confirm_incoming token=1 call=1 state=on", 41, CallState.words, "\"on\""),
        Mistake("< announce news=host_changed busy=1", 35, "true or false", "\"1\""),
        Mistake("< reset_provider provider=null", 27, text, "\"null\""),
        Mistake("< reset_provider provider=[]", 27, text, "\"[]\""),
        Mistake("< reset_provider provider=\"a", 29, "the \" that ends the string", end),
        Mistake("< reset_provider provider=\"é\\x\"", 29, "an escape of JSON", "\"\\\\\""),
        Mistake(
            "< reset_provider provider=\"\t\"", 28, "a control character as \\u00XX",
            "\"\\u0009\""),
        Mistake(
            "< reset_provider provider=\"\\ud83d\"", 28,
            "\\u and four hexadecimal digits that make a character", "\"\\\\\""),
        Mistake(
            "< reset_provider provider=\"\\u00g0\"", 28,
            "\\u and four hexadecimal digits that make a character", "\"\\\\\""),
        Mistake("< reset_provider provider=\"a\"b", 30, "a space", "\"b\""),
        Mistake("< stop_timer timer=ring", 20, "a timer, such as ring:1", "\"ring\""),
        Mistake("< stop_timer timer=[ring:1]", 20, "a timer, such as ring:1", "\"[ring:1]\""),
        Mistake("< stop_timer timer=bell:1", 20, TimerKind.words, "\"bell\""),
        Mistake("< stop_timer timer=ring:", 25, id, end),
        Mistake("< stop_timer timer=\"ring:x\"", 20, id, "\"x\""),
        Mistake(
            "< activate_audio provider=a group=1 calls=1", 43, "a list […]", "\"1\""),
        Mistake(
            "< activate_audio provider=a group=1 calls=[1 2]", 45,
            "a comma or the end of the list", "\" \""),
        Mistake("< activate_audio provider=a group=1 calls=[1,]", 46, "a value", "\"]\""),
        Mistake("< activate_audio provider=a group=1 calls=[,1]", 44, "a value", "\",\""),
        Mistake("< activate_audio provider=a group=1 calls=[1)", 45, "\"]\"", "\")\""),
        Mistake("< announce news=call_added call=1 cause=user", 41, "a record (…)", "\"user\""),
        Mistake(
            "< announce news=call_added call=1 cause=(rule=5)", 48, "origin=",
            "the end of the record"),
        Mistake(
            "< announce news=call_added call=1 cause=(origin=user by=1)", 54, "no more members",
            "\"by\""),
        Mistake("< announce news=call_added call=1 cause=(origin=user]", 53, "\")\"", "\"]\""),
        Mistake(
            "< announce news=call_added call=1 cause=()", 42, "origin=", "the end of the record"),
        Mistake(
            "< announce news=provider_lost provider=a grace_ms=1.5", 51, "a whole number",
            "\"1.5\""),
        Mistake(
            "< announce news=provider_lost provider=a grace_ms=9223372036854775808", 51,
            "a whole number", "\"9223372036854775808\""),
        Mistake(
            "< refuse token=1 reason=busy limit=4", 36, "a limit, such as held_groups:4", "\"4\""),
        Mistake("< refuse token=1 reason=busy limit=held:many", 41, "a whole number", "\"many\""),
        Mistake(
            "< refuse token=1 reason=busy blocking=[1]", 40,
            "a call and its provider, such as 1:org.example.a", "\"1\""),
        Mistake(
            "> @0 missed_reported token=1 provider=a call=1 missed_reasons=[late]", 64,
            "one of unanswered, short_ring, silenced, caller_gave_up, do_not_disturb, "
                + "max_ringing, emergency, provider_lost, screening_timed_out, max_calls, "
                + "in_call",
            "\"late\""),
        Mistake(
            "> @0 split_requested token=1 by=me call=1", 33,
            "user, or app: and a provider", "\"me\""),
        Mistake(
            "> @0 split_requested token=1 by=tool:x call=1", 33,
            "user, or app: and a provider", "\"tool:x\""),
        Mistake("> @0 split_requested call=1", 28, "token=", end),
        Mistake(
            "> @0 incoming_reported token=1 provider=a call=1 remote=5550100", 57,
            "a handle, such as phone:+15550100", "\"5550100\""),
    ]

    @Test(arguments: mistakes) func `an error says where, what was expected and what was found`(
        _ mistake: Mistake
    ) {
        let error = #expect(throws: TranscriptError.self) {
            try reader.line(mistake.line, number: 7)
        }
        #expect(
            error
                == TranscriptError(
                    line: 7, column: mistake.column, expected: mistake.expected,
                    found: mistake.found))
    }

    @Test func `an error reads as a sentence`() {
        let error = TranscriptError(line: 3, column: 14, expected: "a value", found: "\" \"")
        #expect("\(error)" == "line 3, column 14: expected a value, found \" \"")
    }

    @Test func `bytes that are no UTF-8 are refused`() {
        for line in ["# \u{1}", "< reset_provider provider=\"\u{1}\""] {
            let bytes = line.utf8.map { $0 == 1 ? 0xFF : $0 }
            let error = #expect(throws: TranscriptError.self) {
                try reader.line(bytes, in: bytes.indices, number: 1)
            }
            #expect(error?.expected == "UTF-8")
        }
    }

    @Test func `a line is read where it stands among others`() throws {
        let bytes = Array("# a\n< screen call=1\n< screen call=x\n".utf8)
        let call = CallID(UUIDBits(high: 0, low: 1))
        #expect(try reader.line(bytes, in: 4..<19, number: 2) == .effect(.screen(call)))
        let error = #expect(throws: TranscriptError.self) {
            try reader.line(bytes, in: 20..<35, number: 3)
        }
        #expect(error?.line == 3 && error?.column == 15)
    }
}
