import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// What programs may do, by the rules of the policy.
struct BrokerRightsTests {
    private let host = MemoryBroker()

    private static let phone = PeerProcess(
        sandbox: .flatpak, executable: "/app/bin/phone", app: "org.example.Phone",
        unit: "app-flatpak-org.example.Phone-7.scope")
    private static let desk = PeerProcess(executable: "/usr/bin/desk", unit: "desk.service")

    private func setRules(_ rules: String) -> String {
        let admin = host.ready("admin")
        return admin.ask(Frame.request(1, "policy.set", #"{"rights":[\#(rules)]}"#)).joined()
    }

    /// The granted roles of a program that requests some.
    private func roles(
        of process: PeerProcess, _ roles: String = #""provider","observer","ui""#,
        identity: String = "org.example.a"
    ) throws -> [String] {
        let peer = host.connect(known: process)
        let reply = peer.ask(Frame.hello(#""roles":[\#(roles)],"identity":"\#(identity)""#))
            .joined()
        let result = try #require(try JSONTree(reply)["result"])
        let granted = result["granted_roles"]?.elements.compactMap(\.string) ?? []
        let denied = result["denied_roles"]?.elements.compactMap { $0["reason"]?.string } ?? []
        #expect(denied.allSatisfy { $0 == "not_granted" })
        peer.vanish()
        return granted
    }

    @Test(arguments: [PeerProcess.Sandbox.flatpak, .snap, .other, .unknown])
    func `a stranger in a sandbox may only observe`(sandbox: PeerProcess.Sandbox) throws {
        let process = PeerProcess(sandbox: sandbox)
        #expect(
            try roles(of: process, #""provider","controller","admin","ui","observer""#) == [
                "observer"
            ])
        #expect(try roles(of: process, #""controller""#) == [])
    }

    @Test func `a program of the host may be everything, without a rule`() throws {
        #expect(try roles(of: Self.desk) == ["provider", "observer", "ui"])
    }

    @Test(
        arguments: [
            (#""app":"org.example.Phone""#, true), (#""app":"org.example.Other""#, false),
            (#""sandbox":"flatpak""#, true), (#""sandbox":"any""#, true),
            (#""sandbox":"snap""#, false), (#""sandbox":"none","app":"org.example.Phone""#, false),
            (#""app":"org.example.Phone","identity":"org.example.a""#, true),
            (#""app":"org.example.Phone","identity":"org.example.b""#, false),
            (#""sandbox":"any","executable":"/app/bin/phone""#, true),
            (#""sandbox":"any","executable":"/app/bin/other""#, false),
            (#""sandbox":"any","unit":"app-flatpak-org.example.*""#, true),
            (#""sandbox":"any","unit":"app-flatpak-org.example""#, false),
            // What a program in a sandbox calls itself is no condition of its own.
            (#""identity":"org.example.a""#, false), (#""executable":"/app/bin/phone""#, false),
            ("", false),
        ])
    func `a rule is for a program in a sandbox only if it says so`(
        conditions: String, applies: Bool
    ) throws {
        let comma = conditions.isEmpty ? "" : ","
        _ = setRules(#"{\#(conditions)\#(comma)"roles":["provider","admin"]}"#)
        #expect(try roles(of: Self.phone) == (applies ? ["provider"] : ["observer"]))
    }

    @Test(
        arguments: [
            (#""executable":"/usr/bin/desk""#, true), (#""executable":"/usr/bin/other""#, false),
            (#""unit":"desk.service""#, true), (#""unit":"desk*""#, true), (#""unit":"x*""#, false),
            (#""identity":"org.example.a""#, true), (#""identity":"org.example.b""#, false),
            (#""sandbox":"any""#, false), (#""app":"org.example.Phone""#, false),
        ])
    func `a rule takes roles from a program of the host`(
        conditions: String, applies: Bool
    ) throws {
        _ = setRules(#"{\#(conditions),"roles":["observer"]}"#)
        #expect(
            try roles(of: Self.desk) == (applies ? ["observer"] : ["provider", "observer", "ui"]))
    }

    @Test func `the first rule that applies counts`() throws {
        _ = setRules(
            #"{"app":"org.example.Phone","roles":["ui"]},{"sandbox":"any","roles":["provider"]}"#)
        #expect(try roles(of: Self.phone) == ["ui"])
        #expect(try roles(of: PeerProcess(sandbox: .other)) == ["provider"])
    }

    @Test func `a rule for any sandbox is not for a process that is not known`() throws {
        _ = setRules(#"{"sandbox":"any"}"#)
        #expect(try roles(of: .unknown) == ["observer"])
        _ = setRules(#"{"sandbox":"unknown"}"#)
        #expect(try roles(of: .unknown) == ["provider", "observer", "ui"])
    }

    @Test func `who has lost a right is dismissed at once, others stay`() throws {
        _ = setRules(#"{"app":"org.example.Phone","redacted":true}"#)
        let phone = host.connect(known: Self.phone)
        _ = phone.ask(Frame.hello(#""roles":["provider"],"identity":"org.example.phone""#))
        let watcher = host.connect(known: Self.phone)
        _ = watcher.ask(Frame.hello(#""roles":["observer"]"#))
        let desk = host.connect(known: Self.desk)
        _ = desk.ask(Frame.hello(#""roles":["provider"],"identity":"org.example.desk""#))
        _ = setRules("")
        #expect(phone.lines().joined().contains(#""reason":"rights_changed""#))
        #expect(phone.isClosed)
        #expect(!watcher.isClosed && !desk.isClosed)
    }

    @Test func `nobody locks itself out`() {
        let refusal = setRules(#"{"roles":["observer"]}"#)
        #expect(refusal.contains(#""reason":"locked_out""#) && refusal.contains("-32006"))
        let policy = host.ready("admin").ask(Frame.request(1, "policy.get")).joined()
        #expect(policy.contains(#""rights":[]"#))
    }

    @Test func `only an admin sets rules, and they outlive the broker`() throws {
        let user = host.ready("controller")
        let rules = #"{"rights":[{"app":"org.example.Phone","roles":["provider"]}]}"#
        #expect(user.ask(Frame.request(1, "policy.set", rules)).joined().contains("-32003"))
        _ = setRules(#"{"app":"org.example.Phone","roles":["provider"]}"#)
        let next = try MemoryBroker(goingOnAfter: host)
        let policy = next.ready("observer").ask(Frame.request(1, "policy.get")).joined()
        #expect(policy.contains(#""rights":[{"app":"org.example.Phone","roles":["provider"]}]"#))
        try host.expectThatItsJournalTellsAll()
    }
}
