import Glibc
import Testing

/// Socket activation and the messages of sd_notify.
struct ServiceManagerTests {
    private let activation = [
        "/bin/sh", "-c", #"LISTEN_PID=$$ LISTEN_FDS=1 exec "$@""#, "sh", executablePath, "serve",
    ]

    @Test func `a socket it is given is served, also to who connected before`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("given.sock")
        let listener = try UnixSocket.listening(on: path)
        defer { close(listener) }
        let early = try TestClient(path)
        try early.send(.ping(1))
        let process = try ChildProcess(
            activation, environment: ["HOME": folder.path], passing: listener)
        #expect(try process.errors.wait { $0.contains("listening on \(path)\n") })
        #expect(try early.frame().verdict == "1 {}")
        try TestClient(path).expectNothing()
        process.signal(SIGTERM)
        #expect(try process.waitForEnd() == .exited(0))
        // It belongs to the service manager, which keeps listening.
        #expect(FileStatus(path)?.kind == .socket)
        let late = try TestClient(path)
        try late.send(.ping(2))
        let next = try ChildProcess(
            activation, environment: ["HOME": folder.path], passing: listener)
        #expect(try late.frame().verdict == "2 {}")
        withExtendedLifetime(next) {}
    }

    @Test func `a socket given to somebody else is not taken`() throws {
        let folder = try TemporaryFolder()
        let listener = try UnixSocket.listening(on: folder.file("given.sock"))
        defer { close(listener) }
        let daemon = try TestDaemon(
            in: folder, environment: ["LISTEN_PID": "1", "LISTEN_FDS": "1"], passing: listener)
        #expect(daemon.log.contains("listening on \(daemon.socketPath)\n"))
        try daemon.connect().expectNothing()
    }

    @Test func `a given descriptor that is no listening socket is refused`() throws {
        let folder = try TemporaryFolder()
        let file = open(try folder.write("", to: "file"), O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let process = try ChildProcess(
            activation, environment: ["HOME": folder.path], passing: file)
        #expect(try process.waitForEnd() != .exited(0))
        #expect(!process.errors.text.isEmpty)
    }

    @Test func `READY is told when it serves and STOPPING when it stops`() throws {
        let folder = try TemporaryFolder()
        let notices = try UnixSocket.bound(to: folder.file("notify"), SOCK_DGRAM)
        defer { close(notices) }
        let daemon = try TestDaemon(
            in: folder, environment: ["NOTIFY_SOCKET": folder.file("notify")])
        #expect(try notice(on: notices).contains("READY=1"))
        try daemon.connect().expectNothing()
        #expect(try daemon.stop() == .exited(0))
        var last = ""
        repeat { last = try notice(on: notices) } while !last.contains("STOPPING=1")
    }

    @Test func `it can be reached the moment it says READY`() throws {
        let folder = try TemporaryFolder()
        let notices = try UnixSocket.bound(to: folder.file("notify"), SOCK_DGRAM)
        defer { close(notices) }
        let path = folder.file("broker.sock")
        let process = try ChildProcess(
            [executablePath, "serve", "--test-mode", "--socket", path],
            environment: ["NOTIFY_SOCKET": folder.file("notify")])
        #expect(try notice(on: notices).contains("READY=1"))
        try TestClient(path).expectNothing()
        withExtendedLifetime(process) {}
    }

    @Test func `READY is told again when the manager had no room for it`() throws {
        let folder = try TemporaryFolder()
        let path = folder.file("notify")
        let notices = try UnixSocket.bound(to: path, SOCK_DGRAM)
        defer { close(notices) }
        var count = 0
        while try UnixSocket.sends("STATUS=\(count)", to: path) { count += 1 }
        // It serves meanwhile.
        let daemon = try TestDaemon(arguments: [], in: folder, environment: ["NOTIFY_SOCKET": path])
        try daemon.connect().expectNothing()
        for number in 0..<count { #expect(try notice(on: notices) == "STATUS=\(number)") }
        #expect(try notice(on: notices) == "READY=1")
    }

    @Test func `the watchdog is fed for as long as the loop turns`() throws {
        let folder = try TemporaryFolder()
        let notices = try UnixSocket.bound(to: folder.file("notify"), SOCK_DGRAM)
        defer { close(notices) }
        let daemon = try TestDaemon(
            arguments: [], in: folder,
            environment: ["NOTIFY_SOCKET": folder.file("notify"), "WATCHDOG_USEC": "100000"])
        defer { withExtendedLifetime(daemon) {} }
        for _ in 1...3 {
            while try !notice(on: notices).contains("WATCHDOG=1") {}
        }
    }

    private func notice(on descriptor: Int32) throws -> String {
        guard waitFor(POLLIN, on: descriptor, until: .now + ceiling) else {
            throw CeilingReached(waitedFor: "a notice")
        }
        var buffer = [UInt8](repeating: 0, count: 4_096)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return String(decoding: buffer[..<max(count, 0)], as: UTF8.self)
    }
}
