import Foundation
import Testing

/// Section 11, connections: how many, and what they leave behind.
struct ConnectionTests {
    @Test func `at the limit connections are served, one more hears why not`() throws {
        let daemon = try TestDaemon(limits: ["connections": 4])
        _ = try daemon.admin()
        let clients = try (1...3).map { _ in try daemon.connect() }
        for client in clients { try client.expectNothing() }
        let refused = try daemon.connect()
        let goodbye = try refused.frame()
        #expect(goodbye.verdict == #"broker.goodbye "too_many_connections""#)
        #expect(try refused.line() == nil)
        for client in clients { try client.expectNothing() }
        #expect(try daemon.stat("connections") == 4)
        #expect(try daemon.stat("connections_refused") == 1)
    }

    @Test func `when one leaves there is room for another`() throws {
        let daemon = try TestDaemon(limits: ["connections": 2])
        _ = try daemon.admin()
        for _ in 1...10 {
            let client = try daemon.connectReady()
            #expect(try daemon.connect().verdictsToEnd().count == 1)
            #expect(try client.finish() == [])
        }
    }

    @Test func `a thousand connects and closes leave no descriptor behind`() throws {
        let daemon = try TestDaemon()
        _ = try daemon.stat("turns")
        let before = daemon.descriptorCount
        for index in 1...1_000 {
            let client = try daemon.connect()
            switch index % 4 {
            case 0: try client.expectNothing()
            case 1: try client.send(bytes: Array("{".utf8))
            case 2: #expect(try client.finish() == [])
            default: break
            }
        }
        try daemon.wait(for: "connections") { $0 == 1 }
        // Before, the daemon may still have been finding out who the first client is.
        #expect(daemon.descriptorCount <= before)
        #expect(try daemon.stat("connections_accepted") == 1_001)
        #expect(try daemon.stat("timers") <= 1)
    }

    @Test func `a thousand connects and closes leave no memory behind`() throws {
        let daemon = try TestDaemon()
        func round() throws {
            for _ in 1...500 { try daemon.connect().hello() }
            try daemon.wait(for: "connections") { $0 == 1 }
        }
        try round()
        let before = try daemon.residentBytes()
        try round()
        try round()
        #expect(try daemon.residentBytes() - before < 2 << 20)
    }

    @Test func `a thousand at once are served`() throws {
        try #require(descriptorLimit >= 2_000)
        let daemon = try TestDaemon()
        let clients = try (1...1_000).map { _ in try daemon.connect() }
        for (index, client) in clients.enumerated() {
            try client.send(.ping(index))
        }
        for (index, client) in clients.enumerated() {
            #expect(try client.frame().verdict == "\(index) {}")
        }
        #expect(try daemon.stat("connections") == 1_001)
    }

    @Test func `one connection's burst takes turns with the others`() throws {
        // O7: at most 64 frames a turn. Behind a burst of 2,000 pings another client is answered
        // before the burst is done.
        let daemon = try TestDaemon()
        let (greedy, modest) = (try daemon.connect(), try daemon.connect())
        try modest.expectNothing()
        let before = try daemon.stat("turns")
        let burst = (1...2_000).map { .ping($0) + "\n" }.joined()
        try greedy.send(bytes: Array(burst.utf8))
        try modest.expectNothing()
        #expect(try greedy.verdicts(2_000) == (1...2_000).map { "\($0) {}" })
        #expect(try daemon.stat("turns") - before >= 2_000 / 64)
    }
}

/// At the end of its descriptors the broker refuses, serves on and does not spin.
struct DescriptorTests {
    /// A daemon that may hold 64 descriptors, and more clients than it can take.
    private func crowded() throws -> (TestDaemon, [TestClient]) {
        let daemon = try narrow()
        return (daemon, try crowd(at: daemon))
    }

    private func narrow() throws -> TestDaemon {
        let wrapper = ["/bin/sh", "-c", #"ulimit -n 64; exec "$@""#, "sh"]
        let daemon = try TestDaemon(wrapper: wrapper)
        _ = try daemon.admin()
        return daemon
    }

    private func crowd(at daemon: TestDaemon) throws -> [TestClient] {
        try (1...100).map { _ in try daemon.connect() }
    }

    @Test func `beyond its descriptors it refuses and keeps serving those it has`() throws {
        let daemon = try narrow()
        // Half of the 64 are for connections, and one is the admin's; but what the daemon has inherited
        // of the process that started it is missing.
        let room = min(31, 64 - (try openDescriptors(of: daemon)))
        let clients = try crowd(at: daemon)
        var served = 0
        for client in clients {
            // A client that was refused may find its connection closed while it sends.
            try? client.send(.ping(1))
            var verdicts: [String] = []
            if let line = try? client.line() { verdicts.append(Frame(try JSON(line)).verdict) }
            if verdicts == ["1 {}"] {
                served += 1
            } else {
                #expect(verdicts.allSatisfy { $0.hasPrefix("broker.goodbye") })
            }
        }
        // Files are open for a moment, now or when they were counted.
        #expect((room - 4...room + 4).contains(served), "there is room for \(room)")
        #expect(try daemon.stat("connections") == served + 1)
        for client in clients.prefix(served / 2) { try client.expectNothing() }
    }

    @Test func `beyond its descriptors it does not spin`() throws {
        let (daemon, clients) = try crowded()
        _ = clients
        let before = try daemon.stat("turns")
        let ticksBefore = try processorTicks(of: daemon)
        for _ in 1...200 { try daemon.admin().expectNothing() }
        // A turn for each ping, one more for each at most, and the connections at the door.
        #expect(try daemon.stat("turns") - before < 2 * 200 + 200)
        // A spinning loop would use all of the time in which 200 pings wait for each other; a tick
        // is 10 ms, so this only catches the gross case.
        #expect(try processorTicks(of: daemon) - ticksBefore < 100)
    }

    @Test func `when descriptors come free new clients are served`() throws {
        let daemon: TestDaemon
        do {
            let (crowdedDaemon, clients) = try crowded()
            daemon = crowdedDaemon
            _ = clients
            _ = try daemon.stat("connections")
        }
        // Those that nobody had accepted are at the door still, so the first tries may be refused.
        let deadline = ContinuousClock.now + ceiling
        var verdict: String?
        while verdict != "1 {}", ContinuousClock.now < deadline {
            let client = try daemon.connect()
            try? client.send(.ping(1))
            verdict = try? client.frame().verdict
        }
        #expect(verdict == "1 {}")
    }

    private func openDescriptors(of daemon: TestDaemon) throws -> Int {
        let path = "/proc/\(daemon.process.pid)/fd"
        return try FileManager.default.contentsOfDirectory(atPath: path).count
    }

    private func processorTicks(of daemon: TestDaemon) throws -> Int {
        let text = try contents(of: "/proc/\(daemon.process.pid)/stat")
        let fields = text[(text.lastIndex(of: ")") ?? text.startIndex)...].split(separator: " ")
        return try #require(Int(fields[12])) + #require(Int(fields[13]))
    }
}
