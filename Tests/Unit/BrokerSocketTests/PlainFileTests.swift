import BrokerSocket
import Glibc
import Testing

extension PermissionTests {
    /// Where a file is expected there may be anything. None of these tests may wait for somebody.
    struct PlainFileTests {
        private let folder: TemporaryFolder
        private let path: String

        init() throws {
            folder = try TemporaryFolder()
            path = folder.file("file")
        }

        /// What stands where a file is expected, and how it is called.
        static let kinds = ["a named pipe", "a folder", "a socket", "a device"]

        private func make(_ kind: String) throws {
            switch kind {
            case "a named pipe": try #require(mkfifo(path, 0o600) == 0)
            case "a folder": try #require(mkdir(path, 0o700) == 0)
            case "a socket": try #require(mknod(path, S_IFSOCK | 0o600, 0) == 0)
            default: try #require(symlink("/dev/zero", path) == 0)
            }
        }

        private func refusal(_ kind: String) -> SocketError {
            SocketError(.unusable, "\(path) is \(kind), not a file: move it away")
        }

        @Test(arguments: kinds) func `what is no file is not read`(kind: String) throws {
            try make(kind)
            #expect(throws: refusal(kind)) { try HostFile.read(path) }
            #expect(throws: refusal(kind)) { try HostFile.read(path, bytesMax: 8) }
            #expect(throws: refusal(kind)) { try HostFile.checkIsFile(path) }
            #expect(try HostFile.line(path) == "")
            #expect(try !HostFile.isFile(path))
        }

        @Test(arguments: kinds) func `what is no file is not written`(kind: String) throws {
            try make(kind)
            let error = kind == "a device" ? refusal("a link") : refusal(kind)
            #expect(throws: error) { try AppendFile(resuming: path, at: 0) }
            #expect(throws: error) { try FileLock(path, "it is in use", advice: "wait") }
        }

        @Test func `a link is followed only where it may be`() throws {
            folder.write("precious", to: "precious")
            symlink(folder.file("precious"), path)
            #expect(try HostFile.read(path) == Array("precious".utf8))
            try HostFile.checkIsFile(path)
            #expect(throws: refusal("a link")) { try HostFile.read(path, followsLinks: false) }
            #expect(throws: refusal("a link")) { try AppendFile(resuming: path, at: 0) }
        }

        @Test func `a folder in the place of a new file is called by its name`() throws {
            mkdir(path, 0o700)
            #expect(throws: refusal("a folder")) { try AppendFile(creating: path) }
        }

        @Test func `a new file takes the place of a named pipe`() throws {
            mkfifo(path, 0o600)
            try AppendFile(creating: path).append([1], [2])
            #expect(try HostFile.read(path) == [1, 2])
        }

        @Test func `what is not there yet is no fault`() throws {
            try HostFile.checkIsFile(path)
            #expect(
                throws: SocketError(.system, "cannot open \(path): No such file or directory")
            ) {
                try HostFile.read(path)
            }
        }

        @Test func `files that the system makes up are read, though they have no size`() throws {
            let status = try HostFile.read("/proc/self/status")
            #expect(String(decoding: status, as: UTF8.self).hasPrefix("Name:"))
            #expect(
                throws: SocketError(.unusable, "/proc/self/status has more than 4 bytes")
            ) {
                try HostFile.read("/proc/self/status", bytesMax: 4)
            }
        }

        @Test func `of a file that is far too large nothing is read`() throws {
            folder.write("", to: "file")
            truncate(path, 1 << 40)
            #expect(throws: SocketError(.unusable, "\(path) has more than 8 bytes")) {
                try HostFile.read(path, bytesMax: 8)
            }
            #expect(throws: SocketError.self) { try HostFile.read(path) }
        }

        @Test func `a folder with too many names is refused as a whole`() throws {
            for number in 1...5 { folder.write("", to: "name\(number)") }
            #expect(try HostFile.names(inFolder: folder.path, most: 5).count == 5)
            #expect(
                throws: SocketError(
                    .unusable, "the folder \(folder.path) has more than 4 entries: remove some")
            ) {
                try HostFile.names(inFolder: folder.path, most: 4)
            }
            #expect(throws: SocketError.self) { try HostFile.names(inFolder: path, most: 4) }
        }

        @Test func `what somebody named to be read may be a pipe`() throws {
            mkfifo(path, 0o600)
            let descriptor = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC)
            #expect(write(descriptor, "abc", 3) == 3)
            var read: [UInt8] = []
            try HostFile.readPieces(of: path) { piece in
                read += piece
                close(descriptor)
            }
            #expect(read == Array("abc".utf8))
        }
    }
}
