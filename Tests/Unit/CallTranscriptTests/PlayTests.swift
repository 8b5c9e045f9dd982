import CallArbitration
import CallModel
import Testing

@testable import CallTranscript

struct PlayTests {
    /// Call 1 of app "a" is active, call 2 of app "b" waits.
    private let setup = """
        # Two apps.
        ## setup
        > provider_registered provider=org.example.a display_name=a
        > provider_registered provider=org.example.b display_name=b
        > @1000 incoming_reported provider=org.example.a call=1
        > @+500 transaction_requested actions=[(call=1 kind=answer)]
        > action_fulfilled action=answer:1
        > incoming_reported provider=org.example.b call=2 remote=phone:+15550100

        """

    private func play(_ section: String) throws -> Transcript {
        try Transcript(setup + section, reading: .whatAuthorsWrote).played()
    }

    /// The effects behind each event of a section.
    private func effects(_ section: Transcript.Section) -> [[ArbiterEffect]] {
        section.lines.reduce(into: []) { groups, line in
            if case .event = line { groups.append([]) }
            if case .effect(let effect) = line { groups[groups.count - 1].append(effect) }
        }
    }

    @Test func `each event is followed by all of its effects`() throws {
        let transcript = try play(
            "## answer\n> transaction_requested actions=[(call=2 kind=answer)]")
        var arbiter = Arbiter(lineage: 1)
        let registrations = ["a", "b"].map {
            ProviderRegistration(
                token: RequestToken($0 == "a" ? 1 : 2), provider: ProviderID("org.example.\($0)"),
                configuration: ProviderConfiguration(displayName: $0, handleKinds: []))
        }
        let calls = [1, 2].map { CallID(UUIDBits(high: 0, low: $0)) }
        var update = CallUpdate()
        func answer(_ call: CallID, _ token: UInt64) -> ArbiterEvent {
            .transactionRequested(
                TransactionRequest(
                    token: RequestToken(token), requester: .user,
                    actions: [RequestedAction(call: call, action: .answer)]))
        }
        for registration in registrations {
            _ = arbiter.apply(.providerRegistered(registration), at: .zero)
        }
        func report(_ call: Int, _ token: UInt64) -> ArbiterEvent {
            .incomingReported(
                IncomingReport(
                    token: RequestToken(token), provider: registrations[call].provider,
                    call: calls[call], update: update))
        }
        let now = Instant.zero.advanced(byMS: 1_500)
        _ = arbiter.apply(report(0, 3), at: .zero.advanced(byMS: 1_000))
        let dispatches = arbiter.apply(answer(calls[0], 4), at: now).compactMap {
            if case .perform(let dispatch) = $0 { dispatch } else { nil }
        }
        let first = try #require(dispatches.first)
        _ = arbiter.apply(.actionFulfilled(first.action, by: first.provider), at: now)
        update.remote = .set(Handle(kind: .phone, value: "+15550100"))
        _ = arbiter.apply(report(1, 5), at: now)
        #expect(effects(transcript.sections[1]) == [arbiter.apply(answer(calls[1], 6), at: now)])
        let state = transcript.sections[1].lines.suffix(3)
        let views = calls.compactMap { arbiter.view(of: $0).map { Transcript.Line.call($0) } }
        let host = HostState(facts: arbiter.hostFacts, audioGroup: arbiter.audioGroup)
        #expect(Array(state) == views + [.host(host)])
    }

    @Test func `the setup is silent, and every section begins after it`() throws {
        let section = "## first\n> provider_exited provider=org.example.a\n"
        let transcript = try play(section + section)
        #expect(transcript.sections[0].lines == (try Transcript(setup).sections[0].lines))
        #expect(transcript.sections[1] == transcript.sections[2])
        #expect(!effects(transcript.sections[1]).joined().isEmpty)
    }

