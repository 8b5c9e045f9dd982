import Testing

/// `callbroker intent`: what somebody says, done as the command that it stands for.
struct IntentVerbTests {
    private let world: ToolWorld

    init() throws {
        world = try ToolWorld(#""url_schemes":["tel"]"#)
    }

    @Test func `a contact is called by name, in the user's language`() throws {
        try #require(
            try world.run("contact", "put", "Ada Lovelace", ToolWorld.adaNumber).end == .exited(0))
        let process = try world.start(["intent", "--language", "de", "Ruf Ada an"])
        let asked = try world.provider.perform("start")
        #expect(try Tool(finishing: process).end == .exited(0))
        #expect(asked["arguments"]?["remote"]?["value"]?.string == ToolWorld.adaNumber)
        #expect(try world.run("intent", "hang", "up", performing: ["end"]).end == .exited(0))
    }

    @Test func `--show prints the command, quoted for a shell`() throws {
        let run = try world.run("intent", "--show", "call Ada O'Neil with video")
        #expect(run.output == "callbroker dial --video -- 'Ada O'\\''Neil'\n")
        #expect(
            try world.run("intent", "--show", "who is calling?").output == "callbroker calls\n")
    }

    @Test func `a failure is that of the command`() throws {
        let run = try world.run("intent", "call", "Nobody")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("no contact is named \"Nobody\""))
        #expect(try world.run("intent", "answer").end != .exited(0))
    }

    @Test func `a sentence that is none is answered with examples`() throws {
        let run = try world.run("intent", "open", "the", "pod", "bay", "doors")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("was not understood"))
        #expect(run.errors.contains("{who}"))
    }

    @Test func `a sentence that begins like an option is no option`() throws {
        let run = try world.run("intent", "--show", "call --help")
        #expect(run.output == "callbroker dial -- --help\n")
    }
}
