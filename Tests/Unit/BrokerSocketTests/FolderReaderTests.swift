import BrokerSocket
import Testing

struct FolderReaderTests {
    @Test func `names come some at a time, each once`() throws {
        let folder = try TemporaryFolder()
        let names = (1...10).map { "file\($0)" }
        for name in names { try HostFile.write("\(folder.path)/\(name)", []) }
        let reader = FolderReader(folder.path)
        var pieces: [[String]] = []
        repeat { pieces.append(reader.next(atMost: 4)) } while pieces.last?.isEmpty == false
        #expect(pieces.map(\.count) == [4, 4, 2, 0])
        #expect(pieces.joined().sorted() == names.sorted())
    }

    @Test(arguments: ["/nowhere/at/all", "/dev/null"])
    func `what is no folder has no names`(path: String) {
        #expect(FolderReader(path).next(atMost: 10) == [])
    }
}
