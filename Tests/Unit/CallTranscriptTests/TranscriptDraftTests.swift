import CallArbitration
import CallModel
import Testing

@testable import CallTranscript

/// What authors may leave out.
struct TranscriptDraftTests {
    private func bits(_ number: UInt64) -> UUIDBits {
        UUIDBits(high: 0, low: number)
    }

    private func dispatch(_ action: UInt64, _ kind: CallAction) -> Dispatch {
        Dispatch(
            action: ActionID(bits(action)), provider: ProviderID("a"), call: CallID(bits(1)),
            kind: kind, transaction: TransactionID(bits(action + 100)), cause: Cause(.user),
            deadlineMS: 1, attempt: 1)
    }

    private func accept(_ action: UInt64, _ kind: ActionKind, _ state: ActionState)
        -> ArbiterEffect
    {
        let entry = TransactionReport.Entry(
            action: ActionID(bits(action)), kind: kind, call: CallID(bits(1)),
            provider: ProviderID("a"), isImplied: false, state: state)
        let report = TransactionReport(
            transaction: TransactionID(bits(action + 100)), state: .accepted, entries: [entry])
        return .accept(RequestToken(1), report)
    }

    /// The event of a line that an author wrote after these effects.
    private func event(_ line: String, after effects: [ArbiterEffect]) throws -> ArbiterEvent {
        var draft = TranscriptDraft()
        draft.observe(effects)
        let bytes = Array(line.utf8)
        let source = TranscriptSource(bytes, bytes.indices, number: 1, lineage: 1, draft: draft)
        return try source.event().0
    }

    private func fulfilled(_ action: UInt64) -> ArbiterEvent {
        .actionFulfilled(ActionID(bits(action)), by: ProviderID("a"))
    }

    @Test func `each word for an action names its kind and its direction`() throws {
        let start = StartArguments(remote: Handle(kind: .phone, value: "1"))
        let names: [(CallAction, Set<ActionName>)] = [
            (.start(start), [.start]), (.answer, [.answer]), (.end, [.end]),
            (.setHeld(true), [.hold, .setHeld]), (.setHeld(false), [.resume, .setHeld]),
            (.setMuted(true), [.mute, .setMuted]), (.setMuted(false), [.unmute, .setMuted]),
            (.setGroup(with: nil), [.group, .setGroup]),
            (.playDTMF(digits: "1", .single), [.dtmf, .playDTMF]),
            (.setEndpoint("x"), [.setEndpoint]),
            (.setVideo(.both), [.setVideo]),
            (.setText(true), [.setText]),
            (.transfer(to: start.remote), [.transfer]), (.deflect(to: start.remote), [.deflect]),
        ]
        for (action, matching) in names {
            for name in ActionName.allCases {
                let line = "> action_fulfilled action=\(name.rawValue):1"
                let event = try? event(line, after: [.perform(dispatch(7, action))])
                #expect(event == (matching.contains(name) ? fulfilled(7) : nil), "\(line)")
            }
        }
    }

    @Test func `the newest that was sent is meant, else the newest that waits`() throws {
        let line = "> action_fulfilled action=mute:1"
        let waiting = [accept(1, .setMuted, .queued), accept(2, .setMuted, .queued)]
        #expect(try event(line, after: waiting) == fulfilled(2))
        let sent = waiting + [.perform(dispatch(1, .setMuted(true)))]
        #expect(try event(line, after: sent) == fulfilled(1))
        let both = sent + [.perform(dispatch(2, .setMuted(true)))]
        #expect(try event(line, after: both) == fulfilled(2))
        let other = sent + [.perform(dispatch(2, .setMuted(false)))]
        #expect(try event(line, after: other) == fulfilled(1))
        let gone = waiting + [accept(2, .setMuted, .cancelled)]
        #expect(try event(line, after: gone) == fulfilled(1))
    }

    @Test func `an offered action can be named`() throws {
        let offer = ArbiterEffect.offer(
            TransactionID(bits(101)), ProviderID("a"), [dispatch(1, .answer)])
        #expect(try event("> action_fulfilled action=answer:1", after: [offer]) == fulfilled(1))
        let taken = "> offer_settled transaction=answer:1 provider=a taken=true"
        #expect(
            try event(taken, after: [offer])
                == .offerSettled(TransactionID(bits(101)), by: ProviderID("a"), isTaken: true))
    }

    @Test func `a timer may be that of an action or of its transaction`() throws {
        let hold = [ArbiterEffect.perform(dispatch(7, .setHeld(true)))]
        for (name, timer) in [
            ("action:hold:1", .action(ActionID(bits(7)))),
            ("ending_wait:hold:1", .endingWait(TransactionID(bits(107)))),
            ("ring:1", .ring(CallID(bits(1)))), ("grace:a", .grace(ProviderID("a"))),
        ] as [(String, TimerID)] {
            #expect(try event("> timer_fired timer=\(name)", after: hold) == .timerFired(timer))
        }
    }

    @Test func `another provider may answer, if it is named`() throws {
        let line = "> action_fulfilled action=hold:1 provider=b"
        let hold = [ArbiterEffect.perform(dispatch(7, .setHeld(true)))]
        #expect(
            try event(line, after: hold)
                == .actionFulfilled(ActionID(bits(7)), by: ProviderID("b")))
    }
}
