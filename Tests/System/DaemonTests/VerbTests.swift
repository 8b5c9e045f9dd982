import Testing

/// Section 17: each verb, against an app that does as it is told.
struct VerbTests {
    typealias World = ToolWorld

    // MARK: - One call

    @Test func `calls lists one call per line of JSON`() throws {
        let world = try World()
        #expect(try world.run("calls", "--json").output == "")
        try world.provider.rings(World.ada, from: World.adaNumber)
        try world.provider.rings(World.bob, from: World.bobNumber)
        let run = try world.run("calls", "--json")
        let lines = run.output.split(separator: "\n")
        #expect(try lines.map { try JSON(String($0))["call"]?.string } == [World.ada, World.bob])
        let waiting = try world.run("calls", "--state", "waiting", "--json")
        #expect(try JSON(waiting.output)["call"]?.string == World.bob)
        #expect(try world.run("calls", "--provider", "org.other", "--json").output == "")
        #expect(try world.run("calls", "--direction", "outgoing", "--json").output == "")
    }

    @Test func `call shows all of one call`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let run = try world.run("call", World.ada, "--json")
        #expect(run.end == .exited(0))
        #expect(try JSON(run.output)["remote"]?["value"]?.string == World.adaNumber)
        #expect(try world.run("call", "--json").output == run.output)
    }

    @Test func `providers lists the apps`() throws {
        let world = try World()
        let run = try world.run("providers", "--json")
        #expect(try JSON(run.output)["provider"] == "org.example.a")
        #expect(try JSON(run.output)["connected"] == .boolean(true))
    }

    @Test func `start calls a number and waits until it is done`() throws {
        let world = try World()
        let process = try world.start(["start", World.adaNumber, "--json"])
        let action = try world.provider.perform("start")
        let remote = action["arguments"]?["remote"]
        #expect(remote?["type"] == "phone")
        #expect(remote?["value"]?.string == World.adaNumber)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0))
        #expect(try JSON(run.output)["state"] == "completed")
        #expect(try world.state(try #require(action["call"]?.string)) == "dialing")
    }

    @Test func `start guesses what an address is, unless it is said`() throws {
        let world = try World()
        let addresses = [
            (["ada@example.org"], "email"), (["sip:ada@example.org"], "generic"),
            (["(0555) 0123"], "phone"), (["ada"], "generic"),
            (["0123", "--type", "generic"], "generic"),
        ]
        for (arguments, kind) in addresses {
            let process = try world.start(["start", "--emergency"] + arguments)
            let action = try world.provider.perform("start")
            #expect(action["arguments"]?["remote"]?["type"]?.string == kind)
            #expect(try Tool(finishing: process).end == .exited(0))
            try #require(try world.run("end", performing: ["end"]).end == .exited(0))
        }
    }

    @Test func `dial calls an address with its scheme`() throws {
        let world = try World()
        let process = try world.start(["dial", "tel:+1-555-0123", "--id", World.bob])
        let action = try world.provider.perform("start")
        #expect(action["call"]?.string == World.bob)
        #expect(action["arguments"]?["remote"]?["value"] == "+15550123")
        #expect(try Tool(finishing: process).end == .exited(0))
    }

    @Test func `answer answers the one call that rings`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let run = try world.run("answer", "--json", performing: ["answer"])
        #expect(run.end == .exited(0))
        #expect(try JSON(run.output)["actions"]?[0]?["state"] == "fulfilled")
        #expect(try world.state(World.ada) == "active")
    }

    @Test func `--no-wait does not wait for the app`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let run = try world.run("answer", "--no-wait", "--json")
        #expect(try JSON(run.output)["state"] == "accepted")
    }

    @Test func `decline declines, and hangs up on nobody`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        #expect(try world.run("decline", performing: ["end"]).end == .exited(0))
        #expect(try world.state(World.ada) == "call_ended")
        try world.provider.rings(World.bob, from: World.bobNumber)
        try #require(try world.run("answer", performing: ["answer"]).end == .exited(0))
        let run = try world.run("decline", World.bob)
        #expect(run.end == .exited(1))
        #expect(run.errors.contains("callbroker end"))
        #expect(try world.state(World.bob) == "active")
    }

    @Test func `end ends the one call that can be ended`() throws {
        let world = try World()
        try world.talkToAda()
        #expect(try world.run("end", performing: ["end"]).end == .exited(0))
        #expect(try world.state(World.ada) == "call_ended")
    }

    @Test func `silence lets it ring on`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        #expect(try world.run("prioritize").end == .exited(0))
        #expect(try world.run("silence").end == .exited(0))
        let call = try JSON(try world.run("call", "--json").output)
        #expect(call["silenced"] == .boolean(true))
        #expect(call["state"] == "ringing")
    }

    @Test func `hold and resume, mute and unmute`() throws {
        let world = try World()
        try world.talkToAda()
        #expect(try world.run("mute", performing: ["set_muted"]).end == .exited(0))
        #expect(try JSON(try world.run("call", "--json").output)["muted"] == .boolean(true))
        #expect(try world.run("unmute", performing: ["set_muted"]).end == .exited(0))
        #expect(try world.run("hold", performing: ["set_held"]).end == .exited(0))
        #expect(try world.state(World.ada) == "held")
        #expect(try world.run("resume", performing: ["set_held"]).end == .exited(0))
        #expect(try world.state(World.ada) == "active")
    }

    @Test func `dtmf plays tones`() throws {
        let world = try World()
        try world.talkToAda()
        let process = try world.start(["dtmf", "12#", "--style", "soft_pause"])
        let arguments = try world.provider.perform("play_dtmf")["arguments"]
        #expect(arguments?["digits"] == "12#")
        #expect(arguments?["style"] == "soft_pause")
        #expect(try Tool(finishing: process).end == .exited(0))
    }

    @Test func `button does what fits`() throws {
        let world = try World()
        #expect(try JSON(try world.run("button", "--json").output)["actions"] == .array([]))
        try world.provider.rings(World.ada, from: World.adaNumber)
        #expect(try world.run("button", performing: ["answer"]).end == .exited(0))
        #expect(try world.run("button", "long", performing: ["set_muted"]).end == .exited(0))
        #expect(try world.run("button", "short", performing: ["end"]).end == .exited(0))
        #expect(try world.state(World.ada) == "call_ended")
    }

    // MARK: - Two calls

    @Test(arguments: [
        ("--hold", ["set_held", "answer"], "held"), ("--end", ["end", "answer"], "call_ended"),
    ])
    func `answer takes a choice about the live call`(
        option: String, kinds: [String], former: String
    ) throws {
        let world = try World()
        try world.talkToAda()
        try world.provider.rings(World.bob, from: World.bobNumber)
        #expect(try world.run("answer", option, performing: kinds).end == .exited(0))
        #expect(try world.state(World.ada) == former)
        #expect(try world.state(World.bob) == "active")
    }

    @Test func `answer can end the call that was held last`() throws {
        let world = try World()
        try world.talkToBob()
        try world.provider.rings(World.cleo, from: "+15550125")
        let process = try world.start(["answer", "--end-held"])
        for kind in ["end", "set_held", "answer"] { try world.provider.perform(kind) }
        #expect(try Tool(finishing: process).end == .exited(0))
        #expect(try world.state(World.ada) == "call_ended")
        #expect(try world.state(World.bob) == "held")
    }

    @Test func `swap lets them change places`() throws {
        let world = try World()
        try world.talkToBob()
        #expect(try world.run("swap", performing: ["set_held", "set_held"]).end == .exited(0))
        #expect(try world.state(World.ada) == "active")
        #expect(
            try world.run("swap", World.bob, performing: ["set_held", "set_held"]).end
                == .exited(0))
        #expect(try world.state(World.bob) == "active")
    }

    @Test func `merge makes a conference, split takes one out of it`() throws {
        let world = try World()
        try world.talkToBob()
        #expect(try world.run("merge", performing: ["set_group", "set_held"]).end == .exited(0))
        #expect(
            try JSON(try world.run("call", World.bob, "--json").output)["group"]?.string
                == World.ada)
        let split = try world.run("split", World.bob, performing: ["set_held", "set_group"])
        #expect(split.end == .exited(0))
        #expect(
            try JSON(try world.run("call", World.bob, "--json").output)["group"]?.string
                == World.bob)
    }

    @Test func `asking twice with one id does it once`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let id = "9d2f4e1a-1111-4111-9111-000000000007"
        let first = try world.run(
            "answer", World.ada, "--transaction", id, performing: ["answer"])
        let second = try world.run("answer", World.ada, "--transaction", id, "--json")
        #expect(first.end == .exited(0))
        #expect(try JSON(second.output)["replayed"] == .boolean(true))
    }
}
