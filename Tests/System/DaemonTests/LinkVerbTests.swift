import Testing

/// `callbroker dial`: a link goes to the app that it is for.
struct LinkVerbTests {
    typealias World = ToolWorld

    private let world: World
    private let other: ScriptedProvider

    /// Two apps, both of which can dial numbers and links of SIP.
    init() throws {
        let schemes = #""url_schemes":["tel","sip","sips"]"#
        world = try World(schemes)
        other = try ScriptedProvider(world.daemon, "org.example.b", members: schemes)
    }

    /// What the app is asked to dial, when somebody opens the link.
    private func dialled(_ link: String, with app: ScriptedProvider) throws -> String? {
        let process = try world.start(["dial", "--", link])
        let asked = try app.perform("start")
        #expect(try Tool(finishing: process).end == .exited(0))
        return asked["arguments"]?["remote"]?["value"]?.string
    }

    @Test func `each scheme has its own default`() throws {
        try #require(
            try world.run(
                "policy", "set", "default_provider.tel=org.example.a",
                "default_provider.sip=org.example.b"
            ).end == .exited(0))
        #expect(try dialled("tel:+1-555-0123", with: world.provider) == World.adaNumber)
        let call = try #require(
            try world.daemon.connectReady().request("call.list").result?["calls"]?[0]?["call"]?
                .string)
        _ = try world.provider.report("ended", #"{"call":"\#(call)","reason":"remote_ended"}"#)
        #expect(
            try dialled("sip:ada@example.org;transport=tcp", with: other)
                == "sip:ada@example.org;transport=tcp")
        let secure = try world.run("dial", "sips:ada@example.org")
        #expect(secure.end == .exited(1))
        #expect(secure.errors.contains("callbroker policy set default_provider.sips=APP"))
    }

    @Test func `a default that is not there leaves the choice to the user`() throws {
        try #require(
            try world.run("policy", "set", "default_provider.tel=org.example.gone").end
                == .exited(0))
        let run = try world.run("dial", "tel:+15550123")
        #expect(run.end == .exited(1))
        #expect(run.errors.contains("candidates: org.example.a"))
    }

    @Test func `an app that the user has not allowed is no candidate`() throws {
        try #require(
            try world.run("policy", "set", "authorization.org.example.a=denied").end == .exited(0))
        #expect(try dialled("tel:+15550123", with: other) == World.adaNumber)
    }

    @Test func `where only an app that is not allowed could do it, the command is told`() throws {
        try #require(
            try world.run(
                "policy", "set", "authorization.org.example.a=denied",
                "authorization.org.example.b=denied"
            ).end == .exited(0))
        let run = try world.run("dial", "tel:+15550123")
        #expect(run.end == .exited(1))
        #expect(
            run.errors.contains("callbroker policy set authorization.org.example.a=authorized"))
    }
}
