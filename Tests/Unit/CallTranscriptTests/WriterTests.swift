import CallArbitration
import CallModel
import Testing

@testable import CallTranscript

/// What lines look like.
struct WriterTests {
    private let call = CallID(UUIDBits(high: 0, low: 1))
    private let provider = ProviderID("org.example.a")

    private func text(_ effect: ArbiterEffect) -> String {
        var writer = TranscriptWriter()
        writer.write(effect)
        return writer.text
    }

    private func text(_ event: ArbiterEvent, at nanoseconds: Int64 = 0) -> String {
        var writer = TranscriptWriter()
        writer.write(event, at: Instant(nanoseconds: nanoseconds))
        return writer.text
    }

    @Test func `a dispatch shows the action, its cause and its deadline`() {
        let transaction = TransactionID(UUIDBits(lineage: 1, counter: 2))
        let other = CallID(UUIDBits(high: 0, low: 2))
        let dispatch = Dispatch(
            action: ActionID(UUIDBits(lineage: 1, counter: 3)), provider: provider, call: call,
            kind: .setHeld(true), transaction: transaction,
            cause: Cause(
                .arbitration, rule: .answerHoldsFirst, transaction: transaction, becauseOf: other),
            deadlineMS: 5_000, attempt: 1)
        #expect(
            text(.perform(dispatch)) == """
                < perform action=b3 provider=org.example.a call=1 kind=set_held held=true \
                transaction=b2 cause=(origin=arbitration rule=5 because_of=2 transaction=b2) \
                deadline_ms=5000 attempt=1

                """)
    }

    @Test func `an event begins with its time, in milliseconds`() {
        let exit = ArbiterEvent.providerExited(provider)
        for (nanoseconds, time) in [
            (0, "0"), (1_500_000_000, "1500"), (1_500_000_250, "1500.000250"),
            (-1, "-0.000001"), (-2_000_000, "-2"), (.max, "9223372036854.775807"),
            (.min, "-9223372036854.775808"),
        ] as [(Int64, String)] {
            let line = "> @\(time) provider_exited provider=org.example.a\n"
            #expect(text(exit, at: nanoseconds) == line)
        }
    }

    @Test func `what is the default is not written`() {
        #expect(text(.policyChanged(ArbitrationPolicy())) == "> @0 policy_changed\n")
        var policy = ArbitrationPolicy()
        policy.limits.calls = 100_000
        policy.resumeAfterRemoteEnd = true
        #expect(
            text(.policyChanged(policy)) == """
                > @0 policy_changed resume_after_remote_end=true limits=(calls=100000)

                """)
    }

    @Test func `an update shows what is set and what is cleared`() {
        var update = CallUpdate()
        update.remote = .set(Handle(kind: .phone, value: "+15550100"))
        update.displayName = .cleared
        update.hasVideo = .set(false)
        let report = CallReport(
            token: RequestToken(4), provider: provider, call: call, news: .updated(update))
        #expect(
            text(.callReported(report)) == """
                > @0 call_reported token=4 provider=org.example.a call=1 news=updated \
                remote=phone:+15550100 display_name=null has_video=false

                """)
    }

    @Test func `a refusal shows the rule, the limit and who is in the way`() {
        let refusal = Refusal(
            .maxHeld, rule: .hostLimits, limit: Refusal.Limit(name: "held_groups", value: 4),
            blocking: [Refusal.Blocker(call: call, provider: provider)])
        #expect(
            text(.refuse(RequestToken(4), refusal)) == """
                < refuse token=4 reason=max_held rule=25 limit=held_groups:4 \
                blocking=[1:org.example.a]

                """)
    }

    @Test func `names that are no words are JSON strings`() {
        for (name, shown) in [
            ("", "\"\""), ("null", "\"null\""), ("a b", "\"a b\""), ("a=b", "\"a=b\""),
            ("say \"hi\" \\", "\"say \\\"hi\\\" \\\\\""),
            ("\n\u{0}\u{7F}", "\"\\u000a\\u0000\\u007f\""),
            ("é", "\"é\""), ("a/B_9.+:-", "a/B_9.+:-"),
        ] {
            let line = "< reset_provider provider=\(shown)\n"
            #expect(text(.resetProvider(ProviderID(name))) == line)
        }
    }

    @Test func `a name of two parts is one word, or one string`() {
        for (name, shown) in [
            ("org.example.a", "grace:org.example.a"), ("", "grace:"), ("a b", "\"grace:a b\""),
            ("a:b", "grace:a:b"),
        ] {
            #expect(text(.stopTimer(.grace(ProviderID(name)))) == "< stop_timer timer=\(shown)\n")
        }
    }
}
