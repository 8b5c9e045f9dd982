import Glibc
import Testing

/// What becomes of processes that plugins have detached from themselves. Where the host has no cgroups
/// for us, they live on; so each test looks whether this one has one.
struct PluginChildrenTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    /// A plugin that forks twice, with a session of its own in between, as daemons do.
    private func daemon(_ members: String = "") throws -> TestDaemon {
        try folder.write(
            """
            (setsid sh -c 'echo $$ >pid.new; mv pid.new pid; exec sleep 600' &)
            exec tail -f /dev/null
            """, to: "bell.sh")
        try folder.write(
            #"""
            {"manifest":1,"identity":"org.example.bell","roles":["provider"],"exec":["sh","bell.sh"],
            "start":"boot","handshake":"implicit","stop_timeout_ms":0,
            "provider":{"handle_types":["generic"]}\#(members)}
            """#, to: "org.example.bell.plugin.json")
        return try TestDaemon(arguments: ["--test-mode", "--plugin-dir", folder.path])
    }

    private func wait(for what: String, _ condition: () throws -> Bool) throws {
        let deadline = ContinuousClock.now + ceiling
        while ContinuousClock.now < deadline {
            if try condition() { return }
            sched_yield()
        }
        throw CeilingReached(waitedFor: what)
    }

    private func sleeper() throws -> pid_t {
        try wait(for: "the sleeper") { access(folder.file("pid"), F_OK) == 0 }
        let text = try contents(of: folder.file("pid"))
        return try #require(pid_t(text.dropLast()))
    }

    private func hasCgroup(_ pid: pid_t) throws -> Bool {
        try contents(of: "/proc/\(pid)/cgroup").contains("/callbroker-plugins-")
    }

    private func isGone(_ pid: pid_t) -> Bool {
        guard let status = try? contents(of: "/proc/\(pid)/status") else { return true }
        return status.contains("State:\tZ")
    }

    /// Stops the plugin, and waits until its process has gone.
    private func stopPlugin(_ daemon: TestDaemon) throws {
        let client = try daemon.admin()
        let method = #"{"plugin":"org.example.bell"}"#
        _ = try client.request("plugin.stop", method, isAlone: false)
        try daemon.advance(10_000)
        try wait(for: "the end of the plugin") {
            let reply = try client.request("plugin.list", method, isAlone: false)
            return reply.result?["plugins"]?[0]?["state"] == .string("stopped")
        }
    }

    @Test func `a process that a plugin has detached ends with it, where there are cgroups`() throws
    {
        let daemon = try daemon()
        let sleeper = try sleeper()
        defer { kill(sleeper, SIGKILL) }
        guard try hasCgroup(sleeper) else { return #expect(!isGone(sleeper)) }
        try stopPlugin(daemon)
        try wait(for: "the end of the sleeper") { isGone(sleeper) }
    }

    @Test func `it lives on if the manifest says so`() throws {
        let daemon = try daemon(#","children":"outlive""#)
        let sleeper = try sleeper()
        defer { kill(sleeper, SIGKILL) }
        #expect(try !hasCgroup(sleeper))
        try stopPlugin(daemon)
        #expect(!isGone(sleeper))
        _ = try daemon.stop()
        #expect(!isGone(sleeper))
    }

    @Test func `it ends with a broker that stops`() throws {
        let daemon = try daemon()
        let sleeper = try sleeper()
        defer { kill(sleeper, SIGKILL) }
        guard try hasCgroup(sleeper) else { return #expect(!isGone(sleeper)) }
        _ = try daemon.stop()
        try wait(for: "the end of the sleeper") { isGone(sleeper) }
    }

    @Test func `the next broker ends what one that was killed has left`() throws {
        let first = try daemon()
        let sleeper = try sleeper()
        defer { kill(sleeper, SIGKILL) }
        guard try hasCgroup(sleeper) else { return #expect(!isGone(sleeper)) }
        _ = try first.stop(SIGKILL)
        unlink(folder.file("pid"))
        let next = try daemon()
        let other = try self.sleeper()
        try wait(for: "the end of the first sleeper") { isGone(sleeper) }
        #expect(!isGone(other))
        _ = try next.stop()
    }
}
