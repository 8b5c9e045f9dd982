import BrokerSocket
import CallBroker
import CallTesting
import Testing

/// Calls that start the plugin that they need.
struct BrokerDemandTests {
    private typealias Stage = PluginHostStage

    private static let start =
        #"{"provider":"org.bell","remote":{"type":"generic","value":"front"},"wait":"completed"}"#
    private static let explicit = #""provider":{"handle_types":["generic"],"url_schemes":["bell"]}"#

    private func stage(_ members: String = explicit) -> Stage {
        Stage(["org.bell": Stage.bell(members)])
    }

    private func open(_ plugin: MemoryPeer) {
        _ = plugin.ask(Frame.hello(#""roles":["provider"]"#))
        plugin.register()
    }

    @Test func `a start waits for the plugin that it brings up`() throws {
        let stage = stage()
        #expect(stage.spawned.isEmpty)
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        #expect(stage.spawned.count == 1)
        #expect(stage.news() == ["stopped -> starting {}"])
        let plugin = stage.plugin()
        open(plugin)
        #expect(plugin.audit.performs.count == 1)
        #expect(stage.news() == ["provider.added", "starting -> ready {}"])
    }

    @Test func `a line with control characters is none, also at a plugin that is not running`()
        throws
    {
        let stage = stage()
        let error = try stage.ask(
            "call.start",
            #"{"provider":"org.bell","remote":{"type":"generic","value":"front"},"line":"a\n112"}"#)
        #expect(error["data"]?["reason"]?.string == "unknown_line")
        #expect(stage.spawned.isEmpty)
    }

    @Test func `one with an implicit handshake is asked at once`() {
        let stage = stage(
            #""handshake":"implicit","provider":{"handle_types":["generic"]}"#)
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        #expect(stage.plugin().brief().contains { $0.hasPrefix("perform") })
    }

    @Test func `a link is for the plugin whose manifest has its scheme`() {
        let stage = stage()
        stage.admin.send(Frame.request(9, "call.dial", #"{"uri":"bell:front"}"#))
        #expect(stage.spawned.count == 1)
    }

    @Test func `what would be is told without starting anything`() throws {
        let stage = stage()
        let plan = try stage.ask(
            "call.start",
            #"{"provider":"org.bell","remote":{"type":"generic","value":"front"},"dry_run":true}"#)
        #expect(plan["refusal"] == .null)
        #expect(stage.spawned.isEmpty)
        #expect(try stage.ask("provider.list")["providers"]?.elements.isEmpty == true)
    }

    @Test func `a dry run journals nothing, though its plugin would have to start`() throws {
        let stage = stage()
        stage.memory.broker.commit()
        let bytes = stage.memory.medium.bytes.count
        let plan = try stage.ask(
            "call.start",
            #"{"provider":"org.bell","remote":{"type":"generic","value":"front"},"dry_run":true}"#)
        #expect(plan["actions"]?.elements.count == 1)
        stage.memory.broker.commit()
        #expect(stage.memory.medium.bytes.count == bytes)
        _ = try stage.ask(
            "call.start", #"{"provider":"org.bell","remote":{"type":"generic","value":"front"}}"#)
        stage.memory.broker.commit()
        #expect(stage.memory.medium.bytes.count > bytes)
    }

    @Test func `a plugin that does not come fails the call`() {
        let stage = stage()
        stage.admin.send(Frame.request(9, "call.start", Self.start))
        _ = stage.admin.lines()
        stage.exit(0, .code(1))
        let reply = stage.admin.lines().first { $0.contains(#""id":9"#) }
        #expect(reply?.contains(#""code":-32014"#) == true, "\(reply ?? "")")
    }

    @Test func `in its pause it answers when to ask again`() throws {
        let stage = stage()
        _ = try stage.ask("plugin.start", #"{"plugin":"org.bell"}"#)
        stage.exit(0, .code(1))
        let error = try stage.ask("call.start", Self.start)
        #expect(error["code"] == .integer(-32_014))
        let ms = error["data"]?["retry_after_ms"]?.integer ?? 0
        #expect((400...600).contains(ms))
        let dialled = try stage.ask("call.dial", #"{"uri":"bell:front"}"#)
        #expect(dialled["code"] == .integer(-32_014))
    }

    @Test func `one that is not wanted is not started by a call`() throws {
        let stage = stage()
        _ = try stage.ask("plugin.disable", #"{"plugin":"org.bell"}"#)
        let error = try stage.ask("call.start", Self.start)
        #expect(error["data"]?["reason"] == .string("unknown_provider"))
        #expect(error["data"]?["hint"]?.string?.contains("disabled") == true)
    }

    @Test func `the call waits no longer than its own deadline`() {
        let stage = stage()
        stage.admin.send(
            Frame.request(
                9, "call.start",
                #"{"provider":"org.bell","remote":{"type":"generic","value":"front"},"#
                    + #""wait":"completed","deadline_ms":2000}"#))
        _ = stage.admin.lines()
        stage.memory.turn(afterMS: 2_000)
        #expect(stage.admin.lines().contains { $0.contains(#""code":-32009"#) })
        // The plugin is there for the next one.
        open(stage.plugin())
        #expect(stage.news().last == "starting -> ready {}")
    }
}
