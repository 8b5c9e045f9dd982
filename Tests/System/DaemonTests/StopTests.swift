import Glibc
import Testing

/// How the daemon ends, and what its clients hear of it.
struct StopTests {
    @Test(arguments: [SIGTERM, SIGINT])
    func `a stop says goodbye to everybody, removes the socket and exits 0`(signal: Int32) throws {
        let daemon = try TestDaemon()
        let (ready, new) = (try daemon.connectReady(), try daemon.connect())
        try new.expectNothing()
        #expect(try daemon.stop(signal) == .exited(0))
        for client in [ready, new] {
            let verdicts = try client.verdictsToEnd()
            #expect(verdicts.count == 1)
            #expect(verdicts.first?.hasPrefix("broker.goodbye ") == true)
        }
        #expect(FileStatus(daemon.socketPath) == nil)
        #expect(throws: SystemError.self) { try TestClient(daemon.socketPath) }
    }

    @Test func `an admin may stop it, and is answered first`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connectReady(#""roles":["admin"]"#)
        #expect(try client.request("broker.shutdown", "{}").result?.names == [])
        #expect(try client.verdictsToEnd().count == 1)
        #expect(try daemon.waitForEnd() == .exited(0))
    }

    @Test func `a stop with nobody there is at once`() throws {
        let daemon = try TestDaemon()
        #expect(try daemon.stop() == .exited(0))
        #expect(FileStatus(daemon.socketPath) == nil)
    }

