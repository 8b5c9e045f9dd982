import Glibc
import Testing

/// A client in a sandbox that shares the broker's socket with it: what is written to its input goes
/// to the broker, and its output is what the broker sends.
final class SandboxedClient {
    let process: ChildProcess
    private let input: Int32
    private let remainder: Int32
    private var lastID = 0

    private static let program = """
        import os, socket, sys, threading
        link = socket.socket(socket.AF_UNIX)
        link.connect(sys.argv[1])
        def hear():
            while data := link.recv(65536):
                os.write(1, data)
        threading.Thread(target=hear, daemon=True).start()
        while data := os.read(0, 65536):
            link.sendall(data)
        """

    /// - Parameter options: those of bwrap, which decide what the sandbox sees.
    init(of daemon: TestDaemon, _ options: [String]) throws {
        let pipe = try PipeEnds()
        (input, remainder) = (pipe.writer, pipe.reader)
        process = try ChildProcess(
            ["bwrap"] + options + ["python3", "-c", Self.program, daemon.socketPath],
            input: pipe.reader)
    }

    deinit {
        close(input)
        close(remainder)
    }

    /// A Flatpak as `flatpak run` starts it: with the runtime's files, and the app's name in its root.
    static func flatpak(_ id: String, of daemon: TestDaemon) throws -> SandboxedClient {
        let info = try daemon.folder.write(
            """
            [Application]
            name=\(id)
            runtime=runtime/org.example.Platform/x86_64/1

            """, to: "\(id).info")
        return try SandboxedClient(
            of: daemon,
            [
                "--unshare-all", "--die-with-parent", "--ro-bind", "/usr", "/usr", "--symlink",
                "usr/lib", "/lib", "--symlink", "usr/lib64", "/lib64", "--symlink", "usr/bin",
                "/bin",
                "--proc", "/proc", "--dev", "/dev", "--ro-bind", info, "/.flatpak-info", "--bind",
                daemon.socketPath, daemon.socketPath,
            ])
    }

    /// Sends a request, and returns the reply.
    func request(_ method: String, _ params: String = "{}") throws -> Frame {
        lastID += 1
        let line = #"{"jsonrpc":"2.0","id":\#(lastID),"method":"\#(method)","params":\#(params)}"#
        let bytes = Array((line + "\n").utf8)
        guard write(input, bytes, bytes.count) == bytes.count else { throw SystemError("write") }
        let begin = #"{"jsonrpc":"2.0","id":\#(lastID),"#
        return Frame(try JSON(try self.line(after: begin)))
    }

    func hello(_ members: String = "") throws -> Frame {
        try request("broker.hello", TestClient.hello(members))
    }

    /// Waits for a whole line that begins like this, and returns it.
    func line(after begin: String) throws -> String {
        func find() -> Substring? {
            process.output.text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
                .last { $0.hasPrefix(begin) }
        }
        guard try process.output.wait(for: { _ in find() != nil }), let line = find() else {
            throw CeilingReached(waitedFor: "\(begin): \(process.errors.text)")
        }
        return String(line)
    }
}
