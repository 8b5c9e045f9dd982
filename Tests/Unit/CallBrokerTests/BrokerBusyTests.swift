import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// The user may want no other call while he is in one, and dial none while one rings.
struct BrokerBusyTests {
    private let host = MemoryBroker()
    private let app: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.provider()
        user = host.controller()
    }

    private func set(_ policy: String) {
        _ = user.tell("policy.set", "{\(policy)}")
    }

    /// What the app hears that reports a call from a number.
    private func report(_ call: Int, from number: String, _ store: MemoryStore) -> [String] {
        app.lastID = 0
        return store.tell(
            app, "call.report_incoming",
            #"{"call":"c\#(call)","remote":{"type":"phone","value":"\#(number)"}}"#)
    }

    @Test func `who calls a user who is in a call is refused as CallKit would, and missed`() throws
    {
        set(#""busy_in_call":true"#)
        host.talk(1, of: app, by: user)
        let observer = host.observer("call.refused", "history.changed")
        let other = host.provider("org.b")
        let reply = other.ask(
            Frame.request(
                7, "call.report_incoming",
                """
                {"call":"\(ShortID.call(2))","remote":{"type":"phone","value":"+15550102"}}
                """)
        ).joined()
        let error = try #require(try JSONTree(reply)["error"])
        #expect(error["code"]?.integer == -32_008)
        #expect(error["data"]?["reason"] == .string("in_call"))
        #expect(error["data"]?["rule"] == .string("2"))
        #expect(error["data"]?["callkit"]?["code"]?.integer == 3)
        let told = observer.brief().joined(separator: "; ")
        #expect(told.contains("call.refused call=c2 reason=in_call rule=2"))
        #expect(told.contains("history.changed missed=1"))
    }

    @Test func `favourites and contacts that break through wait, and strangers do not`() throws {
        let store = try MemoryStore(of: host)
        set(#""busy_in_call":true,"region":"US""#)
        for (name, number, more) in [
            ("Ada", "+12025550001", #","favorite":true"#),
            ("Bob", "+12025550002", #","breakthrough":true"#), ("Cy", "+12025550003", ""),
        ] {
            _ = store.tell(
                user, "contact.put",
                #"{"name":"\#(name)","handles":[{"type":"phone","value":"\#(number)"}]\#(more)}"#)
        }
        _ = report(1, from: "+12025550009", store)
        _ = user.tell("call.answer", #"{"call":"c1"}"#)
        host.settle(app)
        #expect(report(2, from: "+12025550001", store).joined().contains("waiting"))
        #expect(report(3, from: "+12025550002", store).joined().contains("waiting"))
        #expect(report(4, from: "+12025550003", store).joined().contains("in_call"))
        #expect(report(5, from: "+12025550004", store).joined().contains("in_call"))
        set(#""busy_in_call":false"#)
        #expect(report(6, from: "+12025550004", store).joined().contains("waiting"))
    }

    @Test func `a favourite does not break through do-not-disturb`() throws {
        let store = try MemoryStore(of: host)
        set(#""busy_in_call":true,"do_not_disturb":{"on":true}"#)
        _ = store.tell(
            user, "contact.put",
            """
            {"name":"Ada","handles":[{"type":"phone","value":"+12025550001"}],"favorite":true}
            """)
        #expect(report(1, from: "+12025550001", store).joined().contains("do_not_disturb"))
    }

    @Test func `nothing is dialled while a call rings, and a dry run says so`() {
        set(#""dial_while_ringing":"refuse""#)
        app.ring(1)
        let start = #""provider":"org.a","remote":{"type":"phone","value":"5"}"#
        user.lastID = 0
        #expect(
            user.tell("call.start", "{\(start)}")
                == ["1: -32006 call_ringing rule=11 blocking=[{call:c1,provider:org.a}]"])
        #expect(
            user.tell("call.start", #"{\#(start),"dry_run":true}"#).joined()
                .contains("refused: -32006 call_ringing rule=11"))
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        host.settle(app)
        #expect(user.tell("call.start", "{\(start)}").joined().contains("accepted"))
    }

    @Test func `both outlive a restart of the broker`() throws {
        set(#""busy_in_call":true,"dial_while_ringing":"refuse""#)
        let next = try MemoryBroker(goingOnAfter: host)
        let policy = next.controller().ask(Frame.request(8, "policy.get", "{}")).joined()
        #expect(policy.contains(#""busy_in_call":true,"dial_while_ringing":"refuse""#))
    }

    @Test func `a merge says with whom, and its dry run who speaks`() throws {
        host.talk(1, of: app, by: user)
        host.talk(2, of: app, by: user)
        for (call, other) in [(1, 2), (2, 1)] {
            let line = user.ask(
                Frame.request(9, "call.get", #"{"call":"\#(ShortID.call(call))"}"#)
            ).joined()
            #expect(
                try JSONTree(line)["result"]?["merge_with"]?.elements
                    == [.string(ShortID.call(other))])
        }
        #expect(
            user.tell("call.merge", #"{"call":"c2","with":"c1","dry_run":true}"#).joined()
                .contains("would_activate=[c1]"))
        let other = host.provider("org.b")
        host.talk(3, of: other, by: user)
        let line = user.ask(
            Frame.request(9, "call.get", #"{"call":"\#(ShortID.call(3))"}"#)
        ).joined()
        #expect(try JSONTree(line)["result"]?["merge_with"] == nil)
    }

    @Test func `an action says how long ago it was asked for`() throws {
        let other = host.provider("org.b")
        host.talk(1, of: app, by: user)
        other.ring(2)
        _ = user.tell("call.answer", #"{"call":"c2"}"#)
        host.turn(afterMS: 1_200)
        app.fulfil(2)
        let params = other.asked("provider.perform").first?.params
        #expect(params?["kind"] == .string("answer"))
        #expect(params?["age_ms"]?.integer == 1_200)
    }
}
