import CallBroker
import CallTesting
import Testing

/// Real-time text that is added to a call, asked for by the far end, and typed (rule 46).
struct BrokerTextTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider("org.a", #""supports_text":true"#)
        user = host.controller()
    }

    private func answered(_ members: String = #""supports_set_text":true"#) {
        app.ring(1, members)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.settle(app)
        host.forget()
    }

    private func id(of frame: String?) throws -> Int {
        let frame = try #require(frame)
        return try #require(JSONTree(frame)["id"]?.integer)
    }

    private func call() -> String {
        user.post("call.get", #"{"call":"c1"}"#)
        return user.lines().joined()
    }

    private func send(_ text: String = "hi") throws -> Int {
        user.post("call.send_text", #"{"call":"c1","text":"\#(text)"}"#)
        return try id(of: app.lines().last)
    }

    /// Events as clients that know the feature see them.
    private func watcher(_ hello: String = "") -> MemoryPeer {
        let watcher = host.connect()
        _ = watcher.ask(Frame.hello(#""roles":["observer"],"features":["text"]\#(hello)"#))
        _ = watcher.tell("events.subscribe", #"{"topics":["call.text"]}"#)
        host.forget()
        return watcher
    }

    @Test func `an app is asked for text, and the call has it then`() throws {
        answered()
        #expect(call().contains(#""play_dtmf","set_text"]"#))
        user.post("call.set_text", #"{"call":"c1","text":true}"#)
        let perform = try #require(app.lines().last)
        #expect(perform.contains(#""arguments":{"text":true}"#))
        #expect(call().contains(#""pending_action":"changing_text""#))
        app.send(Frame.result(try id(of: perform)))
        #expect(call().contains(#""has_text":true"#))
    }

    @Test func `a request of the far end is shown until the user has decided`() throws {
        answered()
        _ = app.tell("call.report_text_request", #"{"call":"c1","requested":true}"#)
        #expect(call().contains(#""text_request":true"#))
        user.post("call.set_text", #"{"call":"c1","text":false}"#)
        let perform = try #require(app.lines().last)
        #expect(perform.contains(#""arguments":{"text":false}"#))
        app.send(Frame.result(try id(of: perform)))
        #expect(!call().contains("text_request"))
    }

    @Test func `text has numbers that a restarted broker does not give again`() throws {
        answered(#""supports_set_text":true,"has_text":true"#)
        let watcher = watcher()
        _ = app.tell("call.report_text", #"{"call":"c1","text":"hello"}"#)
        #expect(watcher.lines().last?.contains(#""topic":"call.text""#) == true)
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `a request that is withdrawn or too old is over`() {
        answered()
        _ = app.tell("call.report_text_request", #"{"call":"c1","requested":true}"#)
        _ = app.tell("call.report_text_request", #"{"call":"c1","requested":false}"#)
        #expect(!call().contains("text_request"))
        _ = app.tell("call.report_text_request", #"{"call":"c1","requested":true}"#)
        host.turn(afterMS: 30_000)
        #expect(!call().contains("text_request"))
    }

    @Test func `a call is answered without text once its app has taken it away`() throws {
        app.ring(1, #""supports_set_text":true,"has_text":true"#)
        host.forget()
        user.post("call.answer", #"{"call":"c1","text":false}"#)
        let first = try #require(app.lines().last)
        #expect(first.contains(#""arguments":{"text":false}"#))
        app.send(Frame.result(try id(of: first)))
        #expect(app.lines().joined().contains(#""kind":"answer""#))
        #expect(!call().contains("has_text"))
    }

    @Test func `a start with text at an app without it goes on without, and the decision is shown`()
    {
        let plain = host.provider("org.b")
        host.forget()
        _ = user.tell(
            "call.start",
            #"{"call":"c1","provider":"org.b","has_text":true,"remote":{"type":"phone","value":"1"}}"#
        )
        #expect(plain.lines().joined().contains("has_text") == false)
        user.post("call.explain", #"{"call":"c1"}"#)
        #expect(user.lines().joined().contains(#""decision":"without_text""#))
    }

    // MARK: - Characters

    @Test func `what the user types is sent by the app, and shown to other screens then`() throws {
        answered(#""has_text":true"#)
        let watcher = watcher()
        user.post("call.send_text", #"{"call":"c1","text":"hi"}"#)
        let request = try #require(app.lines().last)
        #expect(
            request.contains(#""provider.send_text","params":{"call":"#)
                && request.contains(#""text":"hi","deadline_ms":5000}"#))
        #expect(watcher.lines().isEmpty && user.lines().isEmpty)
        app.send(Frame.result(try id(of: request)))
        #expect(watcher.lines().joined().contains(#""from":"local","text":"hi""#))
        #expect(user.lines().joined().contains(#""result":{"seq":"#))
    }

    @Test func `what the far end types is shown`() {
        answered(#""has_text":true"#)
        let watcher = watcher()
        _ = app.tell("call.report_text", #"{"call":"c1","text":"h\u0008o"}"#)
        #expect(watcher.lines().joined().contains(#""from":"remote","text":"h\bo""#))
    }

    @Test func `text that the app cannot send is shown to nobody`() throws {
        answered(#""has_text":true"#)
        let watcher = watcher()
        app.send(Frame.error("\(try send())", -32_000, "no_media", "the media is gone"))
        #expect(user.lines().joined().contains(#""reason":"provider_failed""#))
        #expect(watcher.lines().isEmpty)
    }

    @Test func `an app that does not say whether it has sent the text is cancelled`() throws {
        answered(#""has_text":true"#)
        let request = try send()
        host.turn(afterMS: 5_000)
        #expect(app.lines().last?.contains(#""params":{"request":\#(request)}"#) == true)
        #expect(user.lines().joined().contains(#""reason":"deadline_exceeded""#))
    }

    @Test func `text needs an active call that has it`() {
        answered()
        func refusal(_ method: String, _ peer: MemoryPeer) -> Bool? {
            peer.tell(method, #"{"call":"c1","text":"x"}"#).last?
                .contains("-32006 invalid_state field=/call")
        }
        #expect(refusal("call.send_text", user) == true)
        #expect(refusal("call.report_text", app) == true)
        _ = app.tell("call.report_update", #"{"call":"c1","has_text":true}"#)
        _ = user.tell("call.set_held", #"{"call":"c1","held":true}"#)
        host.settle(app)
        host.forget()
        #expect(refusal("call.send_text", user) == true)
        #expect(app.lines().isEmpty)
    }

    @Test(arguments: [
        (#"{"call":"c1","text":""}"#, "-32602 too_short field=/text"),
        (#"{"call":"c7","text":"x"}"#, "-32004 unknown_call"),
    ])
    func `text that cannot be is refused`(params: String, error: String) {
        answered(#""has_text":true"#)
        for (peer, method) in [(user, "call.send_text"), (app, "call.report_text")] {
            let reply = peer.tell(method, params).last
            #expect(reply?.contains(error) == true, "\(reply ?? "")")
        }
        let long = String(repeating: "x", count: 1_025)
        #expect(
            user.tell("call.send_text", #"{"call":"c1","text":"\#(long)"}"#).last?
                .contains("too_long") == true)
    }

    @Test func `who has not named the feature is not sent text`() throws {
        answered(#""has_text":true"#)
        let plain = host.observer("call.text")
        _ = app.tell("call.report_text", #"{"call":"c1","text":"secret"}"#)
        #expect(plain.lines().isEmpty)
    }
}
