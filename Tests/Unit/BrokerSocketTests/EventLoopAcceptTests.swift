import BrokerSocket
import Glibc
import Testing

extension PermissionTests {
    struct EventLoopAcceptTests {
        @Test func `a connection is opened, served and closed`() throws {
            let door = try Door()
            let peer = try door.knock()
            peer.send("hello")
            #expect(door.harness.turn() == [.opened(0)])
            #expect(door.harness.connections[0].credentials == .own)
            #expect(door.harness.turn() == [.received(0, "hello")])
            door.harness.connections[0].abort()
            #expect(door.harness.turn() == [.closed(0)])
            #expect(peer.isAtEnd)
        }

        @Test func `a storm of connections is let in 64 at a time`() throws {
            let door = try Door()
            let peers = try (0..<150).map { _ in try door.knock() }
            let turns = (0..<4).map { _ in door.harness.turn() }
            #expect(turns.map(\.count) == [64, 64, 22, 0])
            #expect(turns.joined().elementsEqual((0..<150).map { .opened($0) }))
            #expect(door.harness.loop.connectionCount == peers.count)
        }

        @Test func `those we have are served while others come in`() throws {
            let door = try Door()
            let first = try door.knock()
            door.harness.turn()
            let peers = try (0..<100).map { _ in try door.knock() }
            first.send("me too")
            #expect(door.harness.turn().contains(.received(0, "me too")))
            #expect(door.harness.loop.connectionCount == 65)
            #expect(peers.count == 100)
        }

        @Test func `a listener that is not watched any more lets nobody in`() throws {
            let door = try Door()
            door.harness.loop.stopAccepting(on: door.listener)
            let peer = try door.knock()
            #expect(door.harness.turn() == [])
            try door.harness.loop.accept(on: door.listener)
            #expect(door.harness.turn() == [.opened(0)])
            #expect(peer.read() == nil)
        }

        @Test func `a thousand connections leave no descriptor behind`() async {
            await #expect(processExitsWith: .success) {
                _ = HostProcess.raiseDescriptorLimit()
                let door = try Door()
                let before = openSockets()
                var peers = try (0..<1_000).map { _ in try door.knock() }
                while !door.harness.turn().isEmpty {}
                #expect(openSockets() == before + 2_000)
                for peer in peers { peer.send("x") }
                peers.removeAll()
                while door.harness.loop.connectionCount > 0 {
                    door.harness.turn { event in
                        if case .inputEnded(let connection) = event { connection.abort() }
                    }
                }
                #expect(openSockets() == before)
            }
        }

        @Test func `without a free descriptor accepting pauses and goes on later`() async {
            await #expect(processExitsWith: .success) {
                let door = try Door()
                let waiting = try door.knock()
                let hostages = try allDescriptors()
                #expect(door.harness.turn() == [.descriptorsExhausted])
                // Waiting for ever would end at once if the listener were still watched.
                #expect(door.harness.turn() == [])
                for descriptor in hostages { close(descriptor) }
                var seen: [LoopHarness.Seen] = []
                while seen.isEmpty { seen = door.harness.turn(until: nil) }
                #expect(seen == [.opened(0)])
                #expect(waiting.read() == nil)
            }
        }

        @Test func `those we have are served without a free descriptor`() async {
            await #expect(processExitsWith: .success) {
                let door = try Door()
                let first = try door.knock()
                #expect(door.harness.turn() == [.opened(0)])
                let waiting = try door.knock()
                let hostages = try allDescriptors()
                first.send("here")
                let seen = door.harness.turn()
                #expect(seen.count == 2)
                #expect(seen.contains(.descriptorsExhausted))
                #expect(seen.contains(.received(0, "here")))
                for descriptor in hostages { close(descriptor) }
                #expect(waiting.read() == nil)
            }
        }
    }
}

/// A loop with a listening socket.
private final class Door {
    let harness: LoopHarness
    let listener: Listener
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        listener = try Listener(path: folder.file("broker.sock"))
        harness = try LoopHarness()
        try harness.loop.accept(on: listener)
    }

    deinit {
        listener.shutDown()
    }

    func knock() throws -> SocketPeer {
        try #require(SocketPeer(connectingTo: listener.path))
    }
}

/// Uses up every descriptor that this process may have.
private func allDescriptors() throws -> [Int32] {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = 256
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    var taken: [Int32] = []
    while true {
        let descriptor = open("/dev/null", O_RDONLY)
        if descriptor < 0 { break }
        taken.append(descriptor)
    }
    try #require(!taken.isEmpty)
    return taken
}
