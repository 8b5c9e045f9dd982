import CallArbitration
import CallModel
import NaiveArbiter
import Testing

@testable import SecondOpinion

/// The arbiter and the naive one in the same random worlds: what one does the other wants.
struct SecondOpinionTests {
    /// A few of those that `make second-opinion` goes through. In 41 a call is deflected in front of an
    /// emergency, in 254 a call no longer declares the change of video that is under way.
    static let seeds = Array<UInt64>(1...30) + [41, 254]
    static let steps = 200

    @Test(arguments: seeds)
    func `the naive arbiter wants what the arbiter does`(_ seed: UInt64) {
        let (policy, script, run) = SecondOpinion.simulate(seed: seed, steps: Self.steps)
        guard !run.differences.isEmpty else { return }
        let short = Run.of(Shortening.of(script, policy: policy), policy: policy)
        Issue.record("seed \(seed):\n\(short.story(last: 60))")
    }

    @Test func `the worlds are not empty`() {
        let (_, script, run) = SecondOpinion.simulate(seed: 1, steps: Self.steps)
        #expect(script.count == Self.steps)
        #expect(run.compared > Self.steps / 2)
    }

    /// Whether the effect is lost on its way to the comparison.
    struct Loss: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let isLost: @Sendable (ArbiterEffect) -> Bool
    }

    static let losses: [Loss] = [
        Loss(testDescription: "a reply") { if case .accept = $0 { true } else { false } },
        Loss(testDescription: "a result") { if case .complete = $0 { true } else { false } },
        Loss(testDescription: "a refusal") { if case .refuse = $0 { true } else { false } },
        Loss(testDescription: "an action") { if case .perform = $0 { true } else { false } },
        Loss(testDescription: "an offer") { if case .offer = $0 { true } else { false } },
        Loss(testDescription: "a cancel") { if case .cancelPerform = $0 { true } else { false } },
        Loss(testDescription: "the audio") { if case .activateAudio = $0 { true } else { false } },
        Loss(testDescription: "silence") { if case .deactivateAudio = $0 { true } else { false } },
        Loss(testDescription: "a timer") { if case .startTimer = $0 { true } else { false } },
        Loss(testDescription: "the stop of a timer") {
            if case .stopTimer = $0 { true } else { false }
        },
        Loss(testDescription: "history") { if case .record = $0 { true } else { false } },
        Loss(testDescription: "a change") {
            if case .announce(.callChanged) = $0 { true } else { false }
        },
        Loss(testDescription: "news of the host") {
            if case .announce(.hostChanged) = $0 { true } else { false }
        },
    ]

    @Test(arguments: losses) func `a lost effect is noticed`(_ loss: Loss) {
        let isNoticed = Self.seeds.contains { seed in
            let world = SecondOpinion.simulate(seed: seed, steps: 60, loses: loss.isLost)
            return !world.run.differences.isEmpty
        }
        #expect(isNoticed)
    }

    @Test func `a deadline that is another is noticed`() {
        var other = ArbitrationPolicy()
        other.deadlines.answer = 30_000
        let policy = ArbitrationPolicy()
        #expect(Run.of(Self.anAnswer, policy: policy).differences == [])
        #expect(Run.of(Self.anAnswer, policy: policy, other: other).differences != [])
        #expect(Run.of(Self.anAnswer, policy: other, other: other).differences == [])
    }

    private static let anAnswer: [ScriptStep] = [
        .event(
            .providerRegistered(
                ProviderRegistration(
                    token: RequestToken(1), provider: ProviderID("a"),
                    configuration: ProviderConfiguration(displayName: "A", handleKinds: [.phone])))),
        .event(
            .incomingReported(
                IncomingReport(
                    token: RequestToken(2), provider: ProviderID("a"), call: CallID(1),
                    update: CallUpdate()))),
        .event(
            .transactionRequested(
                TransactionRequest(
                    token: RequestToken(3), requester: .user,
                    actions: [RequestedAction(call: CallID(1), action: .answer)]))),
    ]
}
