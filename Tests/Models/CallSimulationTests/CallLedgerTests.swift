import CallArbitration
import CallModel
import Testing

@testable import CallSimulation

/// Calls that end without a trace, twice, or go on afterwards are seen.
struct CallLedgerTests {
    private let call = Doctored.call(1)
    private let removed = ArbiterEffect.announce(
        .callRemoved(Doctored.call(1), Cause(.remote)))

    private func ended() -> Doctored {
        var doctored = Doctored.withCalls()
        doctored.take(Doctored.nothing, [removed, .record(Doctored.entry(1))])
        return doctored
    }

    @Test func `an end with its entry is fine`() {
        var doctored = ended()
        #expect(doctored.complaints() == [])
    }

    @Test func `an end without an entry`() {
        var doctored = Doctored.withCalls()
        #expect(
            doctored.complaints(removed)
                == ["I8: an end without exactly one history entry"])
    }

    @Test func `an end with two entries`() {
        var doctored = Doctored.withCalls()
        let entry = ArbiterEffect.record(Doctored.entry(1))
        #expect(
            doctored.complaints(removed, entry, entry)
                == ["I8: an end without exactly one history entry"])
    }

    @Test func `an entry without an end`() {
        var doctored = Doctored.withCalls()
        #expect(
            doctored.complaints(.record(Doctored.entry(1)))
                == ["I8: a history entry without an end"])
    }

    @Test func `an entry in a later event`() {
        var doctored = ended()
        #expect(
            doctored.complaints(.record(Doctored.entry(1)))
                == ["I8: a second history entry of a call"])
    }

    @Test func `an entry of a call that ends before it began`() {
        var doctored = Doctored.withCalls()
        var entry = Doctored.entry(1)
        entry.last.createdAt = Instant(nanoseconds: 5)
        #expect(
            doctored.complaints(removed, .record(entry)) == ["I8: a call ends before it began"])
    }

    @Test func `a missed call that was taken`() {
        var doctored = Doctored.withCalls()
        var entry = Doctored.entry(1)
        entry.missed = .unanswered
        entry.last.connectedAt = .zero
        #expect(
            doctored.complaints(removed, .record(entry))
                == ["I8: a call is missed that was taken"])
    }

    @Test func `an ended call that changes`() {
        var doctored = ended()
        #expect(
            doctored.complaints(.announce(.callChanged(call, [.state], Cause(.user))))
                == ["I6: an ended call changes"])
    }

    @Test func `an unknown call that changes`() {
        var doctored = Doctored.withCalls()
        #expect(
            doctored.complaints(
                .announce(.callChanged(Doctored.call(7), [.state], Cause(.user))))
                == ["I6: a call changes that is not listed"])
    }

    @Test func `an ended call that comes back`() {
        var doctored = ended()
        #expect(
            doctored.complaints(.announce(.callAdded(call, Cause(.provider))))
                == ["I6: an ended call is added again"])
    }

    @Test func `a call that was lost may come back`() {
        var doctored = Doctored.withCalls()
        doctored.take(
            Doctored.nothing,
            [removed, .record(Doctored.entry(1, .failed, rule: .providerLost))])
        #expect(doctored.complaints(.announce(.callAdded(call, Cause(.provider)))) == [])
    }

    @Test func `an id that is forgotten may be used again`() {
        var doctored = ended()
        doctored.pass(ms: 600_000)
        #expect(doctored.complaints(.announce(.callAdded(call, Cause(.provider)))) == [])
    }

    @Test func `a call that is added twice`() {
        var doctored = Doctored.withCalls()
        #expect(
            doctored.complaints(.announce(.callAdded(call, Cause(.provider))))
                == ["I6: a call is added twice"])
    }

    @Test func `a call that is removed twice`() {
        var doctored = ended()
        let complaints = doctored.complaints(removed, .record(Doctored.entry(1)))
        #expect(complaints.contains("I6: a call is removed that is not listed"))
    }

    @Test func `a known call that a filter shall look at`() {
        var doctored = Doctored.withCalls()
        #expect(doctored.complaints(.screen(call)) == ["I6: a known call is screened"])
    }

    @Test func `an action on an ended call`() {
        var doctored = ended()
        let complaints = doctored.complaints(
            of: Doctored.nothing, Doctored.sending(Doctored.dispatch(1)))
        #expect(complaints == ["I6: an action is performed on an ended call"])
    }

    @Test func `the offer to resume an ended call`() {
        var doctored = ended()
        #expect(
            doctored.complaints(.announce(.resumeOffered(call, becauseOf: Doctored.call(2))))
                == ["I6: a resume of an unlisted call is offered"])
    }

    @Test func `a report about one call that ends another`() {
        var doctored = Doctored.withCalls()
        let report = CallReport(
            token: RequestToken(9), provider: Doctored.provider, call: Doctored.call(2),
            news: .ended(.remoteEnded))
        let complaints = doctored.complaints(
            of: .callReported(report),
            [removed, .record(Doctored.entry(1)), .acknowledge(RequestToken(9))])
        #expect(complaints == ["P4: a report about one call ends another"])
    }

    @Test func `an app that ends a call of another`() {
        var doctored = Doctored.withCalls()
        let token = RequestToken(9)
        let report = TransactionReport(
            transaction: Doctored.transaction(1), state: .accepted, entries: [])
        doctored.take(
            .transactionRequested(
                TransactionRequest(
                    token: token, requester: .app(ProviderID("org.x")), actions: [])),
            [.accept(token, report), .complete(token, report, Cause(.user))])
        var entry = Doctored.entry(1, .localEnded)
        entry.cause = Cause(.arbitration, transaction: Doctored.transaction(1))
        let complaints = doctored.complaints(removed, .record(entry))
        #expect(complaints == ["P4: an app ends a call of another"])
    }

    @Test func `a provider that is removed and was not there`() {
        var doctored = Doctored()
        #expect(
            doctored.complaints(.announce(.providerRemoved(Doctored.provider, .revoked)))
                == ["form: a provider is removed that was not there"])
    }
}
