import Testing

/// Clients that delay the audio of a call: named by the policy, asked over real sockets.
struct HandoverTests {
    private static let recorder = "org.example.recorder"

    private let world: ToolWorld
    private let recorder: TestClient

    init() throws {
        world = try ToolWorld(
            policy: #"{"handover":{"observers":["\#(Self.recorder)"],"wait_ms":2000}}"#)
        recorder = try world.daemon.connectReady(
            #""roles":["observer"],"identity":"\#(Self.recorder)""#)
    }

    /// Ada's call is answered, but for the audio. Returns the id of the request to the recorder.
    private func answer() throws -> String {
        try world.talkToAda()
        let request = try recorder.frame()
        #expect(request.method == "audio.handover")
        #expect(request.params?["calls"]?[0]?.string == ToolWorld.ada)
        return "\(try #require(request.id))"
    }

    /// Returns the next notification to the app.
    private func notified() throws -> String? {
        while true {
            let frame = try world.provider.client.frame()
            if frame.id == nil { return frame.method }
        }
    }

    @Test func `an app gets the audio when the observer is ready, and is connected before`() throws
    {
        let id = try answer()
        #expect(try world.state(ToolWorld.ada) == "active")
        // The reply to this request would follow the audio.
        #expect(try world.provider.client.request("broker.ping", isAlone: true).result != nil)
        try recorder.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
        #expect(try notified() == "audio.activated")
    }

    @Test func `an observer that does not answer is not awaited for ever`() throws {
        _ = try answer()
        try world.daemon.advance(1_999)
        #expect(try world.provider.client.request("broker.ping", isAlone: true).result != nil)
        try world.daemon.advance(1)
        #expect(try notified() == "audio.activated")
    }

    @Test func `it is shown who was awaited`() throws {
        let id = try answer()
        try recorder.send(#"{"jsonrpc":"2.0","id":\#(id),"result":{}}"#)
        #expect(try notified() == "audio.activated")
        let run = try world.run("explain", ToolWorld.ada)
        #expect(run.output.contains(Self.recorder), "\(run.output)")
    }
}
