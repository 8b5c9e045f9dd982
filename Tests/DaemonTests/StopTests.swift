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
}
