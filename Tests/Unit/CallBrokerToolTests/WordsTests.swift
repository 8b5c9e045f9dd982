import CallModel
import CallProtocol
import Testing

@testable import CallBrokerTool

/// The words for people.
struct WordsTests {
    @Test func `each reason of a missed call has words`() {
        let names = MissedReasons(rawValue: .max).names
        #expect(Set(names) == Set(Words.missedReasons.keys))
    }

    @Test(arguments: RefusalReason.allCases)
    func `a refusal in English is what the broker says`(_ reason: RefusalReason) {
        #expect(Words.refusal(reason.rawValue) == reason.message)
    }

    @Test func `words of a newer broker are shown as they are`() {
        for word in [Words.refusal, Words.state, Words.pending, Words.decision, Words.origin] {
            #expect(word("word_of_2030") == "word of 2030")
        }
    }

    @Test(
        arguments: [
            (
                "remote_ended", ["short_ring", "caller_gave_up"], nil,
                "rang briefly, caller gave up"
            ),
            ("failed", ["provider_lost"], nil, "failed, app failed"),
            ("local_ended", [], nil, "ended here"),
            ("filtered", ["do_not_disturb"], "do_not_disturb", "do-not-disturb was on"),
            ("filtered", [], "org.example.it", "kept from ringing by org.example.it"),
            (
                "remote_ended", ["silenced", "caller_gave_up"], "unknown_callers",
                "rang silently, caller gave up (the policy for unknown callers)"
            ),
            ("word_of_2030", ["more_of_it"], nil, "word of 2030, more of it"),
        ] as [(String, [String], String?, String)])
    func `an end in words`(reason: String, missed: [String], filter: String?, text: String) {
        #expect(Words.end(reason, missed: missed, filter: filter) == text)
    }
}
