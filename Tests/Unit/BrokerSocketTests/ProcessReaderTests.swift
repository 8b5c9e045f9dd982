import Glibc
import Testing

// Processes are described from their pids.
@testable import BrokerSocket

struct ProcessReaderTests {
    private let reader: ProcessReader

    init() throws {
        reader = try #require(ProcessReader())
    }

    private func handle(
        _ pid: pid_t, openedAtMS: Int64 = MonotonicTime.sinceBoot().milliseconds
    ) -> PeerHandle {
        let descriptor = PeerCredentials(pid: pid, uid: 0, gid: 0).openProcessDescriptor(of: -1)
        return PeerHandle(pid: pid, openedAtMS: openedAtMS, descriptor: descriptor)
    }

    @Test func `a process without a sandbox is described with its program`() {
        let process = reader.process(of: handle(getpid()))
        #expect(process.sandbox == .none)
        #expect(process.executable == HostProcess.program)
        #expect(process.app == nil)
    }

    @Test func `nothing is known of a process that is gone, or has no pid`() throws {
        let child = try Namespaced([])
        let gone = handle(child.pid)
        child.end()
        #expect(reader.process(of: gone) == .unknown)
        #expect(reader.process(of: handle(0)) == .unknown)
        #expect(reader.flatpak(of: gone) == nil)
    }

    @Test func `a process that is younger than the connection is another one`() {
        #expect(reader.process(of: handle(getpid(), openedAtMS: 0)) == .unknown)
    }

    @Test func `users of its own are a sandbox, though it sees the host's files`() throws {
        let child = try Namespaced(["--user"])
        let process = reader.process(of: handle(child.pid))
        #expect(process.sandbox == .other)
        #expect(process.executable?.hasSuffix("/cat") == true)
        #expect(reader.flatpak(of: handle(child.pid)) == nil)
    }

    @Test func `mounts of its own are none, as long as the root is the host's`() throws {
        let child = try Namespaced(["--mount", "--map-root-user"])
        #expect(reader.process(of: handle(child.pid)).sandbox == .other)
        guard getuid() == 0 else { return }
        let privileged = try Namespaced(["--mount"])
        #expect(reader.process(of: handle(privileged.pid)).sandbox == .none)
    }
}

/// A process in namespaces of its own, which lives until its standard input ends.
private final class Namespaced {
    private(set) var pid: pid_t = 0
    private let input: SocketPeer
    private var hasEnded = false

    /// - Parameter options: those of unshare(1), which becomes `cat`.
    init(_ options: [String]) throws {
        let standardInput: Int32
        (standardInput, input) = SocketPeer.pair()
        defer { close(standardInput) }
        _ = fcntl(standardInput, F_SETFL, 0)
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SocketError.system("pipe") }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { close(ends[0]) }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
        posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
        let words = ["unshare"] + options + ["sh", "-c", "echo; exec cat"]
        let arguments = words.map { strdup($0) }
        defer { for argument in arguments { free(argument) } }
        let status = posix_spawnp(&pid, "unshare", &actions, nil, arguments + [nil], environ)
        close(ends[1])
        try #require(status == 0)
        var byte: UInt8 = 0
        try #require(read(ends[0], &byte, 1) == 1)
        // The shell becomes cat in a moment; its executable tells when.
        while HostFile.linkTarget("/proc/\(pid)/exe")?.hasSuffix("cat") != true { sched_yield() }
    }

    deinit {
        end()
    }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        input.close()
        waitpid(pid, nil, 0)
    }
}
