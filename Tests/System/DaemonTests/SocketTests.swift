import Glibc
import Testing

/// Section 1, the socket: where it is, who may reach it, and what may not stand in its place.
struct SocketTests {
    @Test func `the socket is ours alone`() throws {
        let daemon = try TestDaemon()
        #expect(FileStatus(daemon.socketPath)?.kind == .socket)
        #expect(FileStatus(daemon.socketPath)?.permissions == 0o600)
        #expect(FileStatus(daemon.folder.file("state"))?.permissions ?? 0o700 == 0o700)
    }

    @Test func `the socket is ours alone under any umask`() throws {
        let daemon = try TestDaemon(wrapper: ["/bin/sh", "-c", #"umask 0; exec "$@""#, "sh"])
        #expect(FileStatus(daemon.socketPath)?.permissions == 0o600)
        for name in namesInFolder(daemon.folder.path) {
            #expect(try #require(FileStatus(daemon.folder.file(name))).permissions & 0o077 == 0)
        }
    }

    @Test func `by default it lies in a folder of its own in XDG_RUNTIME_DIR`() throws {
        let folder = try TemporaryFolder()
        let process = try started(["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path])
        let path = folder.file("callbroker/broker.sock")
        #expect(process.errors.text.contains("listening on \(path)\n"))
        #expect(FileStatus(folder.file("callbroker"))?.permissions == 0o700)
        #expect(FileStatus(path)?.permissions == 0o600)
        try TestClient(path).expectNothing()
    }

    @Test func `BROKER_SOCKET comes before XDG_RUNTIME_DIR, and --socket before both`() throws {
        let folder = try TemporaryFolder()
        let (first, second) = (folder.file("first.sock"), folder.file("second.sock"))
        let variables = [
            "XDG_RUNTIME_DIR": folder.path, "BROKER_SOCKET": first, "HOME": folder.path,
        ]
        let process = try started(variables)
        #expect(process.errors.text.contains("listening on \(first)\n"))
        let other = try started(
            variables, arguments: ["--socket", second, "--state-dir", folder.file("state")])
        #expect(other.errors.text.contains("listening on \(second)\n"))
        let run = try Tool("request", "broker.ping", environment: variables)
        #expect(run.end == .exited(0))
    }

    /// A daemon that is not told its path by the harness.
    private func started(
        _ environment: [String: String], arguments: [String] = []
    ) throws -> ChildProcess {
        let process = try ChildProcess(
            [executablePath, "serve"] + arguments, environment: environment)
        try #require(try process.errors.wait { $0.contains("listening on ") })
        return process
    }

    @Test func `a path of 107 bytes is served and a longer one refused with the reason`() throws {
        let folder = try TemporaryFolder()
        let fill = 107 - folder.path.utf8.count - 1
        let fit = folder.file(String(repeating: "s", count: fill))
        let process = try started([:], arguments: ["--test-mode", "--socket", fit])
        try TestClient(fit).expectNothing()
        process.signal(SIGTERM)
        #expect(try process.waitForEnd() == .exited(0))
        let refused = try Tool("serve", "--test-mode", "--socket", fit + "s")
        #expect(refused.end != .exited(0))
        #expect(refused.errors.contains("107"))
        #expect(refused.errors.split(separator: "\n").count <= 3)
    }

    @Test func `a stale socket is replaced`() throws {
        let folder = try TemporaryFolder()
        let first = try TestDaemon(in: folder)
        #expect(try first.stop(SIGKILL) == .killed(by: SIGKILL))
        #expect(FileStatus(first.socketPath)?.kind == .socket)
        try TestDaemon(in: folder).connect().expectNothing()
    }

    @Test func `a second daemon on the same path is refused and the first is unharmed`() throws {
        let first = try TestDaemon()
        let client = try first.connectReady()
        let socket = FileStatus(first.socketPath)
        let refusal = try TestDaemon.refusal(in: first.folder)
        #expect(refusal.end == .exited(3))
        #expect(refusal.message.contains(first.socketPath))
        #expect(refusal.message.contains("already"))
        #expect(refusal.message.split(separator: "\n").count == 1)
        #expect(FileStatus(first.socketPath) == socket)
        try client.expectNothing()
        try first.connect().expectNothing()
    }

    @Test func `of 50 daemons started at once exactly one serves`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("broker.sock")
        let processes = try (1...50).map { _ in
            try ChildProcess([executablePath, "serve", "--test-mode", "--socket", path])
        }
        var serving: [ChildProcess] = []
        for process in processes {
            if try process.errors.wait(for: { $0.contains("listening on ") }) {
                serving.append(process)
            } else {
                #expect(try process.waitForEnd() == .exited(3))
            }
        }
        #expect(serving.count == 1)
        try TestClient(path).expectNothing()
    }

    @Test func `of 50 daemons over a stale socket exactly one serves`() throws {
        let folder = try TemporaryFolder()
        let stale = try TestDaemon(in: folder)
        _ = try stale.stop(SIGKILL)
        let processes = try (1...50).map { _ in
            try ChildProcess([executablePath, "serve", "--test-mode", "--socket", stale.socketPath])
        }
        let serving = try processes.filter {
            try $0.errors.wait(for: { $0.contains("listening on ") })
        }
        #expect(serving.count == 1)
        try TestClient(stale.socketPath).expectNothing()
    }

    @Test func `a regular file in place of the socket is refused and untouched`() throws {
        let folder = try TemporaryFolder()
        let path = try folder.write("precious\n", to: "broker.sock")
        let before = FileStatus(path)
        let refusal = try TestDaemon.refusal(in: folder)
        #expect(refusal.end != .exited(0))
        #expect(refusal.message.contains(path))
        #expect(FileStatus(path) == before)
        #expect(try contents(of: path) == "precious\n")
    }

    @Test func `a link in place of the socket is refused, it and its target untouched`() throws {
        let folder = try TemporaryFolder()
        for target in [try folder.write("precious\n", to: "target"), folder.file("nowhere")] {
            let path = folder.file("broker.sock")
            symlink(target, path)
            let before = FileStatus(path)
            #expect(try TestDaemon.refusal(in: folder).end != .exited(0))
            #expect(FileStatus(path) == before)
            unlink(path)
        }
        #expect(try contents(of: folder.file("target")) == "precious\n")
        #expect(FileStatus(folder.file("nowhere")) == nil)
    }

    @Test func `a folder in place of the socket is refused`() throws {
        let folder = try TemporaryFolder()
        mkdir(folder.file("broker.sock"), 0o700)
        #expect(try TestDaemon.refusal(in: folder).end != .exited(0))
        #expect(FileStatus(folder.file("broker.sock"))?.kind == .folder)
    }

    @Test func `a foreign server's live socket is refused and untouched`() throws {
        let folder = try TemporaryFolder()
        let listener = try UnixSocket.listening(on: folder.file("broker.sock"))
        defer { close(listener) }
        let before = FileStatus(folder.file("broker.sock"))
        #expect(try TestDaemon.refusal(in: folder).end == .exited(3))
        #expect(FileStatus(folder.file("broker.sock")) == before)
    }

    @Test func `a folder that is missing is named`() throws {
        let folder = try TemporaryFolder()
        let run = try Tool("serve", "--test-mode", "--socket", folder.file("none/broker.sock"))
        #expect(run.end != .exited(0))
        #expect(run.errors.contains(folder.file("none")))
    }

    @Test(.enabled(if: getuid() == 0), arguments: [0o770, 0o707] as [mode_t])
    func `a runtime folder that others may enter is not used`(mode: mode_t) throws {
        let folder = try TemporaryFolder()
        mkdir(folder.file("callbroker"), 0o700)
        chmod(folder.file("callbroker"), mode)
        let run = try ChildProcess(
            [executablePath, "serve"],
            environment: ["XDG_RUNTIME_DIR": folder.path, "HOME": folder.path])
        if try run.errors.wait(for: { $0.contains("listening on ") }) {
            // Served after all: then it has closed the folder first.
            #expect(FileStatus(folder.file("callbroker"))?.permissions == 0o700)
        } else {
            #expect(try run.waitForEnd() != .exited(0))
            #expect(run.errors.text.contains(folder.file("callbroker")))
        }
    }

    @Test(
        .enabled(if: access("/usr/bin/nc", X_OK) == 0 || access("/bin/nc", X_OK) == 0))
    func `one printf and nc are a client`() throws {
        let daemon = try TestDaemon()
        let line = #"printf '{"jsonrpc":"2.0","id":1,"method":"broker.ping"}' | nc -U -N "$1""#
        let shell = try ChildProcess(["/bin/sh", "-c", line, "sh", daemon.socketPath])
        #expect(try shell.waitForEnd() == .exited(0))
        try shell.output.readToEnd()
        #expect(shell.output.text == #"{"jsonrpc":"2.0","id":1,"result":{}}"# + "\n")
    }
}
