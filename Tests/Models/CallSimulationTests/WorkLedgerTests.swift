import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// Actions that are sent to the wrong ones, too many, or not settled exactly once are seen.
struct WorkLedgerTests {
    private let provider = Doctored.provider

    @Test func `an action that is performed and settles is fine`() {
        var doctored = Doctored.performing()
        let complaints = doctored.complaints(
            of: .actionFulfilled(Doctored.action(1), by: provider), Doctored.settling(1))
        #expect(complaints == [])
    }

    @Test func `a provider that is not connected`() {
        var doctored = Doctored.withCalls()
        let effects = Doctored.sending(Doctored.dispatch(1))
        let complaints = doctored.complaints(of: .providerLost(provider), effects)
        #expect(complaints == ["I4: a provider that is not connected is asked to act"])
    }

    @Test func `settling twice`() {
        var doctored = Doctored.performing()
        doctored.take(Doctored.nothing, Doctored.settling(1))
        let complaints = doctored.complaints(
            .announce(
                .actionChanged(Doctored.action(1), .answer, Doctored.call(1), .cancelled)))
        #expect(complaints == ["I5: an action settles twice"])
    }

    @Test func `an answer that changes nothing`() {
        var doctored = Doctored.performing()
        let complaints = doctored.complaints(
            of: .actionFulfilled(Doctored.action(1), by: provider), [])
        #expect(complaints == ["I5: an answered action does not settle"])
    }

    @Test func `a time-out that changes nothing`() {
        var doctored = Doctored.performing()
        let complaints = doctored.complaints(
            of: .timerFired(.action(Doctored.action(1))), [])
        #expect(complaints == ["I5: an answered action does not settle"])
    }

    @Test func `the answer of another provider need not change anything`() {
        var doctored = Doctored.performing()
        let complaints = doctored.complaints(
            of: .actionFulfilled(Doctored.action(1), by: ProviderID("org.x")), [])
        #expect(complaints == [])
    }

    @Test func `a dispatch that is announced and not sent`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(
            .announce(
                .actionChanged(Doctored.action(1), .answer, Doctored.call(1), .dispatched)))
        #expect(complaints == ["I5: a dispatch is announced and was not done"])
    }

    @Test func `an action of a transaction that was taken over is not sent`() {
        var doctored = Doctored.withCalls()
        let transaction = Doctored.transaction(1)
        doctored.take(
            Doctored.nothing, [.offer(transaction, provider, [Doctored.dispatch(1)])])
        let complaints = doctored.complaints(
            of: .offerSettled(transaction, by: provider, isTaken: true),
            [
                .announce(
                    .actionChanged(Doctored.action(1), .answer, Doctored.call(1), .dispatched))
            ])
        #expect(complaints == [])
    }

    @Test func `performing a settled action again`() {
        var doctored = Doctored.performing()
        doctored.take(Doctored.nothing, Doctored.settling(1))
        let complaints = doctored.complaints(
            of: Doctored.nothing, Doctored.sending(Doctored.dispatch(1)))
        #expect(complaints == ["I5: a settled action is performed again"])
    }

    @Test func `performing again without a return`() {
        var doctored = Doctored.performing()
        let complaints = doctored.complaints(.perform(Doctored.dispatch(1, attempt: 2)))
        #expect(complaints == ["I5: an action is performed again for no reason"])
    }

    @Test func `cancelling what nobody performs`() {
        var doctored = Doctored.withCalls()
        let complaints = doctored.complaints(.cancelPerform(Doctored.action(1), provider))
        #expect(complaints == ["I5: an action is cancelled that nobody performs"])
    }

    @Test func `a removed provider with work left`() {
        var doctored = Doctored.performing()
        let complaints = doctored.complaints(
            of: .providerExited(provider),
            [.announce(.providerRemoved(provider, .processExited))])
        #expect(complaints == ["I5: an action is left when its provider is removed"])
    }

    @Test func `two actions of one call`() {
        var doctored = Doctored.performing()
        let complaints = doctored.complaints(
            of: Doctored.nothing, Doctored.sending(Doctored.dispatch(2, .setMuted(true))))
        #expect(complaints == ["O4: two actions of a call at once"])
    }

    @Test func `an end may overtake`() {
        var doctored = Doctored.performing()
        let complaints = doctored.complaints(
            of: Doctored.nothing, Doctored.sending(Doctored.dispatch(2, .end)))
        #expect(complaints == [])
    }

    @Test func `nine actions of one provider`() {
        var doctored = Doctored.withProvider()
        for number in UInt64(1)...9 {
            let added = ArbiterEffect.announce(.callAdded(Doctored.call(number), Cause(.remote)))
            doctored.take(
                Doctored.nothing,
                [added] + Doctored.sending(Doctored.dispatch(number, call: number)))
        }
        #expect(doctored.complaints() == ["O4: too many actions of a provider at once"])
    }

    @Test func `a completion that tells another state`() {
        var doctored = Doctored.performing()
        let transaction = Doctored.transaction(1)
        doctored.take(
            Doctored.nothing,
            [.announce(.transactionAccepted(Doctored.report(transaction, .accepted), Cause(.user)))]
                + Doctored.settling(1, .failed)
                + [
                    .announce(
                        .transactionCompleted(Doctored.report(transaction, .failed), Cause(.user)))
                ])
        let entry = TransactionReport.Entry(
            action: Doctored.action(1), kind: .answer, call: Doctored.call(1),
            provider: provider, isImplied: false, state: .fulfilled)
        let report = TransactionReport(
            transaction: Doctored.transaction(1), state: .completed, entries: [entry])
        let complaints = doctored.complaints(.complete(RequestToken(5), report, Cause(.user)))
        #expect(complaints.contains("replies: a completion tells another state"))
    }

    @Test func `a transaction that is accepted or completed twice`() {
        var doctored = Doctored.withCalls()
        let transaction = Doctored.transaction(1)
        let complaints = doctored.complaints(
            .announce(.transactionAccepted(Doctored.report(transaction, .accepted), Cause(.user))),
            .announce(.transactionAccepted(Doctored.report(transaction, .accepted), Cause(.user))),
            .announce(
                .transactionCompleted(Doctored.report(transaction, .completed), Cause(.user))),
            .announce(.transactionCompleted(Doctored.report(transaction, .completed), Cause(.user)))
        )
        #expect(
            complaints == [
                "replies: a transaction is accepted twice",
                "replies: a transaction is completed that does not run",
            ])
    }
}
