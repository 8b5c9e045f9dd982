import BrokerSocket
import Glibc
import Testing

struct FolderTreeTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test func `a copy has everything but what is left out, with its modes and links`() throws {
        try HostFile.makeFolders(above: folder.file("from/inner/x"))
        try HostFile.makeFolders(above: folder.file("from/.git/x"))
        folder.write("run", to: "from/inner/run.sh", mode: 0o755)
        folder.write("text", to: "from/text", mode: 0o600)
        try FolderTree.makeLink(to: "inner/run.sh", at: folder.file("from/link"))
        try FolderTree.copy(folder.file("from"), to: folder.file("to")) { $0 == ".git" }
        #expect(HostFile.names(inFolder: folder.file("to")) == ["inner", "link", "text"])
        #expect(try HostFile.read(folder.file("to/inner/run.sh")) == Array("run".utf8))
        #expect(FileState(folder.file("to/inner/run.sh"))?.permissions == 0o755)
        #expect(FileState(folder.file("to/text"))?.permissions == 0o600)
        #expect(HostFile.linkTarget(folder.file("to/link")) == "inner/run.sh")
    }

    @Test func `a named pipe is not copied, and nothing waits for it`() throws {
        try HostFile.makeFolders(above: folder.file("from/x"))
        #expect(mkfifo(folder.file("from/pipe"), 0o600) == 0)
        #expect(throws: SocketError.self) {
            try FolderTree.copy(folder.file("from"), to: folder.file("to"))
        }
    }

    @Test func `removing follows no link`() throws {
        try HostFile.makeFolders(above: folder.file("kept/x"))
        folder.write("text", to: "kept/text")
        try HostFile.makeFolders(above: folder.file("gone/inner/x"))
        try FolderTree.makeLink(to: folder.file("kept"), at: folder.file("gone/inner/link"))
        try FolderTree.remove(folder.file("gone"))
        #expect(HostFile.names(inFolder: folder.path) == ["kept"])
        #expect(HostFile.names(inFolder: folder.file("kept")) == ["text"])
    }

    @Test func `two folders are exchanged at once, and nothing is overwritten`() throws {
        try HostFile.makeFolders(above: folder.file("a/x"))
        try HostFile.makeFolders(above: folder.file("b/x"))
        folder.write("one", to: "a/one")
        try FolderTree.exchange(folder.file("a"), folder.file("b"))
        #expect(HostFile.names(inFolder: folder.file("b")) == ["one"])
        #expect(throws: SocketError.self) {
            try FolderTree.rename(folder.file("a"), toNew: folder.file("b"))
        }
        try FolderTree.rename(folder.file("a"), toNew: folder.file("c"))
        #expect(HostFile.names(inFolder: folder.path) == ["b", "c"])
    }
}
