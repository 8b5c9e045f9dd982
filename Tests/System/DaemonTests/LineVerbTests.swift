import Testing

/// What the tool says of lines, of the far end that rings, and of why a call ended.
struct LineVerbTests {
    typealias World = ToolWorld

    private func world() throws -> World {
        try World(
            """
            "url_schemes":["tel"],"lines":[{"line":"home","label":"Home","default":true,\
            "messages_waiting":1},{"line":"office","label":"Büro","state":"failed",\
            "reason":"403 Forbidden","handle":{"type":"generic","value":"sip:me@office"}}]
            """)
    }

    /// Dials, and returns the arguments of the start.
    private func dial(_ world: World, _ arguments: String...) throws -> JSON {
        let process = try world.start(["dial", "tel:+15550123", "--id", World.bob] + arguments)
        let action = try world.provider.perform("start")
        #expect(try Tool(finishing: process).end == .exited(0))
        return try #require(action["arguments"])
    }

    @Test func `providers lists the lines of all apps`() throws {
        let output = try world().run("providers").output
        let lines = output.split(separator: "\n").suffix(3)
        #expect(
            lines == [
                "LINE    APP            NAME  NUMBER         STATE",
                "home    org.example.a  Home                 registered, default, 1 message",
                "office  org.example.a  Büro  sip:me@office  failed: 403 Forbidden",
            ], "\(output)")
        #expect(try !World().run("providers").output.contains("LINE"))
    }

    @Test func `dial and start take a line`() throws {
        let world = try world()
        #expect(try dial(world, "--line", "office")["line"] == "office")
        try #require(try world.run("end", performing: ["end"]).end == .exited(0))
        let process = try world.start(["start", World.adaNumber])
        #expect(try world.provider.perform("start")["arguments"]?["line"] == "home")
        #expect(try Tool(finishing: process).end == .exited(0))
    }

    @Test func `a line that there is not is an error in one line`() throws {
        let run = try world().run("dial", "tel:+15550123", "--line", "cellar")
        #expect(run.end == .exited(1))
        #expect(run.errors.hasPrefix("error -32004 not_found: no such line at the provider\n"))
    }

    @Test func `calls says that the other side rings, and end cancels it`() throws {
        let world = try world()
        _ = try dial(world)
        _ = try world.provider.report("alerting", #"{"call":"\#(World.bob)"}"#)
        #expect(try world.run("calls").output.contains("other side rings"))
        #expect(try world.run().output.hasPrefix("other side rings: +15550123"))
        #expect(try world.run("end", performing: ["end"]).end == .exited(0))
    }

    @Test func `calls says for whom a call was meant, and that its number is false`() throws {
        let world = try world()
        try world.provider.rings(
            World.ada, from: World.adaNumber,
            #""forwarded_from":{"type":"phone","value":"+15550199"},"verification":"failed""#)
        let output = try world.run("calls").output
        #expect(output.contains("+15550123 [for +15550199] [number not verified]"), "\(output)")
    }

    @Test(arguments: [
        (
            #""remote_ended","end_detail":{"code":"SIP 486","text":"Busy Here"}"#,
            "busy, \"Busy Here\" (SIP 486)"
        ),
        (#""remote_ended","end_detail":{"reason":"lunch"}"#, "other side hung up: lunch"),
        (#""failed","end_detail":{"reason":"unreachable"}"#, "failed: not reachable"),
        (#""remote_ended","end_detail":{"text":"bye"}"#, "other side hung up: \"bye\""),
        (#""remote_ended""#, "other side hung up"),
    ])
    func `history says why a call ended in the words of its app`(
        reason: String, text: String
    ) throws {
        let world = try world()
        _ = try dial(world)
        _ = try world.provider.report("ended", #"{"call":"\#(World.bob)","reason":\#(reason)}"#)
        let output = try world.run("history").output
        #expect(output.hasSuffix("  \(text)\n"), "\(output)")
    }

    @Test func `a start that failed is told with the reason of its code`() throws {
        let world = try world()
        let process = try world.start(["dial", "tel:+15550123"])
        try world.provider.perform(
            "start",
            error:
                #"{"code":-32000,"message":"Not Found","data":{"app_code":"SIP 404"}}"#)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(1))
        #expect(
            run.errors.contains("the app's reason: no such number, \"Not Found\" (SIP 404)"),
            "\(run.errors)")
        let output = try world.run("history").output
        #expect(output.contains("failed: no such number, \"Not Found\" (SIP 404)"), "\(output)")
        let explained = try world.run("explain", "--last").output
        #expect(explained.contains("no such number, \"Not Found\" (SIP 404)"), "\(explained)")
    }
}
