import BrokerSocket
import Glibc
import Testing

struct FolderWatchTests {
    private let folder: TemporaryFolder
    private let harness: LoopHarness
    private let watch: FolderWatch

    init() throws {
        folder = try TemporaryFolder()
        harness = try LoopHarness()
        watch = try FolderWatch(on: harness.loop)
    }

    private func makeFolder(_ name: String) throws {
        try HostFile.makeFolders(above: folder.file("\(name)/x"))
    }

    @Test func `each change in a folder is reported once`() {
        watch.watch(folder.path)
        #expect(harness.turn() == [])
        folder.write("text", to: "file")
        #expect(harness.turn() == [.changed])
        #expect(harness.turn() == [])
    }

    @Test func `a stopped watch reports nothing`() {
        watch.watch(folder.path)
        watch.stop()
        folder.write("text", to: "file")
        #expect(harness.turn() == [])
    }

    @Test func `only names that count are reported`() {
        watch.watch(folder.path, .ending(".json"))
        folder.write("text", to: "log")
        #expect(harness.turn() == [])
        folder.write("text", to: "a.json")
        #expect(harness.turn() == [.changed])
    }

    @Test func `a folder that comes into being later is reported, however many are missing`() throws
    {
        let path = folder.file("config/broker/plugins")
        watch.watch(path)
        try makeFolder("other")
        #expect(harness.turn() == [])
        for name in ["config", "config/broker", "config/broker/plugins"] {
            try makeFolder(name)
            #expect(harness.turn() == [.changed])
            watch.watch(path)
        }
        folder.write("text", to: "config/broker/plugins/file")
        #expect(harness.turn() == [.changed])
    }

    @Test func `a folder that is removed and made again is reported`() throws {
        try makeFolder("plugins")
        watch.watch(folder.file("plugins"))
        HostFile.removeFolder(folder.file("plugins"))
        #expect(harness.turn() == [.changed])
        watch.watch(folder.file("plugins"))
        try makeFolder("plugins")
        #expect(harness.turn() == [.changed])
    }

    @Test func `a folder behind a link is watched`() throws {
        try makeFolder("real")
        try FolderTree.makeLink(to: folder.file("real"), at: folder.file("link"))
        watch.watch(folder.file("link"))
        folder.write("text", to: "real/file")
        #expect(harness.turn() == [.changed])
    }
}
