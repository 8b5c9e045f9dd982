import Testing

/// Section 17: what would happen, and why things happened.
struct WhatIfTests {
    typealias World = ToolWorld

    @Test func `what-if tells whom a verb would hold, and changes nothing`() throws {
        let world = try World()
        try world.talkToAda()
        try world.provider.rings(World.bob, from: World.bobNumber)
        let run = try world.run("what-if", "answer", isOnTerminal: true)
        #expect(run.end == .exited(0))
        #expect(
            run.output == """
                would be done
                  would hold: 7b0c7c52 org.example.a active +15550123
                  set_held 7b0c7c52 org.example.a planned (added by the broker)
                  answer 8d1f4e1a org.example.a planned

                """)
        #expect(try world.state(World.ada) == "active")
        #expect(try world.state(World.bob) == "waiting")
    }

    @Test func `what-if tells whom a verb would end`() throws {
        let world = try World()
        try world.talkToAda()
        try world.provider.rings(World.bob, from: World.bobNumber)
        let run = try world.run("what-if", "answer", "--end", "--json")
        #expect(try JSON(run.output)["would_end"]?[0]?.string == World.ada)
    }

    @Test func `what-if tells the refusal, its rule and what stands in the way`() throws {
        let world = try World()
        try world.talkToAda(#""supports_holding":false"#)
        let run = try world.run("what-if", "start", World.bobNumber, isOnTerminal: true)
        #expect(run.end == .exited(1))
        for line in [
            "would be refused\n", "    reason: cannot_hold\n", "    rule: 9\n",
            "    in the way: 7b0c7c52 org.example.a active +15550123\n",
        ] { #expect(run.output.contains(line)) }
        let json = try world.run("what-if", "start", World.bobNumber, "--json")
        #expect(json.end == .exited(1))
        #expect(try JSON(json.output)["refusal"]?["data"]?["rule"] == "9")
        let ending = try world.run("what-if", "start", World.bobNumber, "--on-conflict", "end")
        #expect(ending.end == .exited(0))
    }

    @Test func `every verb that asks for actions can be asked what it would do`() throws {
        let world = try World()
        try world.talkToBob()
        let verbs = [
            ["start", "+15550125"], ["dial", "tel:+15550125"], ["end", World.ada], ["hold"],
            ["resume"], ["swap"], ["mute", World.bob], ["dtmf", "1", World.bob], ["merge"],
        ]
        for verb in verbs {
            let process = try world.start(["what-if"] + verb + ["--json"])
            let run = try Tool(finishing: process)
            #expect(run.end == .exited(0), "\(verb)")
            #expect(try JSON(run.output)["dry_run"] == .boolean(true))
        }
        try world.provider.rings(World.cleo, from: "+15550125")
        #expect(try world.run("what-if", "decline").end == .exited(0))
    }

    @Test func `explain tells the decisions about a call`() throws {
        let world = try World()
        try world.talkToBob()
        let run = try world.run("explain", World.ada, isOnTerminal: true)
        #expect(run.end == .exited(0))
        #expect(run.output.contains("00:00:00.000  rule 1  rings  7b0c7c52"))
        #expect(run.output.contains("holds first"))
        #expect(run.output.contains("in the way: 7b0c7c52"))
        let steps = try world.run("explain", World.ada, "--json").output.split(separator: "\n")
        #expect(try steps.allSatisfy { try JSON(String($0))["rule"]?.string != nil })
    }

    @Test func `explain knows calls that are over, and transactions`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let declined = try world.run("decline", "--json", performing: ["end"])
        let over = try world.run("explain", World.ada, "--json")
        #expect(over.output.contains(#""decision":"rings""#))
        let transaction = try #require(try JSON(declined.output)["transaction"]?.string)
        #expect(try world.run("explain", "--transaction", transaction).end == .exited(0))
        #expect(try world.run("explain", World.bob).end == .exited(1))
    }
}
