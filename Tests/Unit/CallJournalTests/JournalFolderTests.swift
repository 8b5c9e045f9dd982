import BrokerSocket
import CallJournal
import Glibc
import Testing

struct JournalFolderTests {
    private let temporary: TemporaryFolder
    private let folder: String

    init() throws {
        temporary = try TemporaryFolder()
        folder = temporary.path
    }

    @Test func `what was written can be read by the next one`() throws {
        let first = try JournalFolder(folder)
        #expect(try first.read() == nil)
        try first.replace(with: [1, 2])
        try first.append([3], [4, 5])
        try first.append([], [6])
        try first.sync()
        first.release()
        #expect(try JournalFolder(folder).read() == [1, 2, 3, 4, 5, 6])
    }

    @Test func `what replaces a journal begins empty`() throws {
        let journal = try JournalFolder(folder)
        try journal.replace(with: [1])
        try journal.append([2], [])
        try journal.replace(with: [3])
        try journal.append([4], [])
        #expect(try journal.read() == [3, 4])
    }

    @Test func `only its owner can read it`() throws {
        try JournalFolder(folder).replace(with: [1])
        var status = stat()
        #expect(stat("\(folder)/journal", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
    }

    @Test func `one broker has the folder for itself`() throws {
        let first = try JournalFolder(folder)
        let error = #expect(throws: SocketError.self) { try JournalFolder(folder) }
        #expect(error?.kind == .inUse)
        #expect(
            error?.description
                == "the state folder \(folder) is already in use by process \(getpid()): "
                + "stop it, or choose another folder with --state-dir")
        first.release()
        _ = try JournalFolder(folder)
    }

    @Test
    func `what is kept aside is the journal until there is another, and never takes its place`()
        throws
    {
        let journal = try JournalFolder(folder)
        for number in 1...2 {
            try journal.replace(with: [UInt8(number)])
            #expect(try journal.keepAside() == "\(folder)/journal.kept-\(number)")
            #expect(try journal.read() == [UInt8(number)])
            try journal.replace(with: [0])
            #expect(try HostFile.read("\(folder)/journal.kept-\(number)") == [UInt8(number)])
        }
    }

    @Test func `what is no file is no journal, and makes room for one`() throws {
        let journal = try JournalFolder(folder)
        #expect(mkfifo("\(folder)/journal", 0o600) == 0)
        let error = #expect(throws: SocketError.self) { try journal.read() }
        #expect(error?.kind == .unusable)
        #expect(
            error?.description == "\(folder)/journal is a named pipe, not a file: move it away")
        #expect(try journal.keepAside() == "\(folder)/journal.kept-1")
        #expect(try journal.read() == nil)
        try journal.replace(with: [1])
        #expect(try journal.read() == [1])
    }

    @Test func `a folder that is not there says so`() {
        let error = #expect(throws: SocketError.self) { try JournalFolder(folder + "/none") }
        #expect(
            error?.description
                == "cannot open the lock file \(folder)/none/lock: No such file or directory")
    }
}
