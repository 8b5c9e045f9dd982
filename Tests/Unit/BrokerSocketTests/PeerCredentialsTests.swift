import Glibc
import Testing

// Connections ask for the process; here the fallback by pid is wanted by itself.
@testable import BrokerSocket

struct PeerCredentialsTests {
    private let own = PeerCredentials(pid: getpid(), uid: getuid(), gid: getgid())

    @Test func `the kernel tells who is at the other end`() {
        let (mine, theirs) = SocketPeer.pair()
        defer { close(mine) }
        #expect(PeerCredentials(of: mine) == own)
        #expect(PeerCredentials(of: theirs.descriptor) == own)
        #expect(PeerCredentials.own == own)
    }

    @Test func `what is no connected socket has no peer`() {
        #expect(PeerCredentials(of: -1) == nil)
    }

    @Test func `a connection knows the process at its other end`() throws {
        let (mine, theirs) = SocketPeer.pair()
        defer { close(mine) }
        let credentials = try #require(PeerCredentials(of: mine))
        let process = try #require(credentials.openProcessDescriptor(of: mine))
        defer { close(process) }
        #expect(!becomesReadable(process, withinMS: 0))
        #expect(theirs.descriptor != process)
    }

    @Test func `a process descriptor becomes readable when the child exits`() throws {
        let child = try WaitingChild()
        let credentials = PeerCredentials(pid: child.pid, uid: 0, gid: 0)
        let process = try #require(credentials.openProcessDescriptor(of: -1))
        defer { close(process) }
        #expect(!becomesReadable(process, withinMS: 0))
        child.letGo()
        #expect(becomesReadable(process))
    }

    @Test func `the loop tells once that a process has exited`() async {
        // A process of its own, in which nobody else takes the number of a closed descriptor.
        await #expect(processExitsWith: .success) {
            let harness = try LoopHarness()
            let child = try WaitingChild()
            let credentials = PeerCredentials(pid: child.pid, uid: 0, gid: 0)
            let descriptor = try #require(credentials.openProcessDescriptor(of: -1))
            let watch = try #require(harness.loop.watch(process: child.pid, descriptor))
            #expect(harness.turn() == [])
            child.letGo()
            #expect(becomesReadable(watch.descriptor))
            #expect(harness.turn() == [.exited(watch.descriptor)])
            watch.stop()
            watch.stop()
            #expect(harness.turn() == [])
            #expect(fcntl(watch.descriptor, F_GETFD) == -1)
        }
    }

    @Test func `a process that is gone, or unknown, has no descriptor`() throws {
        let child = try WaitingChild()
        child.letGo()
        child.reap()
        #expect(
            PeerCredentials(pid: child.pid, uid: 0, gid: 0).openProcessDescriptor(of: -1) == nil)
        #expect(PeerCredentials(pid: 0, uid: 0, gid: 0).openProcessDescriptor(of: -1) == nil)
        #expect(PeerCredentials(pid: -1, uid: 0, gid: 0).openProcessDescriptor(of: -1) == nil)
    }
}

/// A process that lives until its standard input ends.
private final class WaitingChild {
    private(set) var pid: pid_t = 0
    private let input: SocketPeer
    private var isReaped = false

    init() throws {
        let standardInput: Int32
        (standardInput, input) = SocketPeer.pair()
        defer { close(standardInput) }
        _ = fcntl(standardInput, F_SETFL, 0)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, standardInput, 0)
        let name = strdup("cat")
        defer { free(name) }
        let status = posix_spawnp(&pid, "cat", &actions, nil, [name, nil], environ)
        try #require(status == 0)
    }

    deinit {
        letGo()
        reap()
    }

    func letGo() {
        input.close()
    }

    func reap() {
        if !isReaped { waitpid(pid, nil, 0) }
        isReaped = true
    }
}
