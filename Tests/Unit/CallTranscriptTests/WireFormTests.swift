import Testing

@testable import CallTranscript

struct WireFormTests {
    /// The methods and notifications of the protocol's tables that have to do with calls, with who
    /// sends them: `>` a request to the broker, `<` one from it, `~>` and `~<` notifications.
    private static let methods: [String: Set<String>] = [
        ">": [
            "provider.register", "provider.update", "provider.unregister",
            "call.report_incoming", "call.report_alerting", "call.report_connecting",
            "call.report_connected",
            "call.report_held", "call.report_muted", "call.report_group", "call.report_missed",
            "call.report_update", "call.report_ended", "action.settle", "transaction.request",
            "call.start", "call.answer", "call.end", "call.set_held", "call.set_muted",
            "call.set_group", "call.play_dtmf", "call.dial", "call.swap", "call.merge",
            "call.split", "call.press_button", "call.silence",
            "call.prioritize", "policy.set",
        ],
        "<": ["provider.perform", "provider.execute", "screener.check", "directory.lookup"],
        "~>": ["broker.cancel", "broker.progress"],
        "~<": [
            "broker.cancel", "provider.timed_out", "provider.reset", "audio.activated",
            "audio.deactivated",
        ],
    ]

    /// The topics of the protocol's table that the arbiter announces.
    private static let topics: Set<String> = [
        "call.added", "call.changed", "call.removed", "call.refused", "call.resume_offered",
        "host.changed", "transaction.accepted", "transaction.completed", "action.dispatched",
        "action.fulfilled", "action.failed", "action.timed_out", "action.late",
        "provider.added", "provider.changed", "provider.resumed", "provider.lost",
        "provider.removed", "audio.changed", "broker.anomaly",
    ]

    private static let forms =
        EventKind.allCases.map { WireForm($0) } + EffectKind.allCases.map { WireForm($0) }
        + AnnouncementKind.allCases.map { WireForm($0) }

    private static let frames = Set(
        forms.flatMap { form in
            switch form {
            case .frames(let frames): frames
            case .none: [WireForm.Frame]()
            }
        })

    private func names(
        _ form: WireForm.Frame.Form, _ direction: WireForm.Frame.Direction
    ) -> Set<String> {
        Set(
            Self.frames.filter { $0.form == form && $0.direction == direction }.map(\.name))
    }

    @Test func `each frame is one of the protocol, in its direction`() {
        #expect(names(.request, .toBroker) == Self.methods[">"])
        #expect(names(.request, .toClient) == Self.methods["<"])
        #expect(names(.notification, .toBroker) == Self.methods["~>"])
        #expect(names(.notification, .toClient) == Self.methods["~<"])
        #expect(names(.event, .toClient) == Self.topics && names(.event, .toBroker) == [])
    }

    @Test func `an answer goes back where the request came from`() {
        for form in [WireForm.Frame.Form.result, .error] {
            #expect(names(form, .toBroker).isSubset(of: Self.methods["<"] ?? []))
            #expect(names(form, .toClient).isSubset(of: Self.methods[">"] ?? []))
        }
        // The shell answers these itself: the arbiter has no word against them.
        let unanswered: Set = [
            "provider.update", "provider.unregister", "action.settle", "policy.set",
        ]
        #expect(names(.result, .toClient).union(unanswered) == Self.methods[">"])
        #expect(names(.error, .toClient).union(unanswered) == Self.methods[">"])
        #expect(names(.result, .toBroker) == Self.methods["<"])
    }

    @Test func `events come to the broker and effects leave it`() {
        for kind in EventKind.allCases {
            if case .frames(let frames) = WireForm(kind) {
                #expect(!frames.isEmpty && frames.allSatisfy { $0.direction == .toBroker })
            }
        }
        for kind in EffectKind.allCases {
            if case .frames(let frames) = WireForm(kind) {
                #expect(!frames.isEmpty && frames.allSatisfy { $0.direction == .toClient })
            }
        }
    }

    @Test func `what is no frame says why`() {
        #expect(WireForm(EventKind.timerFired) == .none(.clock))
        #expect(WireForm(EventKind.providerLost) == .none(.system))
        #expect(WireForm(EventKind.brokerRestarted) == .none(.start))
        #expect(WireForm(EffectKind.record) == .none(.history))
        #expect(WireForm(EffectKind.note) == .none(.decisions))
    }
}
