import CallBroker
import CallProtocol
import CallTesting
import Testing

/// Who may ask for what.
struct BrokerOriginTests {
    private let host = MemoryBroker()
    /// A controller on the connection of a provider: the app.
    private let app: MemoryPeer
    private let b: MemoryPeer
    private let user: MemoryPeer

    init() {
        app = host.ready("provider", "controller", identity: "org.a")
        app.register()
        app.lastID = 0
        b = host.provider("org.b")
        user = host.controller()
    }

    private let notYours = "-32003 not_your_call rule=33 blocking=[{call:c2,provider:org.b}]"

    @Test(arguments: [
        ("call.answer", ""), ("call.end", ""), ("call.set_held", #","held":true"#),
        ("call.set_muted", #","muted":true"#), ("call.play_dtmf", #","digits":"1""#),
        ("call.set_group", #","with":null"#), ("call.split", ""), ("call.silence", ""),
    ])
    func `an app names its own calls only`(method: String, members: String) {
        b.ring(2)
        host.forget()
        #expect(app.tell(method, #"{"call":"c2"\#(members)}"#) == ["1: \(notYours)"])
        #expect(b.lines() == [])
    }

    @Test func `an app may have others held, and its cause says so`() {
        host.talk(2, of: b, by: user)
        app.ring(1)
        host.forget()
        app.lastID = 0
        #expect(
            app.tell("call.answer", #"{"call":"c1"}"#) == [
                "1: accepted #3 [#4 set_held c2 implied queued, #5 answer c1 queued]"
            ])
        #expect(b.brief() == ["perform 2 #4 set_held c2 held=true arbitration/5 for c1 5000 ms"])
        #expect(b.fulfilling(2) == ["audio.deactivated c2: c2"])
        #expect(app.brief() == ["perform 1 #5 answer c1 app/5 60000 ms"])
    }

    @Test func `an app never has others ended`() {
        host.talk(2, of: b, by: user)
        _ = b.tell("call.report_update", #"{"call":"c2","supports_holding":false}"#)
        app.ring(1)
        host.forget()
        app.lastID = 0
        #expect(
            app.tell("call.answer", #"{"call":"c1","choice":"end_and_answer"}"#) == [
                "1: \(notYours)"
            ])
        #expect(
            app.tell("call.answer", #"{"call":"c1"}"#)
                == ["2: -32006 cannot_hold rule=6 blocking=[{call:c2,provider:org.b}]"])
        #expect(
            app.tell(
                "call.start", #"{"remote":{"type":"phone","value":"1"},"on_conflict":"end"}"#)
                == ["3: -32003 not_your_call rule=33"])
        #expect(
            app.tell(
                "transaction.request",
                #"{"actions":[{"kind":"end","call":"c1"},{"kind":"end","call":"c2"}]}"#) == [
                    "4: -32003 not_your_call rule=33 action_index=1 "
                        + "blocking=[{call:c2,provider:org.b}]"
                ])
        #expect(b.lines() == [])
    }

    @Test func `an app starts calls of its own`() {
        let start = { (members: String) in
            app.tell(
                "call.start", #"{"call":"c1","remote":{"type":"phone","value":"1"}"# + members + "}"
            )
        }
        #expect(start(#","provider":"org.b""#) == ["1: -32003 not_your_call rule=33"])
        let lines = start("")
        #expect(lines.contains("2: accepted #1 [#2 start c1 queued]"))
        #expect(lines.contains { $0.hasPrefix("perform 1 #2 start c1 ") && $0.contains(" app ") })
    }

    @Test func `the user may name any call`() {
        app.ring(1)
        b.ring(2)
        host.forget()
        user.lastID = 0
        #expect(user.tell("call.end", #"{"call":"c1"}"#) == ["1: accepted #1 [#2 end c1 queued]"])
        #expect(user.tell("call.end", #"{"call":"c2"}"#) == ["2: accepted #3 [#4 end c2 queued]"])
    }

    // MARK: - Roles

    private static let everybody: [MethodName] = [.hello, .ping, .info, .describe, .discover]

    @Test(
        arguments: MethodTable.withTestMethods.methods.filter {
            $0.direction != .toClient && !$0.isNotification && !everybody.contains($0.name)
        }.map(\.name.rawValue))
    func `a method is for those who have the role, whatever its params`(name: String) throws {
        let method = try #require(MethodTable.withTestMethods.find(name))
        for role in ["provider", "controller", "observer", "ui", "admin"] {
            let peer = host.ready(role, identity: "org.role.\(role)")
            let line = peer.tell(name, #"{"nonsense":1}"#).joined()
            let mayAsk = method.isOpen(to: RoleSet(try #require(Role(rawValue: role))))
            #expect(line.contains("role_not_granted") == !mayAsk, "\(role): \(line)")
        }
    }

    @Test func `providers report, controllers ask, observers watch, admins stop`() {
        let names = ["provider", "controller", "observer", "admin"]
        let peers = names.map { ($0, host.ready($0, identity: "org.one.\($0)")) }
        let byRole = Dictionary(uniqueKeysWithValues: peers)
        let refused = { (role: String, method: String) in
            byRole[role]?.tell(method).joined().contains("-32003 role_not_granted") ?? false
        }
        for method in ["provider.register", "call.report_incoming", "action.settle"] {
            #expect(!refused("provider", method))
            #expect(refused("controller", method) && refused("observer", method))
        }
        for method in ["transaction.request", "call.start", "call.swap", "call.press_button"] {
            #expect(!refused("controller", method))
            #expect(refused("provider", method) && refused("observer", method))
        }
        for method in ["call.list", "call.get", "provider.list", "events.subscribe"] {
            #expect(!refused("controller", method) && !refused("observer", method))
            #expect(refused("provider", method))
        }
        #expect(refused("controller", "broker.shutdown") && refused("observer", "policy.set"))
        #expect(!refused("admin", "policy.set") && !refused("admin", "policy.get"))
    }
}
