import Testing

/// A client that pings and does not read.
struct Flood {
    let client: TestClient
    let daemon: TestDaemon
    /// How many pings went out whole; the next one may have gone in part.
    private(set) var count = 0
    private let payload: String
    private var rest: ArraySlice<UInt8> = []

    init(_ client: TestClient, of daemon: TestDaemon, payload: String) {
        (self.client, self.daemon, self.payload) = (client, daemon, payload)
    }

    /// Sends until the broker takes nothing any more.
    mutating func fill() throws {
        while true {
            if rest.isEmpty { rest = Array((.ping(count + 1, payload: payload) + "\n").utf8)[...] }
            if try !send() {
                // Some turns of the broker later, a second refusal means that it reads no more.
                let turn = try daemon.stat("turns")
                try daemon.wait(for: "turns") { $0 >= turn + 3 }
                if try !send() { return }
            }
        }
    }

    /// Sends what goes of the ping at hand; false if nothing went.
    private mutating func send() throws -> Bool {
        let sent = try client.sendSome(rest)
        rest = rest.dropFirst(sent)
        if rest.isEmpty { count += 1 }
        return sent > 0
    }

    /// Reads until the broker could write some of what waits.
    func letTheBrokerWrite() throws {
        let queued = try daemon.stat("bytes_queued")
        try daemon.wait(for: "bytes_queued") {
            client.readSome(atMost: 65_536)
            return $0 < queued
        }
    }
}

/// Section 11, the output queue: what a client that does not read may cost, and how it ends.
struct QueueTests {
    private let payload = #"""# + String(repeating: "a", count: 30_000) + #"""#

    @discardableResult
    private func fill(
        _ client: TestClient, of daemon: TestDaemon, payload: String? = nil
    ) throws -> Flood {
        var flood = Flood(client, of: daemon, payload: payload ?? self.payload)
        try flood.fill()
        return flood
    }

    @Test func `a client that never reads costs no more than its bound`() throws {
        let daemon = try TestDaemon()
        _ = try daemon.stat("turns")
        let before = try daemon.residentBytes()
        let client = try daemon.connectReady()
        try fill(client, of: daemon)
        let queued = try daemon.stat("bytes_queued")
        #expect(queued >= 262_144 / 2)
        #expect(queued <= 1_048_576)
        // The queue, what is read in advance, and room for the allocator.
        #expect(try daemon.residentBytes() - before < 8 << 20)
    }

    @Test func `above the soft bound reading pauses, and goes on when the client reads`() throws {
        let daemon = try TestDaemon()
        let client = try daemon.connect()
        let flood = try fill(client, of: daemon)
        let verdicts = try client.verdicts(flood.count)
        #expect(verdicts == (1...flood.count).map { #"\#($0) {"payload":\#(payload)}"# })
        #expect(try daemon.stat("bytes_queued") == 0)
    }

    @Test func `the soft bound follows the configuration`() throws {
        let daemon = try TestDaemon(limits: ["queue_soft_bytes": 65_536])
        let client = try daemon.connect()
        try fill(client, of: daemon)
        let queued = try daemon.stat("bytes_queued")
        // One turn's frames may be answered beyond it; a frame here is 30 kB.
        #expect(queued < 65_536 + 4 * 65_536)
    }

    @Test func `many small answers are bounded by their number`() throws {
        let limits = ["queue_hard_frames": 64, "queue_soft_bytes": 1_000_000]
        let daemon = try TestDaemon(limits: limits)
        let client = try daemon.connectReady()
        try fill(client, of: daemon, payload: "1")
        // At most 64 frames in the queue and one turn of 64 frames, 50 bytes each.
        #expect(try daemon.stat("bytes_queued") <= (64 + 64) * 64)
    }

    /// Limits under which answers alone reach the hard bound.
    private let low = ["queue_soft_bytes": 65_536, "queue_hard_bytes": 65_536]

