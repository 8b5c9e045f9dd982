import Testing

/// The quality of calls, as their apps report it, in lists of the tool.
struct QualityVerbTests {
    private let world: ToolWorld

    init() throws {
        world = try ToolWorld()
        try world.talkToAda()
    }

    private func report(loss: Int) throws {
        let reply = try world.provider.report(
            "quality", #"{"call":"\#(ToolWorld.ada)","loss_permille":\#(loss),"jitter_ms":8}"#)
        try #require(reply.result != nil)
        try world.daemon.advance(1_000)
    }

    @Test func `a live call is listed with the quality that was reported last`() throws {
        let before = try world.run("calls").output
        #expect(before.contains("active") && !before.contains("active,"))
        for loss in [3, 125] { try report(loss: loss) }
        #expect(try world.run("calls").output.contains("active, 12.5 % lost, jitter 8 ms"))
    }

    @Test func `the quality is a member of the call for programs`() throws {
        #expect(try JSON(world.run("call", "--json").output)["quality"] == nil)
        try report(loss: 125)
        let call = try JSON(world.run("call", "--json").output)
        #expect(call["quality"]?["loss_permille"] == 125 && call["quality"]?["jitter_ms"] == 8)
        #expect(call["state"]?.string == "active")
    }
}
