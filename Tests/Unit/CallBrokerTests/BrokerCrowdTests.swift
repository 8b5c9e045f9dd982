import CallBroker
import CallTesting
import Testing

/// One that asks too much, and what the log may hold of anybody.
struct BrokerCrowdTests {
    private let host = MemoryBroker()

    @Test func `beside a flood of requests another is answered at once`() {
        let a = host.provider()
        let (flood, other) = (host.controller(), host.controller())
        a.ring(1)
        let request = Frame.request(1, "call.end", flood.long(#"{"call":"c9"}"#))
        flood.send(Array(repeating: request, count: 1_000))
        // One turn's frames of the flood, and not one more before the other's answer.
        #expect(flood.lines().count == 64)
        #expect(other.tell("call.answer", #"{"call":"c1"}"#).count == 1)
        #expect(flood.lines() == [])
        #expect(a.fulfilling(1).count == 2)
        #expect(other.brief().count == 1)
        for turn in 2...15 {
            host.turn()
            #expect(flood.lines().count == 64)
            #expect(other.tell("call.get", #"{"call":"c1"}"#).count == 1, "turn \(turn)")
        }
        host.turn()
        #expect(flood.lines().count == 1_000 - 15 * 64)
    }

    @Test func `a controller that waits for too much is told so, and nobody else`() {
        let a = host.provider()
        let (greedy, other) = (host.controller(), host.controller())
        host.talk(1, of: a, by: greedy)
        greedy.lastID = 0
        for _ in 1...65 {
            greedy.post("call.play_dtmf", #"{"call":"c1","digits":"1","wait":"completed"}"#)
        }
        let lines = greedy.brief()
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix("65: -32012 pending"))
        #expect(other.tell("call.list").count == 1)
    }

    @Test func `at a provider so many actions wait, and the call can be ended all the same`() {
        let host = MemoryBroker { $0.limits.queuedActions = 16 }
        let a = host.provider()
        let (greedy, other) = (host.controller(), host.controller())
        host.talk(1, of: a, by: greedy)
        greedy.lastID = 0
        // The first is on its way to the app.
        for _ in 1...18 { greedy.post("call.play_dtmf", #"{"call":"c1","digits":"1"}"#) }
        let lines = greedy.brief()
        #expect(lines.count == 18)
        #expect(lines[16].hasPrefix("17: accepted"))
        #expect(lines[17].hasPrefix("18: -32012 pending"))
        #expect(other.tell("call.end", #"{"call":"c1"}"#).joined().contains("accepted"))
    }

    @Test func `observers that come and go leave nothing behind`() {
        let a = host.provider()
        for call in 1...200 {
            let observer = host.observer()
            a.ring(call)
            #expect(observer.brief().count == 2)
            observer.vanish()
            _ = a.tell("call.report_ended", #"{"call":"c\#(call)","reason":"failed"}"#)
        }
        #expect(
            host.controller().tell("broker.info").joined().contains(#""subscriptions":0"#))
    }

    @Test func `no name, address or tone of a caller stands in the log`() {
        let secrets = ["+15550199", "Ada Secret", "4711#", "k-contact", "sip:secret@example.org"]
        let observer = host.observer()
        let a = host.provider("org.a", #""url_schemes":["sip"]"#)
        let user = host.controller()
        _ = a.tell(
            "call.report_incoming",
            #"{"call":"c1","remote":{"type":"phone","value":"+15550199"},"#
                + #""display_name":"Ada Secret"}"#)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.settle(a)
        _ = user.tell("call.play_dtmf", #"{"call":"c1","digits":"4711#"}"#)
        _ = a.brief()
        a.fail(2, -32_000, "refused")
        _ = a.tell("call.report_update", #"{"call":"c1","display_name":"Ada Secret","remote":7}"#)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"Ada Secret"}"#)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"failed"}"#)
        _ = user.tell(
            "call.start",
            #"{"remote":{"type":"phone","value":"+15550199"},"contact":"k-contact"}"#)
        _ = user.tell("call.dial", #"{"uri":"sip:secret@example.org"}"#)
        _ = user.tell("call.dial", #"{"uri":"Ada Secret"}"#)
        _ = a.tell(
            "call.report_missed",
            #"{"call":"c7","remote":{"type":"phone","value":"+15550199"},"#
                + #""reason":"unanswered","at_ms":1}"#)
        a.vanish()
        host.turn(afterMS: 60_000)
        #expect(!observer.brief().isEmpty)
        let log = host.log.lines
        #expect(!log.isEmpty)
        for secret in secrets { #expect(!log.contains { $0.contains(secret) }, "\(secret)") }
    }

    @Test func `no error quotes what was sent`() {
        let a = host.provider()
        let user = host.controller()
        let requests = [
            (
                "call.start",
                #"{"provider":"org.a","remote":{"type":"phone","value":["+15550199"]}}"#
            ),
            ("call.start", #"{"provider":"+15550199","remote":{"type":"phone","value":"1"}}"#),
            ("call.answer", #"{"call":"+15550199"}"#),
            ("call.answer", #"{"call":"c1","choice":"+15550199"}"#),
            ("call.play_dtmf", #"{"call":"c1","digits":"+15550199"}"#),
            ("call.dial", #"{"uri":"+15550199"}"#),
            ("events.subscribe", #"{"topics":["+15550199"]}"#),
            ("transaction.request", #"{"actions":[{"kind":"+15550199","call":"c1"}]}"#),
        ]
        for (method, params) in requests {
            let line = user.ask(Frame.request(1, method, user.long(params))).joined()
            #expect(line.contains(#""error""#) && !line.contains("15550199"), "\(method)")
        }
        #expect(a.lines() == [])
    }
}
