import Testing

/// A call that is over is named like any other, as long as the broker keeps it.
struct EndedCallTests {
    typealias World = ToolWorld

    /// Ada's and Cleo's calls, of one number, have ended in this order, then Bob's; their ids.
    private func world() throws -> World {
        let world = try World()
        for (call, number) in [
            (World.ada, World.adaNumber), (World.cleo, World.adaNumber),
            (World.bob, World.bobNumber),
        ] {
            try world.provider.rings(call, from: number)
            try #require(try world.run("decline", performing: ["end"]).end == .exited(0))
            try world.daemon.advance(1_000)
        }
        return world
    }

    @Test(arguments: [
        (["8d1f"], World.bob), (["7B0C7"], World.ada), ([World.adaNumber], World.cleo),
        (["tel:+1-555-0124"], World.bob), ([World.ada], World.ada), ([], World.bob),
    ])
    func `by a part of its id, by the number, or as the latest of all`(
        name: [String], id: String
    ) throws {
        let world = try world()
        let call = try Tool(finishing: try world.start(["call", "--json"] + name))
        #expect(call.end == .exited(0))
        #expect(try JSON(call.output)["call"]?.string == id)
        #expect(try JSON(call.output)["end_reason"] == "declined")
        let why = try Tool(finishing: try world.start(["explain", "--json"] + name))
        #expect(why.end == .exited(0))
        let last = try JSON(String(try #require(why.output.split(separator: "\n").last)))
        #expect(last["call"]?.string == id)
        #expect(last["decision"] == "ended")
    }

    @Test func `a part of two ids is wrong usage, and both are listed`() throws {
        let run = try world().run("explain", "7b0c")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("7b0c7c52 org.example.a ended"))
        #expect(run.errors.contains("7b0cffff org.example.a ended"))
    }

    @Test func `one that is not over comes first`() throws {
        let world = try world()
        let living = "7b0caaaa-6a3e-4c1f-9f4b-0d3a5e1c2b09"
        try world.provider.rings(living, from: World.adaNumber)
        for name in ["7b0c", World.adaNumber] {
            #expect(try JSON(world.run("call", name, "--json").output)["call"]?.string == living)
        }
    }

    @Test func `calls lists them where they are wanted`() throws {
        let world = try world()
        try world.provider.rings("7b0caaaa-6a3e-4c1f-9f4b-0d3a5e1c2b09", from: World.adaNumber)
        func count(_ arguments: String...) throws -> Int {
            let run = try Tool(finishing: try world.start(["calls", "--json"] + arguments))
            return run.output.split(separator: "\n").count
        }
        #expect(try count() == 1)
        #expect(try count("--ended") == 4)
        #expect(try count("--state", "ended") == 3)
    }

    @Test func `a transaction is found by a part of its id, among those of the latest calls`()
        throws
    {
        let world = try World()
        try world.talkToBob()
        let steps = try world.run("explain", World.bob, "--json").output.split(separator: "\n")
        let ids = try steps.compactMap { try JSON(String($0))["cause"]?["transaction"]?.string }
        let id = try #require(ids.last)
        let whole = try world.run("explain", "--transaction", id)
        let shown = "\(id.prefix(8))…\(id.suffix(4))"
        #expect(try world.run("explain", "--transaction", shown) == whole)
        let none = try world.run("explain", "--transaction", "0123")
        #expect(none.end == .exited(1))
        #expect(none.errors.contains(#"no transaction of the latest calls matches "0123""#))
    }

    @Test func `a part of two transactions is wrong usage, and both are listed`() throws {
        let world = try World()
        try world.talkToBob()
        try #require(try world.run("swap", performing: ["set_held", "set_held"]).end == .exited(0))
        let steps = try world.run("explain", World.bob, "--json").output.split(separator: "\n")
        let ids = try steps.compactMap { try JSON(String($0))["cause"]?["transaction"]?.string }
        try #require(Set(ids).count > 1)
        let run = try world.run("explain", "--transaction", String(ids[0].prefix(8)))
        #expect(run.end == .exited(2))
        for id in ids { #expect(run.errors.contains(id)) }
    }
}
