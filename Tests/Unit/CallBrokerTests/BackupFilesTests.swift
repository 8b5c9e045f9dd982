import BrokerSocket
import Testing

@testable import CallBroker

/// The way of a backup's files into a state folder, whenever it is interrupted.
struct BackupFilesTests {
    private let folder: String

    init() throws {
        folder = try HostFile.makeTemporaryFolder(prefix: "backup-tests", environment: [:])
    }

    private func write(_ text: String, to name: String) throws {
        try HostFile.makeFolders(above: "\(folder)/\(name)")
        try HostFile.write("\(folder)/\(name)", Array(text.utf8))
    }

    private func text(_ name: String) -> String? {
        (try? HostFile.read("\(folder)/\(name)")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// An old state, and a new one that is prepared.
    private func prepare() throws {
        for name in ["journal", "store.sqlite", "store.sqlite-wal", "directory-7.sqlite", "lock"] {
            try write("old", to: name)
        }
        for name in ["journal", "store.sqlite", "plugins.json"] {
            try write("new", to: "restore.new/\(name)")
        }
    }

    private func expectTheNewState() {
        #expect(
            ["journal", "store.sqlite", "plugins.json"].map(text) == ["new", "new", "new"])
        #expect(text("store.sqlite-wal") == nil && text("directory-7.sqlite") == nil)
        #expect(text("lock") == "old")
        #expect(!HostFile.names(inFolder: folder).contains { $0.hasPrefix("restore") })
    }

    @Test func `a restore replaces the state, and keeps the former one`() throws {
        try prepare()
        try BackupFiles.commit(in: folder)
        expectTheNewState()
        #expect(text("replaced-1/store.sqlite-wal") == "old")
        #expect(text("replaced-1/directory-7.sqlite") == "old")
    }

    @Test func `one that is not committed changes nothing`() throws {
        try prepare()
        try BackupFiles.complete(in: folder)
        #expect(text("journal") == "old")
    }

    @Test func `an interrupted one is completed by the next broker`() throws {
        try prepare()
        // Killed after one file of the former state was moved.
        try HostFile.rename("\(folder)/restore.new", to: "\(folder)/restore")
        try HostFile.makeFolders(above: "\(folder)/replaced-1/journal")
        try HostFile.rename("\(folder)/journal", to: "\(folder)/replaced-1/journal")
        try BackupFiles.complete(in: folder)
        expectTheNewState()
        // Killed again, after one file of the new state was moved.
        try write("new", to: "restore.moving/store.sqlite")
        HostFile.remove("\(folder)/store.sqlite")
        try BackupFiles.complete(in: folder)
        expectTheNewState()
    }

    @Test func `only files of a backup are accepted`() {
        for name in ["journal", "plugins.json", "store.sqlite", "directory-12.sqlite"] {
            #expect(BackupFiles.accepts(name))
        }
        for name in ["lock", "../journal", "/etc/passwd", "directory-x.sqlite", "", "pseudonyms"] {
            #expect(!BackupFiles.accepts(name))
        }
    }
}
