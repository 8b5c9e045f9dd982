import CallBroker
import CallTesting
import Testing

/// Whole stories, with all that everybody is told, in the order in which they are told it.
struct BrokerStoryTests {
    private let host = MemoryBroker()

    @Test func `two providers, Hold and Accept, and back`() {
        let (a, b) = (host.provider(), host.provider("org.b"))
        let (user, observer) = (host.controller(), host.observer())

        // Ada calls the first app.
        #expect(a.ring(1) == [#"1: {"call":"c1","state":"ringing","presentation":"ring"}"#])
        #expect(observer.brief() == ["+ c1 ringing provider/1", "host held 0 ringing 1"])

        #expect(
            user.tell("call.answer", #"{"call":"c1"}"#) == ["1: accepted #1 [#2 answer c1 queued]"])
        #expect(a.brief() == ["perform 1 #2 answer c1 user 60000 ms"])
        #expect(
            observer.brief() == [
                "transaction.accepted accepted #1 [#2 answer c1 queued] user",
                "action.dispatched #2 answer c1", "~ c1 ringing ..answering (pending_action) user",
                "host live c1 held 0 ringing 0 busy",
            ])

        #expect(a.fulfilling(1) == ["audio.activated c1: c1"])
        #expect(
            user.brief() == ["own transaction.completed completed #1 [#2 answer c1 fulfilled] user"]
        )
        #expect(
            observer.brief() == [
                "action.fulfilled #2 answer c1", "~ c1 active (state pending_action) user",
                "audio null > c1 user",
                "transaction.completed completed #1 [#2 answer c1 fulfilled] user",
                "host live c1 held 0 ringing 0",
            ])

        // Bob calls the second; nobody is held by a mere ring.
        #expect(b.ring(2) == [#"1: {"call":"c2","state":"waiting","presentation":"tone"}"#])
        #expect(a.brief() == [])
        #expect(
            observer.brief() == ["+ c2 waiting provider/2 for c1", "host live c1 held 0 ringing 1"])

        // Hold and Accept: first the hold, then the audio goes, then the answer.
        #expect(
            user.tell(
                "call.answer", #"{"call":"c2","choice":"hold_and_answer","wait":"completed"}"#)
                == [])
        #expect(a.brief() == ["perform 2 #4 set_held c1 held=true arbitration/7 for c2 5000 ms"])
        #expect(b.brief() == [])
        #expect(
            observer.brief() == [
                "transaction.accepted accepted #3 [#4 set_held c1 implied queued, "
                    + "#5 answer c2 queued] user/7",
                "action.dispatched #4 set_held c1 held=true",
                "~ c2 waiting ..queued (pending_action) user/7",
                "~ c1 active ..holding (pending_action) arbitration/7 for c2",
                "host live c1 held 0 ringing 1 busy",
            ])

        #expect(a.fulfilling(2) == ["audio.deactivated c1: c1"])
        #expect(b.brief() == ["perform 1 #5 answer c2 user/7 60000 ms"])
        let held = observer.brief()
        #expect(held.first == "action.fulfilled #4 set_held c1")
        #expect(
            held.contains(
                "~ c1 held held for c2 (state pending_action held_because_of) "
                    + "arbitration/7 for c2"))
        #expect(held.contains("audio c1 > null arbitration/7 for c2"))
        #expect(held.last == "host live c2 held 1 ringing 0 busy")

        #expect(b.fulfilling(1) == ["audio.activated c2: c2"])
        #expect(a.brief() == [])
        #expect(
            user.brief() == [
                "2: completed #3 [#4 set_held c1 implied fulfilled, #5 answer c2 fulfilled]"
            ])
        #expect(
            observer.brief() == [
                "action.fulfilled #5 answer c2", "~ c2 active (state pending_action) user/7",
                "audio null > c2 user/7",
                "transaction.completed completed #3 "
                    + "[#4 set_held c1 implied fulfilled, #5 answer c2 fulfilled] user/7",
                "host live c2 held 1 ringing 0",
            ])

        // The user ends the second; the first, held because of it, comes back.
        #expect(
            user.tell("call.end", #"{"call":"c2"}"#) == ["3: accepted #6 [#7 end c2 queued]"])
        #expect(b.brief() == ["perform 2 #7 end c2 user 5000 ms"])
        #expect(b.fulfilling(2) == ["audio.deactivated c2: c2"])
        #expect(a.brief() == ["perform 3 #9 set_held c1 held=false arbitration/16 for c2 5000 ms"])
        #expect(
            user.brief() == ["own transaction.completed completed #6 [#7 end c2 fulfilled] user"])
        #expect(a.fulfilling(3) == ["audio.activated c1: c1"])
        let ended = observer.brief()
        #expect(ended.contains("- c2 user"))
        #expect(ended.last == "host live c1 held 0 ringing 0")

        // Ada hangs up.
        #expect(
            a.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
                == ["audio.deactivated c1: c1", "2: {}"])
        #expect(
            observer.brief() == [
                "~ c1 ended remote_ended (state end_reason end_cause) remote", "- c1 remote",
                "audio c1 > null remote", "host held 0 ringing 0",
            ])
        #expect(b.brief() == [] && user.brief() == [])
    }

    @Test func `requests in one write are taken in order, and their replies come in order`() {
        let (a, user) = (host.provider(), host.controller())
        a.ring(1)
        host.forget()
        user.send(
            Frame.request(1, "call.answer", user.long(#"{"call":"c1"}"#)),
            Frame.request(2, "call.set_muted", user.long(#"{"call":"c1","muted":true}"#)),
            Frame.request(3, "call.list"),
            Frame.request(4, "call.end", user.long(#"{"call":"c9"}"#)),
            Frame.notification("broker.log", #"{"level":"info","message":"hello"}"#),
            Frame.request(5, "call.get", user.long(#"{"call":"c1"}"#)))
        let lines = user.brief()
        #expect(lines.map { $0.prefix(2) } == ["1:", "2:", "3:", "4:", "5:"])
        #expect(a.brief() == ["perform 1 #2 answer c1 user 60000 ms"])
    }

    @Test func `a provider's whole life may stand in one write`() {
        let observer = host.observer("provider.*", "call.*")
        let a = host.connect()
        let call = ShortID.call(1)
        let lines = a.ask(
            Frame.hello(#""roles":["provider"],"identity":"org.a""#),
            Frame.request(
                1, "provider.register", #"{"display_name":"A","handle_types":["phone"]}"#),
            Frame.request(
                2, "call.report_incoming",
                #"{"call":"\#(call)","remote":{"type":"phone","value":"1"}}"#),
            Frame.request(3, "call.report_connected", #"{"call":"\#(call)"}"#),
            Frame.request(
                4, "call.report_ended", #"{"call":"\#(call)","reason":"remote_ended"}"#),
            Frame.request(5, "provider.unregister"))
        #expect(
            lines.map { Brief.line($0).prefix(9) }
                == [
                    "0: {\"proto", "1: {\"provi", "2: {\"call\"", "audio.act", "3: {}", "audio.dea",
                    "4: {}", "5: {}",
                ].map { $0.prefix(9) })
        #expect(
            observer.brief() == [
                "provider.added org.a calls 0", "+ c1 ringing provider/1",
                "~ c1 active (state) provider/13 for c1",
                "~ c1 ended remote_ended (state end_reason end_cause) remote", "- c1 remote",
                "provider.removed provider=org.a reason=unregistered",
            ])
    }

    // MARK: - Batches

    @Test func `the replies of a batch come together, when the last is there`() {
        let (a, user) = (host.provider(), host.controller())
        a.ring(1)
        host.forget()
        user.send(
            Frame.batch(
                Frame.request(1, "call.answer", user.long(#"{"call":"c1","wait":"completed"}"#)),
                Frame.request(2, "call.list"),
                Frame.request(3, "call.end", user.long(#"{"call":"c9"}"#))))
        #expect(user.brief() == [])
        #expect(a.brief() == ["perform 1 #2 answer c1 user 60000 ms"])
        a.fulfil(1)
        let lines = user.brief()
        #expect(lines.count == 1)
        let entries = String(lines[0].dropFirst().dropLast()).split(separator: "; ")
        #expect(
            entries.sorted() == [
                "1: completed #1 [#2 answer c1 fulfilled]", "2: [c1 ringing ..answering]",
                "3: -32004 unknown_call rule=31",
            ])
    }

    @Test func `the entries of a batch are taken in order`() {
        let (a, user) = (host.provider(), host.controller())
        let call = ShortID.call(1)
        let line = a.ask(
            Frame.batch(
                Frame.request(
                    1, "call.report_incoming",
                    #"{"call":"\#(call)","remote":{"type":"phone","value":"1"}}"#),
                Frame.request(2, "call.report_muted", #"{"call":"\#(call)","muted":true}"#),
                Frame.request(3, "call.report_ended", #"{"call":"\#(call)","reason":"failed"}"#),
                Frame.request(4, "call.report_ended", #"{"call":"\#(call)","reason":"failed"}"#))
        ).map { Brief.line($0) }
        #expect(
            line == [
                #"[1: {"call":"c1","state":"ringing","presentation":"ring"}; 2: {}; 3: {}; "#
                    + "4: -32004 call_ended rule=31]"
            ])
        #expect(user.tell("call.list") == [#"1: {"calls":[]}"#])
    }

    @Test func `two that wait in one batch are answered by their own providers`() {
        let (a, user) = (host.provider(), host.controller())
        host.talk(1, of: a, by: user)
        user.send(
            Frame.batch(
                Frame.request(
                    1, "call.set_muted",
                    user.long(#"{"call":"c1","muted":true,"wait":"completed"}"#)),
                Frame.request(
                    2, "call.play_dtmf",
                    user.long(#"{"call":"c1","digits":"1","wait":"completed"}"#))))
        #expect(a.brief().count == 1)
        a.fulfil(2)
        #expect(user.brief() == [])
        #expect(a.brief().count == 1)
        a.fail(3)
        let lines = user.brief()
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("[1: completed #3 ["))
        #expect(lines[0].contains("; 2: -32013 provider_failed"))
    }
}
