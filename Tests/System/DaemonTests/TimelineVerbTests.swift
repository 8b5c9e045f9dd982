import Testing

/// `callbroker timeline`: what has happened to a call, for people, for programs and for collectors.
struct TimelineVerbTests {
    private let world: ToolWorld

    /// Ada's call is over, and her number, name and line are known.
    init() throws {
        world = try ToolWorld(#""lines":[{"line":"ann@example.org","label":"Ann's"}]"#)
        try world.talkToAda(#""display_name":"Ada Lovelace","line":"ann@example.org""#)
        let hold = try world.start(["hold"])
        try world.provider.perform(
            "set_held",
            error: #"{"code":-32000,"message":"Ada refuses","data":{"reason":"remote_refused"}}"#)
        #expect(try Tool(finishing: hold).end == .exited(1))
        try world.provider.report(
            "ended",
            #"{"call":"\#(ToolWorld.ada)","reason":"failed","end_detail":{"text":"Ada left"}}"#)
    }

    @Test func `it lists what has happened to a call, also after its end`() throws {
        let run = try world.run("timeline", "--last")
        #expect(run.end == .exited(0), "\(run.errors)")
        let lines = run.output.split(separator: "\n").map { line in
            let words = line.split(separator: " ").drop { !$0.hasPrefix("+") }.dropFirst()
            return words.joined(separator: " ")
        }
        #expect(
            lines == [
                "it rings (rule 1, by the app's report)", "ringing", "answer: dispatched",
                "answer: fulfilled", "active", "has microphone and speaker", "set_held: dispatched",
                "the app failed; the provider returned an error; "
                    + #"the app's reason: remote_refused, "Ada refuses" (by the user)"#,
                #"set_held: failed, the app's reason: remote_refused, "Ada refuses""#,
                #"it is over; failed; the app's reason: "Ada left" (rule 39, by the app's report)"#,
                "ended", "no longer has microphone and speaker",
            ], "\(run.output)")
    }

    @Test func `it is one document for programs`() throws {
        let timeline = try JSON(world.run("timeline", ToolWorld.ada, "--json").output)
        #expect(timeline["call"] == .string(ToolWorld.ada))
        #expect(timeline["provider"] == "org.example.a" && timeline["direction"] == "incoming")
        let events = timeline["entries"]?.elements?.compactMap { $0["event"]?.string } ?? []
        #expect(Set(events) == ["decision", "change", "action", "audio"])
    }

    @Test func `as a trace it has a span for the call, and one for each state and action`() throws {
        let run = try world.run("timeline", ToolWorld.ada, "--otlp")
        let scope = try JSON(run.output)["resourceSpans"]?[0]?["scopeSpans"]?[0]
        let spans = scope?["spans"]?.elements ?? []
        #expect(
            spans.compactMap { $0["name"]?.string } == [
                "call", "state ringing", "state active", "action answer", "action set_held",
            ])
        let trace = ToolWorld.ada.filter { $0 != "-" }
        #expect(spans.allSatisfy { $0["traceId"] == .string(trace) })
        #expect(spans.dropFirst().allSatisfy { $0["parentSpanId"] == spans[0]["spanId"] })
        #expect(Set(spans.compactMap { $0["spanId"]?.string }).count == spans.count)
        #expect(spans.last?["status"]?["message"] == "remote_refused")
        #expect(spans.first?["status"]?["code"] == 2)
        for name in ["15550", "Ada", "Lovelace", "ann@"] { #expect(!run.output.contains(name)) }
    }

    @Test func `transactions lists the latest requests with their times`() throws {
        let run = try world.run("transactions")
        let rows = run.output.split(separator: "\n").map {
            $0.split(separator: " ").map(String.init)
        }
        #expect(rows.count == 3, "\(run.output)")
        #expect(rows[1].contains("set_held") && rows[2].contains("answer"), "\(run.output)")
        #expect(run.output.contains("failed: the provider returned an error"), "\(run.output)")
        let list = try JSON(world.run("transactions", "--json", "--limit", "1").output)
        #expect(list["state"] == "failed" && list["wait_ms"] != nil && list["run_ms"] != nil)
        #expect(try world.run("transactions", "--limit", "0").end == .exited(2))
    }

    @Test func `a call that there never was is an error`() throws {
        let run = try world.run("timeline", ToolWorld.cleo)
        #expect(run.end == .exited(1))
    }
}
