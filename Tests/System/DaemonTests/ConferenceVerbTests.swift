import Testing

/// `callbroker participants` and `end --group`: conferences of far ends, and of this host.
struct ConferenceVerbTests {
    typealias World = ToolWorld

    private let world: ToolWorld

    init() throws {
        world = try ToolWorld()
    }

    /// Ada's call is a meeting, in which the user can raise a hand and mute Bob.
    private func meet() throws {
        try world.talkToAda()
        try world.provider.report(
            "participants",
            """
            {"call":"\(World.ada)","changed":[\
            {"participant":"1","name":"Me","self":true,"changeable":["hand_raised","muted"]},\
            {"participant":"2","name":"Bob","changeable":["muted"]},\
            {"participant":"3","name":"Cleo"}]}
            """)
    }

    /// Runs the tool while the app does what it asks; returns what that was.
    private func change(_ arguments: String...) throws -> JSON {
        let process = try world.start(["participants"] + arguments)
        let params = try world.provider.fulfill("participant.change")
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0), "\(run.errors)")
        return params
    }

    @Test func `it raises and lowers the user's hand`() throws {
        try meet()
        for (option, isRaised) in [("--raise-hand", true), ("--lower-hand", false)] {
            let params = try change(option)
            #expect(params["participant"] == "1")
            #expect(params["hand_raised"] == .boolean(isRaised))
        }
    }

    @Test func `it mutes and unmutes a participant by name and by id`() throws {
        try meet()
        #expect(try change("--mute", "Bob")["muted"] == .boolean(true))
        let params = try change("--unmute", "2")
        #expect(params["participant"] == "2" && params["muted"] == .boolean(false))
    }

    @Test func `what the app cannot change, and who is not there, is said`() throws {
        try meet()
        let cleo = try world.run("participants", "--mute", "Cleo")
        #expect(
            cleo.end == .exited(1) && cleo.errors.contains("has not reported"), "\(cleo.errors)")
        let dora = try world.run("participants", "--mute", "Dora")
        #expect(dora.end == .exited(1) && dora.errors.contains("no such participant"))
        #expect(try world.run("participants", "--mute", "Bob", "--raise-hand").end != .exited(0))
    }

    @Test func `it ends all calls of a conference at once`() throws {
        try world.talkToBob()
        let merge = try world.run("merge", performing: ["set_group", "set_held"])
        try #require(merge.end == .exited(0), "\(merge.errors)")
        let run = try world.run("end", "--group", World.ada, performing: ["end", "end"])
        #expect(run.end == .exited(0), "\(run.errors)")
        #expect(try world.state(World.ada) == "call_ended")
        #expect(try world.state(World.bob) == "call_ended")
    }
}
