import Testing

/// `callbroker start --background`, `dnd priority`, `prioritize` and `pull`: calls that are not like
/// others.
struct PriorityVerbTests {
    typealias World = ToolWorld

    @Test func `a background call is not started beside another`() throws {
        let world = try ToolWorld()
        try world.talkToAda()
        let run = try world.run("start", "--background", World.bobNumber)
        #expect(run.end == .exited(1) && run.errors.contains("busy"), "\(run.errors)")
        try #require(try world.run("end", performing: ["end"]).end == .exited(0))
        let alone = try world.run("start", "--background", World.bobNumber, performing: ["start"])
        #expect(alone.end == .exited(0), "\(alone.errors)")
    }

    @Test(arguments: [
        (["dnd", "priority", "stop"], "do_not_disturb"), (["dnd", "priority", "pass"], "ring"),
    ])
    func `a priority caller rings in spite of do-not-disturb, if the user says so`(
        choice: [String], outcome: String
    ) throws {
        let world = try ToolWorld(policy: #"{"priority_claims":["org.example.a"]}"#)
        try #require(try world.run("dnd", "on").end == .exited(0))
        let run = try Tool(finishing: try world.start(choice))
        try #require(run.end == .exited(0), "\(run.errors)")
        let remote = #"{"type":"phone","value":"\#(World.adaNumber)"}"#
        let reply = try world.provider.report(
            "incoming",
            #"{"call":"\#(World.ada)","remote":\#(remote),"priority":"priority_caller"}"#)
        #expect((reply.result?["presentation"]?.string ?? reply.reason) == outcome)
    }

    @Test func `the caller whom the user has marked is answered first`() throws {
        let world = try ToolWorld()
        try world.talkToAda()
        try world.provider.rings(World.bob, from: World.bobNumber)
        try world.provider.rings(World.cleo, from: World.bobNumber)
        try #require(try world.run("prioritize", World.cleo).end == .exited(0))
        let button = try world.run("button", performing: ["set_held", "answer"])
        #expect(button.end == .exited(0), "\(button.errors)")
        #expect(try world.state(World.cleo) == "active")
        #expect(try world.state(World.bob) == "waiting")
    }

    @Test func `a call on another device is brought here`() throws {
        let world = try ToolWorld()
        let remote = #"{"type":"phone","value":"\#(World.adaNumber)"}"#
        try world.provider.report(
            "external",
            """
            {"call":"\(World.ada)","remote":\(remote),"elsewhere":"Kitchen","supports_pull":true}
            """)
        let run = try world.run("pull", performing: ["answer"])
        #expect(run.end == .exited(0), "\(run.errors)")
        let client = try world.daemon.connectReady()
        let call = try client.request("call.get", #"{"call":"\#(World.ada)"}"#).result
        #expect(call?["state"] == "active")
        #expect(try world.run("pull").end != .exited(0))
    }
}
