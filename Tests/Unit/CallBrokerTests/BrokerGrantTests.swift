import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Credentials that the user issues for programs of other users and of containers.
struct BrokerGrantTests {
    private let host = MemoryBroker()
    private let admin: MemoryPeer

    private static let box = PeerProcess(sandbox: .other)

    init() {
        admin = host.ready("admin")
    }

    private func ask(_ method: String, _ params: String = "{}") -> String {
        admin.post(method, params)
        return admin.lines().joined()
    }

    /// Issues a grant, and returns its credential.
    private func issue(_ members: String = "", name: String = "box") throws -> String {
        let more = members.isEmpty ? "" : ",\(members)"
        let reply = try JSONTree(ask("grant.issue", #"{"name":"\#(name)"\#(more)}"#))
        return try #require(reply["result"]?["credential"]?.string)
    }

    private func hello(
        _ credential: String, _ roles: String = #""provider","observer","admin""#,
        identity: String = "org.example.box"
    ) -> String {
        Frame.hello(
            #""credential":"\#(credential)","roles":[\#(roles)],"identity":"\#(identity)""#)
    }

    @Test func `another user is let in with a credential, and has the rights of its grant`() throws
    {
        let credential = try issue(#""roles":["provider","observer"],"calls":"own""#)
        let peer = host.connect(uid: 1_001)
        let reply = peer.ask(hello(credential)).joined()
        #expect(reply.contains(#""granted_roles":["provider","observer"]"#))
        #expect(reply.contains(#""denied_roles":[{"role":"admin","reason":"not_granted"}]"#))
        #expect(reply.contains(#""rights":{"calls":"own","redacted":true}"#))
        peer.post("provider.register", #"{"display_name":"Box","handle_types":["phone"]}"#)
        #expect(peer.lines().joined().contains("result"))
    }

    @Test func `a program in a container has the rights of its grant, not of the policy`() throws {
        let credential = try issue(#""roles":["observer"],"redacted":false"#)
        let peer = host.connect(known: Self.box)
        let reply = peer.ask(hello(credential)).joined()
        #expect(reply.contains(#""granted_roles":["observer"]"#))
        #expect(reply.contains(#""rights":{"calls":"all","redacted":false}"#))
        _ = ask("policy.set", #"{"rights":[{"sandbox":"any","roles":[]}]}"#)
        #expect(!peer.isClosed)
    }

    @Test func `without members a grant lets a program observe, and see nobody`() throws {
        let reply = host.connect(uid: 1_001).ask(hello(try issue())).joined()
        #expect(reply.contains(#""granted_roles":["observer"]"#))
        #expect(reply.contains(#""rights":{"calls":"all","redacted":true}"#))
    }

    @Test(arguments: [(#""uid":1001"#, true), (#""uid":1002"#, false)])
    func `a credential is for the user of its grant`(members: String, isValid: Bool) throws {
        let credential = try issue(members)
        let reply = host.connect(uid: 1_001).ask(hello(credential)).joined()
        #expect(reply.contains(isValid ? "granted_roles" : "bad_credential"))
    }

    @Test(arguments: [
        (#""identity":"org.example.box""#, true), (#""identity":"org.example.other""#, false),
    ])
    func `a credential is for the identity of its grant`(members: String, isValid: Bool) throws {
        let credential = try issue(members)
        let reply = host.connect(known: Self.box).ask(hello(credential)).joined()
        #expect(reply.contains(isValid ? "granted_roles" : "bad_credential"))
    }

    @Test func `the user's own programs may not send a wrong credential either`() {
        #expect(host.connect().ask(hello("x")).joined().contains("bad_credential"))
    }

    @Test func `a list has the grants without credentials, and counts their clients`() throws {
        let credential = try issue(#""uid":1001"#)
        _ = try issue(name: "second")
        _ = host.connect(uid: 1_001).ask(hello(credential))
        let list = ask("grant.list")
        let grants = try #require(try JSONTree(list)["result"]?["grants"]?.elements)
        #expect(grants.map { $0["name"]?.string } == ["box", "second"])
        #expect(grants.map { $0["connections"]?.integer } == [1, 0])
        #expect(grants.first?["uid"]?.integer == 1_001)
        #expect(!list.contains(credential))
        #expect(ask("connection.list").contains(#""grant":"box""#))
    }

    @Test func `a grant that is revoked closes its connections at once`() throws {
        let credential = try issue()
        let (peer, other) = (host.connect(uid: 1_001), host.connect())
        _ = peer.ask(hello(credential))
        _ = other.ask(Frame.hello())
        #expect(ask("grant.revoke", #"{"name":"box"}"#).contains(#""revoked":true"#))
        #expect(peer.lines().joined().contains(#""reason":"rights_changed""#))
        #expect(peer.isClosed && !other.isClosed)
        #expect(host.connect(uid: 1_001).ask(hello(credential)).joined().contains("bad_credential"))
        #expect(ask("grant.revoke", #"{"name":"box"}"#).contains(#""revoked":false"#))
    }

    @Test func `a grant with the name of another replaces it`() throws {
        let former = try issue()
        let peer = host.connect(uid: 1_001)
        _ = peer.ask(hello(former))
        let credential = try issue()
        #expect(peer.isClosed)
        #expect(host.connect(uid: 1_001).ask(hello(former)).joined().contains("bad_credential"))
        #expect(host.connect(uid: 1_001).ask(hello(credential)).joined().contains("granted_roles"))
    }

    @Test func `a grant ends in time, with its connections`() throws {
        let credential = try issue(#""expires_in_ms":7200000"#)
        let peer = host.connect(uid: 1_001)
        _ = peer.ask(hello(credential))
        host.turn(afterMS: 3_600_000)
        host.turn(afterMS: 3_599_999)
        #expect(!peer.isClosed)
        host.turn(afterMS: 1)
        #expect(peer.lines().joined().contains(#""reason":"rights_changed""#))
        #expect(peer.isClosed)
        #expect(ask("grant.list").contains(#""grants":[]"#))
    }

    @Test func `the number of grants is limited`() throws {
        for number in 1...64 { _ = try issue(name: "n\(number)") }
        #expect(ask("grant.issue", #"{"name":"more"}"#).contains(#""reason":"max_entries""#))
        _ = try issue(name: "n1")
    }

    @Test func `only an admin issues grants, and none makes an admin`() {
        let user = host.ready("controller")
        user.post("grant.issue", #"{"name":"box"}"#)
        #expect(user.lines().joined().contains("-32003"))
        #expect(ask("grant.issue", #"{"name":"box","roles":["admin"]}"#).contains("-32602"))
    }

    @Test func `grants outlive the broker, and end in time after it`() throws {
        let credential = try issue(#""expires_in_ms":5000"#)
        let lasting = try issue(name: "lasting")
        let next = try MemoryBroker(goingOnAfter: host)
        try host.expectThatItsJournalTellsAll()
        #expect(next.connect(uid: 1_001).ask(hello(credential)).joined().contains("granted_roles"))
        next.turn(afterMS: 5_000)
        #expect(next.connect(uid: 1_001).ask(hello(credential)).joined().contains("bad_credential"))
        #expect(next.connect(uid: 1_001).ask(hello(lasting)).joined().contains("granted_roles"))
    }
}
