import BrokerSocket
import CallTesting
import Testing

/// Emergencies that are requested beside other actions (rule 20).
struct BrokerEmergencyTransactionTests {
    private let host = MemoryBroker()

    private static let end = #"{"kind":"end","call":"c9"}"#
    private static let mute = #"{"kind":"set_muted","call":"c9","arguments":{"muted":true}}"#
    private static let start =
        #"{"kind":"start","call":"c1","provider":"org.a","#
        + #""arguments":{"remote":{"type":"phone","value":"112"}}}"#

    /// The number of starts that the app is asked for, of two that could place a call, if these
    /// actions are requested.
    private func starts(of actions: [String]) -> Int {
        let app = host.ready("provider", identity: "org.a")
        app.register()
        host.ready("provider", identity: "org.b").register()
        let user = host.ready("controller")
        user.lastID = 0
        _ = user.tell("transaction.request", #"{"actions":[\#(actions.joined(separator: ","))]}"#)
        return app.brief().filter { $0.contains(" start ") }.count
    }

    @Test(arguments: [
        [end, start], [start, end], [mute, start], [start, mute], [mute, end, start],
    ])
    func `what would be refused beside it is left out`(actions: [String]) {
        #expect(starts(of: actions) == 1)
    }

    private static let ambiguous =
        #"{"kind":"start","call":"c2","arguments":{"remote":{"type":"phone","value":"5550101"}}}"#
    private static let malformed =
        #"{"kind":"start","call":"c2","provider":"org.a","#
        + #""arguments":{"remote":{"type":"phone","value":"555\u000a0101"}}}"#
    private static let unknown = #"{"kind":"teleport","call":"c2"}"#

    /// The other call could be placed by two apps, has a line feed in its address, or is no call.
    @Test(arguments: [ambiguous, malformed, unknown], [true, false])
    func `what the broker itself would refuse is left out as well`(other: String, isFirst: Bool) {
        #expect(starts(of: isFirst ? [other, Self.start] : [Self.start, other]) == 1)
    }

    @Test(arguments: [(malformed, "wrong_form"), (unknown, "invalid_action")])
    func `explain names what the broker has left out`(other: String, reason: String) {
        _ = starts(of: [Self.start, other])
        let steps = host.ready("observer").tell("call.explain", #"{"call":"c1"}"#).joined()
        #expect(steps.contains(#""decision":"part_left_out""#), "\(steps)")
        #expect(steps.contains(#""reason":"\#(reason)""#), "\(steps)")
    }

    @Test(arguments: [ambiguous, malformed, unknown])
    func `without an emergency it is refused, and nothing is done`(other: String) {
        #expect(starts(of: [Self.start.replacing("112", with: "5550199"), other]) == 0)
    }

    @Test func `where there are no emergencies everything is refused`() {
        _ = host.ready("admin").tell("policy.set", #"{"allows_emergency":false}"#)
        #expect(starts(of: [Self.start, Self.malformed]) == 0)
    }

    @Test func `a call beside it that needs a plugin which cannot start is left out`() throws {
        let stage = PluginHostStage([
            "org.bell": PluginHostStage.bell(#""provider":{"handle_types":["generic"]}"#)
        ])
        let app = stage.memory.ready("provider", identity: "org.a")
        app.register()
        _ = try stage.ask("plugin.disable", #"{"plugin":"org.bell"}"#)
        let bell =
            #"{"kind":"start","call":"c2","provider":"org.bell","#
            + #""arguments":{"remote":{"type":"generic","value":"front"}}}"#
        stage.admin.lastID = 8
        _ = stage.admin.tell("transaction.request", #"{"actions":[\#(Self.start),\#(bell)]}"#)
        #expect(app.brief().contains { $0.contains(" start ") })
    }

    @Test func `a plugin that has failed comes after an app that is away`() throws {
        let stage = PluginHostStage([
            "org.bell": PluginHostStage.bell(#""provider":{"handle_types":["phone"]}"#)
        ])
        stage.admin.send(
            Frame.request(
                9, "call.start",
                #"{"provider":"org.bell","remote":{"type":"phone","value":"5550101"}}"#))
        stage.exit(0, .code(1))
        let app = stage.memory.ready("provider", identity: "org.a")
        app.register()
        stage.memory.talk(1, of: app, by: stage.admin)
        app.vanish()
        let reply = try stage.ask(
            "call.start", #"{"remote":{"type":"phone","value":"112"}}"#)
        #expect(reply["actions"]?.elements.first?["provider"]?.string == "org.a", "\(reply)")
    }
}
