import Glibc
import Testing

/// An app in a process of its own, with a call that speaks. It answers pings, and comes back when its
/// connection is closed. Python's standard library is enough for it.
private struct App {
    static let isPossible = (try? ChildProcess(["python3", "-c", ""]).waitForEnd()) == .exited(0)
    static let call = "ca110000-0000-4000-8000-000000000001"

    private static let program = """
        import contextlib, json, os, socket, sys
        hello = {"protocol": {"min": 1, "max": 1}, "client": {"name": "app", "version": "1"},
                 "roles": ["provider"], "identity": "org.example.app"}
        call = {"call": sys.argv[2], "direction": "incoming", "state": "active",
                "remote": {"type": "phone", "value": "7"}}
        def run():
            link = socket.socket(socket.AF_UNIX)
            link.connect(sys.argv[1])
            def send(**frame):
                link.sendall(json.dumps({"jsonrpc": "2.0", **frame}).encode() + b"\\n")
            send(id=1, method="broker.hello", params=hello)
            send(id=2, method="provider.register", params={
                "display_name": "App", "handle_types": ["phone"], "grace_ms": 30000,
                "calls": [call]})
            for line in link.makefile("rb"):
                os.write(1, line)
                frame = json.loads(line)
                if frame.get("id") == 1 and "result" in frame:
                    session = frame["result"]["session"]
                    hello["resume"] = {name: session[name] for name in ("session", "secret")}
                if frame.get("method") == "broker.ping":
                    with contextlib.suppress(OSError):
                        send(id=frame["id"], result={})
        while True:
            run()
        """

    let process: ChildProcess

    init(of daemon: TestDaemon) throws {
        process = try ChildProcess(["python3", "-c", Self.program, daemon.socketPath, Self.call])
        try #require(try writes(#""calls":["\#(Self.call)"]"#), "\(process.output.text)")
    }

    /// Whether the broker sends it this.
    func writes(_ text: String) throws -> Bool {
        try process.output.wait { $0.contains(text) }
    }
}

/// Rule 27 with a real process that is stopped and goes on.
@Suite(.enabled(if: App.isPossible))
struct HungProviderTests {
    private func state(of daemon: TestDaemon) throws -> String {
        let client = try daemon.connectReady()
        let call = try client.request("call.get", #"{"call":"\#(App.call)"}"#).result
        return "\(call?["state"] ?? .null) \(call?["provider_connected"] ?? .null)"
    }

    @Test func `an app with an active call that is stopped is noticed, and comes back`() throws {
        let daemon = try TestDaemon(policy: #"{"heartbeat_ms":1000}"#, arguments: [])
        let app = try App(of: daemon)
        let observer = try daemon.connectReady()
        _ = try observer.request(
            "events.subscribe",
            #"{"topics":["broker.anomaly","provider.*","call.changed"],"snapshot":false}"#)
        app.process.signal(SIGSTOP)
        let anomaly = try observer.frame().params?["data"]
        #expect(anomaly?["anomaly"]?.string == "provider_hung")
        #expect(anomaly?["provider"]?.string == "org.example.app")
        #expect(try observer.frame().params?["topic"]?.string == "provider.lost")
        #expect(try observer.frame().params?["topic"]?.string == "call.changed")
        #expect(try state(of: daemon) == #""active" false"#)

        app.process.signal(SIGCONT)
        #expect(try app.writes(#""reason":"unresponsive""#))
        #expect(try app.writes(#""resumed":true"#))
        #expect(try observer.frame().params?["topic"]?.string == "provider.resumed")
        #expect(try state(of: daemon) == #""active" true"#)
        #expect(app.process.endedAlready == nil)
    }

    @Test func `the clock of a test does not outrun an app that answers`() throws {
        let daemon = try TestDaemon()
        let app = try App(of: daemon)
        try daemon.advance(120_000)
        #expect(try state(of: daemon) == #""active" true"#)
        let isPingedOften = try app.process.output.wait {
            $0.split(separator: "\n").filter { $0.contains("broker.ping") }.count == 12
        }
        #expect(isPingedOften)
    }
}
