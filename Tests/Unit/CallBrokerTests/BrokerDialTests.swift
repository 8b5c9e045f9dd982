import CallBroker
import CallTesting
import Testing

/// Addresses, and whose calls they become.
struct BrokerDialTests {
    private let host = MemoryBroker()
    private let tel: MemoryPeer
    private let sip: MemoryPeer
    private let mail: MemoryPeer
    private let user: MemoryPeer

    init() {
        tel = host.provider("org.tel", #""url_schemes":["tel","x-own"]"#)
        sip = host.ready("provider", identity: "org.sip")
        _ = sip.tell(
            "provider.register",
            #"{"display_name":"S","handle_types":["generic"],"url_schemes":["sip","sips"]}"#)
        mail = host.ready("provider", identity: "org.mail")
        _ = mail.tell(
            "provider.register",
            #"{"display_name":"M","handle_types":["email"],"url_schemes":["mailto"]}"#)
        user = host.controller()
    }

    private func dial(_ uri: String, _ members: String = "") -> String {
        user.tell("call.dial", #"{"uri":"\#(uri)","call":"c1"\#(members)}"#).joined()
    }

    @Test(arguments: [
        ("tel:+1-555(01).00", "phone,value:+15550100"), ("TEL:+15", "phone,value:+15"),
        ("tel:%2B15;isub=5", "phone,value:+15"), ("tel:*21%23", "phone,value:*21#"),
        ("tel:034-56;phone-context=+49", "phone,value:+4903456"),
        ("tel:7042;ext=;phone-context=example.com", "phone,value:7042"),
        ("tel:+15;Phone-Context=+49", "phone,value:+15"),
        ("x-own:Some+Thing", "generic,value:x-own:Some+Thing"),
    ])
    func `a number is dialled without what only eyes need`(uri: String, remote: String) {
        #expect(dial(uri) == "1: accepted #1 [#2 start c1 queued]")
        #expect(
            tel.brief() == ["perform 1 #2 start c1 remote={type:\(remote)} user 60000 ms"])
    }

    @Test(arguments: [
        ("tel:+1555%3B42", "42"), ("tel:+1555w42;isub=5", "42"), ("tel:+1555;42", ""),
    ])
    func `an escaped semicolon is a pause between tones, a plain one begins a parameter`(
        uri: String, digits: String
    ) throws {
        _ = dial(uri)
        #expect(tel.brief().last?.contains("value:+1555}") == true)
        tel.fulfil(1)
        tel.post("call.report_connected", #"{"call":"c1"}"#)
        let call = try #require(user.tell("call.get", #"{"call":"c1"}"#).last)
        #expect(call.contains("paused_tones") == !digits.isEmpty)
        #expect(call.contains(digits))
    }

    /// It offers to call nobody, and may call whom it likes.
    @Test func `an app without handle types is chosen for a start only if no other offers it`() {
        let host = MemoryBroker()
        let user = host.controller()
        let plain = host.ready("provider", "controller", identity: "org.plain")
        let registered = plain.tell(
            "provider.register", #"{"display_name":"P","handle_types":[]}"#)
        #expect(registered.last?.hasPrefix("1: {") == true, "\(registered)")
        let start = { (call: String, kind: String) in
            user.tell(
                "call.start",
                #"{"call":"\#(call)","remote":{"type":"\#(kind)","value":"1"},"dry_run":true}"#
            ).joined()
        }
        for kind in ["phone", "email", "generic", "x-own"] {
            #expect(start("c1", kind).contains("[start c1 planned]"), "\(kind)")
        }
        let listed = user.tell("provider.list").joined()
        #expect(listed.contains(#""handle_types":[]"#), "\(listed)")
        _ = host.provider("org.phone")
        for (call, kind) in [("c2", "phone"), ("c3", "generic")] {
            let asked = user.tell(
                "call.start",
                #"{"call":"\#(call)","remote":{"type":"\#(kind)","value":"1"},"dry_run":true}"#)
            #expect(
                asked.joined().contains("ambiguous") == (kind == "generic"), "\(asked)")
        }
        let own = plain.tell(
            "call.start", #"{"call":"c4","remote":{"type":"phone","value":"1"}}"#)
        #expect(own.joined().contains("accepted"), "\(own)")
    }

    @Test func `the scheme picks the provider`() {
        #expect(dial("sip:ada@example.org;transport=tcp") == "1: accepted #1 [#2 start c1 queued]")
        #expect(
            sip.brief().last?.contains("value:sip:ada@example.org;transport=tcp") == true)
    }

    @Test func `a mail address is one`() {
        #expect(dial("mailto:ada@example.org?subject=x") == "1: accepted #1 [#2 start c1 queued]")
        #expect(
            mail.brief().last
                == "perform 1 #2 start c1 remote={type:email,value:ada@example.org} user 60000 ms")
    }

    @Test func `a scheme that nobody has is an unknown provider's`() {
        #expect(dial("x-other:thing") == "1: -32004 unknown_provider rule=31")
    }

    @Test(arguments: [
        "nonsense", "tel:", ":5", "7el:5", "t el:5", "tel:%", "tel:%zz", "tel:%00", "tel:%+1",
    ])
    func `what is no address is refused, and not quoted`(uri: String) {
        let line = user.ask(Frame.request(1, "call.dial", #"{"uri":"\#(uri)"}"#)).joined()
        #expect(Brief.line(line).hasPrefix("1: -32602 "))
        #expect(line.contains(#""field":"/uri""#))
        #expect(!line.contains("zz"))
    }

    @Test(arguments: [
        #"tel:5\n6"#, "tel:5%0a6", "tel:5%0D", "sip:a%0aquit@example.org", "tel:5%7f",
        #"tel:5\u0085"#, "tel:5%E2%80%A8",
    ])
    func `a control character is refused, as it is or escaped`(uri: String) {
        let line = user.ask(Frame.request(1, "call.dial", #"{"uri":"\#(uri)"}"#)).joined()
        #expect(line.contains("params.uri has a control character in it"))
        #expect(tel.brief() == [])
        #expect(sip.brief() == [])
    }

    @Test func `nor is one started at as an address`() {
        let remote = #"{"type":"phone","value":"5\n/quit"}"#
        #expect(
            user.tell("call.start", #"{"remote":\#(remote),"provider":"org.tel"}"#)
                == ["1: -32602 wrong_form field=/remote/value"])
        let action = #"{"kind":"start","provider":"org.tel","arguments":{"remote":\#(remote)}}"#
        #expect(
            user.tell("transaction.request", #"{"actions":[\#(action)]}"#)
                == ["2: -32602 wrong_form field=/remote/value"])
    }

    @Test func `an extension is refused rather than forgotten`() {
        let line = user.ask(Frame.request(1, "call.dial", #"{"uri":"tel:+15;ext=123"}"#)).joined()
        #expect(line.contains("params.uri names an extension"))
        #expect(line.contains("call.play_dtmf"))
        #expect(!line.contains("123"))
        #expect(tel.brief() == [])
    }

    // MARK: - What screens hear

    private func refusals(_ observer: MemoryPeer) throws -> [JSONTree] {
        try observer.lines().map { try JSONTree($0) }.filter {
            $0["params"]?["topic"]?.string == "call.dial_refused"
        }.compactMap { $0["params"] }
    }

    @Test(
        arguments: [
            ("tel:5%0a6", "tel", "the address has a control character in it"),
            ("tel:+15;ext=777", "tel", "the address names an extension"),
            ("nonsense777", nil, "the address must be a scheme, a colon and an address"),
            ("x-other:777", "x-other", nil),
            ("tel:" + String(repeating: "7", count: 600), "tel", nil),
        ] as [(String, String?, String?)])
    func `that a link is not called is told, with why, and not which`(
        uri: String, scheme: String?, message: String?
    ) throws {
        let observer = host.observer("call.*")
        let error = try JSONTree(
            user.ask(Frame.request(1, "call.dial", #"{"uri":"\#(uri)"}"#)).joined())["error"]
        let told = try refusals(observer)
        #expect(told.count == 1)
        let data = try #require(told.first?["data"])
        #expect(data["reason"] == error?["data"]?["reason"])
        #expect(data["scheme"]?.string == scheme)
        #expect(data["cause"]?["origin"] == .string("user"))
        if let message { #expect(data["message"] == .string(message)) }
        #expect(!data.description.contains("777") && !data.description.contains("params"))
        #expect(!host.log.lines.joined().contains("777"))
    }

    @Test func `several apps, or none, are told with what helps`() throws {
        let observer = host.observer("call.*")
        _ = host.provider("org.other", #""url_schemes":["tel"]"#)
        _ = dial("tel:+15")
        let data = try #require(try refusals(observer).first?["data"])
        #expect(data["reason"] == .string("ambiguous_provider"))
        #expect(data["hint"]?.string?.contains("policy.set") == true)
    }

    @Test func `what the rules refuse is told with its rule, behind the reply`() throws {
        _ = host.ready("admin").tell("policy.set", #"{"video_fallback":"refuse"}"#)
        let observer = host.observer("call.*")
        #expect(dial("tel:+15", #","has_video":true"#) == "1: -32006 not_supported rule=21")
        let data = try #require(try refusals(observer).first?["data"])
        #expect(data["reason"] == .string("not_supported"))
        #expect(data["cause"]?["rule"] == .string("21"))
    }

    @Test func `a call that does not come about is told, too, and one that is taken back is not`()
        throws
    {
        let observer = host.observer("call.*")
        _ = dial("tel:+15")
        #expect(try refusals(observer) == [])
        tel.send(Frame.error("1", -32_000, "far_end_busy", "no"))
        #expect(
            try refusals(observer).compactMap { $0["data"]?["reason"] }
                == [.string("provider_failed")])
        user.lastID = 1
        _ = user.tell("call.dial", #"{"uri":"tel:+15","call":"c2"}"#)
        _ = user.tell("call.end", #"{"call":"c2"}"#)
        #expect(try refusals(observer) == [])
    }

    @Test func `what an app asked for itself is said to be its own`() throws {
        let observer = host.observer("call.*")
        let app = host.ready("provider", "controller", identity: "org.own")
        _ = app.tell("provider.register", #"{"display_name":"O","handle_types":["phone"]}"#)
        _ = app.tell("call.dial", #"{"uri":"tel:%"}"#)
        let told = try #require(try refusals(observer).first)
        #expect(told["provider"] == .string("org.own"))
        #expect(told["data"]?["cause"]?["origin"] == .string("app"))
    }

    @Test func `a dry run, a start, or a question asked again tells nothing`() throws {
        let observer = host.observer("call.*")
        _ = dial("tel:%", #","dry_run":true"#)
        _ = dial("tel:+15", #","has_video":true,"dry_run":true"#)
        _ = user.tell(
            "call.start", #"{"remote":{"type":"phone","value":"5"},"provider":"org.none"}"#)
        #expect(try refusals(observer) == [])
    }

    @Test func `a broker that was killed has counted these events`() throws {
        let observer = host.observer("call.*")
        _ = dial("tel:%")
        let seq = try #require(try refusals(observer).first?["seq"]?.integer)
        let next = try MemoryBroker(goingOnAfter: host)
        let again = next.ready("observer")
        let line = again.tell(
            "events.subscribe",
            #"{"topics":["call.*"],"cursor":{"epoch":"\#(host.broker.epoch)","seq":\#(seq)}}"#)
        #expect(line.first?.contains(#""resync":false"#) == true)
    }

    @Test(arguments: [
        ("{}", "missing_member field=/uri"), (#"{"uri":7}"#, "wrong_type field=/uri"),
        (#"{"uri":""}"#, "too_short field=/uri"),
        (#"{"uri":"tel:5","provider":"tel"}"#, "wrong_form field=/provider"),
        (#"{"uri":"tel:5","remote":{}}"#, "unknown_member field=/remote"),
    ])
    func `what is wrong is named`(params: String, fault: String) {
        #expect(user.tell("call.dial", params) == ["1: -32602 \(fault)"])
    }

    @Test func `of several the policy's choice dials, else they are named`() {
        let other = host.provider("org.other", #""url_schemes":["tel"]"#)
        #expect(
            dial("tel:+15")
                == "1: -32006 ambiguous_provider candidates=[org.other,org.tel] scheme=tel")
        _ = user.tell("policy.set", #"{"default_provider":{"tel":"org.other"}}"#)
        #expect(dial("tel:+15") == "3: accepted #1 [#2 start c1 queued]")
        #expect(other.brief().count == 1)
    }

    @Test func `a choice that is not there chooses nothing`() {
        _ = host.provider("org.other", #""url_schemes":["tel"]"#)
        _ = user.tell("policy.set", #"{"default_provider":{"tel":"org.gone"}}"#)
        #expect(dial("tel:+15").hasPrefix("2: -32006 ambiguous_provider"))
    }

    @Test func `whoever names the provider gets it`() {
        #expect(
            dial("tel:+15", #","provider":"org.sip""#) == "1: accepted #1 [#2 start c1 queued]")
        #expect(sip.brief().last?.hasPrefix("perform 1 #2 start c1 remote={type:phone,") == true)
        #expect(
            dial("tel:+15", #","provider":"org.z""#).hasPrefix("2: -32004 unknown_provider rule=31")
        )
    }

    @Test func `video, and what would be, are asked for as in a start`() {
        _ = host.ready("admin").tell("policy.set", #"{"video_fallback":"refuse"}"#)
        #expect(dial("tel:+15", #","has_video":true"#) == "1: -32006 not_supported rule=21")
        #expect(
            dial("tel:+15", #","dry_run":true"#)
                == "2: [start c1 planned] dry_run=true would_hold=[] would_end=[] "
                + "would_activate=[c1] refusal=null")
        #expect(tel.brief() == [])
    }

    // MARK: - Contacts

    /// Two apps for numbers, of which the policy takes one, and a contact of the other.
    private func contact(_ app: String = "org.other") throws -> (store: MemoryStore, MemoryPeer) {
        let other = host.provider("org.other", #""url_schemes":["tel"]"#)
        _ = user.tell("policy.set", #"{"default_provider":{"tel":"org.tel"}}"#)
        let store = try MemoryStore(of: host)
        put(store, #"[{"type":"phone","value":"+1 555 01"}]"#, app)
        return (store, other)
    }

    private func put(_ store: MemoryStore, _ handles: String, _ app: String?) {
        let provider = app.map { #","provider":"\#($0)""# } ?? ""
        _ = store.tell(
            user, "contact.put",
            #"{"contact":"ann","name":"Ann","handles":\#(handles)\#(provider)}"#)
        user.lastID = 0
    }

    @Test func `a contact is called with its app, whatever the policy's choice`() throws {
        let (_, other) = try contact()
        #expect(dial("tel:+1-555-01") == "1: accepted #1 [#2 start c1 queued]")
        #expect(other.brief().count == 1)
        #expect(tel.brief() == [])
    }

    @Test func `a start finds a contact's app as a link does, by an internet address, too`() throws
    {
        let (store, other) = try contact()
        put(store, #"[{"type":"phone","value":"+155501"}]"#, "org.sip")
        let remote = #"{"type":"generic","value":"sip:+155501@example.org"}"#
        #expect(
            user.tell("call.start", #"{"remote":\#(remote),"call":"c1"}"#)
                == ["1: accepted #1 [#2 start c1 queued]"])
        #expect(sip.brief().count == 1)
        #expect(other.brief() == [])
    }

    @Test func `whoever names the provider gets it, contact or not`() throws {
        let (_, other) = try contact()
        _ = dial("tel:+155501", #","provider":"org.tel""#)
        #expect(tel.brief().count == 1)
        #expect(other.brief() == [])
    }

    @Test func `an app calls a contact of another app by itself`() throws {
        let (_, other) = try contact()
        let app = host.ready("provider", "controller", identity: "org.own")
        _ = app.tell(
            "provider.register", #"{"display_name":"O","handle_types":["phone"]}"#)
        let line = app.tell(
            "call.start", #"{"remote":{"type":"phone","value":"+155501"},"call":"c1"}"#)
        #expect(line.first == "2: accepted #1 [#2 start c1 queued]")
        #expect(other.brief() == [])
    }

    @Test(arguments: ["org.gone", "org.mail"])
    func `a contact's app that cannot call it chooses nothing`(app: String) throws {
        _ = try contact(app)
        #expect(dial("tel:+155501") == "1: accepted #1 [#2 start c1 queued]")
        #expect(tel.brief().count == 1)
    }

    @Test func `an app that the user has not allowed is not chosen for a contact`() throws {
        _ = try contact()
        let admin = host.ready("admin")
        _ = admin.tell("policy.set", #"{"authorization":{"org.other":"denied"}}"#)
        #expect(dial("tel:+155501") == "1: accepted #1 [#2 start c1 queued]")
        #expect(tel.brief().count == 1)
    }

    @Test func `a contact that has no app any more, or is gone, chooses nothing`() throws {
        let (store, other) = try contact()
        put(store, #"[{"type":"phone","value":"+155501"}]"#, nil)
        _ = dial("tel:+155501", #","dry_run":true"#)
        put(store, #"[{"type":"phone","value":"+155501"}]"#, "org.other")
        _ = store.tell(user, "contact.remove", #"{"contact":"ann"}"#)
        user.lastID = 0
        #expect(dial("tel:+155501") == "1: accepted #1 [#2 start c1 queued]")
        #expect(tel.brief().count == 1)
        #expect(other.brief() == [])
    }

    @Test func `a number of the user's own country is the contact's, once the country is known`()
        throws
    {
        let (store, other) = try contact()
        put(store, #"[{"type":"phone","value":"(201) 555-0123"}]"#, "org.other")
        #expect(dial("tel:+12015550123", #","dry_run":true"#).contains("start c1 planned"))
        _ = user.tell("policy.set", #"{"region":"US"}"#)
        store.settle()
        user.lastID = 0
        #expect(dial("tel:+12015550123") == "1: accepted #1 [#2 start c1 queued]")
        #expect(other.brief().count == 1)
    }
}
