import Testing

/// `callbroker directory`: numbers with a name, or that must not ring.
struct DirectoryVerbTests {
    typealias World = ToolWorld

    private let world: World
    private let folder: TemporaryFolder

    init() throws {
        world = try World()
        folder = try TemporaryFolder()
    }

    private func load(_ text: String, _ name: String = "list.csv") throws -> Tool {
        try world.run("directory", "load", try folder.write(text, to: name))
    }

    @Test func `a list labels who is in it, and keeps away whom it blocks`() throws {
        let run = try load("number,label,blocked\n+15550123,Engines Ltd,\n+15550124,,true\n")
        #expect(run.output == "accepted: 2\ntotal: 2\n")
        #expect(run.end == .exited(0))
        #expect(try world.refusal() == nil)
        let caller = try world.call()["caller"]
        #expect(caller?["label"] == "Engines Ltd")
        #expect(caller?["source"] == "list.csv")
        #expect(try world.refusal(of: World.bob, from: World.bobNumber) == "block_list")
        let list = try JSON(try world.run("directory", "--json").output)
        #expect(list["source"] == "list.csv")
        #expect(list["entries"] == 2)
    }

    @Test func `a list of several frames is counted as a whole`() throws {
        let lines = (0..<1_200).map { "+1555\(1_000_000 + $0),Engines Ltd,\n" }
        let run = try load(lines.joined())
        #expect(run.output == "accepted: 1200\ntotal: 1200\n")
    }

    @Test func `a list that is switched off serves no more, until it is switched on`() throws {
        try #require(
            try load(#"{"number":"+15550123","blocked":true}"#, "a.ndjson").end == .exited(0))
        #expect(try world.run("directory", "disable", "a.ndjson").end == .exited(0))
        #expect(try world.refusal() == nil)
        #expect(try world.run("directory", "enable", "a.ndjson").end == .exited(0))
        #expect(try world.refusal(of: World.bob) == "block_list")
        let removed = try world.run("directory", "remove", "a.ndjson", isOnTerminal: true)
        #expect(removed.output == "removed: yes\n")
        #expect(try world.refusal(of: World.cleo) == nil)
        #expect(try world.run("directory", isOnTerminal: true).output == "no directories\n")
    }

    @Test(arguments: [
        ("+15550123,,true\n+15550,,perhaps\n", "line 2: "),
        ("+15550124,,true\n+15550123,,true\n", "line 2: "),
        ("nobody,,true\n", "line 1: "),
    ])
    func `of a list with a wrong line nothing counts, and the one before goes on`(
        text: String, place: String
    ) throws {
        try #require(try load("+15550199,,true\n").end == .exited(0))
        let run = try load(text)
        #expect(run.end == .exited(1))
        #expect(run.errors.contains("list.csv: \(place)"), "\(run.errors)")
        #expect(run.errors.contains("nothing was loaded"), "\(run.errors)")
        #expect(try world.refusal() == nil)
        #expect(try world.refusal(of: World.bob, from: "+15550199") == "block_list")
    }
}
