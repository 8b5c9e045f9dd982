import CallTesting
import Testing

/// Whether an app may have calls is the user's to say.
struct BrokerAuthorizationTests {
    private let host = MemoryBroker()
    private let admin: MemoryPeer

    init() {
        admin = host.ready("admin", "controller")
    }

    private func set(_ members: String) {
        admin.post("policy.set", "{\(members)}")
        _ = admin.lines()
    }

    /// An app that has registered, and what it was told of its standing.
    private func newcomer(_ identity: String = "org.a") throws -> (app: MemoryPeer, status: String?)
    {
        let app = host.ready("provider", identity: identity)
        let reply = app.ask(
            Frame.request(0, "provider.register", #"{"display_name":"A","handle_types":["phone"]}"#)
        )
        let result = try JSONTree(#require(reply.first))["result"]
        return (app, result?["authorization"]?.string)
    }

    @Test(arguments: [
        (
            "allow", "authorized",
            "1: {\"call\":\"c1\",\"state\":\"ringing\",\"presentation\":\"ring\"}"
        ),
        ("ask", "not_determined", "1: -32003 unentitled rule=33"),
        ("deny", "denied", "1: -32003 unentitled rule=33"),
    ])
    func `what becomes of a new app is the policy's`(
        choice: String, status: String, outcome: String
    ) throws {
        set(#""new_providers":"\#(choice)""#)
        let (app, told) = try newcomer()
        #expect(told == status)
        #expect(app.ring(1) == [outcome])
    }

    @Test func `who is not allowed hears CallKit's unentitled, and what to do`() throws {
        set(#""new_providers":"ask""#)
        let (app, _) = try newcomer()
        app.post("call.report_incoming", #"{"call":"c1","remote":{"type":"phone","value":"+15"}}"#)
        let data = try JSONTree(#require(app.lines().first))["error"]?["data"]
        #expect(
            data?["callkit"]?.json == #"{"domain":"com.apple.CallKit.error.incomingcall","code":1,"#
                + #""name":"unentitled"}"#)
        #expect(
            data?["hint"]
                == .string(
                    "org.a is not authorized yet and may not have calls; to allow it: "
                        + "callbroker policy set authorization.org.a=authorized"))
    }

    @Test func `the user decides, and the app and whoever watches are told`() throws {
        set(#""new_providers":"ask""#)
        let (app, _) = try newcomer()
        let observer = host.observer("provider.*")
        set(#""authorization":{"org.a":"authorized"}"#)
        #expect(app.brief() == [#"provider.authorization_changed {"status":"authorized"}"#])
        #expect(observer.brief() == ["provider.changed org.a calls 0"])
        #expect(app.ring(1).map { $0.contains("ringing") } == [true])
        set(#""authorization":{"org.a":"denied"}"#)
        #expect(
            app.brief() == [
                #"provider.authorization_changed {"status":"denied"}"#,
                #"provider.reset {"reason":"admin"}"#,
            ])
        #expect(app.ring(2) == ["2: -32003 unentitled rule=33"])
        set(#""authorization":{"org.a":null}"#)
        #expect(
            app.brief() == [#"provider.authorization_changed {"status":"not_determined"}"#])
    }

    @Test func `what the user has said of an app counts, whatever becomes of new ones`() throws {
        set(#""new_providers":"deny","authorization":{"org.a":"authorized"}"#)
        let (friend, status) = try newcomer()
        #expect(status == "authorized")
        set(#""new_providers":"ask""#)
        #expect(friend.brief() == [])
        #expect(try newcomer("org.b").status == "not_determined")
    }

    @Test func `nobody dials with an app that is not allowed`() throws {
        set(#""new_providers":"ask""#)
        let (app, _) = try newcomer()
        let dial = #"{"uri":"tel:+15","call":"c1"}"#
        admin.lastID = 0
        #expect(admin.tell("call.dial", dial) == ["1: -32004 unknown_provider rule=31"])
        #expect(
            admin.tell("call.dial", #"{"uri":"tel:+15","call":"c1","provider":"org.a"}"#)
                == ["2: -32003 unentitled rule=33"])
        admin.post("call.dial", dial)
        let error = try JSONTree(#require(admin.lines().first))["error"]
        #expect(
            error?["data"]?["hint"]?.string?
                .hasSuffix("callbroker policy set authorization.org.a=authorized") == true)
        set(#""authorization":{"org.a":"authorized"}"#)
        _ = app.brief()
        admin.lastID = 9
        #expect(admin.tell("call.dial", dial) == ["10: accepted #1 [#2 start c1 queued]"])
    }

    @Test func `only the admin says who may have calls`() throws {
        let user = host.controller()
        for member in [#""new_providers":"deny""#, #""authorization":{"org.a":"denied"}"#] {
            let name = member.split(separator: "\"")[0]
            user.lastID = 0
            #expect(
                user.tell("policy.set", "{\(member)}")
                    == ["1: -32003 role_not_granted field=/\(name)"])
        }
        #expect(try newcomer().status == "authorized")
    }

    @Test func `what the user has said outlives the broker`() throws {
        set(#""new_providers":"ask","authorization":{"org.a":"denied"}"#)
        let next = try MemoryBroker(goingOnAfter: host)
        let policy = try JSONTree(
            #require(next.controller().ask(Frame.request(1, "policy.get")).first))
        let members = policy["result"]?["policy"]
        #expect(members?["new_providers"]?.string == "ask")
        #expect(members?["authorization"]?.json == #"{"org.a":"denied"}"#)
    }
}