    @Test func `comments stay, and the state comes before the empty lines at the end`() throws {
        let transcript = try play(
            """
            ## over
            # Its process dies.
            > provider_exited provider=org.example.a
            # And the other.

            > provider_exited provider=org.example.b


            ## nothing happens
            # Nothing.
            """)
        let lines = transcript.sections[1].lines
        #expect(
            lines.first == .comment("Its process dies.") && lines.suffix(2) == [.blank, .blank])
        let middle = try #require(lines.firstIndex(of: .comment("And the other.")))
        #expect(lines[middle + 1] == .blank)
        if case .effect = lines[middle - 1] {} else { Issue.record("\(lines[middle - 1])") }
        #expect(lines[lines.count - 3] == .host(HostState(facts: HostFacts(), audioGroup: nil)))
        #expect(transcript.sections[2].lines == [.comment("Nothing.")])
    }

    @Test func `playing again changes nothing`() throws {
        let section = """
            ## the hold is late
            > transaction_requested actions=[(call=2 kind=answer)]
            > @+5000 timer_fired timer=action:hold:1
            > @+0.5 action_fulfilled action=answer:2

            """
        let played = try play(section).text()
        #expect(played.contains("\n> @+5000 timer_fired timer=action:hold:1\n"))
        #expect(
            played.contains(
                "\n= call call=2 provider=org.example.b direction=incoming state=active"))
        #expect(try Transcript(played).text() == played)
        #expect(try Transcript(played).played().text() == played)
        #expect(try Transcript(played, reading: .whatAuthorsWrote).played().text() == played)
    }

    @Test func `an action may be named by what it does, or by its id`() throws {
        let asked = "## hold\n> transaction_requested actions=[(call=2 kind=answer)]\n"
        let dispatches = effects(try play(asked).sections[1]).joined().compactMap {
            if case .perform(let dispatch) = $0 { dispatch } else { nil }
        }
        let hold = try #require(dispatches.first)
        let event = ArbiterEvent.actionFulfilled(hold.action, by: hold.provider)
        let line = Transcript.EventLine(event, at: Instant.zero.advanced(byMS: 1_500)).text
        let expected = effects(try play(asked + line).sections[1])
        #expect(expected[1].contains { $0.kind == .deactivateAudio })
        for name in ["hold:1", "set_held:1"] {
            let played = try play(asked + "> action_fulfilled action=\(name)")
            #expect(effects(played.sections[1]) == expected, "\(name)")
        }
    }

    @Test func `tokens count on from the highest that was used`() throws {
        let transcript = try play(
            """
            ## tokens
            > button_pressed press=long
            > button_pressed token=40 press=long
            > button_pressed press=long
            """)
        let tokens = effects(transcript.sections[1]).map { effects in
            effects.compactMap { effect -> UInt64? in
                switch effect {
                case .accept(let token, _), .acknowledge(let token), .refuse(let token, _):
                    token.number
                default: nil
                }
            }
        }
        #expect(tokens.map { $0.first } == [6, 40, 41])
    }

    @Test func `a time may be left out, or be counted from the former event`() throws {
        let transcript = try play(
            """
            ## timers
            > @+0.25 incoming_reported provider=org.example.a call=3
            > incoming_reported provider=org.example.a call=4
            > @2000 incoming_reported provider=org.example.a call=5
            """)
        let times = effects(transcript.sections[1]).joined().compactMap { effect in
            if case .startTimer(.ring, let at) = effect { at.nanoseconds } else { nil }
        }
        #expect(times == [61_500_250_000, 61_500_250_000, 62_000_000_000])
    }

    @Test func `a policy may be given, and another lineage`() throws {
        var policy = ArbitrationPolicy()
        policy.ringTimeoutMS = 7_000
        let text = """
            # One call.
            > provider_registered provider=a display_name=a
            > incoming_reported provider=a call=1
            > transaction_requested actions=[(call=1 kind=answer)]

            """
        let transcript = try Transcript(text).played(policy: policy, lineage: 0xAB_0000_0007)
        let played = transcript.text(lineage: 0xAB_0000_0007)
        #expect(played.contains("< start_timer timer=ring:1 at_ms=7000\n"))
        #expect(played.contains("< perform action=b2 "))
        #expect(!transcript.text(lineage: 1).contains("action=b2"))
    }

    @Test func `a line that is no event cannot be played as one`() {
        for text in ["", "<", "< reset_provider provider=a", "provider_lost"] {
            let lines = [Transcript.Line.event(Transcript.EventLine(text: text, number: 2))]
            let section = Transcript.Section(title: "wrong", lines: lines)
            let error = #expect(throws: TranscriptError.self) {
                try Transcript(story: "Wrong.", sections: [section]).played()
            }
            #expect(error?.line == 2 && error?.column == 1 && error?.expected == ">")
        }
    }

    @Test func `after the highest token there is`() throws {
        let transcript = try play(
            """
            ## tokens
            > button_pressed token=18446744073709551615 press=long
            > button_pressed press=long
            """)
        #expect(effects(transcript.sections[1]).count == 2)
    }

    @Test func `a mistake of the author is found in its line`() {
        for (line, column, expected) in [
            ("> action_fulfilled action=hold:9", 27, "an action that was sent, or waits"),
            ("> action_fulfilled action=hug:1", 27, ActionName.words),
            ("> action_fulfilled action=1", 28, "provider="),
            ("> @+9223372036854 provider_lost provider=a", 5, "a time"),
            ("> sing", 3, EventKind.words),
        ] {
            let error = #expect(throws: TranscriptError.self) {
                try play("## wrong\n# A comment.\n\(line)\n")
            }
            #expect(error?.line == 11 && error?.column == column, "\(line)")
            #expect(error?.expected == expected, "\(line)")
        }
    }
}
