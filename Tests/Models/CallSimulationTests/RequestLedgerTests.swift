import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// Requests without a reply, or with too many, are seen.
struct RequestLedgerTests {
    private let token = RequestToken(5)
    private let report = TransactionReport(transaction: nil, state: .accepted, entries: [])

    private func request(_ change: (inout CallOptions) -> Void = { _ in }) -> ArbiterEvent {
        var options = CallOptions()
        change(&options)
        return .transactionRequested(
            TransactionRequest(token: token, requester: .user, actions: [], options: options))
    }

    @Test func `an acceptance and a completion are fine`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            of: request(), [.accept(token, report), .complete(token, report, Cause(.user))])
        #expect(complaints == [])
        #expect(doctored.watch.requests.open == [])
    }

    @Test func `no reply at all`() {
        var doctored = Doctored.withCalls()
        #expect(doctored.complaints(of: request(), []) == ["replies: no reply"])
    }

    @Test func `no completion is an open request`() {
        var doctored = Doctored.withCalls()
        doctored.take(request(), [.accept(token, report)])
        #expect(doctored.watch.requests.open == [token])
    }

    @Test func `two replies`() {
        var doctored = Doctored.withCalls()
        let refusal = ArbiterEffect.refuse(token, Refusal(.busy))
        #expect(
            doctored.complaints(of: request(), [refusal, refusal])
                == ["replies: a second reply"])
    }

    @Test func `a refusal after the acceptance`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            of: request(), [.accept(token, report), .refuse(token, Refusal(.busy))])
        #expect(complaints == ["replies: a second reply"])
    }

    @Test func `two completions`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            of: request { $0.wait = .completed },
            [.complete(token, report, Cause(.user)), .complete(token, report, Cause(.user))])
        #expect(complaints == ["replies: a second completion"])
    }

    @Test func `a completion before the acceptance`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            of: request(), [.complete(token, report, Cause(.user)), .accept(token, report)])
        #expect(complaints == ["replies: a completion before the reply"])
    }

    @Test func `an acceptance for somebody who waits for the end`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            of: request { $0.wait = .completed }, [.accept(token, report)])
        #expect(complaints == ["replies: a reply of the wrong kind"])
    }

    @Test func `a completion of a dry run`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            of: request { $0.isDryRun = true },
            [.accept(token, report), .complete(token, report, Cause(.user))])
        #expect(complaints == ["replies: a second completion"])
    }

    @Test func `a reply to nobody`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .acknowledge(token), .complete(token, report, Cause(.user)))
        #expect(
            complaints.sorted() == [
                "replies: a completion to nobody", "replies: a reply to nobody",
            ])
    }

    @Test func `a screened call may wait for its verdict`() {
        var doctored = Doctored.withCalls()
        let incoming = IncomingReport(
            token: token, provider: Doctored.provider, call: Doctored.call(3),
            update: CallUpdate(), needsScreening: true)
        let complaints = doctored.complaints(
            of: .incomingReported(incoming), [.screen(Doctored.call(3))])
        #expect(complaints == [])
        #expect(doctored.watch.requests.open == [token])
    }
}
