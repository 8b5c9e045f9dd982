import Testing

/// `callbroker endpoint`: where the sound of calls comes out.
struct EndpointVerbTests {
    typealias World = ToolWorld

    private let world: ToolWorld
    private let owner: TestClient

    /// The host has a loudspeaker and a headset, Ada's call an earpiece and a loudspeaker of its app.
    init() throws {
        world = try ToolWorld()
        owner = try world.daemon.connectReady(#""roles":["audio"]"#)
        _ = try owner.request(
            "audio.report_endpoints",
            """
            {"endpoints":[{"endpoint":"built-in","kind":"speaker","state":"in_use"},\
            {"endpoint":"00:11:22","kind":"bluetooth","name":"Ada's buds"}]}
            """)
        try world.talkToAda(
            """
            "endpoints":[{"endpoint":"ear","kind":"earpiece","state":"in_use"},\
            {"endpoint":"loud","kind":"speaker","name":"Hall"}]
            """)
    }

    @Test func `it lists the endpoints of the host and of calls`() throws {
        let run = try world.run("endpoint")
        #expect(run.end == .exited(0), "\(run.errors)")
        let rows = run.output.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(
            rows == [
                "ENDPOINT KIND STATE OF NAME", "built-in speaker in use the host",
                "00:11:22 bluetooth available the host Ada's buds",
                "ear earpiece in use 7b0c7c52", "loud speaker available 7b0c7c52 Hall",
            ], "\(run.output)")
    }

    @Test func `it chooses one of the host`() throws {
        let process = try world.start(["endpoint", "use", "00:11:22"])
        let request = try owner.frame()
        #expect(request.method == "audio.use_endpoint")
        #expect(request.params?["endpoint"]?.string == "00:11:22")
        try owner.send(#"{"jsonrpc":"2.0","id":\#(try #require(request.id)),"result":{}}"#)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0) && run.output == "sound: 00:11:22\n", "\(run.errors)")
        #expect(try world.run("endpoint", "use", "tuba").end == .exited(1))
    }

    @Test func `it chooses one of a call's app`() throws {
        let run = try world.run("endpoint", "use", "loud", "7b0c7c52", performing: ["set_endpoint"])
        #expect(run.end == .exited(0), "\(run.errors)")
        #expect(try world.run("endpoint").output.contains("loud"))
        #expect(try world.run("endpoint", "use", "tuba", "7b0c7c52").end == .exited(1))
    }

    @Test func `a dump names neither the host's devices nor those of calls`() throws {
        let dump = try world.run("dump", "--json", "--state-dir", world.state).output
        for name in ["Ada's buds", "00:11:22", "Hall"] { #expect(!dump.contains(name)) }
        let host = try JSON(dump)["host"]
        #expect(host?["endpoints"]?[1]?["kind"] == "bluetooth")
        #expect(try world.run("dump", "--with-handles").output.contains("Ada's buds"))
    }
}
