import CallBroker
import CallTesting
import Testing

/// Which calls are emergencies, and who places them (rule 20).
struct BrokerEmergencyTests {
    private let host = MemoryBroker()
    private let user: MemoryPeer
    private let admin: MemoryPeer
    private let observer: MemoryPeer

    init() {
        user = host.controller()
        admin = host.ready("admin")
        observer = host.observer("broker.anomaly")
    }

    /// An app that can also ask for something by itself.
    private func provider(_ name: String) -> MemoryPeer {
        let app = host.ready("provider", "controller", identity: "org.\(name)")
        app.register()
        app.lastID = 0
        return app
    }

    /// Dials 112 while the only app is away, for up to half a minute; another one comes then.
    private func dialWhileAway() -> MemoryPeer {
        let app = host.ready("provider", identity: "org.a")
        app.register(#""grace_ms":30000"#)
        app.lastID = 0
        host.talk(2, of: app, by: user)
        app.vanish()
        _ = dial("tel:112")
        #expect(priority() == "emergency")
        return provider("b")
    }

    private func choose(_ emergency: String) {
        _ = admin.tell("policy.set", #"{"emergency":{\#(emergency)}}"#)
    }

    private func dial(_ uri: String, _ members: String = "") -> String {
        user.tell("call.dial", #"{"uri":"\#(uri)","call":"c1"\#(members)}"#).joined()
    }

    private func start(_ number: String, _ members: String = "", by peer: MemoryPeer) -> String {
        peer.tell(
            "call.start",
            #"{"call":"c1","remote":{"type":"phone","value":"\#(number)"}\#(members)}"#
        ).joined()
    }

    private func priority(_ call: Int = 1) -> String? {
        let text = user.tell("call.get", #"{"call":"c\#(call)"}"#).joined()
        return ["emergency", "normal"].first { text.contains(#""priority":"\#($0)""#) }
    }

    /// The app that was asked to place a call, of those here.
    private func placing(_ peers: [String: MemoryPeer]) -> [String] {
        peers.filter { $0.value.brief().contains { $0.contains(" start ") } }.map(\.key).sorted()
    }

    // MARK: - Numbers

    @Test(arguments: [
        "tel:112", "tel:1-1-2", "tel:911", "TEL:112;phone-context=+49",
        "tel:112;phone-context=example.org",
    ])
    func `a dialled number is an emergency without being marked`(uri: String) {
        let app = provider("a")
        #expect(dial(uri) == "1: accepted #1 [#2 start c1 queued]")
        #expect(app.brief().joined().contains(",emergency:true") || priority() == "emergency")
        #expect(priority() == "emergency")
    }

    @Test(arguments: [("phone", "112"), ("generic", "tel:112")])
    func `so is one that is started, by the user or by an app`(kind: String, number: String) {
        let app = host.ready("provider", "controller", identity: "org.a")
        _ = app.tell(
            "provider.register", #"{"display_name":"A","handle_types":["phone","generic"]}"#)
        for (call, peer) in [(1, user), (2, app)] {
            _ = peer.tell(
                "call.start",
                #"{"call":"c\#(call)","remote":{"type":"\#(kind)","value":"\#(number)"}}"#)
            #expect(priority(call) == "emergency")
            _ = user.tell("call.end", #"{"call":"c\#(call)"}"#)
        }
        #expect(observer.brief() == [])
    }

    @Test func `numbers of the region and of the host are emergencies, too`() {
        _ = provider("a")
        #expect(start("110", by: user).contains("accepted"))
        #expect(priority() == "normal")
        _ = admin.tell("policy.set", #"{"region":"DE","emergency":{"numbers":["7777"]}}"#)
        for (call, number) in [(2, "110"), (3, "77 77")] {
            let remote = #"{"type":"phone","value":"\#(number)"}"#
            _ = user.tell("call.end", #"{"call":"c\#(call - 1)"}"#)
            _ = user.tell("call.start", #"{"call":"c\#(call)","remote":\#(remote)}"#)
            #expect(priority(call) == "emergency")
        }
    }

    @Test func `where there are no emergencies the number is one like any other`() {
        _ = provider("a")
        _ = provider("b")
        _ = admin.tell("policy.set", #"{"allows_emergency":false}"#)
        #expect(dial("tel:112").contains("ambiguous_provider"))
    }

    // MARK: - Who places it

    @Test func `several that could are no question: the one that is there longest does`() {
        let peers = ["b": provider("b"), "a": provider("a")]
        #expect(dial("tel:112").contains("accepted"))
        #expect(placing(peers) == ["b"])
    }

    @Test func `the policy's order comes first, then the default`() {
        let peers = ["a": provider("a"), "b": provider("b"), "c": provider("c")]
        _ = admin.tell("policy.set", #"{"default_provider":{"tel":"org.b"}}"#)
        #expect(dial("tel:112").contains("accepted"))
        #expect(placing(peers) == ["b"])
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        choose(#""providers":["org.c"]"#)
        _ = user.tell("call.dial", #"{"uri":"tel:112","call":"c2"}"#)
        #expect(placing(peers) == ["c"])
    }

    @Test func `one that is denied is passed over, even where it is named`() {
        let peers = ["a": provider("a"), "b": provider("b")]
        _ = admin.tell("policy.set", #"{"authorization":{"org.a":"denied"}}"#)
        #expect(dial("tel:112", #","provider":"org.a""#).contains("accepted"))
        #expect(placing(peers) == ["b"])
    }

    @Test func `one that is named and there is taken, one whose connection is lost is not`() {
        let (a, b) = (provider("a"), provider("b"))
        #expect(dial("tel:112", #","provider":"org.b""#).contains("accepted"))
        #expect(placing(["a": a, "b": b]) == ["b"])
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        b.vanish()
        let reply = user.tell("call.dial", #"{"uri":"tel:112","call":"c2","provider":"org.b"}"#)
        #expect(reply.joined().contains("accepted"))
        #expect(placing(["a": a]) == ["a"])
    }

    @Test func `if nobody else is there it waits for the one that is away`() {
        let app = provider("a")
        host.talk(2, of: app, by: user)
        app.vanish()
        #expect(dial("tel:112").contains("accepted"))
        #expect(priority() == "emergency")
    }

    @Test func `one that has not answered a ping comes after those that react`() {
        let (a, b) = (provider("a"), provider("b"))
        _ = admin.tell("policy.set", #"{"heartbeat_ms":1000}"#)
        host.talk(2, of: a, by: user)
        host.turn(afterMS: 1_000)
        _ = user.tell("call.dial", #"{"uri":"tel:112","call":"c1"}"#)
        #expect(placing(["a": a, "b": b]) == ["b"])
    }

    @Test func `one that does not take telephone numbers is not asked`() {
        let mail = host.ready("provider", identity: "org.m")
        _ = mail.tell("provider.register", #"{"display_name":"M","handle_types":["email"]}"#)
        let app = provider("z")
        #expect(dial("tel:112").contains("accepted"))
        #expect(placing(["m": mail, "z": app]) == ["z"])
    }

    // MARK: - The next one

    @Test func `one that refuses makes way to the next, until none is left`() {
        let (a, b) = (provider("a"), provider("b"))
        _ = dial("tel:112")
        #expect(placing(["a": a, "b": b]) == ["a"])
        a.fail(1)
        #expect(placing(["a": a, "b": b]) == ["b"])
        b.fail(1)
        #expect(placing(["a": a, "b": b]) == [])
        let calls = user.tell("call.list", "{}").joined()
        #expect(calls.contains(#""calls":[]"#))
    }

    @Test func `one whose call fails before the far end is reached makes way, too`() {
        let (a, b) = (provider("a"), provider("b"))
        _ = dial("tel:112")
        _ = a.brief()
        a.fulfil(1)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"failed"}"#)
        #expect(placing(["b": b]) == ["b"])
    }

    @Test(arguments: ["remote_ended", "unanswered"])
    func `one that has been refused by the far end is over`(reason: String) {
        let (a, b) = (provider("a"), provider("b"))
        _ = dial("tel:112")
        _ = a.brief()
        a.fulfil(1)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"\#(reason)"}"#)
        #expect(placing(["b": b]) == [])
    }

    @Test func `one that was connected and then fails is not placed again`() {
        let (a, b) = (provider("a"), provider("b"))
        _ = dial("tel:112")
        _ = a.brief()
        a.fulfil(1)
        _ = a.tell("call.report_connected", #"{"call":"c1"}"#)
        _ = a.tell("call.report_ended", #"{"call":"c1","reason":"failed"}"#)
        #expect(placing(["b": b]) == [])
    }

    @Test
    func `one that shows no sign of life for five seconds is told to end, and the next one tries`()
    {
        let (a, b) = (provider("a"), provider("b"))
        _ = dial("tel:112")
        _ = a.brief()
        host.turn(afterMS: 4_999)
        #expect(placing(["b": b]) == [])
        host.turn(afterMS: 1)
        #expect(a.brief().contains { $0.contains(" end c1") })
        #expect(placing(["b": b]) == ["b"])
    }

    @Test(arguments: [true, false])
    func `whoever waits until it is placed gets the report of the last try`(isPlaced: Bool) throws {
        let (a, b) = (provider("a"), provider("b"))
        #expect(dial("tel:112", #","wait":"completed""#) == "")
        _ = a.brief()
        a.fail(1)
        #expect(user.brief().filter { $0.hasPrefix("1:") } == [])
        _ = b.brief()
        if isPlaced { b.fulfil(1) } else { b.fail(1) }
        let reply = user.brief().first { $0.hasPrefix("1:") }
        #expect(reply?.contains(isPlaced ? "completed" : "failed") == true)
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `a repeated request gets the reply of the app that has placed it`() throws {
        let (a, b) = (provider("a"), provider("b"))
        let options =
            #","wait":"completed","transaction":"11111111-0000-4000-8000-000000000001""#
        _ = dial("tel:112", options)
        _ = a.brief()
        a.fail(1)
        #expect(dial("tel:112", options) == "")
        _ = b.brief()
        b.fulfil(1)
        let replies = user.brief().filter { $0.hasPrefix("1:") || $0.hasPrefix("2:") }
        #expect(replies.count == 2)
        #expect(replies.allSatisfy { $0.contains("completed") && !$0.contains("error") })
    }

    @Test func `whoever waits for one that is silent waits for the next one, too`() {
        let (a, b) = (provider("a"), provider("b"))
        #expect(dial("tel:112", #","wait":"completed""#) == "")
        _ = a.brief()
        host.turn(afterMS: 5_000)
        #expect(user.brief().filter { $0.hasPrefix("1:") } == [])
        _ = b.brief()
        b.fulfil(1)
        #expect(user.brief().first { $0.hasPrefix("1:") }?.contains("completed") == true)
    }

    @Test func `one that is refused, since its call is there already, is not placed later`() {
        let (a, b) = (provider("a"), provider("b"))
        _ = start("+15550100", #","provider":"org.a""#, by: user)
        #expect(dial("tel:112").contains("call_uuid"))
        _ = a.brief()
        a.fail(1)
        #expect(placing(["b": b]) == [])
    }

    @Test func `what is asked for in front of it keeps nobody from placing it`() {
        let (a, b, c) = (provider("a"), provider("b"), provider("c"))
        host.talk(2, of: a, by: user)
        let actions =
            #"{"kind":"set_held","call":"c2","arguments":{"held":true}},"#
            + #"{"kind":"start","call":"c1","provider":"org.b","#
            + #""arguments":{"remote":{"type":"phone","value":"112"}}}"#
        _ = user.tell(
            "transaction.request", #"{"actions":[\#(actions)],"wait":"completed"}"#)
        #expect(placing(["b": b, "c": c]) == ["b"])
        b.fail(1)
        #expect(placing(["a": a, "c": c]) == ["a"])
        #expect(user.brief() == [])
    }

    @Test func `one that waits for an app that is away goes to one that comes meanwhile`() {
        let b = dialWhileAway()
        host.turn(afterMS: 4_999)
        #expect(placing(["b": b]) == [])
        host.turn(afterMS: 1)
        #expect(placing(["b": b]) == ["b"])
    }

    @Test func `one that is silent goes to an app that comes later`() {
        let a = provider("a")
        _ = dial("tel:112")
        host.turn(afterMS: 20_000)
        #expect(placing(["a": a]) == ["a"])
        let b = host.ready("provider", identity: "org.b")
        #expect(b.register().joined().contains(" start "))
    }

    @Test func `an app that was away and was not asked has its turn later`() {
        let b = dialWhileAway()
        host.turn(afterMS: 5_000)
        #expect(placing(["b": b]) == ["b"])
        let back = provider("a")
        b.fail(1)
        #expect(placing(["a": back]) == ["a"])
    }

    @Test func `a silent one has failed, and nobody has cancelled it`() {
        let (a, _) = (provider("a"), provider("b"))
        let ends = host.observer()
        _ = dial("tel:112")
        _ = a.brief()
        host.turn(afterMS: 5_000)
        let text = ends.lines().joined()
        #expect(text.contains(#""end_reason":"failed""#))
        #expect(!text.contains(#""end_reason":"cancelled""#))
    }

    @Test(arguments: [true, false])
    func `a link counts as refused once the last app has failed`(isAwaited: Bool) {
        let (a, b) = (provider("a"), provider("b"))
        let dials = host.observer("call.dial_refused")
        _ = dial("tel:112", isAwaited ? #","wait":"completed""# : "")
        _ = a.brief()
        a.fail(1)
        #expect(dials.lines() == [])
        _ = b.brief()
        b.fail(1)
        #expect(dials.lines().count == 1)
    }

    @Test func `one with video goes to an app that has it, and else is placed as audio`() {
        let (a, b) = (provider("a"), host.ready("provider", identity: "org.b"))
        b.register(#""supports_video":true"#)
        #expect(dial("tel:112", #","has_video":true"#).contains("accepted"))
        let placed = b.lines().joined()
        #expect(placed.contains(#""has_video":true"#))
        b.fail(1)
        let next = a.lines().joined()
        #expect(next.contains("start"))
        #expect(!next.contains(#""has_video":true"#))
    }

    @Test func `tones behind the number are sent later, and are not part of it`() {
        _ = provider("a")
        _ = dial("tel:112,1")
        #expect(priority() == "emergency")
    }

    @Test func `an app that dials tones with the number dials another number`() {
        let a = provider("a")
        _ = start("112,1", by: a)
        #expect(priority() == "normal")
    }

    @Test func `one that an app starts by itself is its own`() {
        let (a, b) = (provider("a"), provider("b"))
        _ = start("112", by: a)
        #expect(priority() == "emergency")
        _ = a.brief()
        a.fail(1)
        #expect(placing(["b": b]) == [])
    }

    @Test func `one that the user ends is over`() {
        let (a, b) = (provider("a"), provider("b"))
        _ = dial("tel:112")
        _ = a.brief()
        _ = user.tell("call.end", #"{"call":"c1"}"#)
        a.fail(1)
        host.turn(afterMS: 60_000)
        #expect(placing(["b": b]) == [])
    }

    @Test func `explain says for which call the next one is placed`() throws {
        let (a, _) = (provider("a"), provider("b"))
        _ = dial("tel:112")
        _ = a.brief()
        a.fail(1)
        let steps = user.tell("call.explain", #"{"call":"c1"}"#).joined()
        #expect(steps.contains(#""decision":"forced""#))
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `one whose connection is lost before it has said anything makes way, too`() {
        let (a, b) = (provider("a"), provider("b"))
        _ = dial("tel:112")
        #expect(placing(["a": a]) == ["a"])
        a.vanish()
        host.turn(afterMS: 5_000)
        #expect(placing(["b": b]) == ["b"])
    }

    @Test func `a broker that is killed and goes on lets the next one try`() throws {
        let (a, b) = (provider("a"), provider("b"))
        _ = dial("tel:112")
        #expect(placing(["a": a, "b": b]) == ["a"])
        let next = try MemoryBroker(goingOnAfter: host)
        let back = next.ready("provider", "controller", identity: "org.b")
        back.register()
        next.turn(afterMS: 5_000)
        #expect(placing(["b": back]) == ["b"])
        // Both have been asked now.
        let former = next.ready("provider", "controller", identity: "org.a")
        former.register()
        back.fail(1)
        next.turn()
        #expect(placing(["a": former, "b": back]) == [])
    }

    // MARK: - Claims

    @Test func `an app's word alone does not make an emergency`() throws {
        let app = provider("a")
        #expect(start("+15550100", #","emergency":true"#, by: app).contains("accepted"))
        #expect(priority() == "normal")
        #expect(
            observer.brief() == ["broker.anomaly anomaly=emergency_claimed call=c1 provider=org.a"])
        let steps = user.tell("call.explain", #"{"call":"c1"}"#).joined()
        #expect(steps.contains(#""rule":"20""#) && steps.contains(#""decision":"ignored""#))
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `the user's word does`() {
        _ = provider("a")
        #expect(start("+15550100", #","emergency":true"#, by: user).contains("accepted"))
        #expect(priority() == "emergency")
        #expect(observer.brief() == [])
    }

    @Test(arguments: ["allowed", "ask", "denied"])
    func `the host decides whose word counts`(word: String) {
        choose(#""claims":{"org.a":{"outgoing":"\#(word)","incoming":"denied"}}"#)
        let app = provider("a")
        _ = start("+15550100", #","emergency":true"#, by: app)
        #expect(priority() == (word == "allowed" ? "emergency" : "normal"))
        #expect(observer.brief().isEmpty == (word == "allowed"))
    }

    @Test(arguments: [true, false])
    func `an incoming call, and an update, are claims, too`(isAllowed: Bool) throws {
        if isAllowed { host.letClaimEmergencies("org.a") }
        let app = provider("a")
        app.ring(1, #""priority":"emergency""#)
        #expect(priority() == (isAllowed ? "emergency" : "normal"))
        _ = app.tell("call.report_ended", #"{"call":"c1","reason":"remote_ended"}"#)
        app.ring(2)
        _ = app.tell("call.report_update", #"{"call":"c2","priority":"emergency"}"#)
        #expect(priority(2) == (isAllowed ? "emergency" : "normal"))
        #expect(observer.brief().count == (isAllowed ? 0 : 2))
        try host.expectThatItsJournalTellsAll()
    }

    @Test func `a claim about which the user is to be asked does not count`() {
        choose(#""claims":{"org.a":{"outgoing":"ask","incoming":"ask"}}"#)
        let app = provider("a")
        app.ring(1, #""priority":"emergency""#)
        #expect(priority() == "normal")
        #expect(observer.brief().count == 1)
    }

    @Test func `a call that an app brings along is one by its number alone`() {
        let app = host.ready("provider", identity: "org.a")
        let calls = [("c1", "112", ""), ("c2", "+15550100", #","priority":"emergency""#)].map {
            #"{"call":"\#($0)","direction":"outgoing","state":"held","remote":{"type":"phone","value":"\#($1)"}\#($2)}"#
        }
        app.register(#""max_call_groups":2,"calls":[\#(calls.joined(separator: ","))]"#)
        #expect(priority(1) == "emergency")
        #expect(priority(2) == "normal")
        #expect(
            observer.brief() == ["broker.anomaly anomaly=emergency_claimed call=c2 provider=org.a"])
    }

    @Test func `only an admin says whose word counts`() {
        let reply = user.tell("policy.set", #"{"emergency":{"providers":["org.a"]}}"#).joined()
        #expect(reply.contains("role_not_granted"))
    }

    @Test func `a claim is taken back with null, what is left out stays`() {
        choose(#""claims":{"org.a":{"outgoing":"allowed"},"org.b":{"incoming":"ask"}}"#)
        choose(#""claims":{"org.a":null},"numbers":["15"]"#)
        let policy = admin.tell("policy.get", "{}").joined()
        #expect(
            policy.contains(
                #""emergency":{"numbers":["15"],"providers":[],"claims":{"org.b":{"outgoing":"denied","incoming":"ask"}}}"#
            ))
    }
}
