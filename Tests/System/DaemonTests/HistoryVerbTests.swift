import Glibc
import Testing

/// `callbroker history`: calls that are over.
struct HistoryVerbTests {
    typealias World = ToolWorld

    private let world: World

    init() throws {
        // The provider is silent while time passes.
        world = try World(policy: #"{"heartbeat_ms":0}"#)
    }

    /// Ada is talked to, Bob gives up, and Cleo is blocked.
    private func someCalls() throws {
        try world.talkToAda()
        try world.daemon.advance(61_000)
        try #require(try world.run("end", performing: ["end"]).end == .exited(0))
        try world.provider.rings(World.bob, from: World.bobNumber)
        try world.daemon.advance(7_000)
        try world.givesUp(World.bob)
        try #require(try world.run("block", "add", "+15550125").end == .exited(0))
        #expect(try world.refusal(of: World.cleo, from: "+15550125") == "block_list")
    }

    private func entries(_ arguments: String...) throws -> [JSON] {
        let run = try Tool(finishing: try world.start(["history", "--json"] + arguments))
        return try run.output.split(separator: "\n").map { try JSON(String($0)) }
    }

    @Test func `each call is there, the latest first, with what became of it`() throws {
        try someCalls()
        let table = try world.run("history", isOnTerminal: true).output
        let lines = table.split(separator: "\n").map { line in
            line.split(separator: " ").joined(separator: " ")
        }
        #expect(
            lines == [
                "ENTRY WHEN NAME NUMBER APP FOR END",
                "3 now <- +15550125 Phone kept from ringing by the block list",
                "2 now <- missed +15550124 Phone caller gave up",
                "1 1 min ago <- +15550123 Phone 1:01 ended here",
            ])
        #expect(try entries("--missed").map { $0["call"]?.string } == [World.bob])
        #expect(
            try entries("--with", "+1 (555) 0125").map { $0["filtered_by"]?.string }
                == ["block_list"])
        #expect(try entries("--provider", "org.example.z") == [])
    }

    @Test func `what ended since then is shown, or removed`() throws {
        try someCalls()
        // The broker's clock stands in the first minutes of that year.
        #expect(try entries("--since", "2025-12-30").count == 3)
        #expect(try entries("--since", "2026-01-03") == [])
        let nothing = try world.run("history", "clear", "--since", "2026-01-03")
        #expect(nothing.end == .exited(1))
        #expect(nothing.errors.contains("the history has no entry that matches"))
        #expect(try entries().count == 3)
        let run = try world.run("history", "--since", "long ago")
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("--since"))
    }

    @Test func `past calls are added up by app and by number`() throws {
        try someCalls()
        func lines(_ arguments: String...) throws -> [String] {
            try Tool(
                finishing: world.start(["history", "sum"] + arguments, isOnTerminal: true)
            ).output
                .split(separator: "\n").map { $0.split(separator: " ").joined(separator: " ") }
        }
        #expect(
            try lines() == [
                "APP CALLS IN MISSED FOR LATEST", "Phone 3 3 1 1:01 now", "all 3 3 1 1:01 now",
            ])
        #expect(
            try lines("--by", "number", "--missed") == [
                "NAME NUMBER CALLS IN MISSED FOR LATEST", "+15550124 1 1 1 now", "all 1 1 1 now",
            ])
    }

    @Test func `a table for other programs quotes what would break it`() throws {
        try #require(
            try world.run("contact", "put", #"Bob, "the builder""#, World.bobNumber).end
                == .exited(0))
        try world.provider.rings(World.bob, from: World.bobNumber)
        try world.givesUp(World.bob)
        #expect(
            try Tool("history", "--csv", socketPath: world.daemon.socketPath).output == #"""
                entry,call,started_at,connected_at,ended_at,direction,type,remote,name,label,\#
                label_source,provider,provider_name,video,duration_ms,end_reason,end_origin,\#
                missed_reasons,filtered_by,seen,failure,forwarded_from,forwarded_type,\#
                verification,external_id,elsewhere,line,line_label,detail_reason,detail_text,detail_code\#r
                1,8d1f4e1a-6a3e-4c1f-9f4b-0d3a5e1c2b02,2026-01-01T00:00:00.000Z,,\#
                2026-01-01T00:00:00.000Z,incoming,phone,+15550124,"Bob, ""the builder""",,contacts,\#
                org.example.a,Phone,false,0,remote_ended,remote,short_ring caller_gave_up,,false,,,,,,,,,,,\#r

                """#)
    }

    @Test func `a history goes out as CSV, and comes in again as it was`() throws {
        try someCalls()
        func csv(_ world: World) throws -> String {
            try Tool("history", "--csv", socketPath: world.daemon.socketPath).output
        }
        let exported = try csv(world)
        let other = try World()
        let run = try imported(exported, into: other)
        #expect(run.output == "imported: 3\n", "\(run.errors)")
        let entries = { (text: String) in
            Set(text.split(separator: "\r\n").map { $0.drop { $0 != "," } })
        }
        #expect(try entries(csv(other)) == entries(exported))
        #expect(try imported(exported, into: other).output == "imported: 0\n")
    }

    @Test(arguments: [
        ("started_at,direction\n", "line 1: no column is named provider"),
        ("2026-03-01,incoming,org.example.a\n", "line 2: started_at must be a time such as"),
        ("2026-03-01T07:30:00+01:00,sideways,org.example.a\n", "direction must be one of incoming"),
        ("2026-03-01T07:30:00Z,incoming,\n", "line 2: provider is missing"),
    ])
    func `of a history with a wrong line nothing is imported`(text: String, advice: String) throws {
        let heading = text.hasPrefix("started") ? "" : "started_at,direction,provider\n"
        let run = try imported(heading + text, into: world)
        #expect(run.end == .exited(1))
        #expect(run.errors.contains(advice), "\(run.errors)")
        #expect(run.errors.hasSuffix("; nothing was imported\n"))
        #expect(try entries() == [])
    }

    private func imported(_ text: String, into world: World) throws -> Tool {
        try Tool("history", "import", socketPath: world.daemon.socketPath, input: text)
    }

    @Test func `of a long history the latest calls are listed, unless more are wanted`() throws {
        for number in 100..<125 {
            let call = "00000\(number)-6a3e-4c1f-9f4b-0d3a5e1c2b01"
            try world.provider.rings(call, from: "+15550\(number)")
            try world.givesUp(call)
        }
        func lines(_ arguments: String...) throws -> [Substring] {
            let run = try Tool(finishing: try world.start(["history"] + arguments))
            return run.output.split(separator: "\n")
        }
        let some = try lines()
        #expect(some.count == 22)
        #expect(some[1].hasPrefix("25 ") && some[20].hasPrefix("6 "))
        #expect(some.last == "there are more: add --all, or --limit NUMBER")
        #expect(try lines("--all").count == 26)
        #expect(try lines("--limit", "25").count == 26)
        #expect(try lines("--limit", "3", "--csv").count == 4)
        #expect(try lines("--json").count == 25)
        #expect(try lines("--json", "--limit", "2").count == 2)
        #expect(try world.run("history", "--limit", "0").end == .exited(2))
    }

    @Test(arguments: [("y\n", 0), ("n\n", 3), ("\n", 3)])
    func `at a terminal the user is asked before the history is cleared`(
        reply: String, left: Int
    ) throws {
        try someCalls()
        let run = try answering(reply, ["history", "clear"])
        #expect(run.errors.contains("Remove the whole history? [y/N] "))
        #expect(run.end == .exited(left == 0 ? 0 : 1))
        #expect(try entries().count == left)
        #expect(try answering("", ["history", "clear", "--yes"]).end == .exited(left == 0 ? 1 : 0))
        #expect(try entries() == [])
    }

    /// Runs the tool at a terminal at which somebody types.
    private func answering(_ reply: String, _ arguments: [String]) throws -> Tool {
        let terminal = try PipeEnds.terminal(nil)
        defer { for end in [terminal.reader, terminal.writer] { close(end) } }
        #expect(write(terminal.reader, reply, reply.utf8.count) == reply.utf8.count)
        let process = try ChildProcess(
            [executablePath] + arguments, environment: ["BROKER_SOCKET": world.daemon.socketPath],
            input: terminal.writer)
        return try Tool(finishing: process)
    }

    @Test func `an entry is called back with the app that had it`() throws {
        try someCalls()
        let entry = try #require(try entries("--missed").first?["entry"]?.integer)
        let run = try world.run("history", "call", "\(entry)", performing: ["start"])
        #expect(run.end == .exited(0))
        let call = try JSON(try world.run("call", "--json").output)
        #expect(call["remote"]?["value"]?.string == World.bobNumber)
        #expect(call["direction"] == "outgoing")
        let none = try world.run("history", "call", "99")
        #expect(none.end == .exited(1))
        #expect(
            none.errors
                == "callbroker: the history has no entry 99; callbroker history lists them\n")
    }

    @Test func `entries go one by one, by a filter, or all`() throws {
        try someCalls()
        let all = try entries().compactMap { $0["entry"]?.integer }
        try #require(all.count == 3)
        let one = try world.run("history", "remove", "\(all[0])", "99", isOnTerminal: true)
        #expect(one.output == "removed: 1\n")
        #expect(
            try world.run("history", "clear", "--missed", isOnTerminal: true).output
                == "removed: 1\n")
        #expect(try entries().map { $0["call"]?.string } == [World.ada])
        #expect(try world.run("history", "clear", isOnTerminal: true).output == "removed: 1\n")
        #expect(try world.run("history", isOnTerminal: true).output == "no calls\n")
    }

    @Test func `missed calls are new until they have been seen`() throws {
        try someCalls()
        let watch = try world.daemon.connectReady()
        _ = try watch.request("events.subscribe", #"{"topics":["history.*"],"snapshot":false}"#)
        #expect(try world.run("history", "seen", isOnTerminal: true).output == "marked: 1\n")
        let event = try watch.frame()
        #expect(event.params?["topic"] == "history.changed")
        #expect(event.params?["data"]?["missed"] == 0)
        #expect(try world.run("history", "seen", isOnTerminal: true).output == "marked: 0\n")
    }

    @Test func `an app that wants none among the recent ones has none there`() throws {
        let other = try ScriptedProvider(
            world.daemon, "org.example.b", members: #""includes_in_recents":false"#)
        try other.rings(World.bob, from: World.bobNumber)
        _ = try other.report("ended", #"{"call":"\#(World.bob)","reason":"remote_ended"}"#)
        #expect(try entries() == [])
        #expect(try entries("--hidden").map { $0["call"]?.string } == [World.bob])
    }
}
