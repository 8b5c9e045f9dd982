import CallBroker
import CallTesting
import Testing

/// What observers ask for, and what they are told.
struct BrokerSubscriptionTests {
    private let host = MemoryBroker()
    private let a: MemoryPeer
    private let observer: MemoryPeer

    init() {
        a = host.provider()
        observer = host.ready("observer")
    }

    private func subscribe(_ topics: String, _ members: String = "") -> String {
        observer.tell("events.subscribe", #"{"topics":[\#(topics)]\#(members)}"#).joined()
    }

    /// The numbers of what was told: seq and prev.
    private func numbers(_ lines: [String]) throws -> [[Int?]] {
        try lines.map { line in
            let params = try JSONTree(line)["params"]
            return [params?["prev"]?.integer, params?["seq"]?.integer]
        }
    }

    // MARK: - Asking

    @Test func `the reply has the calls, and says where the events begin`() {
        a.ring(1)
        let lines = observer.ask(
            Frame.request(7, "events.subscribe", #"{"topics":["call.*"]}"#))
        #expect(lines.count == 1)
        let epoch = host.broker.epoch
        #expect(
            lines[0].hasPrefix(
                #"{"jsonrpc":"2.0","id":7,"result":{"subscription":1,"epoch":"\#(epoch)","#
                    + #""seq":3,"resync":false,"snapshot":{"calls":[{"call":"\#(ShortID.call(1))","#
            ))
    }

    @Test func `a late observer gets the state of the host at once`() {
        let user = host.controller()
        host.talk(1, of: a, by: user)
        a.ring(2)
        let facts =
            #"{"live_group":"c1","held_groups":0,"ringing":1,"busy":false,"emergency":false,"#
            + #""audio_group":"c1","presence":{"state":"ringing_in_call","since_ms":1767225600000}}"#
        #expect(subscribe(#""host.changed""#).contains(#""host":\#(facts)}"#))
        #expect(observer.tell("host.get") == ["2: \(facts)"])
    }

    @Test func `without a snapshot there is none`() {
        a.ring(1)
        #expect(!subscribe(#""call.*""#, #","snapshot":false"#).contains("snapshot"))
    }

    @Test func `a snapshot that is too long goes on in the list`() throws {
        let host = MemoryBroker { $0.makeRoom(for: 1_000) }
        let (a, observer) = (host.provider(), host.ready("observer"))
        for call in 1...500 { a.ring(call) }
        observer.post("events.subscribe", #"{"topics":["call.*"]}"#)
        let line = observer.lines().joined()
        #expect(line.utf8.count < 65_535)
        let snapshot = try #require(try JSONTree(line)["result"]?["snapshot"])
        var calls = snapshot["calls"]?.elements.count ?? 0
        var after = snapshot["next"]?.string
        #expect(calls > 0 && after != nil)
        while let place = after {
            // A call ends and one comes while the pages are read; events and pages add up.
            observer.post("call.list", #"{"after":"\#(place)"}"#)
            let page = try JSONTree(observer.lines().joined())["result"]
            calls += page?["calls"]?.elements.count ?? 0
            after = page?["next"]?.string
        }
        #expect(calls == 500)
    }

    @Test func `subscriptions of a connection count from 1 and are not used again`() {
        #expect(subscribe(#""call.added""#).contains(#""subscription":1,"#))
        #expect(subscribe(#""call.added""#).contains(#""subscription":2,"#))
        #expect(observer.tell("events.unsubscribe", #"{"subscription":1}"#) == ["3: {}"])
        #expect(subscribe(#""call.added""#).contains(#""subscription":3,"#))
        #expect(
            observer.tell("events.unsubscribe", #"{"subscription":1}"#).joined()
                .hasPrefix("5: -32004 "))
        #expect(
            observer.tell("events.unsubscribe", #"{"subscription":0}"#).joined()
                .hasPrefix("6: -32"))
        a.ring(1)
        #expect(observer.brief() == ["+ c1 ringing provider/1", "+ c1 ringing provider/1"])
    }

    @Test(arguments: [
        (#"{}"#, "missing_member field=/topics"),
        (#"{"topics":[]}"#, "too_few field=/topics"),
        (#"{"topics":"call.*"}"#, "wrong_type field=/topics"),
        (#"{"topics":[7]}"#, "wrong_type field=/topics/0"),
        (#"{"topics":["*"],"cursor":{"seq":1}}"#, "missing_member field=/cursor/epoch"),
        (#"{"topics":["*"],"cursor":7}"#, "wrong_type field=/cursor"),
        (#"{"topics":["*"],"snapshot":1}"#, "wrong_type field=/snapshot"),
    ])
    func `what is wrong is named`(params: String, fault: String) {
        #expect(observer.tell("events.subscribe", params) == ["1: -32602 \(fault)"])
    }

    @Test(arguments: ["call.nonsense", "nonsense.*", "call", "*.added", "call.*.x", "**", ""])
    func `an unknown topic is refused and nothing subscribed`(topic: String) {
        let line = observer.tell(
            "events.subscribe", #"{"topics":["call.added","\#(topic)"]}"#
        ).joined()
        #expect(line.hasPrefix("1: -32602 ") && line.hasSuffix("field=/topics/1"))
        a.ring(1)
        #expect(observer.lines() == [])
    }

    @Test func `32 topics at most, and 16 subscriptions`() {
        let many = Array(repeating: #""call.added""#, count: 33)
        #expect(subscribe(many.joined(separator: ",")) == "1: -32602 too_many field=/topics")
        #expect(subscribe(many.dropLast().joined(separator: ",")).contains(#""subscription":1"#))
        for _ in 2...16 { #expect(subscribe(#""*""#).contains("epoch")) }
        let refusal = subscribe(#""*""#)
        #expect(refusal.hasPrefix("18: -32007 "))
        #expect(refusal.contains("limit={name:subscriptions,value:16}"))
        _ = observer.tell("events.unsubscribe", #"{"subscription":7}"#)
        #expect(subscribe(#""*""#).contains(#""subscription":17"#))
    }

    @Test func `it is for those who may watch, and not inside a batch`() {
        #expect(
            host.ready("provider", identity: "org.z").tell(
                "events.subscribe", #"{"topics":["*"]}"#) == ["1: -32003 role_not_granted"])
        #expect(host.controller().tell("events.subscribe", #"{"topics":["*"]}"#).count == 1)
        let line = observer.ask(
            Frame.batch(Frame.request(1, "events.subscribe", #"{"topics":["*"]}"#))
        ).joined()
        #expect(line.hasPrefix(#"[{"jsonrpc":"2.0","id":1,"error":"#))
    }

    // MARK: - Patterns

    @Test(arguments: [
        (#""call.added""#, ["+ c1 ringing provider/1"]),
        (#""call.*""#, ["+ c1 ringing provider/1"]),
        (#""host.changed""#, ["host held 0 ringing 1"]),
        (#""call.added","host.*","call.*""#, ["+ c1 ringing provider/1", "host held 0 ringing 1"]),
        (#""*""#, ["+ c1 ringing provider/1", "host held 0 ringing 1"]),
        (#""provider.*","transaction.*""#, []),
    ])
    func `a topic is exact, all of a noun, or all, and nothing comes twice`(
        topics: String, events: [String]
    ) {
        _ = subscribe(topics)
        a.ring(1)
        #expect(observer.brief() == events)
    }

    // MARK: - Numbers

    @Test func `prev chains what a filter lets through`() throws {
        a.ring(1)
        _ = subscribe(#""call.added""#)
        _ = subscribe(#""host.*""#)
        a.ring(2)
        a.ring(3)
        let lines = observer.lines()
        #expect(try numbers(lines) == [[3, 4], [3, 5], [4, 6], [5, 7]])
    }

    @Test func `the seq of the reply is where the chain begins`() throws {
        a.ring(1)
        observer.post("events.subscribe", #"{"topics":["call.*"]}"#)
        let seq = try JSONTree(observer.lines().joined())["result"]?["seq"]?.integer
        a.ring(2)
        #expect(try numbers(observer.lines()) == [[seq, 4]])
    }

    @Test func `a reply is a barrier`() throws {
        _ = subscribe(#""*""#)
        // All in one read: the events of what came before stand before the reply.
        a.post(
            "call.report_incoming", #"{"call":"c1","remote":{"type":"phone","value":"1"}}"#)
        observer.post("call.list")
        let lines = observer.lines()
        #expect(lines.count == 3)
        #expect(try numbers(lines.dropLast().map { $0 }).map { $0[1] } == [2, 3])
        #expect(try JSONTree(lines[2])["result"]?["seq"] == .integer(3))
    }

    @Test func `events of one's own requests come before a later reply, too`() {
        let user = host.controller()
        _ = user.tell("events.subscribe", #"{"topics":["call.*"]}"#)
        a.ring(1)
        _ = user.brief()
        user.send(
            Frame.request(8, "call.end", user.long(#"{"call":"c1"}"#)),
            Frame.request(9, "call.list"))
        let lines = user.brief()
        #expect(lines.first?.hasPrefix("8: accepted") == true)
        #expect(lines.last?.hasPrefix("9: [c1 ending ..ending]") == true)
        #expect(lines.contains { $0.hasPrefix("~ c1 ending") })
    }

    // MARK: - Cursors

    private func cursor(_ seq: Int) -> String {
        #","cursor":{"epoch":"\#(host.broker.epoch)","seq":\#(seq)}"#
    }

    @Test func `a cursor that is known is gone on from, without a snapshot`() throws {
        // Whoever has a cursor has watched before.
        _ = host.observer("call.*")
        for call in 1...3 { a.ring(call) }
        observer.post("events.subscribe", #"{"topics":["call.added"]\#(cursor(2))}"#)
        let lines = observer.lines()
        #expect(lines.count == 3)
        #expect(
            lines[0]
                == Frame.result(
                    1,
                    #"{"subscription":1,"epoch":"\#(host.broker.epoch)","seq":2,"resync":false}"#))
        #expect(try numbers(Array(lines.dropFirst())) == [[2, 4], [4, 6]])
        a.ring(4)
        #expect(try numbers(observer.lines()) == [[6, 8]])
    }

    @Test func `from the latest there is nothing to send again`() {
        a.ring(1)
        #expect(!subscribe(#""*""#, cursor(3)).contains("snapshot"))
        #expect(observer.lines() == [])
    }

    @Test func `another epoch, or a number of the future, is answered with everything`() {
        a.ring(1)
        let other = #","cursor":{"epoch":"\#(ShortID.call(9))","seq":3}"#
        let line = subscribe(#""call.*""#, other)
        #expect(line.contains(#""resync":true,"snapshot":{"calls":[{"call":"c1""#))
        #expect(subscribe(#""call.*""#, cursor(4)).contains(#""resync":true,"snapshot""#))
        #expect(observer.lines() == [])
    }

    @Test func `a cursor that is too old is answered with everything`() {
        let host = MemoryBroker { $0.limits.feedEvents = 16 }
        let (a, observer) = (host.provider(), host.ready("observer"))
        for call in 1...20 {
            a.ring(call)
            _ = a.tell("call.report_ended", #"{"call":"c\#(call)","reason":"failed"}"#)
        }
        observer.post(
            "events.subscribe",
            #"{"topics":["*"],"cursor":{"epoch":"\#(host.broker.epoch)","seq":1}}"#)
        #expect(
            observer.lines().joined().contains(#""resync":true,"snapshot":{"calls":[],"host":{"#))
    }

    @Test func `whoever wants no snapshot gets none, though the cursor be lost`() {
        a.ring(1)
        let line = subscribe(#""call.*""#, cursor(9) + #","snapshot":false"#)
        #expect(line.contains(#""resync":true"#) && !line.contains("snapshot"))
    }

    // MARK: - Bookmarks

    @Test func `30 s of silence bring a bookmark with the latest number`() throws {
        _ = subscribe(#""provider.*""#)
        a.ring(1)
        host.turn(afterMS: 29_999)
        #expect(observer.lines() == [])
        host.turn(afterMS: 1)
        #expect(
            observer.lines() == [
                Frame.notification(
                    "event",
                    """
                    {"subscription":1,"epoch":"\(host.broker.epoch)","seq":3,"prev":1,\
                    "at_ms":1767225630000,"topic":"broker.bookmark","data":{"seq":3}}
                    """)
            ])
        _ = a.tell("provider.update", #"{"display_name":"B"}"#)
        #expect(try numbers(observer.lines()) == [[3, 4]])
    }

    @Test func `a bookmark is a cursor`() {
        _ = subscribe(#""provider.*""#)
        a.ring(1)
        host.turn(afterMS: 30_000)
        let again = host.ready("observer")
        let line = again.tell(
            "events.subscribe", #"{"topics":["provider.*"]\#(cursor(3))}"#)
        #expect(line.count == 1 && line[0].contains(#""resync":false"#))
    }

    @Test func `an event starts the silence anew`() {
        _ = subscribe(#""call.*""#)
        host.turn(afterMS: 20_000)
        a.ring(1)
        #expect(observer.lines().count == 1)
        for later in [10_000, 19_999] {
            host.turn(afterMS: later)
            #expect(observer.brief() == [])
        }
        host.turn(afterMS: 1)
        #expect(observer.brief() == ["broker.bookmark seq=3"])
    }

    @Test func `each is told after its own silence, those that begin close together at once`() {
        _ = subscribe(#""call.*""#)
        host.turn(afterMS: 400)
        let second = host.observer("call.*")
        host.turn(afterMS: 9_600)
        let third = host.observer("call.*")
        var told: [String] = []
        for seconds in 11...41 {
            host.turn(afterMS: 1_000)
            for (name, peer) in [("first", observer), ("second", second), ("third", third)] {
                if peer.brief() != [] { told.append("\(name) \(seconds)") }
            }
        }
        #expect(told == ["first 30", "second 31", "third 40"])
    }
}
