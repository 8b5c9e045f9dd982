import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// Promises that are not kept are seen.
struct PromiseWatchTests {
    private let provider = Doctored.provider
    private let token = RequestToken(9)

    /// A provider, and a call that rings.
    private func ringing() -> Bench {
        var bench = Bench()
        bench.apply(
            .providerRegistered(
                ProviderRegistration(
                    token: RequestToken(1), provider: provider,
                    configuration: ProviderConfiguration(displayName: "a", handleKinds: []))),
            at: .zero)
        bench.apply(
            .incomingReported(
                IncomingReport(
                    token: RequestToken(2), provider: provider, call: Doctored.call(1),
                    update: CallUpdate())),
            at: .zero)
        return bench
    }

    private func request(
        _ action: CallAction, isDryRun: Bool = false, choice: AnswerChoice = .plain
    ) -> ArbiterEvent {
        var options = CallOptions()
        options.isDryRun = isDryRun
        return .transactionRequested(
            TransactionRequest(
                token: token, requester: .user,
                actions: [RequestedAction(call: Doctored.call(1), action: action, choice: choice)],
                options: options))
    }

    private func report(_ kinds: ActionKind..., refusal: Refusal? = nil) -> TransactionReport {
        TransactionReport(
            transaction: nil, state: .accepted,
            entries: kinds.map {
                TransactionReport.Entry(
                    action: nil, kind: $0, call: Doctored.call(1), provider: provider,
                    isImplied: false, state: .queued)
            }, refusal: refusal)
    }

    private func complaints(
        _ event: ArbiterEvent, _ effects: [ArbiterEffect], after: Arbiter? = nil
    ) -> [String] {
        var watch = PromiseWatch()
        var complaints: [Complaint] = []
        let before = ringing().arbiter
        watch.prepare(event, before, isClose: true)
        watch.take(event, effects, after ?? before, &complaints)
        return complaints.map { "\($0.check.rawValue): \($0.what)" }
    }

    @Test func `a refusal that changes something`() {
        var after = ringing().arbiter
        _ = after.apply(.providerLost(provider), at: .zero)
        let refusal = ArbiterEffect.refuse(token, Refusal(.busy))
        let event = request(.setHeld(true))
        #expect(
            complaints(event, [refusal], after: after)
                == ["refusal: a refused event changes the state"])
        #expect(complaints(event, [refusal]) == [])
    }

    @Test func `a dry run that changes something`() {
        var after = ringing().arbiter
        _ = after.apply(.providerLost(provider), at: .zero)
        let event = request(.answer, isDryRun: true)
        #expect(
            complaints(event, [.accept(token, report(.answer))], after: after)
                == ["refusal: a dry run changes the state"])
    }

    @Test func `what is allowed and refused`() {
        #expect(
            complaints(request(.answer), [.refuse(token, Refusal(.busy))])
                == ["allowed: answer is allowed and refused"])
    }

    @Test func `what is accepted and not allowed`() {
        #expect(
            complaints(request(.setHeld(false)), [.accept(token, report(.setHeld))])
                == ["allowed: resume is accepted and not allowed"])
    }

    /// What is wrong when a request follows its dry run.
    private func complaints(
        promised: TransactionReport, then effect: ArbiterEffect
    ) -> [String] {
        var watch = PromiseWatch()
        var complaints: [Complaint] = []
        let arbiter = ringing().arbiter
        watch.take(
            request(.answer, isDryRun: true), [.accept(token, promised)], arbiter, &complaints)
        watch.take(request(.answer), [effect], arbiter, &complaints)
        return complaints.map { "\($0.check.rawValue): \($0.what)" }
    }

    @Test func `a plan as it was promised is fine`() {
        #expect(
            complaints(promised: report(.answer), then: .accept(token, report(.answer))) == [])
    }

    @Test func `another plan than was promised`() {
        #expect(
            complaints(promised: report(.answer), then: .accept(token, report(.setHeld, .answer)))
                == ["I11: the plan is not the promised one"])
    }

    @Test func `a refusal in place of the promised plan, or the other way round`() {
        #expect(
            complaints(promised: report(.answer), then: .refuse(token, Refusal(.busy)))
                == ["I11: a request is refused otherwise than its dry run"])
        let refused = report(refusal: Refusal(.busy))
        #expect(
            complaints(promised: refused, then: .accept(token, report(.answer)))
                == ["I11: a request is accepted that its dry run refused"])
    }

    @Test func `a replay that goes otherwise`() {
        var bench = ringing()
        bench.checkReplay()
        #expect(bench.complaint == nil)
        var policy = ArbitrationPolicy()
        policy.ringTimeoutMS = 1_000
        bench.checkReplay(from: Arbiter(policy: policy, lineage: 1))
        #expect(bench.complaint?.what == "a replay has other effects")
    }

    @Test func `a replay that ends in another state`() {
        var bench = ringing()
        var policy = ArbitrationPolicy()
        policy.buttonActive = .mute
        bench.checkReplay(from: Arbiter(policy: policy, lineage: 1))
        #expect(bench.complaint?.what == "a replay ends in another state")
    }
}
