import CallModel
import Testing

/// The words of the wire: an app written against one release must find them in the next.
struct VocabularyTests {
    @Test func `call states, pending actions, verbs and priorities have their words`() {
        #expect(
            CallState.allCases.map(\.rawValue) == [
                "starting", "dialing", "alerting", "ringing", "waiting", "connecting", "active",
                "held", "ending", "ended", "external",
            ])
        #expect(
            PendingAction.allCases.map(\.rawValue) == [
                "queued", "starting", "answering", "holding", "resuming", "ending", "muting",
                "grouping", "sending_dtmf", "switching_endpoint", "changing_video", "changing_text",
                "transferring", "deflecting",
            ])
        #expect(
            Verb.allCases.map(\.rawValue) == [
                "answer", "hold_and_answer", "end_and_answer", "end_held_and_answer", "decline",
                "silence", "end", "hold", "resume", "swap", "mute", "unmute", "merge", "split",
                "play_dtmf", "set_endpoint", "set_video", "set_text", "transfer",
                "attended_transfer", "deflect", "pull",
            ])
        #expect(
            Priority.allCases.map(\.rawValue) == [
                "background", "normal", "priority_caller", "emergency", "emergency_callback",
            ])
    }

    @Test func `actions and transactions have their words`() {
        #expect(
            ActionKind.allCases.map(\.rawValue) == [
                "start", "answer", "end", "set_held", "set_muted", "set_group", "play_dtmf",
                "set_endpoint", "set_video", "set_text", "transfer", "attended_transfer",
                "deflect",
            ])
        #expect(
            ActionState.allCases.map(\.rawValue) == [
                "planned", "queued", "dispatched", "fulfilled", "failed", "timed_out", "skipped",
                "cancelled",
            ])
        #expect(TransactionState.allCases.map(\.rawValue) == ["accepted", "completed", "failed"])
        #expect(DTMFStyle.allCases.map(\.callKitNumber) == [1, 2, 3])
    }

    @Test func `five end reasons are CallKit's and can be reported`() {
        #expect(
            EndReason.allCases.filter(\.isReportable).map(\.rawValue) == [
                "failed", "remote_ended", "unanswered", "answered_elsewhere", "declined_elsewhere",
            ])
        #expect(EndReason.allCases.compactMap(\.callKitNumber) == [1, 2, 3, 4, 5])
        #expect(
            EndReason.allCases.filter { !$0.isReportable }.map(\.rawValue) == [
                "local_ended", "declined", "cancelled", "filtered",
            ])
    }

    @Test func `missed reasons are a set with words in fixed order`() {
        let reasons: MissedReasons = [.shortRing, .unanswered, .doNotDisturb]
        #expect(reasons.names == ["unanswered", "short_ring", "do_not_disturb"])
        let all = [
            "unanswered", "short_ring", "silenced", "caller_gave_up", "do_not_disturb",
            "max_ringing", "emergency", "provider_lost", "screening_timed_out", "max_calls",
            "in_call",
        ]
        #expect(all.compactMap { MissedReasons(name: $0) }.map(\.names) == all.map { [$0] })
        #expect(MissedReasons(name: "bored") == nil)
    }

    @Test func `the words of a set can be had one by one, in the same order`() {
        let reasons: MissedReasons = [.emergency, .unanswered]
        var words: [String] = []
        reasons.forEachName { words.append("\($0)") }
        #expect(words == reasons.names)
        let changed: ChangedProperties = [.priority, .state, .heldBecauseOf]
        words = []
        changed.forEachName { words.append("\($0)") }
        #expect(words == ["state", "held_because_of", "priority"])
        #expect(words == changed.names)
    }

    @Test func `every action knows its kind`() {
        let call = CallID(UUIDBits(high: 1, low: 2))
        let actions: [CallAction] = [
            .start(StartArguments(remote: Handle(kind: .generic, value: "x"))), .answer, .end,
            .setHeld(true), .setMuted(false), .setGroup(with: call),
            .playDTMF(digits: "1", .single), .setEndpoint("speaker"),
            .setVideo(.both), .setText(true),
            .transfer(to: Handle(kind: .phone, value: "1")),
            .attendedTransfer(with: call), .deflect(to: Handle(kind: .phone, value: "1")),
        ]
        #expect(actions.map(\.kind) == ActionKind.allCases)
    }

    @Test func `a handle's kind is open`() {
        #expect(Handle.Kind(name: "sip") == .other("sip"))
        #expect(
            ["phone", "email", "generic", "sip"].map { Handle.Kind(name: $0).name }
                == ["phone", "email", "generic", "sip"])
    }

    @Test func `a provider's defaults are CallKit's`() {
        let provider = ProviderConfiguration(displayName: "A", handleKinds: [.phone])
        #expect(provider.maxCallGroups == 2 && provider.maxCallsPerGroup == 5)
        #expect(provider.includesInRecents && !provider.supportsVideo)
        #expect(provider.resumesWhenFreed && !provider.takesTransactions)
    }
}
