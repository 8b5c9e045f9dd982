import Testing

/// `callbroker` alone: the state of the phone.
struct StatusVerbTests {
    typealias World = ToolWorld

    @Test func `a quiet phone is said to be quiet`() throws {
        let world = try World()
        let run = try world.run()
        #expect(run.end == .exited(0))
        #expect(
            run.output == """
                no calls
                no new missed calls
                do-not-disturb: off
                apps: Phone

                """, "\(run.errors)")
        #expect(try world.run("status").output == run.output)
    }

    @Test func `calls, missed calls, do-not-disturb and problems are shown`() throws {
        let world = try World(policy: #"{"heartbeat_ms":0}"#)
        _ = try world.run("contact", "put", "Bob", World.bobNumber)
        try world.provider.rings(World.bob, from: World.bobNumber)
        try world.givesUp(World.bob)
        try world.daemon.advance(180_000)
        try world.talkToAda()
        try #require(try world.run("dnd", "on").end == .exited(0))
        #expect(
            try world.run().output == """
                active: +15550123  (7b0c7c52)
                1 new missed call, the latest from Bob, 3 min ago: callbroker history --missed
                do-not-disturb: on
                apps: Phone
                warning: policy: hanging apps are not detected: heartbeat_ms is 0
                  callbroker policy set heartbeat_ms=10000

                """)
        try #require(try world.run("history", "seen").end == .exited(0))
        #expect(try world.run().output.contains("\nno new missed calls\n"))
    }

    @Test func `a program gets one document`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let state = try JSON(try world.run("status", "--json").output)
        #expect(state["calls"]?[0]?["call"]?.string == World.ada)
        #expect(state["missed"] == 0)
        #expect(state["do_not_disturb"]?["on"] == .boolean(false))
        #expect(state["providers"]?[0]?["provider"] == "org.example.a")
        #expect(state["problems"] == .array([]))
    }
}
