import Testing

/// `callbroker dnd`: when calls do not reach the user.
struct QuietVerbTests {
    typealias World = ToolWorld

    @Test func `nobody disturbs, but who calls again at once`() throws {
        let world = try World()
        let on = try world.run("dnd", "on", isOnTerminal: true)
        #expect(on.output == "on\na second call within three minutes passes\n")
        #expect(try world.refusal() == "do_not_disturb")
        #expect(try world.refusal(of: World.bob) == nil)
        #expect(try world.run("dnd", "repeated", "stop").end == .exited(0))
        #expect(try world.refusal(of: World.cleo, from: World.bobNumber) == "do_not_disturb")
        #expect(try world.refusal(of: World.dan, from: World.bobNumber) == "do_not_disturb")
    }

    @Test func `who calls again after three minutes has to wait`() throws {
        let world = try World()
        try #require(try world.run("dnd", "on").end == .exited(0))
        #expect(try world.refusal() == "do_not_disturb")
        try world.daemon.advance(180_001)
        #expect(try world.refusal(of: World.bob) == "do_not_disturb")
    }

    @Test func `a contact that breaks through rings all the same`() throws {
        let world = try World()
        try #require(
            try world.run("contact", "put", "Ada", World.adaNumber, "--breakthrough").end
                == .exited(0))
        try #require(try world.run("dnd", "on").end == .exited(0))
        #expect(try world.refusal(of: World.bob, from: World.bobNumber) == "do_not_disturb")
        #expect(try world.refusal() == nil)
        try #require(try world.run("dnd", "off").end == .exited(0))
        #expect(try world.refusal(of: World.cleo, from: "+15550199") == nil)
    }

    @Test func `a schedule keeps calls away at its times`() throws {
        let world = try World()
        let run = try world.run(
            "dnd", "schedule", "mon,tue:22:00-06:30", "00:00-00:00", isOnTerminal: true)
        #expect(
            run.output == """
                on by schedule
                mon,tue 22:00 to 06:30
                mon,tue,wed,thu,fri,sat,sun 00:00 to 00:00
                a second call within three minutes passes

                """)
        #expect(try world.refusal() == "do_not_disturb")
        #expect(
            try world.run("dnd", "schedule").output == """
                mon,tue 22:00 to 06:30
                mon,tue,wed,thu,fri,sat,sun 00:00 to 00:00

                """)
        try #require(try world.run("dnd", "schedule", "--clear").end == .exited(0))
        #expect(try world.run("dnd", "schedule").output == "no schedule\n")
        #expect(try world.refusal(of: World.bob, from: World.bobNumber) == nil)
    }

    @Test(arguments: [("90", 90), ("2h", 120), ("1h30m", 90), ("3600s", 60)])
    func `it is turned on for a time`(text: String, minutes: Int) throws {
        let world = try World()
        let run = try world.run("dnd", "on", "--for", text, "--json")
        let untilMS = try #require(try JSON(run.output)["until_at_ms"]?.integer)
        let again = try world.run("dnd", "on", "--for", "\(minutes)m", "--json")
        let otherMS = try #require(try JSON(again.output)["until_at_ms"]?.integer)
        #expect((0..<60_000).contains(otherMS - untilMS))
    }

    @Test(arguments: [
        (["dnd", "on", "--for", "soon"], "such as 90s, 30m, 2h or 1h30m"),
        (["dnd", "on", "--for", "1h", "--until", "07:00"], "choose one of --until and --for"),
        (["dnd", "schedule", "--clear", "22:00-07:00"], "choose one of the periods and --clear"),
        (["dnd", "schedule", "always"], "a period is FROM-TO or DAYS:FROM-TO"),
        (["dnd", "on", "--until", "7"], "--until takes a time of the day, such as 07:30"),
    ])
    func `what is no time is wrong usage, and changes nothing`(
        arguments: [String], advice: String
    ) throws {
        let world = try World()
        let run = try Tool(finishing: try world.start(arguments))
        #expect(run.end == .exited(2))
        #expect(run.errors.contains(advice), "\(run.errors)")
        #expect(try world.refusal() == nil)
    }
}
