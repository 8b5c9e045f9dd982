import Testing

/// What clients are told that have not named a feature in their hello: the nearest older word.
struct FeatureTests {
    private let world: ToolWorld
    private let user: TestClient

    init() throws {
        world = try ToolWorld()
        user = try world.daemon.connectReady(#""roles":["controller"]"#)
    }

    /// A client that has subscribed to all changes of calls.
    private func observer(_ features: String) throws -> TestClient {
        let client = try world.daemon.connectReady(
            #""roles":["observer"],"features":[\#(features)]"#)
        let reply = try client.request("events.subscribe", #"{"topics":["call.*"]}"#)
        try #require(reply.result != nil)
        return client
    }

    /// Reads the events up to one of a topic that shows a state, and returns all states before it and
    /// its own.
    private func states(of client: TestClient, upTo state: String) throws -> [String] {
        var states: [String] = []
        while states.last != state {
            let data = try client.frame().params?["data"]
            if let next = data?["state"]?.string { states.append(next) }
        }
        return states
    }

    /// The user dials, and the far end rings, answers and hangs up.
    private func dialed() throws {
        let remote = #"{"type":"phone","value":"\#(ToolWorld.adaNumber)"}"#
        let started = try user.request(
            "call.start",
            #"{"call":"\#(ToolWorld.ada)","provider":"org.example.a","remote":\#(remote)}"#)
        try #require(started.result != nil)
        try world.provider.perform("start")
        for report in ["alerting", "connected"] {
            let reply = try world.provider.report(report, #"{"call":"\#(ToolWorld.ada)"}"#)
            try #require(reply.result != nil, "\(report)")
        }
    }

    @Test func `a client that does not know alerting is told dialing`() throws {
        let (new, old) = (try observer(#""alerting""#), try observer(""))
        try dialed()
        #expect(try states(of: new, upTo: "active").contains("alerting"))
        let older = try states(of: old, upTo: "active")
        #expect(older.contains("dialing") && !older.contains("alerting"))
    }

    @Test(arguments: [(#""tone""#, "tone"), ("", "silent")])
    func `an app that does not know a tone is silent`(features: String, word: String) throws {
        try world.talkToAda()
        let other = try world.daemon.connectReady(
            #""roles":["provider"],"identity":"org.example.b","features":[\#(features)]"#)
        let registered = try other.request(
            "provider.register", #"{"display_name":"Other","handle_types":["phone"]}"#)
        try #require(registered.result != nil)
        let remote = #"{"type":"phone","value":"\#(ToolWorld.bobNumber)"}"#
        let ring = try other.request(
            "call.report_incoming", #"{"call":"\#(ToolWorld.bob)","remote":\#(remote)}"#,
            isAlone: false)
        #expect(ring.result?["state"]?.string == "waiting")
        #expect(ring.result?["presentation"]?.string == word)
    }

    @Test func `a client that does not know calls on other devices is told nothing of them`() throws
    {
        let (new, old) = (try observer(#""external_calls""#), try observer(""))
        let remote = #"{"type":"phone","value":"\#(ToolWorld.adaNumber)"}"#
        let reply = try world.provider.report(
            "external",
            #"{"call":"\#(ToolWorld.ada)","remote":\#(remote),"elsewhere":"Kitchen phone"}"#)
        try #require(reply.result != nil)
        #expect(try states(of: new, upTo: "external") == ["external"])
        #expect(try new.request("call.list").result?["calls"]?.elements?.count == 1)
        // Its first frame is the reply: no event has come before.
        #expect(try old.request("call.list").result?["calls"] == .array([]))
        let call = #"{"call":"\#(ToolWorld.ada)"}"#
        #expect(try old.request("call.get", call).reason == "unknown_call")
        #expect(try new.request("call.get", call).result?["state"]?.string == "external")
    }
}
