import Glibc
import Testing

/// Sections 4 and 11: what a client of another user may do, where the socket lets it in at all.
/// To be another user takes root.
@Suite(.enabled(if: getuid() == 0))
struct OtherUserTests {
    private static let stranger: uid_t = 54_321
    private static let neighbour: uid_t = 54_322

    private func reachableDaemon(limits: [String: Int] = [:]) throws -> TestDaemon {
        let daemon = try TestDaemon(limits: limits)
        chmod(daemon.folder.path, 0o755)
        chmod(daemon.socketPath, 0o666)
        return daemon
    }

    private func connect(_ daemon: TestDaemon, as user: uid_t = stranger) throws -> TestClient {
        try asUser(user) { try daemon.connect() }
    }

    @Test func `without help another user cannot even connect`() throws {
        let daemon = try TestDaemon()
        #expect(throws: SystemError.self) { try connect(daemon) }
        chmod(daemon.folder.path, 0o755)
        #expect(throws: SystemError.self) { try connect(daemon) }
    }

    @Test func `without a credential hello is not permitted, with a wrong one neither`() throws {
        let client = try connect(try reachableDaemon())
        #expect(try client.hello().code == -32003)
        #expect(try client.hello(#""roles":["admin"]"#).code == -32003)
        #expect(try client.hello(#""credential":"\#(FrameCheck.marker)""#).code == -32003)
        #expect(try client.request("broker.info").code == -32002)
        try client.expectNothing()
    }

    @Test func `a credential lets another user in until it is revoked`() throws {
        let daemon = try reachableDaemon()
        let issued = try Tool(
            "grant", "issue", "panel", "--uid", "\(Self.stranger)", "--for", "2h",
            socketPath: daemon.socketPath)
        let credential = issued.output.dropLast()
        let hello = #""credential":"\#(credential)","roles":["observer","admin"]"#
        #expect(try connect(daemon, as: Self.neighbour).hello(hello).code == -32003)
        let client = try connect(daemon)
        let reply = try client.hello(hello)
        #expect(reply.result?["granted_roles"] == .array(["observer"]))
        #expect(try client.request("call.list").result != nil)
        #expect(
            try Tool("grant", "revoke", "panel", socketPath: daemon.socketPath).end == .exited(0))
        #expect(try client.verdictsToEnd() == [#"broker.goodbye "rights_changed""#])
        #expect(try connect(daemon).hello(hello).code == -32003)
    }

    @Test func `a credential ends in time, with its connections`() throws {
        let daemon = try reachableDaemon()
        let issued = try Tool(
            "grant", "issue", "panel", "--for", "2h", socketPath: daemon.socketPath)
        let hello = #""credential":"\#(issued.output.dropLast())","roles":["observer"]"#
        let client = try connect(daemon)
        #expect(try client.hello(hello).result != nil)
        try daemon.advance(2 * 3_600_000 - 1)
        try client.expectNothing()
        try daemon.advance(1)
        #expect(try client.verdictsToEnd() == [#"broker.goodbye "rights_changed""#])
        #expect(try connect(daemon).hello(hello).reason == "bad_credential")
        let list = try Tool("grant", "show", socketPath: daemon.socketPath)
        #expect(list.end == .exited(0) && !list.output.contains("panel"))
    }

    @Test func `the admin role follows the user, not the socket's mode`() throws {
        let daemon = try reachableDaemon()
        #expect(try connect(daemon).request("broker.stats").code == -32002)
        #expect(try daemon.connectReady(#""roles":["admin"]"#).request("broker.stats").code == nil)
    }

    @Test func `another user's connections are bounded`() throws {
        let daemon = try reachableDaemon(limits: ["other_user_connections": 3])
        let clients = try (1...3).map { _ in try connect(daemon) }
        for client in clients { try client.expectNothing() }
        let refused = try connect(daemon)
        #expect(try refused.verdictsToEnd() == [#"broker.goodbye "too_many_connections""#])
        // Neither we nor a third user pay for it.
        try daemon.connect().expectNothing()
        try connect(daemon, as: Self.neighbour).expectNothing()
        #expect(try clients[0].finish() == [])
        try connect(daemon).expectNothing()
    }

    @Test func `another user's connects are bounded by the second`() throws {
        let daemon = try reachableDaemon(limits: ["other_user_connects_per_second": 5])
        for _ in 1...5 {
            let client = try connect(daemon)
            try client.expectNothing()
            #expect(try client.finish() == [])
        }
        let goodbye = #"broker.goodbye "too_many_connections""#
        let refused = try connect(daemon)
        try #require(try daemon.stat("connections_refused") == 1)
        let verdicts = try refused.verdictsToEnd()
        #expect(verdicts == [goodbye])
        try daemon.connect().expectNothing()
        try connect(daemon, as: Self.neighbour).expectNothing()
        try daemon.advance(1_000)
        try connect(daemon).expectNothing()
    }

    @Test func `another user's requests are bounded by the second`() throws {
        let daemon = try reachableDaemon(limits: ["other_user_requests_per_second": 10])
        let (client, second) = (try connect(daemon), try connect(daemon))
        for id in 1...10 { try client.send(.ping(id)) }
        #expect(try client.verdicts(10) == (1...10).map { "\($0) {}" })
        // The bound is the user's, so another connection does not help.
        try second.send(.ping(11))
        let refusal = try second.frame()
        #expect(refusal.verdict == "11 -32012")
        #expect(refusal.reason == "rate")
        #expect(refusal.data?["retryable"] == .boolean(true))
        let wait = try #require(refusal.data?["retry_after_ms"]?.integer)
        #expect((1...1_000).contains(wait))
        try connect(daemon, as: Self.neighbour).expectNothing()
        try daemon.advance(1_000)
        for id in 12...21 { try second.send(.ping(id)) }
        #expect(try second.verdicts(10) == (12...21).map { "\($0) {}" })
    }

    @Test func `waiting as long as retry_after_ms says is enough`() throws {
        let daemon = try reachableDaemon(limits: ["other_user_requests_per_second": 2])
        let client = try connect(daemon)
        for id in 1...2 { try client.send(.ping(id)) }
        #expect(try client.verdicts(2) == ["1 {}", "2 {}"])
        try client.send(.ping(3))
        let wait = try #require(try client.frame().data?["retry_after_ms"]?.integer)
        try daemon.advance(wait)
        try client.expectNothing()
    }

    @Test func `another user's queues are bounded together`() throws {
        let bound = 300_000
        let daemon = try reachableDaemon(limits: ["other_user_queue_bytes": bound])
        let payload = #"""# + String(repeating: "a", count: 30_000) + #"""#
        let clients = try (1...6).map { _ in try connect(daemon) }
        for client in clients {
            for id in 1...20 {
                let line = Array((.ping(id, payload: payload) + "\n").utf8)
                if (try? client.sendSome(line[...])) != line.count { break }
                _ = try daemon.stat("turns")
            }
        }
        #expect(try daemon.stat("bytes_queued") <= bound + 6 * 65_536)
        try daemon.connect().expectNothing()
    }

    @Test func `our own user has no such bounds`() throws {
        let limits = [
            "other_user_connections": 1, "other_user_connects_per_second": 1,
            "other_user_requests_per_second": 1,
        ]
        let daemon = try reachableDaemon(limits: limits)
        let clients = try (1...20).map { _ in try daemon.connectReady() }
        for client in clients { for _ in 1...5 { try client.expectNothing() } }
    }
}
