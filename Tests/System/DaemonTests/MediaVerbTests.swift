import Testing

/// `callbroker video`, `text` and `type`: what a call has beside sound.
struct MediaVerbTests {
    typealias World = ToolWorld

    private let world: ToolWorld

    init() throws {
        world = try ToolWorld(#""supports_video":true,"supports_text":true"#)
    }

    private static let changeable = #""supports_set_video":true,"supports_set_text":true"#

    /// Returns a member of Ada's call.
    private func member(_ name: String) throws -> JSON? {
        let client = try world.daemon.connectReady()
        return try client.request("call.get", #"{"call":"\#(World.ada)"}"#).result?[name]
    }

    /// Runs the tool while the provider does one action, and returns the action's arguments.
    private func arguments(of kind: String, _ arguments: String...) throws -> JSON? {
        let process = try world.start(arguments)
        let action = try world.provider.perform(kind)
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0), "\(run.errors)")
        return action["arguments"]
    }

    @Test(arguments: ["off", "send", "receive", "both"])
    func `it gives a call video in a direction`(direction: String) throws {
        try world.talkToAda(
            Self.changeable + #","video":"\#(direction == "off" ? "both" : "off")""#)
        #expect(try arguments(of: "set_video", "video", direction)?["video"]?.string == direction)
        #expect(try member("has_video") == .boolean(direction != "off"))
    }

    @Test func `it accepts and declines the video that the other side asks for`() throws {
        try world.talkToAda(Self.changeable)
        #expect(try world.run("video", "accept").end == .exited(1))
        let asks = #"{"call":"\#(World.ada)","video":"receive"}"#
        try world.provider.report("video_request", asks)
        #expect(try arguments(of: "set_video", "video", "decline")?["video"] == "off")
        try world.provider.report("video_request", asks)
        #expect(try arguments(of: "set_video", "video", "accept")?["video"] == "receive")
    }

    @Test func `a call is answered with video and without text`() throws {
        try world.provider.rings(
            World.ada, from: World.adaNumber, Self.changeable + #","has_text":true"#)
        let run = try world.run(
            "answer", "--video", "--no-text", performing: ["set_video", "set_text", "answer"])
        #expect(run.end == .exited(0), "\(run.errors)")
        #expect(try member("video") == "both")
        #expect(try member("has_text") == nil)
    }

    @Test func `it adds text to a call and takes it away`() throws {
        try world.talkToAda(Self.changeable)
        #expect(try arguments(of: "set_text", "text", "on")?["text"] == .boolean(true))
        #expect(try member("has_text") == .boolean(true))
        #expect(try arguments(of: "set_text", "text", "off")?["text"] == .boolean(false))
    }

    @Test func `it accepts and declines the text that the other side asks for`() throws {
        try world.talkToAda(Self.changeable)
        let none = try world.run("text", "accept")
        #expect(none.end == .exited(1) && none.errors.contains("does not ask for text"))
        let asks = #"{"call":"\#(World.ada)","requested":true}"#
        try world.provider.report("text_request", asks)
        #expect(try arguments(of: "set_text", "text", "decline")?["text"] == .boolean(false))
        try world.provider.report("text_request", asks)
        #expect(try arguments(of: "set_text", "text", "accept")?["text"] == .boolean(true))
    }

    @Test func `it types, once the app has sent it`() throws {
        try world.talkToAda(#""has_text":true"#)
        let process = try world.start(["type", "hello"])
        #expect(try world.provider.fulfill("provider.send_text")["text"] == "hello")
        let run = try Tool(finishing: process)
        #expect(run.end == .exited(0), "\(run.errors)")
    }

    @Test func `it cannot type on a call without text`() throws {
        try world.talkToAda()
        let run = try world.run("type", "hello")
        #expect(run.end == .exited(1) && run.errors.contains("no real-time text"))
    }

    @Test func `a call is started with text`() throws {
        let process = try world.start(["dial", World.adaNumber, "--text"])
        let start = try world.provider.perform("start")
        #expect(start["arguments"]?["has_text"] == .boolean(true))
        #expect(try Tool(finishing: process).end == .exited(0))
    }
}
