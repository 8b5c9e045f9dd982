import Testing

/// What the tool says to somebody who has not got it right.
struct AdviceTests {
    typealias World = ToolWorld

    // MARK: - What may have been meant

    @Test(arguments: [
        (["dail", "x"], #"unknown command "callbroker dail"; did you mean "callbroker dial"?"#),
        (["awnser"], #"did you mean "callbroker answer"?"#),
        (["desc", "call.get"], #"did you mean "callbroker describe"?"#),
        (["help", "hodl"], #"did you mean "callbroker hold"?"#),
        (["what-if", "dail"], #"did you mean "callbroker what-if dial"?"#),
        (["policy", "ste"], #"did you mean "callbroker policy set"?"#),
        (["xyzzy"], #"unknown command "callbroker xyzzy"; see callbroker --help"#),
    ])
    func `a verb that there is not is told, with one that is near`(
        arguments: [String], advice: String
    ) throws {
        let process = try ChildProcess([executablePath] + arguments)
        #expect(try process.waitForEnd() == .exited(2))
        #expect(process.errors.text.contains(advice), "\(process.errors.text)")
    }

    @Test(arguments: [
        (["request", "call.gte"], "call.get"), (["request", "answer"], "call.answer"),
        (["describe", "call.chnaged"], "call.changed"), (["watch", "cal.added"], "call.added"),
        (["policy", "set", "on_canot_hold=end"], "on_cannot_hold"),
        (["policy", "set", "limit.ringing=3"], "limits.ringing"),
        (["policy", "set", "limits.rining=3"], "limits.ringing"),
        (["request", "call.end", "cal=\(ToolWorld.ada)"], "call"),
    ])
    func `a name of the protocol that there is not is told, with one that is near`(
        arguments: [String], name: String
    ) throws {
        let world = try World()
        let run = try Tool(finishing: try world.start(arguments))
        #expect(run.end == .exited(1))
        #expect(run.errors.hasSuffix("\n  did you mean: \(name)\n"), "\(run.errors)")
    }

    @Test func `a name that is near to nothing is left at that`() throws {
        let world = try World()
        #expect(try !world.run("policy", "set", "moon=full").errors.contains("did you mean"))
        #expect(try !world.run("request", "moon.rise").errors.contains("did you mean"))
    }

    // MARK: - Hints

    @Test func `hints name the verbs of the tool, not the methods of the protocol`() throws {
        let world = try World()
        try world.talkToAda()
        let methods = try world.run("request", "moon.rise")
        #expect(methods.errors.contains(#"  hint: "callbroker methods" lists the methods"#))
        let state = try world.run("request", "call.answer", "call=\(World.ada)", "choice=answer")
        try #require(state.end == .exited(0))
        let unmeant = try world.run("request", "call.swap")
        #expect(
            unmeant.errors.contains(#"resume the held one with "callbroker resume""#),
            "\(unmeant.errors)")
        let dead = try world.run("end", World.bob)
        #expect(dead.errors.contains(#"  hint: list the calls again with "callbroker calls""#))
        let json = try world.run("end", World.bob, "--json")
        #expect(json.errors.contains("list the calls again with call.list"))
    }

    @Test func `the parts of a policy are shown where the whole is set`() throws {
        let world = try World()
        let provider = try world.run("policy", "set", "default_provider=org.example.a")
        #expect(provider.end == .exited(2))
        #expect(provider.errors.contains("write default_provider.tel=org.example.a\n"))
        let limits = try world.run("policy", "set", "limits=3")
        #expect(limits.end == .exited(2))
        #expect(limits.errors.contains("limits.held_groups, limits.ringing"))
    }

    @Test func `a part that is wrong is named in full`() throws {
        let world = try World()
        let run = try world.run("policy", "set", "limits.ringing=many")
        #expect(run.errors.contains("limits.ringing takes an integer"))
    }

    @Test func `a notification, which nobody answers, is checked before it is sent`() throws {
        let world = try World()
        #expect(try world.run("request", "broker.log", "level=info", "message=x").end == .exited(0))
        let run = try world.run("request", "broker.log", "level=loud", "message=x")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("params.level must be one of debug, info"))
    }

    // MARK: - Dialling

    @Test func `a number without a scheme is dialled as one`() throws {
        let world = try World(#""max_call_groups":5"#)
        let run = try world.run("dial", "+1 (555) 0123", performing: ["start"])
        #expect(run.end == .exited(0))
        let call = try JSON(try world.run("call", "--json").output)
        #expect(call["remote"]?["type"] == "phone")
        #expect(call["remote"]?["value"] == "+15550123")
    }

    @Test func `an address without a scheme that could be anything is wrong usage`() throws {
        let world = try World()
        let run = try world.run("dial", "ada@example.org")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("such as sip:ada@example.org"))
        #expect(run.errors.contains("callbroker start ada@example.org"))
    }

    @Test(arguments: [["dial", "tel:+15550123"], ["what-if", "dial", "tel:+15550123"]])
    func `where several apps could place a call they are listed`(arguments: [String]) throws {
        let world = try World()
        let other = try ScriptedProvider(world.daemon, "org.example.b")
        let run = try Tool(finishing: try world.start(arguments))
        #expect(run.end == .exited(1))
        for line in [
            "  hint: choose one with --provider, or for all calls to one contact: "
                + "callbroker contact put --provider APP NAME ADDRESS; or for all calls: "
                + "callbroker policy set default_provider.tel=APP\n",
            "  candidates: org.example.a\n", "  candidates: \(other.identity)\n",
        ] { #expect(run.errors.contains(line), "\(run.errors)") }
    }

    // MARK: - More than one call

    @Test func `a swap with several held calls asks which`() throws {
        let world = try World()
        try world.talkToBob()
        try world.provider.rings(World.cleo, from: "+15550125")
        try #require(try world.run("answer", performing: ["set_held", "answer"]).end == .exited(0))
        let run = try world.run("swap")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("several calls can be swapped"))
        #expect(run.errors.contains("7b0c7c52 org.example.a held"))
        #expect(run.errors.contains("8d1f4e1a org.example.a held"))
        #expect(!run.errors.contains("7b0cffff"))
        let named = try world.run("swap", "7b0c7c52", performing: ["set_held", "set_held"])
        #expect(named.end == .exited(0))
        let wire = try world.run("request", "call.swap")
        #expect(wire.errors.contains("several calls are held: name the one to swap with"))
    }

    @Test func `a merge says what it takes`() throws {
        let world = try World()
        try world.talkToAda()
        let alone = try world.run("merge")
        #expect(alone.end == .exited(1))
        #expect(alone.errors.contains("needs two calls of one app, active or held"))
        let other = try ScriptedProvider(world.daemon, "org.example.b")
        try other.rings(World.bob, from: World.bobNumber)
        let run = try world.run("merge", World.ada, World.bob)
        #expect(run.errors.contains("calls of different providers cannot be merged"))
    }

    // MARK: - Errors for programs

    @Test(arguments: [
        (["call", "0123", "--json"], 1), (["dial", "ada", "--json"], 2),
        (["calls", "--timeout", "0", "--json"], 2), (["dail", "--json"], 2),
    ])
    func `what the tool itself has to say is one document too, on standard error`(
        arguments: [String], code: Int
    ) throws {
        let world = try World()
        let run = try Tool(finishing: try world.start(arguments))
        #expect(run.output == "")
        let error = try JSON(run.errors)
        #expect(error.names == ["exit_code", "message"])
        #expect(error["exit_code"]?.integer == code)
        #expect(run.errors.split(separator: "\n").count == 1)
    }
}
