import Testing

/// A provider that registers as something else than before.
struct AnotherKindTests {
    private let world: ToolWorld

    init() throws {
        world = try ToolWorld(#""kind":"app""#)
    }

    private func register(_ member: String) throws -> Frame {
        try world.provider.client.request(
            "provider.register",
            #"{"display_name":"Phone","handle_types":["phone"],\#(member)}"#, isAlone: false)
    }

    @Test(arguments: [
        (#""kind":"adapter""#, "/kind"),
        (#""kind":"app","app_process":"separate""#, "/app_process"),
    ])
    func `an app with calls cannot become something else until they are over`(
        member: String, field: String
    ) throws {
        try world.talkToAda()
        let refusal = try register(member)
        #expect(refusal.reason == "has_calls" && refusal.field == field)
        #expect(try world.state(ToolWorld.ada) == "active")
        #expect(try register(#""kind":"app","ringtone":"bell""#).result != nil)
        try world.givesUp(ToolWorld.ada)
        #expect(try register(member).result != nil)
    }

    @Test func `neither can it on another connection that goes on with its calls`() throws {
        try world.talkToAda()
        let client = try world.daemon.connectReady(
            #""roles":["provider"],"identity":"org.example.a","resume":\#(world.provider.key)"#)
        let refusal = try client.request(
            "provider.register",
            #"{"display_name":"Phone","handle_types":["phone"],"kind":"modem"}"#, isAlone: false)
        #expect(refusal.reason == "has_calls" && refusal.field == "/kind")
    }
}
