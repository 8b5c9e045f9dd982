import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Why an app has not done what it was asked: its own word and sentence, and who gets them.
struct BrokerFailureTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer
    private let observer: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
        observer = host.observer()
    }

    private static let busy = #"{"code":-32000,"reason":"busy","message":"the line is busy"}"#

    private func start(_ more: String = "") -> [String] {
        user.ask(
            Frame.request(
                90, "call.start",
                """
                {"call":"\(ShortID.call(1))","provider":"org.a",\
                "remote":{"type":"phone","value":"+1555"}\(more)}
                """))
    }

    private func refuse(_ id: Int, message: String = "the line is busy") {
        app.send(
            #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32000,"#
                + #""message":"\#(message)","data":{"reason":"busy"}}}"#)
    }

    private func frames(_ peer: MemoryPeer) -> [JSONTree] {
        peer.lines().compactMap { try? JSONTree($0) }
    }

    private func data(_ topic: String, _ frames: [JSONTree]) -> JSONTree? {
        frames.compactMap { $0["params"] }.last { $0["topic"]?.string == topic }?["data"]
    }

    private func steps(_ params: String) throws -> [JSONTree] {
        let lines = user.ask(Frame.request(91, "call.explain", params))
        return try JSONTree(#require(lines.last))["result"]?["steps"]?.elements ?? []
    }

    // MARK: - Who gets them

    @Test(arguments: ["accepted", "completed"])
    func `whoever asked and whoever watches gets the words of the app`(wait: String) throws {
        let busy = try JSONTree(Self.busy)
        _ = start(#","wait":"\#(wait)""#)
        refuse(1)
        let (told, seen) = (frames(user), frames(observer))
        let completed = try #require(data("transaction.completed", seen))
        #expect(completed["actions"]?.elements.first?["failure"] == busy)
        #expect(completed["refusal"]?["code"]?.integer == -32_013)
        #expect(completed["refusal"]?["data"]?["provider_error"] == busy)
        #expect(data("action.failed", seen)?["failure"] == busy)
        if wait == "accepted" {
            #expect(data("transaction.completed", told)?["refusal"] == completed["refusal"])
        } else {
            #expect(told.last?["error"]?["data"]?["provider_error"] == busy)
            #expect(
                told.last?["error"]?["data"]?["actions"]?.elements.first?["failure"] == busy)
        }
    }

    @Test func `a call that is over says why its app would not start it`() throws {
        _ = start()
        refuse(1)
        let busy = try JSONTree(Self.busy)
        let changed = try #require(data("call.changed", frames(observer)))
        #expect(changed["end_reason"] == .string("failed"))
        #expect(changed["failure"] == busy)
        let lines = user.ask(Frame.request(92, "call.list", #"{"include_ended":true}"#))
        let list = try JSONTree(#require(lines.last))["result"]?["calls"]?.elements
        #expect(list?.map { $0["failure"] } == [busy])
    }

    @Test func `the history keeps them`() throws {
        let store = try MemoryStore(of: host)
        app.ring(1)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        refuse(1)
        store.settle()
        user.send(Frame.request(93, "history.list", "{}"))
        store.settle()
        let reply = try #require(frames(user).last { $0["id"]?.integer == 93 })
        let entry = reply["result"]?["entries"]?.elements.first
        #expect(try entry?["failure"] == JSONTree(Self.busy))
        #expect(entry?["end_reason"] == .string("failed"))
    }

    @Test func `they can be explained, by call and by transaction`() throws {
        host.talk(1, of: app, by: user)
        let transaction = ShortID.transaction(7)
        _ = user.tell("call.set_muted", #"{"call":"c1","muted":true,"transaction":"t7"}"#)
        refuse(2)
        for params in [
            #"{"call":"\#(ShortID.call(1))"}"#, #"{"transaction":"\#(transaction)"}"#,
        ] {
            let step = try #require(try steps(params).last)
            #expect(step["decision"] == .string("failed"))
            #expect(step["reason"] == .string("provider_failed"))
            #expect(try step["failure"] == JSONTree(Self.busy))
        }
    }

    @Test func `silence is explained, too`() throws {
        host.talk(1, of: app, by: user)
        _ = user.tell("call.set_muted", #"{"call":"c1","muted":true}"#)
        host.turn(afterMS: 5_000)
        let step = try #require(try steps(#"{"call":"\#(ShortID.call(1))"}"#).last)
        #expect(step["decision"] == .string("failed"))
        #expect(step["reason"] == .string("deadline_exceeded"))
        #expect(step["failure"] == nil)
    }

    @Test func `a restart of the broker forgets none of them`() throws {
        _ = user.tell(
            "call.start",
            """
            {"call":"c1","provider":"org.a","remote":{"type":"phone","value":"+1555"},\
            "transaction":"t7","wait":"completed"}
            """)
        refuse(1)
        _ = frames(user)
        let next = try MemoryBroker(goingOnAfter: host)
        let again = next.controller()
        let reply = again.ask(
            Frame.request(
                94, "call.start",
                again.long(
                    """
                    {"call":"c1","provider":"org.a","remote":{"type":"phone","value":"+1555"},\
                    "transaction":"t7","wait":"completed"}
                    """))
        ).joined()
        #expect(
            try JSONTree(reply)["error"]?["data"]?["provider_error"] == JSONTree(Self.busy))
    }

    // MARK: - What may be in them

    @Test(
        arguments: [
            (#"a\u0007b"#, "ab"), (#"one\r\n\ttwo "#, "one two"), (#"\u202Erev"#, "rev"),
            (#""#, nil), (#"\u0000"#, nil), (#" \n "#, nil),
        ] as [(String, String?)])
    func `a sentence is one line that can be shown`(said: String, kept: String?) {
        _ = start()
        refuse(1, message: said)
        let failure = data("action.failed", frames(observer))?["failure"]
        #expect(failure?["message"]?.string == kept)
    }

    @Test func `a long sentence is cut between its characters`() {
        _ = start()
        refuse(1, message: String(repeating: "ü", count: 400))
        let failure = data("action.failed", frames(observer))?["failure"]
        #expect(failure?["message"]?.string == String(repeating: "ü", count: 128))
    }

    @Test func `nothing of it is in the log`() {
        _ = start()
        refuse(1, message: "+15550123 is busy")
        #expect(!host.log.lines.joined().contains("0123"))
    }

    @Test func `whoever settles the actions of a transaction can say it, too`() throws {
        let taker = host.provider("org.b", #""takes_transactions":true"#)
        taker.ring(2)
        _ = user.tell("call.answer", #"{"call":"c2"}"#)
        _ = taker.brief()
        taker.send(Frame.result(1, #"{"taken":true}"#))
        _ = taker.ask(
            Frame.request(
                95, "action.settle",
                """
                {"action":"\(host.made(2))","outcome":"failed","reason":"busy",\
                "message":"the line is busy"}
                """))
        let completed = data("transaction.completed", frames(observer))
        #expect(
            try completed?["refusal"]?["data"]?["provider_error"] == JSONTree(Self.busy))
    }

    @Test func `of a large group the first eight say why`() throws {
        let crowd = host.provider("org.c", #""max_calls_per_group":12,"max_call_groups":12"#)
        for call in 1...10 {
            host.talk(call, of: crowd, by: user)
            _ = crowd.tell("call.report_group", #"{"call":"c\#(call)","with":"c1"}"#)
            host.settle(crowd)
        }
        _ = (frames(user), frames(observer), crowd.brief())
        _ = user.tell("call.set_muted", #"{"call":"c1","muted":true}"#)
        // Eight are sent at first.
        for _ in 1...2 {
            for (id, _) in crowd.asked("provider.perform") {
                crowd.send(
                    #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32000,"message":"no"}}"#)
            }
        }
        let completed = try #require(data("transaction.completed", frames(observer)))
        let actions = completed["actions"]?.elements ?? []
        #expect(actions.count == 10)
        #expect(actions.filter { $0["failure"] != nil }.count == 8)
    }

    // MARK: - What is refused

    @Test func `a refused request is explained by its transaction, with the reason`() throws {
        _ = user.tell("call.answer", #"{"call":"c9","transaction":"t3"}"#)
        let step = try #require(
            try steps(#"{"transaction":"\#(ShortID.transaction(3))"}"#).last)
        #expect(step["decision"] == .string("refused"))
        #expect(step["reason"] == .string("unknown_call"))
        #expect(step["rule"] == .string("31"))
        #expect(step["call"] == .string(ShortID.call(9)))
    }

    @Test(arguments: [
        (#"{"actions":[],"transaction":"t3"}"#, "empty_transaction"),
        (#"{"actions":[{"kind":"fly","call":"c9"}],"transaction":"t3"}"#, "invalid_action"),
        (
            #"{"actions":[{"kind":"start","arguments":{"remote":{"type":"email","value":"a@b"}},"#
                + #""provider":"org.none"}],"transaction":"t3"}"#, "unknown_provider"
        ),
    ])
    func `so is one that no rule had to decide about`(params: String, reason: String) throws {
        _ = user.tell("transaction.request", params)
        let step = try #require(
            try steps(#"{"transaction":"\#(ShortID.transaction(3))"}"#).last)
        #expect(step["decision"] == .string("refused"))
        #expect(step["reason"] == .string(reason))
    }

    @Test func `a link whose call was begun names the transaction that has told why`() throws {
        let tel = host.provider("org.tel", #""url_schemes":["tel"]"#)
        _ = user.ask(
            Frame.request(96, "call.dial", #"{"uri":"tel:+15","provider":"org.tel"}"#))
        _ = frames(observer)
        tel.fail(1, -32_000, "busy")
        let seen = frames(observer)
        let completed = data("transaction.completed", seen)?["transaction"]
        #expect(completed != nil)
        #expect(data("call.dial_refused", seen)?["transaction"] == completed)
    }
}
