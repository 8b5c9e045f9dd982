import Glibc
import Testing

/// The test call of `callbroker setup`, with a real broker and a second client.
struct SetupTestCallTests {
    private let world: SetupWorld
    private let daemon: TestDaemon
    private let user: TestClient

    init() throws {
        world = try SetupWorld()
        daemon = try world.daemon()
        user = try daemon.connectReady(#""roles":["controller","observer"]"#)
    }

    private func ask(_ method: String, _ params: String = "{}") throws -> JSON {
        try user.request(method, params, isAlone: false).result ?? .null
    }

    private func calls() throws -> [JSON] {
        try ask("call.list")["calls"]?.elements ?? []
    }

    /// Starts a test call, and returns its id as soon as it rings.
    private func ring(_ arguments: String...) throws -> (process: ChildProcess, call: String) {
        _ = try ask("events.subscribe", #"{"topics":["call.added"],"snapshot":false}"#)
        let process = try world.start(["--test-call", "--json"] + arguments)
        while true {
            let frame = try user.frame()
            guard frame.method == "event", let data = frame.params?["data"] else { continue }
            #expect(data["display_name"] == "Test call")
            return (process, try #require(data["call"]?.string))
        }
    }

    /// Checks that nothing of the call is left.
    private func checkIsGone() throws {
        #expect(try calls().isEmpty)
        #expect(try ask("provider.list")["providers"]?.elements?.isEmpty == true)
        let history = try ask("history.list", #"{"filter":{"hidden":true}}"#)
        #expect(history["entries"]?.elements?.isEmpty == true)
        #expect(history["missed"] == .integer(0))
    }

    private func outcome(_ process: ChildProcess, exits code: Int32) throws -> JSON {
        let tool = try Tool(finishing: process)
        #expect(tool.end == .exited(code), "\(tool)")
        return try #require(JSON(tool.output)["test_call"])
    }

    // MARK: - What the user does

    @Test func `another client answers it`() throws {
        let (process, call) = try ring()
        #expect(try ask("call.answer", #"{"call":"\#(call)","wait":"completed"}"#) != .null)
        #expect(try outcome(process, exits: 0)["outcome"] == "answered")
        try checkIsGone()
    }

    @Test func `another client declines it`() throws {
        let (process, call) = try ring()
        _ = try ask("call.end", #"{"call":"\#(call)","wait":"completed"}"#)
        #expect(try outcome(process, exits: 0)["outcome"] == "declined")
        try checkIsGone()
    }

    @Test func `nobody answers it, and no screen is there`() throws {
        let (process, _) = try ring("--ring", "100ms")
        let result = try outcome(process, exits: 1)
        #expect(result["outcome"] == "unanswered" && result["screen"] == nil)
        let subjects = result["findings"]?.elements?.compactMap { $0["subject"]?.string } ?? []
        #expect(subjects.contains("screen") && !subjects.contains("addresses"))
        try checkIsGone()
    }

    @Test func `Enter on the terminal says that nothing rings, and do-not-disturb is named`() throws
    {
        _ = try ask("policy.set", #"{"do_not_disturb":{"on":true}}"#)
        let (tool, questions) = try world.setup(
            [], answering: [("Ring a test call? [Y/n] ", "y"), ("Press Enter here", "")])
        #expect(tool.end == .exited(1), "\(tool) \(questions)")
        let isRefused = tool.output.contains("The test call must not ring: ")
        #expect(isRefused || tool.output.contains("The test call did not ring where you are.\n"))
        #expect(tool.output.contains("do-not-disturb: it is on: calls do not ring\n"))
        #expect(tool.output.contains("    callbroker dnd off\n"))
        try checkIsGone()
    }

    @Test func `a screen is named`() throws {
        let screen = try daemon.connect()
        _ = try screen.hello(#""roles":["ui","controller"],"identity":"org.example.screen""#)
        _ = try screen.request("ui.claim", "{}")
        let process = try world.start(["--test-call", "--ring", "20"])
        var call: String?
        while call == nil {
            let frame = try screen.frame()
            guard frame.method == "ui.present", let id = frame.id else { continue }
            call = frame.params?["call"]?.string
            try screen.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{"presented":true}}"#)
        }
        _ = try ask("call.answer", #"{"call":"\#(call ?? "")","wait":"completed"}"#)
        let tool = try Tool(finishing: process)
        #expect(tool.output.contains(#"A call from "Test call" rings now on org.example.screen"#))
        #expect(
            tool.output.contains("The test call was answered, with org.example.screen as screen"))
    }

    // MARK: - What else ends it

    @Test func `a filter that blocks it is named`() throws {
        _ = try ask(
            "block.add", #"{"handle":{"type":"generic","value":"callbroker-setup"}}"#)
        let result = try outcome(world.start(["--test-call", "--json"]), exits: 1)
        #expect(result["outcome"] == "refused" && result["reason"] == "block_list")
        try checkIsGone()
    }

    @Test(arguments: [SIGINT, SIGTERM, SIGKILL])
    func `an interrupt ends the call at once, and nothing is missed`(_ signal: Int32) throws {
        let (process, call) = try ring()
        process.signal(signal)
        #expect(try process.waitForEnd() == .killed(by: signal))
        _ = try ask("events.subscribe", #"{"topics":["call.removed"],"snapshot":false}"#)
        while try calls().contains(where: { $0["call"]?.string == call }) { _ = try user.frame() }
        #expect(try ask("history.list", "{}")["missed"] == .integer(0))
        #expect(try ask("history.list", "{}")["entries"]?.elements?.isEmpty == true)
    }

    @Test func `the broker goes away while it rings`() throws {
        let (process, _) = try ring("--ring", "60")
        _ = try daemon.stop()
        let tool = try Tool(finishing: process)
        #expect([.exited(1), .exited(3)].contains(tool.end), "\(tool)")
    }
}
