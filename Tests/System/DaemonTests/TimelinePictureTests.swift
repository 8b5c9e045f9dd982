import Foundation
import Testing

/// `callbroker timeline -o`: pictures of calls, from each of their sources.
struct TimelinePictureTests {
    private let world: ToolWorld
    private let file: String

    /// Ada's call is held for Bob's.
    init() throws {
        world = try ToolWorld()
        try world.talkToBob()
        file = world.daemon.folder.file("calls.svg")
    }

    private func picture() throws -> String {
        try String(contentsOfFile: file, encoding: .utf8)
    }

    private func count(_ part: String, _ text: String) -> Int {
        text.components(separatedBy: part).count - 1
    }

    @Test(arguments: [["--all"], ["--since", "1h"], [ToolWorld.ada]])
    func `a broker that runs is asked for its calls`(source: [String]) throws {
        let run = try Tool(finishing: world.start(["timeline", "-o", file] + source))
        #expect(run.output == "2 calls: \(file)\n" && run.end == .exited(0), "\(run.errors)")
        let text = try picture()
        #expect(count(#"role="img""#, text) == 2 && count(#"class="link-held""#, text) == 2)
        #expect(text.contains(">7b0c7c52 is held for 8d1f4e1a<"))
        #expect(text.contains(#"<a href="rules.html#rule-5">"#))
        #expect(!text.contains("1555"))
    }

    @Test func `a recording is drawn without a broker`() throws {
        let recording = world.daemon.folder.file("recording.txt")
        _ = try Tool("record", "--state-dir", world.state, recording)
        let journal = world.state + "/journal"
        for source in [recording, journal] {
            let run = try Tool("timeline", "--recording", source, "-o", file)
            #expect(run.output == "2 calls: \(file)\n", "\(run.errors)")
            #expect(try picture().contains(">7b0c7c52 is held for 8d1f4e1a<"))
        }
        let story = try world.daemon.folder.write("# No recording.\n", to: "story.txt")
        let run = try Tool("timeline", "--recording", story, "-o", file)
        #expect(run.end == .exited(2) && run.errors.contains("expected a recording"))
    }

    @Test func `programs get what the picture is drawn of`() throws {
        let scene = try JSON(world.run("timeline", "--all", "--json").output)
        let calls = scene["calls"]?.elements ?? []
        #expect(calls.map { $0["call"] } == [.string(ToolWorld.ada), .string(ToolWorld.bob)])
        let kinds = calls.first?["spans"]?.elements?.compactMap { $0["kind"]?.string }
        #expect(kinds == ["ringing", "active", "audio", "held"])
        #expect(calls.first?["links"]?[0]?["call"] == .string(ToolWorld.bob))
        #expect(calls.first?["end_reason"] == nil)
    }

    @Test func `standard output is a file, and the rules may be anywhere`() throws {
        let run = try world.run(
            "timeline", "--all", "-o", "-", "--rules", "https://example.org/rules.html")
        #expect(run.output.hasPrefix("<svg ") && run.output.hasSuffix("</svg>\n"))
        #expect(run.output.contains(#"href="https://example.org/rules.html#rule-5""#))
    }

    @Test(arguments: [
        ["--all"], ["--all", "--since", "1h", "-o", "x.svg"], ["--otlp", "-o", "x.svg"],
        ["--last", "--all", "-o", "x.svg"], ["--rules", "rules.html"],
    ])
    func `what cannot be meant is wrong usage`(arguments: [String]) throws {
        let run = try Tool(finishing: world.start(["timeline"] + arguments))
        #expect(run.end == .exited(2), "\(run.output)")
    }

    @Test func `no calls, and a file that cannot be written, are errors`() throws {
        let none = try ToolWorld()
        #expect(try none.run("timeline", "--all", "-o", file).end == .exited(1))
        #expect(try world.run("timeline", "--all", "-o", "/nowhere/x.svg").end == .exited(1))
    }

    @Test func `scenarios are drawn, whether they pass or fail`() throws {
        let folder = world.daemon.folder
        let flow = """
            # One call.
            provider desk
            > desk call.report_incoming call=1 remote=phone:+15550101
            > @+2s user call.answer call=1

            ## It is active
            = call call=1 state=active

            ## It is held
            = call call=1 state=held

            """
        let path = try folder.write(flow, to: "flow.scenario")
        let report = folder.file("report.xml")
        let run = try Tool("scenario", "run", "--timeline", file, "--junit", report, path)
        #expect(run.end == .exited(1) && run.output.contains("  picture: "))
        let names = ["calls-1.svg", "calls-2.svg"].map(folder.file)
        let texts = try names.map { try String(contentsOfFile: $0, encoding: .utf8) }
        #expect(texts[0] == texts[1] && texts[0].contains("ringing, 2 s"))
        let xml = try String(contentsOfFile: report, encoding: .utf8)
        for name in names {
            #expect(xml.contains("<system-out>[[ATTACHMENT|\(name)]]</system-out>"))
        }
    }
}
