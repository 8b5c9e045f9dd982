import Glibc
import Testing

/// `callbroker metrics`: the text of the figures, and their server.
struct MetricsVerbTests {
    private let world: ToolWorld

    init() throws {
        world = try ToolWorld()
    }

    /// A running `callbroker metrics --listen`, with the port that it has.
    private struct Server {
        let process: ChildProcess
        let port: UInt16

        init(_ world: ToolWorld, _ place: String = "0") throws {
            process = try world.start(["metrics", "--timeout", "60", "--listen", place])
            let isReady = try process.errors.wait { $0.contains("/metrics\n") }
            try #require(isReady, "\(process.errors.text)")
            let match = process.errors.text.firstMatch(of: /:([0-9]+)\/metrics/)
            port = try #require(UInt16(match?.1 ?? "0"))
        }

        func connect() throws -> Int32 {
            let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
            let descriptor = socket(AF_INET, kind, 0)
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = inet_addr("127.0.0.1")
            let status = withUnsafePointer(to: &address) {
                $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                }
            }
            try #require(status == 0)
            return descriptor
        }

        /// Sends the head of a request, and returns everything that comes until the end.
        func ask(_ head: String) throws -> String {
            let client = LineSocket(try connect())
            try client.send(Array((head + "\r\n\r\n").utf8))
            var lines: [String] = []
            while let line = try client.line() { lines.append(line) }
            return lines.joined(separator: "\n") + "\n"
        }
    }

    @Test func `the figures are OpenMetrics text, or classic text`() throws {
        try world.provider.rings(ToolWorld.ada, from: ToolWorld.adaNumber)
        let run = try world.run("metrics")
        #expect(run.end == .exited(0))
        #expect(run.output.hasSuffix("\n# EOF\n"))
        #expect(
            run.output.contains(
                #"callbroker_calls{provider="org.example.a",state="ringing"} 1"#))
        #expect(run.output.contains("# TYPE callbroker_requests counter\n"))
        #expect(run.output.contains("# UNIT callbroker_uptime_seconds seconds\n"))
        #expect(!run.output.contains("5550123"))
        let classic = try world.run("metrics", "--classic").output
        #expect(classic.contains("# TYPE callbroker_requests_total counter\n"))
        #expect(!classic.contains("# EOF") && !classic.contains("# UNIT"))
    }

    @Test func `buckets add up, and the last has all`() throws {
        try world.talkToAda()
        let lines = try world.run("metrics").output.split(separator: "\n")
        let name = #"callbroker_action_duration_seconds_bucket{kind="answer","#
        let counts = lines.filter { $0.hasPrefix(name) }
            .compactMap { Int($0.split(separator: " ").last ?? "") }
        #expect(counts == counts.sorted())
        #expect(counts.last == 1)
        #expect(
            lines.contains(#"callbroker_action_duration_seconds_count{kind="answer"} 1"#))
    }

    @Test func `a scraper gets the format that it accepts`() throws {
        let server = try Server(world)
        let classic = try server.ask("GET /metrics HTTP/1.1\r\nHost: localhost")
        #expect(classic.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(classic.contains("Content-Type: text/plain; version=0.0.4"))
        let open = try server.ask(
            "GET /metrics?x=1 HTTP/1.1\r\naccept: application/OpenMetrics-text; version=1.0.0")
        #expect(open.contains("Content-Type: application/openmetrics-text; version=1.0.0"))
        #expect(open.hasSuffix("# EOF\n"))
        let head = try server.ask("HEAD /metrics HTTP/1.0")
        #expect(
            head.hasPrefix("HTTP/1.1 200 OK\r\n") && head.hasSuffix("Connection: close\r\n\r\n"))
        server.process.signal(SIGTERM)
    }

    @Test(arguments: [
        ("GET / HTTP/1.1", "404"), ("POST /metrics HTTP/1.1", "405"), ("GET /metrics", "400"),
        ("", "400"), ("GET metrics HTTP/1.1", "400"), ("\u{0}\u{1}\u{2}", "400"),
        ("GET /metrics HTTP/1.1\r\nx: " + String(repeating: "y", count: 20_000), "431"),
    ])
    func `bad requests get an error, and the next one its figures`(
        head: String, status: String
    ) throws {
        let server = try Server(world)
        #expect(try server.ask(head).hasPrefix("HTTP/1.1 \(status) "))
        #expect(try server.ask("GET /metrics HTTP/1.1").hasPrefix("HTTP/1.1 200 "))
        server.process.signal(SIGTERM)
    }

    @Test func `clients that send nothing delay no other`() throws {
        let server = try Server(world)
        let silent = try (1...100).map { _ in try server.connect() }
        defer { for descriptor in silent { close(descriptor) } }
        #expect(try server.ask("GET /metrics HTTP/1.1").hasPrefix("HTTP/1.1 200 "))
        server.process.signal(SIGTERM)
    }

    @Test func `without a broker a scraper gets 503 with the reason`() throws {
        let server = try Server(world)
        #expect(try world.daemon.stop() == .exited(0))
        let reply = try server.ask("GET /metrics HTTP/1.1")
        #expect(reply.hasPrefix("HTTP/1.1 503 "))
        #expect(reply.contains("no broker is listening"))
        server.process.signal(SIGTERM)
    }

    @Test func `a Unix socket is served, too`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("metrics.sock")
        let process = try world.start(["metrics", "--listen", "unix:\(path)"])
        let isReady = try process.errors.wait { $0.contains("listening on unix:\(path)") }
        try #require(isReady)
        let client = LineSocket(try UnixSocket.connected(to: path))
        try client.send(Array("GET /metrics HTTP/1.1\r\n\r\n".utf8))
        #expect(try client.line() == "HTTP/1.1 200 OK\r")
        process.signal(SIGTERM)
    }

    @Test(arguments: [
        ("nowhere", "not an address to listen on"), ("127.0.0.1:99999", "not an address"),
        ("example.org:0", "must be numeric"), ("203.0.113.1:0", "cannot listen on"),
    ])
    func `an address that cannot be used is refused`(place: String, words: String) throws {
        let run = try world.run("metrics", "--listen", place)
        #expect(run.end == .exited(place.hasPrefix("203") ? 3 : 2))
        #expect(run.errors.contains(words))
        #expect(run.errors.split(separator: "\n").count == 1)
    }

    @Test func `without a broker the exit code is 3`() throws {
        let run = try Tool("metrics", socketPath: "/nowhere/broker.sock")
        #expect(run.end == .exited(3))
    }
}
