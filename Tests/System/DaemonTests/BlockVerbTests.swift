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

    @Test func `a block is removed by what the list shows of it`() throws {
        let world = try World()
        _ = try world.run("contact", "put", "Ada Lovelace", "+1-555-0123")
        _ = try world.run("block", "add", World.adaNumber, "--reason", "spam")
        _ = try world.run("block", "add", "--prefix", "+1900")
        let list = try world.run("block").output.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(
            list == ["WHO NAME SINCE WHY", "+15550123 Ada Lovelace now spam", "+1900... now"])
        #expect(try world.run("block", "remove", "+1900...").end == .exited(0))
        #expect(try world.run("block", "remove", "ada lovelace").end == .exited(0))
        #expect(try world.run("block").output == "no blocks\n")
        let none = try world.run("block", "remove", "Ada Lovelace")
        #expect(none.end == .exited(1))
        #expect(none.errors.contains("Ada Lovelace is not blocked"))
    }

    @Test func `two blocks of one contact are a question`() throws {
        let world = try World()
        _ = try world.run("contact", "put", "Ada", World.adaNumber, World.bobNumber)
        for number in [World.adaNumber, World.bobNumber] {
            _ = try world.run("block", "add", number)
        }
        let run = try world.run("block", "remove", "Ada")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("name one:\n  +15550123 Ada\n  +15550124 Ada\n"))
    }

    @Test func `blocks go out as CSV, and come in again as they were`() throws {
        let world = try World()
        _ = try world.run("block", "add", World.adaNumber, "--reason", #"spam, "again""#)
        _ = try world.run("block", "add", "--prefix", "+1900")
        _ = try world.run("block", "add", "ada@example.org")
        let exported = try self.exported(from: world)
        #expect(
            exported == #"""
                address,type,prefix,reason,added_at\#r
                +15550123,phone,false,"spam, ""again""",2026-01-01T00:00:00.000Z\#r
                +1900,phone,true,,2026-01-01T00:00:00.000Z\#r
                ada@example.org,email,false,,2026-01-01T00:00:00.000Z\#r

                """#)
        let other = try World()
        let run = try imported(exported, into: other)
        #expect(run.output == "imported: 3\n", "\(run.errors)")
        #expect(try self.exported(from: other) == exported)
        #expect(try other.refusal(from: "+19005550123") == "block_list")
    }

    @Test(arguments: [
        ("number\n+15550123\n", "line 1: no column is named address"),
        ("address,prefix\n+15550123,\n+15550124,maybe\n", "line 3: prefix must be true or false"),
        ("address,type\n+15550123,phone\n+15550124,fax\n", "line 3: type must be phone"),
        ("address,reason\n+15550123,\n,spam\n", "line 3: address is missing"),
        ("address\n+15550123\n\"+15550124\n", "the closing quotation mark is missing"),
        ("address\n+15550123\n\"+15550124\"x\n", "line 3: a comma must follow"),
    ])
    func `of a file with a wrong line nothing is imported`(text: String, advice: String) throws {
        let world = try World()
        let run = try imported(text, into: world)
        #expect(run.end == .exited(1))
        #expect(run.errors.contains(advice), "\(run.errors)")
        #expect(run.errors.hasSuffix("; nothing was imported\n"))
        #expect(try world.run("block").output == "no blocks\n")
    }

    private func exported(from world: World) throws -> String {
        try Tool("block", "export", socketPath: world.daemon.socketPath).output
    }

    private func imported(_ text: String, into world: World) throws -> Tool {
        try Tool("block", "import", socketPath: world.daemon.socketPath, input: text)
    }
}
