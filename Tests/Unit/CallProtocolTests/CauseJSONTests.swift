import BrokerJSON
import CallModel
import CallProtocol
import Testing

struct CauseJSONTests {
    @Test func `a cause has its origin, and what else is known`() {
        #expect(
            JSONWriter.text { $0.member("cause", Cause(.user)) } == #""cause":{"origin":"user"}"#)
        let cause = Cause(
            .arbitration, rule: .holdFailed,
            transaction: TransactionID(UUIDBits(high: 0, low: 1)),
            becauseOf: CallID(UUIDBits(high: 0, low: 2)))
        #expect(
            JSONWriter.text { $0.member("end_cause", cause) }
                == #""end_cause":{"origin":"arbitration","rule":"5a","#
                + #""transaction":"00000000-0000-0000-0000-000000000001","#
                + #""because_of":"00000000-0000-0000-0000-000000000002"}"#)
    }

    @Test func `the calls in the way are named with their providers`() {
        let blockers = [1, 2].map {
            Refusal.Blocker(
                call: CallID(UUIDBits(high: 0, low: $0)), provider: ProviderID("org.example.a"))
        }
        #expect(
            JSONWriter.text { $0.member("blocking", blocking: blockers) }
                == #""blocking":["#
                + #"{"call":"00000000-0000-0000-0000-000000000001","provider":"org.example.a"},"#
                + #"{"call":"00000000-0000-0000-0000-000000000002","provider":"org.example.a"}]"#)
        #expect(JSONWriter.text { $0.member("blocking", blocking: []) } == #""blocking":[]"#)
    }
}
