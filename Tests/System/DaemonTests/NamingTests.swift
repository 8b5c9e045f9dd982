import Testing

/// Section 17: a call is named by its id, by a unique prefix of it, or by the address of the other
/// side; with one candidate it may be left out.
struct NamingTests {
    typealias World = ToolWorld

    @Test(arguments: [
        ToolWorld.ada, ToolWorld.ada.uppercased(), "7b0c7", "7B0C7", "7b0c…2b01",
        ToolWorld.adaNumber, "tel:+1-555-0123", "+1 (555) 0123",
    ])
    func `one call has many names`(name: String) throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        try world.provider.rings(World.cleo, from: World.bobNumber)
        let run = try world.run("call", name, "--json")
        #expect(run.end == .exited(0))
        #expect(try JSON(run.output)["call"]?.string == World.ada)
    }

    @Test func `a prefix of two ids is wrong usage, and both are listed`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        try world.provider.rings(World.cleo, from: World.bobNumber)
        let run = try world.run("answer", "7b0c")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("7b0c7c52 org.example.a ringing \(World.adaNumber)"))
        #expect(run.errors.contains("7b0cffff org.example.a waiting \(World.bobNumber)"))
        #expect(try world.state(World.ada) == "ringing")
    }

    @Test func `without a name several candidates are wrong usage, and are listed`() throws {
        let world = try World()
        try world.talkToBob()
        let run = try world.run("mute")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("7b0c7c52"))
        #expect(run.errors.contains("8d1f4e1a"))
    }

    @Test(arguments: [("answer", "answer", "active"), ("decline", "end", "call_ended")])
    func `of a ringing and a waiting call the ringing one is meant`(
        verb: String, action: String, state: String
    ) throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        try world.provider.rings(World.bob, from: World.bobNumber)
        #expect(try world.run(verb, performing: [action]).end == .exited(0))
        #expect(try world.state(World.ada) == state)
    }

    @Test(arguments: ["Ada Lovelace", "ada lovelace", "love"])
    func `a call is named by the other side's name, or a part of it`(name: String) throws {
        let world = try World()
        _ = try world.run("contact", "put", "Ada Lovelace", World.adaNumber)
        try world.provider.rings(World.ada, from: World.adaNumber)
        try world.provider.rings(World.cleo, from: World.bobNumber)
        #expect(try JSON(try world.run("call", name, "--json").output)["call"]?.string == World.ada)
    }

    @Test func `an app is named by a part of its identity`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let run = try world.run("calls", "--provider", "example.a", "--json")
        #expect(try JSON(run.output)["call"]?.string == World.ada)
    }

    @Test func `of two calls with one person the one that can do it is meant`() throws {
        let world = try World()
        try world.talkToAda()
        try world.provider.rings(World.bob, from: World.adaNumber)
        #expect(try world.run("decline", World.adaNumber, performing: ["end"]).end == .exited(0))
        #expect(try world.state(World.bob) == "call_ended")
        #expect(try world.state(World.ada) == "active")
    }

    @Test func `of one live and one held call the live one is ended`() throws {
        let world = try World()
        try world.talkToBob()
        #expect(try world.state(World.ada) == "held")
        #expect(try world.run("end", performing: ["end", "set_held"]).end == .exited(0))
        #expect(try world.state(World.bob) == "call_ended")
    }

    @Test func `a conference counts as one`() throws {
        let world = try World()
        try world.talkToBob()
        try #require(
            try world.run("merge", performing: ["set_group", "set_held"]).end == .exited(0))
        let run = try world.run("hold", performing: ["set_held", "set_held"])
        #expect(run.end == .exited(0))
        #expect(try world.state(World.ada) == "held")
        #expect(try world.state(World.bob) == "held")
    }

    @Test func `a name that names nothing, and a verb that fits nothing, are told`() throws {
        let world = try World()
        let none = try world.run("hold")
        #expect(none.end == .exited(1))
        #expect(none.errors.contains("no call can be held now: there are no calls"))
        let unknown = try world.run("end", "0123")
        #expect(unknown.end == .exited(1))
        #expect(unknown.errors.contains(#"no call matches "0123""#))
    }

    @Test func `of a whole id the broker knows more`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        try #require(try world.run("decline", performing: ["end"]).end == .exited(0))
        let run = try world.run("end", World.ada)
        #expect(run.end == .exited(1))
        #expect(run.errors.contains("call_ended"))
    }
}
