import Glibc
import Testing

/// What a daemon makes of a store's file that it cannot open.
struct StoreFileTests {
    typealias World = RestartWorld

    private static let block = #"{"handle":{"type":"phone","value":"\#(ToolWorld.bobNumber)"}}"#

    /// Bob is blocked; then the daemon ends.
    private func stoppedWorld() throws -> World {
        let world = try World()
        try #require(try world.user().request("block.add", Self.block).result != nil)
        try world.kill()
        return world
    }

    /// Bob does not ring, and everybody is told why that is all that is known.
    private func expectThatBobIsBlocked(_ world: World) throws {
        let provider = try ScriptedProvider(world.daemon)
        let remote = #"{"type":"phone","value":"\#(ToolWorld.bobNumber)"}"#
        let reply = try provider.report(
            "incoming", #"{"call":"\#(World.bob)","remote":\#(remote)}"#)
        #expect(reply.reason == "block_list")
        #expect(try world.daemon.logs("the store cannot be read"))
        #expect(!world.daemon.log.contains(ToolWorld.bobNumber.dropFirst()))
        let run = try Tool("doctor", socketPath: world.daemon.socketPath)
        #expect(run.end == .exited(1))
        #expect(run.output.contains("store"))
        let info = try world.user().request("broker.info", isAlone: false).result
        #expect(info?["store"]?["state"] == "failing")
    }

    @Test func `where a folder is, what was blocked stays so`() throws {
        let world = try stoppedWorld()
        let file = world.folder.file("state/store.sqlite")
        try #require(rename(file, file + ".away") == 0)
        try #require(mkdir(file, 0o700) == 0)
        try world.startAgain()
        try expectThatBobIsBlocked(world)
    }

    @Test func `where another process has locked the file, too`() throws {
        let world = try stoppedWorld()
        let descriptor = open(world.folder.file("state/store.sqlite"), O_RDWR | O_CLOEXEC)
        defer { close(descriptor) }
        // The bytes that SQLite locks.
        var lock = flock()
        (lock.l_type, lock.l_whence) = (Int16(F_WRLCK), Int16(SEEK_SET))
        (lock.l_start, lock.l_len) = (1 << 30, 512)
        try #require(fcntl(descriptor, F_SETLK, &lock) == 0)
        try world.startAgain()
        try expectThatBobIsBlocked(world)
    }
}