    @Test func `a client that stops reading between its bounds is kept, and costs no more`() throws
    {
        // It may be in a debugger. Its replies stop at the soft bound, so it never gets beyond.
        let daemon = try TestDaemon()
        let client = try daemon.connectReady(#""roles":["controller"]"#)
        try fill(client, of: daemon)
        let queued = try daemon.stat("bytes_queued")
        try daemon.advance(60_000)
        #expect(try daemon.stat("connections") == 2)
        #expect(try daemon.stat("bytes_queued") == queued)
        #expect(!daemon.log.contains("stalled"))
    }

    @Test func `a client above the hard bound is dismissed after 5 s, not before`() throws {
        let daemon = try TestDaemon(limits: low)
        let client = try daemon.connectReady(#""roles":["controller"]"#)
        try fill(client, of: daemon)
        try daemon.advance(4_999)
        #expect(!daemon.log.contains("stalled"))
        #expect(try daemon.stat("connections") == 2)
        try daemon.advance(1)
        #expect(try daemon.logs("stalled"))
        try daemon.advance(5_000)
        #expect(try daemon.stat("connections") == 1)
        #expect(try daemon.stat("bytes_queued") == 0)
    }

    @Test func `a dismissed client that reads at last finds the goodbye`() throws {
        let daemon = try TestDaemon(limits: low)
        let client = try daemon.connectReady(#""roles":["controller"]"#)
        try fill(client, of: daemon)
        try daemon.advance(5_000)
        let verdicts = try client.verdictsToEnd()
        #expect(verdicts.last == #"broker.goodbye "stalled""#)
    }

    @Test func `progress gives another 5 s`() throws {
        let daemon = try TestDaemon(limits: low)
        let client = try daemon.connectReady(#""roles":["controller"]"#)
        var flood = try fill(client, of: daemon)
        for _ in 1...3 {
            try daemon.advance(4_999)
            try flood.letTheBrokerWrite()
            try flood.fill()
        }
        try daemon.advance(4_999)
        #expect(!daemon.log.contains("stalled"))
    }

    @Test func `progress gives 5 s and no more`() throws {
        let daemon = try TestDaemon(limits: low)
        let client = try daemon.connectReady(#""roles":["controller"]"#)
        var flood = try fill(client, of: daemon)
        try daemon.advance(1_000)
        try flood.letTheBrokerWrite()
        try flood.fill()
        try daemon.advance(5_000)
        #expect(try daemon.logs("stalled"))
    }

    @Test func `one that never reads delays nobody`() throws {
        let daemon = try TestDaemon()
        let slow = try daemon.connect()
        try fill(slow, of: daemon)
        let client = try daemon.connect()
        for id in 1...100 {
            try client.send(.ping(id))
            #expect(try client.frame().verdict == "\(id) {}")
        }
    }

    @Test func `a user's queues are bounded together, at the cost of the largest`() throws {
        let bound = 400_000
        let daemon = try TestDaemon(limits: ["user_queue_bytes": bound])
        let clients = try (1...6).map { _ in try daemon.connect() }
        for client in clients {
            for id in 1...20 {
                let line = Array((.ping(id, payload: payload) + "\n").utf8)
                if (try? client.sendSome(line[...])) != line.count { break }
                // The admin has the smallest queue of all and must not be the one that pays.
                _ = try daemon.stat("turns")
            }
        }
        // One frame more for each, as whole frames are queued.
        #expect(try daemon.stat("bytes_queued") <= bound + 6 * 65_536)
        try daemon.connect().expectNothing()
    }

    @Test func `a client that closes takes its queue with it`() throws {
        let daemon = try TestDaemon()
        do {
            let client = try TestClient(daemon.socketPath)
            try fill(client, of: daemon)
            #expect(try daemon.stat("bytes_queued") > 0)
        }
        try daemon.wait(for: "connections") { $0 == 1 }
        #expect(try daemon.stat("bytes_queued") == 0)
    }

    @Test func `hundreds that never read cost their bound each and are gone after 5 s`() throws {
        let count = 100
        let daemon = try TestDaemon(limits: ["queue_soft_bytes": 16_384])
        _ = try daemon.stat("turns")
        let before = try daemon.residentBytes()
        let clients = try (1...count).map { _ in try daemon.connect() }
        for client in clients {
            try client.hello()
            for id in 1...8 {
                _ = try client.sendSome(Array((.ping(id, payload: payload) + "\n").utf8)[...])
            }
        }
        #expect(try daemon.stat("connections") == count + 1)
        #expect(try daemon.residentBytes() - before < count * (262_144 + 65_536))
        #expect(try daemon.stat("bytes_queued") <= count * (16_384 + 65_536))
    }
}
