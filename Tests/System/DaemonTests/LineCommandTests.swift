import Testing

/// `callbroker line`: the lines of apps, and the settings that their networks keep.
struct LineCommandTests {
    typealias World = ToolWorld

    private let world: ToolWorld

    init() throws {
        world = try ToolWorld(
            """
            "lines":[{"line":"sim","label":"Testnet","default":true,"settings":[\
            {"setting":"forward_always","on":false},{"setting":"forward_no_reply","on":true,\
            "to":{"type":"phone","value":"+15550199"},"after_ms":20000},\
            {"setting":"call_waiting","on":true}]},\
            {"line":"esim","label":"Othernet","settings":[{"setting":"call_waiting","on":false}]}]
            """)
    }

    @Test(arguments: ["line", "lines"])
    func `it lists lines and settings`(_ command: String) throws {
        let run = try world.run(command)
        #expect(run.end == .exited(0), "\(run.errors)")
        let rows = run.output.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(
            rows == [
                "LINE APP NAME NUMBER STATE", "sim org.example.a Testnet registered, default",
                "esim org.example.a Othernet registered", "LINE SETTING STATE",
                "sim forward_always off", "sim forward_no_reply on, to +15550199, after 20 s",
                "sim call_waiting on", "esim call_waiting off",
            ], "\(run.output)")
    }

    @Test func `it has a setting changed, and waits for the network`() throws {
        let process = try world.start(
            ["line", "set", "forward_no_reply", "on", "--to", "+15550142", "--after", "15"])
        let request = try world.provider.client.frame()
        #expect(request.method == "line.change_setting")
        let asked = """
            {"line":"sim","setting":"forward_no_reply","on":true,\
            "to":{"type":"phone","value":"+15550142"},"after_ms":15000,"deadline_ms":60000}
            """
        #expect(request.params == (try JSON(asked)))
        try world.provider.client.send(
            #"{"jsonrpc":"2.0","id":\#(try #require(request.id)),"result":{}}"#)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0), "\(run.errors)")
        #expect(run.output == "forward_no_reply: on, to +15550142, after 15 s\n")
    }

    @Test func `the network's reason for a refusal is shown`() throws {
        let process = try world.start(["line", "set", "call_waiting", "on", "--line", "esim"])
        let request = try world.provider.client.frame()
        #expect(request.params?["line"] == "esim")
        try world.provider.client.send(
            """
            {"jsonrpc":"2.0","id":\(try #require(request.id)),"error":{"code":-32000,\
            "message":"no contract","data":{"reason":"not_subscribed"}}}
            """)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(1))
        #expect(run.errors.contains("not_subscribed"), "\(run.errors)")
    }

    @Test(arguments: [
        (["call_waiting", "off"], "several lines have the setting call_waiting"),
        (["caller_id_hidden", "on"], "no line has the setting caller_id_hidden"),
        (["forward_never", "on"], "no line has the setting forward_never"),
        (["forward_always", "on"], "is required to forward calls"),
    ])
    func `what cannot be changed is said before anybody is asked`(
        arguments: [String], problem: String
    ) throws {
        let run = try Tool(finishing: try world.start(["line", "set"] + arguments))
        #expect(run.end != .exited(0) && run.errors.contains(problem), "\(run.errors)")
    }

    @Test func `a dump names no number to which calls are forwarded`() throws {
        let dump = try world.run("dump", "--json", "--state-dir", world.state).output
        #expect(!dump.contains("+15550199") && dump.contains("forward_no_reply"))
    }
}
