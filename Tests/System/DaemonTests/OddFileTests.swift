import Glibc
import Testing

/// Something else where the daemon expects a file. It neither waits for it nor reads it for ever: it
/// answers, and says which one it is.
struct OddFileTests {
    private let folder: TemporaryFolder
    private let state: String

    init() throws {
        folder = try TemporaryFolder()
        state = folder.file("state")
        try #require(mkdir(state, 0o700) == 0)
    }

    /// What stands there, and how it is called.
    static let kinds = ["a named pipe", "a device", "a folder"]

    private func make(_ kind: String, _ name: String) throws -> String {
        let path = folder.file(name)
        switch kind {
        case "a named pipe": try #require(mkfifo(path, 0o600) == 0)
        case "a device": try #require(symlink("/dev/zero", path) == 0)
        default: try #require(mkdir(path, 0o700) == 0)
        }
        return path
    }

    private func daemon(_ arguments: String...) throws -> TestDaemon {
        try TestDaemon(arguments: ["--test-mode"] + arguments, in: folder)
    }

    private func doctor(_ daemon: TestDaemon) throws -> String {
        try Tool("doctor", "--json", "--socket", daemon.socketPath, "--state-dir", state).output
    }

    @Test(arguments: kinds) func `as journal it is moved aside`(kind: String) throws {
        let path = try make(kind, "state/journal")
        let daemon = try daemon()
        try daemon.connect().expectNothing()
        let called = kind == "a device" ? "a link" : kind
        #expect(try daemon.logs("saved as \(path).kept-1): \(path) is \(called), not a file"))
        #expect(FileStatus(path)?.kind == .regular)
        #expect(try doctor(daemon).contains("\(path).kept-1"))
    }

    @Test(arguments: kinds) func `as choices for plugins it is moved aside`(kind: String) throws {
        let path = try make(kind, "state/plugins.json")
        let daemon = try daemon()
        try daemon.connect().expectNothing()
        #expect(try daemon.logs("saved as \(path).kept-1): \(path) is \(kind), not a file"))
        #expect(try doctor(daemon).contains("\(path).kept-1"))
    }

    @Test(arguments: kinds, ["", "-wal", "-journal"])
    func `as store it does not keep the broker from answering`(kind: String, part: String) throws {
        let path = try make(kind, "state/store.sqlite\(part)")
        let daemon = try daemon()
        try daemon.connect().expectNothing()
        let user = try daemon.connectReady(#""roles":["observer"]"#)
        let error = try user.request("contact.list", isAlone: false).error
        #expect("\(error ?? .null)".contains("is \(kind), not a file"), "\(path)")
    }

    @Test(arguments: kinds)
    func `as configuration it is refused`(kind: String) throws {
        let path = try make(kind, "config.json")
        let refusal = try TestDaemon.refusal(
            arguments: ["--test-mode", "--config", path], in: folder)
        #expect(refusal.end == .exited(1))
        #expect(refusal.message.contains("\(path) is \(kind), not a file"))
    }

    @Test(arguments: kinds, ["state/lock", "broker.sock.lock"])
    func `as lock it is refused`(kind: String, name: String) throws {
        let path = try make(kind, name)
        let refusal = try TestDaemon.refusal(in: folder)
        let called = kind == "a device" ? "a link" : kind
        #expect(refusal.message.contains("\(path) is \(called), not a file"))
    }

    @Test(arguments: kinds)
    func `as manifest it is a broken plugin, at the start and later`(kind: String) throws {
        try #require(mkdir(folder.file("plugins"), 0o700) == 0)
        let first = try make(kind, "plugins/org.a.plugin.json")
        let daemon = try daemon("--plugin-dir", folder.file("plugins"))
        let admin = try daemon.connectReady(#""roles":["admin"]"#)
        let second = try make(kind, "plugins/org.b.plugin.json")
        _ = try admin.request("plugin.rescan", isAlone: false)
        try admin.expectNothing()
        let findings = try doctor(daemon)
        for path in [first, second] {
            #expect(try daemon.logs("\(path) is \(kind), not a file"))
            #expect(findings.contains("\(path) is \(kind), not a file"))
        }
    }

    @Test func `a folder with very many names does not keep the broker from answering`() throws {
        let plugins = folder.file("plugins")
        try #require(mkdir(plugins, 0o700) == 0)
        for number in 0...10_000 { close(creat("\(plugins)/\(number)", 0o600)) }
        let daemon = try daemon("--plugin-dir", plugins)
        try daemon.connect().expectNothing()
    }

    @Test func `a state folder may be behind a link of the user's own`() throws {
        try #require(rmdir(state) == 0)
        let real = folder.file("real")
        try #require(mkdir(real, 0o700) == 0)
        try #require(symlink(real, state) == 0)
        let daemon = try daemon()
        try daemon.connect().expectNothing()
        #expect(FileStatus(real + "/journal")?.kind == .regular)
    }

    @Test func `a state folder behind a link that leads nowhere is refused`() throws {
        try #require(rmdir(state) == 0)
        try #require(symlink(folder.file("real"), state) == 0)
        let refusal = try TestDaemon.refusal(in: folder)
        #expect(refusal.message.contains("the link \(state) is broken"))
    }
}
