import Glibc
import Testing

/// A provider in a process of its own: what is written to its input goes to the broker. Python's
/// standard library is enough for it.
private final class ProviderProcess {
    let process: ChildProcess
    private let input: Int32
    private let remainder: Int32

    static let isPossible = (try? ChildProcess(["python3", "-c", ""]).waitForEnd()) == .exited(0)

    private static let program = """
        import os, select, socket, sys, threading
        link = socket.socket(socket.AF_UNIX)
        link.connect(sys.argv[1])
        if sys.argv[2] == "held" and os.fork() == 0:
            os.close(1)
            os.close(2)
            end = select.poll()
            end.register(0, 0)
            end.poll()
            os._exit(0)
        def hear():
            while data := link.recv(65536):
                os.write(1, data)
        threading.Thread(target=hear, daemon=True).start()
        while data := os.read(0, 65536):
            if data == b"close\\n":
                link.shutdown(socket.SHUT_RDWR)
            else:
                link.sendall(data)
        """

    /// - Parameter isHeld: a child of it holds the socket, and lives on when it dies.
    init(of daemon: TestDaemon, isHeld: Bool = false, members: String = "") throws {
        let pipe = try PipeEnds()
        (input, remainder) = (pipe.writer, pipe.reader)
        let mode = isHeld ? "held" : "plain"
        process = try ChildProcess(
            ["python3", "-c", Self.program, daemon.socketPath, mode], input: pipe.reader)
        try send(
            #"{"jsonrpc":"2.0","id":1,"method":"broker.hello","params":"#
                + TestClient.hello(#""roles":["provider"],"identity":"org.example.child""#) + "}")
        try send(
            #"{"jsonrpc":"2.0","id":2,"method":"provider.register","params":"#
                + #"{"display_name":"Child","handle_types":["phone"]\#(members)}}"#)
        try send(
            #"{"jsonrpc":"2.0","id":3,"method":"call.report_incoming","params":{"call":"#
                + #""\#(Self.call)","remote":{"type":"phone","value":"7"}}}"#)
        let rings = try process.output.wait { $0.contains(#""id":3,"result""#) }
        try #require(rings, "\(process.output.text)")
    }

    deinit {
        close(input)
        close(remainder)
    }

    static let call = "ca110000-0000-4000-8000-000000000001"

    func send(_ line: String) throws {
        let bytes = Array((line + "\n").utf8)
        guard write(input, bytes, bytes.count) == bytes.count else { throw SystemError("write") }
    }
}

/// Rules 26 and 27 with real processes. The clock of the daemon stands still, so what happens here
/// happens because a process is noticed to be gone.
@Suite(.enabled(if: ProviderProcess.isPossible))
struct ProviderProcessTests {
    /// Topics as they come, with what matters of them.
    private func events(_ count: Int, of observer: TestClient) throws -> [String] {
        try (0..<count).map { _ in
            let params = try observer.frame().params
            let data = params?["data"]
            let detail = data?["reason"] ?? data?["end_reason"] ?? data?["grace_ms"] ?? .null
            return "\(params?["topic"]?.string ?? "?") \(detail)"
        }
    }

    private func watch(_ daemon: TestDaemon) throws -> TestClient {
        let observer = try daemon.connectReady()
        _ = try observer.request(
            "events.subscribe",
            #"{"topics":["provider.lost","provider.removed","call.changed","call.removed"]}"#)
        return observer
    }

    @Test(arguments: [SIGKILL, SIGTERM, SIGSEGV])
    func `the calls of a process that dies end at once`(signal: Int32) throws {
        let daemon = try TestDaemon()
        let provider = try ProviderProcess(of: daemon)
        let observer = try watch(daemon)
        provider.process.signal(signal)
        let events = try events(5, of: observer)
        #expect(events.first == "provider.lost 5000")
        #expect(events.last == #"provider.removed "process_exited""#)
        #expect(events.contains(#"call.changed "failed""#))
        #expect(events.contains("call.removed null"))
        try observer.expectNothing()
    }

    @Test func `a child that holds the socket does not keep its parent's calls`() throws {
        let daemon = try TestDaemon()
        let provider = try ProviderProcess(of: daemon, isHeld: true)
        let observer = try watch(daemon)
        #expect(try daemon.stat("connections") == 3)
        provider.process.signal(SIGKILL)
        let events = try events(4, of: observer)
        #expect(events.first == "provider.lost 5000")
        #expect(events.last == #"provider.removed "process_exited""#)
    }

    @Test func `a process that closes its connection keeps its calls for its grace`() throws {
        let daemon = try TestDaemon()
        let provider = try ProviderProcess(of: daemon, members: #","grace_ms":20000"#)
        let observer = try watch(daemon)
        try provider.send("close")
        #expect(try events(2, of: observer) == ["provider.lost 20000", "call.changed null"])
        try daemon.advance(19_999)
        try observer.expectNothing()
        // It dies within the grace: nothing to wait for any more.
        provider.process.signal(SIGKILL)
        #expect(try events(3, of: observer).last == #"provider.removed "process_exited""#)
    }

    @Test func `grace over, the calls end though the process lives`() throws {
        let daemon = try TestDaemon()
        let provider = try ProviderProcess(of: daemon)
        let observer = try watch(daemon)
        try provider.send("close")
        #expect(try events(2, of: observer) == ["provider.lost 5000", "call.changed null"])
        try daemon.advance(5_000)
        #expect(try events(3, of: observer).last == #"provider.removed "grace_expired""#)
        #expect(provider.process.endedAlready == nil)
    }

    @Test func `an adapter may die and come back: the app talks on`() throws {
        let daemon = try TestDaemon()
        let provider = try ProviderProcess(of: daemon, members: #","app_process":"separate""#)
        let observer = try watch(daemon)
        provider.process.signal(SIGKILL)
        #expect(try events(2, of: observer) == ["provider.lost 15000", "call.changed null"])
        _ = try provider.process.waitForEnd()
        try daemon.advance(14_999)
        try observer.expectNothing()
        try daemon.advance(1)
        #expect(try events(3, of: observer).last == #"provider.removed "grace_expired""#)
    }
}
