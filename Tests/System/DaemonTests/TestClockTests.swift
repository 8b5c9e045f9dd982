import Testing

/// `test.advance` and `test.settle` beside programs that take real time.
struct TestClockTests {
    private static let provider =
        #""roles":["provider"],"identity":"org.example.mute""#

    @Test
    func `a day passes by a subscriber that reads only then, and by one that moves the clock`()
        throws
    {
        let daemon = try TestDaemon()
        let observer = try daemon.connectReady(#""roles":["observer"]"#)
        let admin = try daemon.connectReady(#""roles":["admin","observer"]"#)
        for client in [observer, admin] {
            _ = try client.request("events.subscribe", #"{"topics":["*"]}"#)
        }
        let reply = try admin.request("test.advance", #"{"ms":86400000}"#, isAlone: false)
        #expect(reply.result?["now_ms"]?.integer == 86_400_000)
        #expect(try observer.request("broker.info", isAlone: false).result != nil)
        #expect(!daemon.log.contains("stalled"))
    }

    @Test func `who owes an answer is said, and the clock waits for it`() throws {
        let daemon = try TestDaemon()
        let app = try daemon.connectReady(Self.provider)
        _ = try app.request(
            "provider.register", #"{"display_name":"Mute","handle_types":["phone"]}"#)
        let user = try daemon.connectReady(#""roles":["controller"]"#)
        _ = try user.request(
            "call.start",
            #"{"remote":{"type":"phone","value":"+15550123"},"provider":"org.example.mute"}"#)
        let admin = try daemon.admin()
        let refused = try admin.request("test.settle", #"{"limit_ms":0}"#)
        let owed = refused.data?["owed"]?.elements?.first
        #expect(owed?["who"]?.string == "org.example.mute")
        #expect(owed?["asked"]?.string == "provider.perform")
        #expect(owed?["kind"]?.string == "start")

        let held = try admin.request("test.advance", #"{"ms":5000,"settle":true,"limit_ms":0}"#)
        #expect(held.data?["now_ms"]?.integer == 0)
        #expect(try app.frame().method == "provider.perform")
        try admin.send(
            #"{"jsonrpc":"2.0","id":70,"method":"test.advance","params":{"ms":5000,"settle":true}}"#
        )
        try app.send(#"{"jsonrpc":"2.0","id":1,"result":{}}"#)
        #expect(try admin.frame().result?["now_ms"]?.integer == 5_000)
    }

    @Test func `what was sent before has happened when all is settled, also by a busy process`()
        throws
    {
        let daemon = try TestDaemon()
        let admin = try daemon.connectReady(#""roles":["admin","observer"]"#)
        _ = try admin.request("events.subscribe", #"{"topics":["provider.lost"]}"#)
        let noise = try daemon.connectReady(#""roles":["observer"]"#)
        for id in 1...10 {
            var app: TestClient? = try daemon.connectReady(Self.provider)
            _ = try app?.request(
                "provider.register", #"{"display_name":"Mute","handle_types":["phone"]}"#)
            // With this the process has used its share of time; the rest is sent meanwhile, and waits.
            try noise.send(#"{"jsonrpc":"2.0","id":1,"method":"rpc.discover"}"#)
            app = nil
            try admin.send(#"{"jsonrpc":"2.0","id":\#(id),"method":"test.settle"}"#)
            #expect(try admin.frame().params?["topic"]?.string == "provider.lost")
            #expect(try admin.frame().id?.integer == id)
            #expect(try noise.frame().id?.integer == 1)
        }
    }
}
