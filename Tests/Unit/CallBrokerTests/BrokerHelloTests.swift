import BrokerJSON
import CallBroker
import CallTesting
import Testing

struct BrokerHelloTests {
    private let host = MemoryBroker()

    @Test func `the whole answer to a hello`() {
        let peer = host.connect()
        host.turn(afterMS: 1_234)
        let lines = peer.ask(Frame.hello(#""roles":["controller","admin"]"#)).map(masked)
        let instance = host.broker.instance
        #expect(
            lines == [
                Frame.result(
                    0,
                    """
                    {"protocol":1,"broker":{"name":"callbroker","version":"0.1.0",\
                    "instance":"\(instance)"},"session":{"session":"S","secret":"s",\
                    "resumed":false,"grace_ms":0},"granted_roles":["controller","admin"],\
                    "denied_roles":[],"features":{"presentation":{"version":1,"granted":false},\
                    "tone":{"version":1,"granted":true},"alerting":{"version":1,"granted":true},\
                    "audio_endpoints":{"version":1,"granted":false},\
                    "line_settings":{"version":1,"granted":false},\
                    "external_calls":{"version":1,"granted":false},\
                    "ask":{"version":1,"granted":false},\
                    "video_request":{"version":1,"granted":false},\
                    "text":{"version":1,"granted":false},\
                    "participant_changes":{"version":1,"granted":false},\
                    "push":{"version":1,"granted":false},\
                    "call_changes":{"version":1,"granted":false}},\
                    "rights":{"calls":"all","redacted":false},\
                    "limits":{\(limits)},"epoch":"\(host.broker.epoch)","seq":0,\
                    "clock":{"now_at_ms":1767225601234,"mono_ms":1234},"options":{},\
                    "heartbeat_ms":0}
                    """)
            ])
    }

    @Test func `only a provider's session outlives its connection`() {
        let hello = Frame.hello(#""roles":["provider"],"identity":"org.example.a""#)
        let line = host.connect().ask(hello).joined()
        #expect(masked(line).contains(#""resumed":false,"grace_ms":5000}"#))
    }

    @Test func `sessions and secrets are never the same`() throws {
        let answers = try (0..<50).map { _ in
            try session(in: host.connect().ask(Frame.hello()).joined())
        }
        #expect(Set(answers.map(\.session)).count == 50)
        #expect(Set(answers.map(\.secret)).count == 50)
    }

    // MARK: - Versions

    @Test(arguments: [(0, 1), (1, 1), (1, 7), (0, 1_000_000)])
    func `a version in common is chosen`(oldest: Int, newest: Int) {
        let lines = host.connect().ask(hello(oldest, newest))
        #expect(lines.count == 1)
        #expect(lines[0].hasPrefix(#"{"jsonrpc":"2.0","id":0,"result":{"protocol":1,"#))
    }

    @Test(arguments: [(0, 0), (2, 2), (2, 1), (1, 0), (2, 1_000_000)])
    func `without one the hello fails and may be repeated`(oldest: Int, newest: Int) {
        let peer = host.connect()
        let refusal = Frame.error(
            "0", -32_015, "version_unsupported",
            "client and broker have no protocol version in common",
            #","field":"/protocol","supported":{"min":1,"max":1}"#)
        #expect(peer.ask(hello(oldest, newest)) == [refusal])
        #expect(peer.ask(Frame.request(1, "broker.info")) == [helloRequired(1)])
        #expect(peer.ask(Frame.hello()).joined().contains(#""granted_roles":["observer"]"#))
    }

    // MARK: - Roles

    @Test(
        arguments: [
            (#""roles":["observer"]"#, ["observer"], ""),
            (#""roles":[]"#, [], ""),
            (#""roles":["admin","observer","admin"]"#, ["observer", "admin"], ""),
            (#""roles":["provider","ui"],"identity":"org.example.a""#, ["provider", "ui"], ""),
            (
                #""roles":["screener","directory"]"#, [],
                #"{"role":"screener","reason":"not_granted"},"#
                    + #"{"role":"directory","reason":"not_granted"}"#
            ),
            (
                #""roles":["wizard","Admin","controller"]"#, ["controller"],
                #"{"role":"wizard","reason":"unknown_role"},{"role":"Admin","reason":"unknown_role"}"#
            ),
        ] as [(String, [String], String)])
    func `roles are granted or denied with a reason`(
        members: String, granted: [String], denied: String
    ) {
        let line = host.connect().ask(Frame.hello(members)).joined()
        let list = granted.map { #""\#($0)""# }.joined(separator: ",")
        #expect(line.contains(#""granted_roles":[\#(list)],"denied_roles":[\#(denied)],"#))
    }

    @Test func `without roles a client is an observer`() {
        let line = host.connect().ask(Frame.hello()).joined()
        #expect(line.contains(#""granted_roles":["observer"],"denied_roles":[],"#))
    }

    @Test func `a role that was not granted is missed where it is needed`() {
        let refusal = Frame.error(
            "1", -32_003, "role_not_granted", "this method needs the role admin",
            #","hint":"request the role in broker.hello""#)
        #expect(host.ready("controller").ask(Frame.request(1, "broker.stats")) == [refusal])
        #expect(host.ready("admin").ask(Frame.request(1, "broker.stats")) != [refusal])
    }

    @Test func `one of several roles is enough`() {
        let answer = Frame.request(1, "call.answer")
        #expect(
            host.ready("observer").ask(answer) == [
                Frame.error(
                    "1", -32_003, "role_not_granted", "this method needs the role controller or ui",
                    #","hint":"request the role in broker.hello""#)
            ])
        let missing = Frame.error(
            "1", -32_602, "missing_member", "params.call is required", #","field":"/call""#)
        #expect(host.ready("controller").ask(answer) == [missing])
        #expect(host.ready("observer", "controller").ask(answer) == [missing])
        #expect(host.ready("ui", identity: "org.example.screen").ask(answer) == [missing])
    }

    @Test func `a session is opened once`() {
        let refusal = Frame.error(
            "0", -32_006, "already_initialized", "the session is already open")
        #expect(host.ready("observer").ask(Frame.hello()) == [refusal])
    }

    // MARK: - Identity

    @Test(arguments: ["provider", "ui"])
    func `some roles need an identity, and the hello may be repeated with one`(role: String) {
        let peer = host.connect()
        let refusal = Frame.error(
            "0", -32_602, "missing_member", "params.identity is required for these roles",
            #","field":"/identity""#)
        #expect(peer.ask(Frame.hello(#""roles":["\#(role)"]"#)) == [refusal])
        let line = peer.ask(Frame.hello(#""roles":["\#(role)"],"identity":"a.b""#)).joined()
        #expect(line.contains(#""granted_roles":["\#(role)"]"#))
    }

    @Test func `an identity has one provider at a time`() {
        let first = host.ready("provider", identity: "org.example.a")
        let second = host.connect()
        #expect(second.ask(provider) == [identityInUse])
        #expect(first.ask(Frame.request(1, "broker.ping")) == [Frame.result(1)])

        first.vanish()
        #expect(second.ask(provider).joined().contains(#""granted_roles":["provider"]"#))
    }

    @Test func `different providers, and presenters, do not collide`() {
        _ = host.ready("provider", identity: "org.example.a")
        let lines = [
            #""roles":["provider"],"identity":"org.example.b""#,
            #""roles":["provider"],"identity":"ORG.example.a""#,
            #""roles":["ui"],"identity":"org.example.a""#,
        ].map { host.connect().ask(Frame.hello($0)).joined() }
        #expect(lines.allSatisfy { $0.contains(#""denied_roles":[]"#) })
    }

    @Test func `a provider that shows its secret takes over`() throws {
        let old = host.connect()
        let (session, secret) = try session(in: old.ask(provider).joined())
        let new = host.connect()
        let line = new.ask(resume(session.uppercased(), secret)).joined()
        #expect(line.contains(#""granted_roles":["provider"]"#))
        #expect(
            old.lines() == [
                Frame.goodbye("superseded", "the session goes on in a new connection")
            ])
        #expect(old.isClosed)

        host.turn()
        #expect(host.connect().ask(provider) == [identityInUse])
    }

    @Test func `without the right secret nobody takes over`() throws {
        let old = host.connect()
        let (session, secret) = try session(in: old.ask(provider).joined())
        let new = host.connect()
        #expect(new.ask(resume(session, "wrong")) == [identityInUse])
        #expect(new.ask(resume(host.broker.instance, secret)) == [identityInUse])
        #expect(!old.isClosed)
        #expect(new.ask(resume(session, secret)).joined().contains(#""result":"#))
        #expect(old.isClosed)
    }

    // MARK: - Other users

    @Test func `another user is not let in`() {
        let peer = host.connect(uid: 1_001)
        let refusal = { (reason: String, message: String) in
            [Frame.error("0", -32_003, reason, message)]
        }
        #expect(
            peer.ask(Frame.hello())
                == refusal("credential_required", "this broker serves another user"))
        #expect(
            peer.ask(Frame.hello(#""credential":"x""#))
                == refusal(
                    "bad_credential", "the credential is unknown, revoked or for another client"))
        #expect(peer.ask(Frame.request(1, "broker.info")) == [helloRequired(1)])
        #expect(peer.ask(Frame.request(2, "broker.ping")) == [Frame.result(2)])
    }

    @Test func `root may do what the owner may`() {
        let peer = host.connect(uid: 0)
        let line = peer.ask(Frame.hello(#""roles":["admin"]"#)).joined()
        #expect(line.contains(#""granted_roles":["admin"]"#))
    }

    // MARK: - Pieces

    private let provider = Frame.hello(#""roles":["provider"],"identity":"org.example.a""#)

    private let identityInUse = Frame.error(
        "0", -32_005, "identity", "a provider with this identity is connected",
        #","field":"/identity","hint":"close that connection, or resume its session""#)

    private func resume(_ session: String, _ secret: String) -> String {
        Frame.hello(
            #""roles":["provider"],"identity":"org.example.a","#
                + #""resume":{"session":"\#(session)","secret":"\#(secret)"}"#)
    }

    private func hello(_ oldest: Int, _ newest: Int) -> String {
        Frame.request(
            0, "broker.hello",
            #"{"protocol":{"min":\#(oldest),"max":\#(newest)},"#
                + #""client":{"name":"a","version":"1"}}"#)
    }

    private func helloRequired(_ id: Int) -> String {
        Frame.error("\(id)", -32_002, "hello_required", "send broker.hello first")
    }

    private func masked(_ line: String) -> String {
        line.replacing(
            /"session":"[0-9a-f-]{36}","secret":"[0-9a-f]{32}"/,
            with: #""session":"S","secret":"s""#)
    }

    private func session(in line: String) throws -> (session: String, secret: String) {
        let form = /"session":"([0-9a-f-]{36})","secret":"([0-9a-f]{32})"/
        let match = try #require(try form.firstMatch(in: line))
        return (String(match.1), String(match.2))
    }

    private var limits: String {
        var writer = JSONWriter()
        writer.object { host.broker.configuration.limits.write(to: &$0) }
        return String(writer.text.dropFirst().dropLast())
    }
}