    @Test func `the goodbye tells whether and when to come back`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connectReady()
        _ = try daemon.stop()
        let params = try #require(try client.frame().params)
        if case .boolean = params["resumable"] {} else { Issue.record("no resumable: \(params)") }
    }

    @Test func `a client that never reads does not keep the daemon from stopping`() throws {
        let daemon = try TestDaemon(arguments: [])
        let client = try daemon.connect()
        let payload = #"""# + String(repeating: "a", count: 30_000) + #"""#
        for id in 1... {
            let line = Array((.ping(id, payload: payload) + "\n").utf8)
            if try client.sendSome(line[...]) < line.count { break }
        }
        #expect(try daemon.stop() == .exited(0))
    }

    @Test func `a second signal does not hurt`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connectReady()
        daemon.process.signal(SIGTERM)
        daemon.process.signal(SIGINT)
        #expect(try daemon.stop() == .exited(0))
        #expect(try client.verdictsToEnd().count == 1)
    }

    @Test func `a client that vanishes with answers under way does not hurt`() throws {
        let daemon = try TestDaemon()
        for _ in 1...50 {
            let client = try daemon.connect()
            for id in 1...20 { try client.send(.ping(id)) }
        }
        try daemon.connect().expectNothing()
    }

    @Test func `it runs and stops with all standard streams closed`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("broker.sock")
        let script = #"exec <&- >&- ; exec "$@""#
        let process = try ChildProcess(
            [
                "/bin/sh", "-c", script, "sh", executablePath, "serve", "--test-mode", "--socket",
                path,
            ])
        try #require(try process.errors.wait { $0.contains("listening on ") })
        try TestClient(path).expectNothing()
        process.signal(SIGTERM)
        #expect(try process.waitForEnd() == .exited(0))
    }

    @Test func `a reader of its log that goes away does not hurt`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("broker.sock")
        let process = try ChildProcess(
            [executablePath, "serve", "--test-mode", "--log-level", "trace", "--socket", path])
        try #require(try process.errors.wait { $0.contains("listening on ") })
        process.errors.stopReading()
        for _ in 1...20 { try TestClient(path).hello() }
        try TestClient(path).expectNothing()
    }

    // MARK: - A successor

    private func stop(_ daemon: TestDaemon, with observer: TestClient) throws {
        _ = try observer.request("events.subscribe", #"{"topics":["broker.stopping"]}"#)
        daemon.process.signal(SIGTERM)
        #expect(try observer.frame().params?["topic"] == "broker.stopping")
    }

    @Test(arguments: [true, false])
    func `with a journal the goodbye says that it goes on`(hasJournal: Bool) throws {
        let world = try hasJournal ? RestartWorld() : RestartWorld("--no-journal")
        let client = try world.daemon.connectReady()
        _ = try world.daemon.stop()
        let params = try client.frame().params
        #expect(params?["reason"] == .string(hasJournal ? "restarting" : "stopping"))
        #expect(params?["resumable"] == .boolean(hasJournal))
        #expect(params?["reconnect_after_ms"] == (hasJournal ? 200 : nil))
    }

    @Test func `what is under way may come to its end, and nothing new begins`() throws {
        let world = try RestartWorld()
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(RestartWorld.ada, of: provider)
        let (user, observer) = (try world.user(), try world.user())
        let hold = #"{"call":"\#(RestartWorld.ada)","held":true,"wait":"completed"}"#
        try user.send(#"{"jsonrpc":"2.0","id":1,"method":"call.set_held","params":\#(hold)}"#)
        let dispatched = try provider.client.frame()
        #expect(dispatched.method == "provider.perform")
        try stop(world.daemon, with: observer)
        let refusal = try observer.request("call.end", #"{"call":"\#(RestartWorld.ada)"}"#)
        #expect(refusal.code == -32018)
        try provider.client.send(#"{"jsonrpc":"2.0","id":\#(dispatched.id ?? .null),"result":{}}"#)
        #expect(try user.frame().result?["state"] == "completed")
        #expect(try user.verdictsToEnd() == [#"broker.goodbye "restarting""#])
        #expect(try world.daemon.waitForEnd() == .exited(0))
        try world.startAgain()
        #expect(try world.calls() == ["ada held away"])
    }

    @Test func `a provider that does not answer is waited for, and not for ever`() throws {
        let world = try RestartWorld()
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(RestartWorld.ada, of: provider)
        let (user, observer) = (try world.user(), try world.user())
        let hold = #"{"call":"\#(RestartWorld.ada)","held":true,"wait":"completed"}"#
        try user.send(#"{"jsonrpc":"2.0","id":1,"method":"call.set_held","params":\#(hold)}"#)
        #expect(try provider.client.frame().method == "provider.perform")
        try stop(world.daemon, with: observer)
        // The goodbye comes when the wait is over.
        #expect(try user.verdictsToEnd() == [#"broker.goodbye "restarting""#])
        #expect(try world.daemon.waitForEnd() == .exited(0))
        try world.startAgain()
        #expect(try world.calls() == ["ada active away"])
    }

    @Test func `what is under way at a second signal is sent again by the successor`() throws {
        let world = try RestartWorld()
        let provider = try ScriptedProvider(world.daemon)
        try world.talk(RestartWorld.ada, of: provider)
        let (user, observer) = (try world.user(), try world.user())
        _ = try user.request("call.set_held", #"{"call":"\#(RestartWorld.ada)","held":true}"#)
        #expect(try provider.client.frame().method == "provider.perform")
        try stop(world.daemon, with: observer)
        #expect(try world.daemon.stop() == .exited(0))
        try world.startAgain()
        let calls = RestartWorld.calls(RestartWorld.live(RestartWorld.ada))
        let back = try ScriptedProvider(world.daemon, members: calls, resuming: provider)
        #expect(back.session["resumed"] == .boolean(true))
        #expect(try back.perform("set_held")["attempt"] == 2)
    }

    @Test func `the event of the stop keeps its number`() throws {
        let world = try RestartWorld()
        let observer = try world.daemon.connectReady()
        _ = try observer.request("events.subscribe", #"{"topics":["broker.stopping"]}"#)
        world.daemon.process.signal(SIGTERM)
        let seq = try #require(try observer.frame().params?["seq"])
        _ = try world.daemon.waitForEnd()
        try world.startAgain()
        #expect(try world.user().request("broker.info").result?["seq"] == seq)
    }

    @Test func `the clock of a test runs on while the daemon stops, from where it stood`() throws {
        let world = try RestartWorld()
        let provider = try ScriptedProvider(world.daemon)
        try provider.rings(RestartWorld.ada, from: "5")
        _ = try world.daemon.stop()
        try world.startAgain()
        #expect(try world.calls() == ["ada ringing away"])
        let clock = try world.daemon.connect().hello().result?["clock"]
        #expect(try #require(clock?["mono_ms"]?.integer) < 60_000)
    }
}
