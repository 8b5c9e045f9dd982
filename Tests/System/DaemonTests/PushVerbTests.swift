import Testing

/// `callbroker push`: a server's push, from the tool to the app and back.
struct PushVerbTests {
    private let world: ToolWorld

    init() throws {
        world = try ToolWorld(#""push_types":["voip","file_provider"]"#)
    }

    private var app: TestClient { world.provider.client }

    /// Waits for a push.
    private func push() throws -> Frame {
        while true {
            let frame = try app.frame()
            if frame.method == "push.received" { return frame }
        }
    }

    private func handle(_ push: Frame) throws {
        try app.send(#"{"jsonrpc":"2.0","id":\#(try #require(push.id)),"result":{}}"#)
    }

    @Test func `the app gets its identity as an address, and the payload as it is`() throws {
        let token = try app.frame()
        #expect(token.method == "push.token")
        #expect(token.params?["type"] == "voip")
        #expect(token.params?["token"] == "org.example.a")
        let run = try world.run(
            "push", "org.example.a", #"{"id": 1.5, "name": "Ada"}"#, isOnTerminal: true)
        #expect(run.end == .exited(0), "\(run.errors)")
        #expect(run.output == "the push was delivered to org.example.a\n")
        let push = try push()
        #expect(push.params?["type"] == "voip")
        let payload = #"{"id":1.5,"name":"Ada"}"#
        #expect(push.params?["payload"] == (try JSON(payload)))
    }

    @Test func `it waits for the app, which reports a call`() throws {
        let process = try world.start(
            ["push", "org.example.a", "{}", "--wait"], isOnTerminal: true)
        let push = try push()
        try world.provider.rings(ToolWorld.ada, from: ToolWorld.adaNumber)
        try handle(push)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0), "\(run.errors)")
        #expect(
            run.output.contains("org.example.a has handled the push, and has reported a call"))
        #expect(try world.state(ToolWorld.ada) == "ringing")
    }

    @Test func `an app that reports no call is named, here and in the lists`() throws {
        let process = try world.start(["push", "org.example.a", "--wait"], isOnTerminal: true)
        try handle(try push())
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(1))
        #expect(run.output.contains("has handled the push without reporting a call"))
        let words = "org.example.a has reported no call after 1 VoIP pushes"
        #expect(try world.run("providers", isOnTerminal: true).output.contains(words))
        #expect(try world.run("doctor", isOnTerminal: true).output.contains(words))
    }

    @Test func `after five it gets no more, until they are reset`() throws {
        for _ in 1...5 {
            let process = try world.start(["push", "org.example.a", "--wait"])
            try handle(try push())
            _ = try Tool(finishing: process)
        }
        let refused = try world.run("push", "org.example.a", isOnTerminal: true)
        #expect(refused.end == .exited(1))
        #expect(refused.errors.contains("callbroker push IDENTITY --reset"))
        let remedy = "callbroker push org.example.a --reset"
        #expect(try world.run("providers", isOnTerminal: true).output.contains(remedy))
        let reset = try world.run("push", "org.example.a", "--reset", isOnTerminal: true)
        #expect(reset.output == "org.example.a gets VoIP pushes again\n")
        #expect(try world.run("push", "org.example.a").end == .exited(0))
    }

    @Test func `a push of another type needs no call`() throws {
        let process = try world.start(
            ["push", "org.example.a", "{}", "--type", "file_provider", "--wait"],
            isOnTerminal: true)
        let push = try push()
        #expect(push.params?["type"] == "file_provider")
        try handle(push)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0))
        #expect(run.output.contains("org.example.a has handled the push"))
    }

    @Test func `it says that a push waits, or was dropped`() throws {
        let (app, type) = ("org.example.a", "complication")
        let waits = try world.run("push", app, "{}", "--type", type, isOnTerminal: true)
        #expect(waits.output == "the push waits until org.example.a has registered for it\n")
        let dropped = try world.run(
            "push", app, "{}", "--type", type, "--ttl", "0", isOnTerminal: true)
        #expect(dropped.output == "the push was dropped: org.example.a is not there\n")
    }

    @Test(arguments: ["[]", "5", "{", ""])
    func `a payload is an object`(payload: String) throws {
        let run = try world.run("push", "org.example.a", payload)
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("the payload of a push is a JSON object"))
    }
}
