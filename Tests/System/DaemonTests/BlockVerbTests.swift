import Testing

/// `callbroker block`: whose calls do not ring.
struct BlockVerbTests {
    typealias World = ToolWorld

    @Test func `a blocked number does not ring, and rings again when it is let in`() throws {
        let world = try World()
        #expect(
            try world.run("block", "add", "+1 (555) 0123", "--reason", "spam").end == .exited(0))
        #expect(try world.refusal() == "block_list")
        let block = try JSON(try world.run("block", "--json").output)
        #expect(block["handle"]?["value"] == "+1 (555) 0123")
        #expect(block["reason"] == "spam")
        #expect(try world.refusal(of: World.bob, from: World.bobNumber) == nil)
        let removed = try world.run("block", "remove", World.adaNumber, isOnTerminal: true)
        #expect(removed.output == "removed: yes\n")
        #expect(try world.refusal(of: World.cleo) == nil)
        #expect(try world.run("block", isOnTerminal: true).output == "no blocks\n")
    }

    @Test func `a prefix blocks everybody behind it`() throws {
        let world = try World()
        try #require(try world.run("block", "add", "--prefix", "+1555").end == .exited(0))
        #expect(try world.refusal() == "block_list")
        #expect(try world.refusal(of: World.bob, from: "+15650123") == nil)
        let list = try world.run("block", isOnTerminal: true)
        #expect(list.output.contains("+1555...  "))
    }

    @Test func `the region says which country a number without one belongs to`() throws {
        let world = try World()
        try #require(try world.run("block", "add", "2015550123").end == .exited(0))
        #expect(try world.refusal(from: "+12015550123") == nil)
        try #require(try world.run("policy", "set", "region=US").end == .exited(0))
        #expect(try world.refusal(of: World.bob, from: "+12015550123") == "block_list")
        try #require(try world.run("policy", "set", "region=DE").end == .exited(0))
        #expect(try world.refusal(of: World.cleo, from: "+12015550123") == nil)
        #expect(try world.refusal(of: World.dan, from: "+492015550123") == nil)
    }
}
