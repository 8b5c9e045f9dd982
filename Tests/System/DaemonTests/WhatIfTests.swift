import Glibc
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

    @Test func `a dial plan asks whether a call would ring, and the exit code says so`() throws {
        let world = try World()
        let app = "org.example.a"
        let idle = try world.run("may-ring", app, World.bobNumber, isOnTerminal: true)
        #expect(idle.end == .exited(0))
        #expect(idle.output == "it would ring (rule 1)\n")
        try world.talkToAda()
        let busy = try world.run("may-ring", app, World.bobNumber, "--json")
        #expect(busy.end == .exited(0))
        #expect(try JSON(busy.output)["state"] == "waiting")
        #expect(try world.run("policy", "set", "busy_in_call=true").end == .exited(0))
        let refused = try world.run("may-ring", app, World.bobNumber, isOnTerminal: true)
        #expect(refused.end == .exited(1))
        #expect(refused.errors.contains("in_call"))
        #expect(try world.run("history", "--json").output.contains(World.bobNumber) == false)
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
        for line in [
            "00:00:00.000  7b0c7c52  it rings  (rule 1, by the app's report)\n",
            "the call in the way is held first; in the way: 7b0c7c52  (rule 5, by the user",
            "\n\nrule 1, an incoming call; no other call is live or rings: It is ringing\n",
            "\nrule 5, answer, and the live group can be held now, or is being held: set_held true",
        ] { #expect(run.output.contains(line), "\(run.output)") }
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

    @Test func `explain finds calls that never rang`() throws {
        let world = try World()
        try #require(try world.run("block", "add", World.adaNumber).end == .exited(0))
        #expect(try world.refusal() == "block_list")
        for name in [[World.adaNumber], ["7b0c7c"], [World.ada], ["--last"], ["--entry", "1"], []] {
            let run = try Tool(finishing: try world.start(["explain"] + name))
            #expect(run.end == .exited(0), "\(name): \(run.errors)")
            #expect(
                run.output.contains(
                    "7b0c7c52  it must not ring, by the block list"),
                "\(run.output)")
        }
        let nobody = try world.run("explain", "+15550199")
        #expect(nobody.end == .exited(1))
        #expect(nobody.errors.contains(#"no call matches "+15550199""#))
        #expect(try world.run("explain", "--entry", "7").end == .exited(1))
        #expect(try world.run("explain", "--last", "--entry", "1").end == .exited(2))
    }

    @Test func `explain says that a second call passes do-not-disturb`() throws {
        let world = try World()
        try #require(try world.run("dnd", "on").end == .exited(0))
        #expect(try world.refusal() == "do_not_disturb")
        #expect(try world.refusal(of: World.bob) == nil)
        let run = try world.run("explain", World.bob)
        #expect(
            run.output.contains(
                "it is let through; do-not-disturb is on, but a second call within three minutes passes"
            ), "\(run.output)")
    }

    @Test func `explain shows the message of an app that has failed`() throws {
        let world = try World()
        try world.provider.rings(World.ada, from: World.adaNumber)
        let process = try world.start(["answer"])
        let error =
            #"{"code":-32000,"message":"the microphone is gone","data":{"reason":"no_mic"}}"#
        try world.provider.perform("answer", error: error)
        #expect(try Tool(finishing: process).errors.contains("the microphone is gone"))
        let run = try world.run("explain", World.ada)
        #expect(
            run.output.contains(#"the app's reason: no_mic, "the microphone is gone""#),
            "\(run.output)")
    }

    @Test func `of a call whose decisions are forgotten explain has what the history says`() throws
    {
        let world = try RestartWorld()
        let provider = try ScriptedProvider(world.daemon)
        try provider.rings(ToolWorld.ada, from: ToolWorld.adaNumber)
        try provider.report(
            "ended", #"{"call":"\#(ToolWorld.ada)","reason":"remote_ended"}"#)
        _ = try world.user().request("history.list")
        try world.kill()
        #expect(unlink(world.journal) == 0)
        try world.startAgain()
        let run = try Tool(
            "explain", "--last", socketPath: world.daemon.socketPath, environment: ["TZ": "UTC"])
        #expect(run.end == .exited(0), "\(run.errors)")
        #expect(
            run.output.hasPrefix(
                "the decisions about this call are forgotten; the history has:\n  "),
            "\(run.output)")
        #expect(run.output.contains("+15550123 Phone: rang briefly, caller gave up"))
    }

    // MARK: - Rules

    @Test func `rules are printed without a broker, one or all`() throws {
        let all = try Tool("rules")
        #expect(all.end == .exited(0))
        let rows = all.output.split(separator: "\n")
        #expect(rows.count > 40)
        #expect(rows.contains { $0.hasPrefix("5a ") && $0.contains("refuses a hold") })
        let one = try Tool("rules", "5A", "20")
        #expect(
            one.output.hasPrefix(
                "Rule 5a: a provider refuses a hold that another action waits for\n\n"))
        #expect(one.output.contains("with the call in the way"))
        #expect(one.output.contains("\n\nA call is an emergency\n"))
        let none = try Tool("rules", "99")
        #expect(none.end == .exited(2))
        #expect(
            none.errors == "callbroker: there is no rule 99; \"callbroker rules\" lists the rules\n"
        )
    }
}
