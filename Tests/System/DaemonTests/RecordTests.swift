import Glibc
import Testing

/// `record` and `replay`: a bug report is a file, and does not tell who called.
struct RecordTests {
    private let world: ToolWorld
    private let state: String
    private let recording: String

    init() throws {
        world = try ToolWorld()
        state = world.state
        recording = world.daemon.folder.file("recording.txt")
        try world.provider.rings(
            ToolWorld.ada, from: ToolWorld.adaNumber, #""display_name":"Ada Lovelace""#)
        let run = try world.run("answer", performing: ["answer"])
        try #require(run.end == .exited(0))
    }

    private func record(_ arguments: String...) throws -> String {
        let process = try ChildProcess(
            [executablePath, "record", "--state-dir", state, "-"] + arguments)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0), "\(run.errors)")
        return run.output
    }

    @Test func `what was recorded is decided again in the same way`() throws {
        let recorded = try Tool("record", "--state-dir", state, recording)
        #expect(recorded.output == "4 events\n")
        #expect(try Tool("replay", recording).output == "4 events, the same decisions\n")
        #expect(try Tool("replay", "--show", recording).output == (try contents(of: recording)))
    }

    @Test func `a decision that is another today is shown, and is an error`() throws {
        let text = try record()
        let other = try world.daemon.folder.write(
            text.replacing("verdict=rings", with: "verdict=waits"), to: "other.txt")
        let run = try Tool("replay", other)
        #expect(run.end == .exited(1))
        #expect(run.errors.contains("from line 7 on"))
        #expect(run.errors.contains("then: < note rule=1 verdict=waits"))
        #expect(run.errors.contains("now:  < note rule=1 verdict=rings"))
    }

    @Test func `nobody is named, and everybody has one pseudonym`() throws {
        let text = try record()
        #expect(!text.contains("15550123") && !text.contains("Lovelace"))
        #expect(text.contains("remote=phone:+999"))
        #expect(try record() == text)
        let pseudonym = try #require(text.firstMatch(of: /\+999[0-9]{10}/)?.output)
        let dump = try world.run("dump", "--state-dir", state)
        #expect(dump.output.contains(pseudonym))
    }

    @Test func `lines, ids and codes of an app name nobody, and the recording plays`() throws {
        let world = try ToolWorld(
            """
            "url_schemes":["tel"],"lines":[{"line":"ann@example.org","label":"Ann's","default":true},\
            {"line":"ann@2","label":"Ann's","state":"failed","reason":"ann is unknown","max_calls":1}]
            """)
        let reported = #""line":"ann@2","external_id":"7@ada.example""#
        try world.provider.rings(ToolWorld.ada, from: ToolWorld.adaNumber, reported)
        for code in ["Ada is away", "SIP 486"] {
            let dial = try world.start(["dial", "tel:+15550124"])
            let error = #"{"code":-32000,"message":"","data":{"app_code":"\#(code)"}}"#
            try world.provider.perform("start", error: error)
            #expect(try Tool(finishing: dial).end == .exited(1))
        }
        let ended =
            #""reason":"failed","end_detail":{"code":"ada 7","text":"Ada left","reason":"Ada left"}"#
        try world.provider.report("ended", #"{"call":"\#(ToolWorld.ada)",\#(ended)}"#)
        let file = world.daemon.folder.file("lines.txt")
        #expect(try Tool("record", "--state-dir", world.state, file).end == .exited(0))
        let text = try contents(of: file)
        for name in ["ann@", "Ann's", "ann is", "ada.example", "ada 7", "Ada "] {
            #expect(!text.contains(name), "\(text)")
        }
        #expect(text.contains("SIP 486") && text.contains("busy"))
        #expect(try Tool("replay", file).output.hasSuffix("the same decisions\n"))
    }

    @Test func `with handles everybody is named`() throws {
        let text = try record("--with-handles")
        #expect(text.contains("remote=phone:+15550123"))
        #expect(text.contains("Ada Lovelace"))
    }

    @Test func `a journal can be replayed as it is`() throws {
        let run = try Tool("replay", state + "/journal")
        #expect(run.end == .exited(0))
        #expect(run.output == (try record("--with-handles")))
    }

    @Test func `without a journal it is said where one was looked for`() throws {
        let run = try Tool("record", "--state-dir", "/nowhere", recording)
        #expect(run.end == .exited(1))
        #expect(
            run.errors == """
                callbroker: there is no journal in /nowhere: the broker may use \
                --no-journal, or another --state-dir

                """)
    }

    @Test func `what is no recording says why`() throws {
        let file = try world.daemon.folder.write("hello\n", to: "no-recording.txt")
        let run = try Tool("replay", file)
        #expect(run.end == .exited(2))
        #expect(run.errors.contains("a comment that tells the story"))
    }
}
