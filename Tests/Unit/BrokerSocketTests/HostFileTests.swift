import BrokerSocket
import Glibc
import Testing

extension PermissionTests {
    struct HostFileTests {
        private let folder: TemporaryFolder

        init() throws {
            folder = try TemporaryFolder()
        }

        @Test func `a file is read whole up to its bound`() throws {
            folder.write("12345", to: "file")
            let path = folder.file("file")
            #expect(try HostFile.read(path, bytesMax: 5) == Array("12345".utf8))
            #expect(try HostFile.read(path, bytesMax: 1 << 20) == Array("12345".utf8))
            #expect(throws: SocketError(.unusable, "\(path) has more than 4 bytes")) {
                try HostFile.read(path, bytesMax: 4)
            }
        }

        @Test func `the names in a folder are told in their order`() throws {
            for name in ["b", "a.1", "a"] { folder.write("", to: name) }
            #expect(HostFile.names(inFolder: folder.path) == ["a", "a.1", "b"])
            #expect(HostFile.names(inFolder: folder.file("none")) == [])
        }

        @Test func `a link is another name of the same file, and of no other`() throws {
            folder.write("1", to: "file")
            let (path, name) = (folder.file("file"), folder.file("name"))
            try HostFile.link(path, as: name)
            #expect(try HostFile.read(name, bytesMax: 1) == HostFile.read(path, bytesMax: 1))
            let error = #expect(throws: SocketError.self) { try HostFile.link(path, as: name) }
            #expect(error?.description == "cannot link \(path) as \(name): File exists")
        }

        @Test func `what cannot be looked at is not an empty file`() throws {
            let path = folder.file("loop")
            symlink(path, path)
            let error = #expect(throws: SocketError.self) { try HostFile.line(path) }
            #expect(
                error?.description == "cannot access \(path): Too many levels of symbolic links")
            #expect(try HostFile.line(folder.file("none")) == "")
            #expect(try HostFile.line(folder.path) == "")
            folder.write("one\ntwo\n", to: "file")
            #expect(try HostFile.line(folder.file("file")) == "one")
        }

        @Test func `an empty file has no bytes`() throws {
            folder.write("", to: "file")
            #expect(try HostFile.read(folder.file("file"), bytesMax: 0) == [])
        }

        @Test func `a file that cannot be read is the system's own error`() {
            let path = folder.file("missing")
            #expect(
                throws: SocketError(.system, "cannot open \(path): No such file or directory")
            ) {
                try HostFile.read(path, bytesMax: 1)
            }
            #expect(
                throws: SocketError(
                    .unusable, "\(folder.path) is a folder, not a file: move it away")
            ) {
                try HostFile.read(folder.path, bytesMax: 1)
            }
        }

        @Test func `a folder is told from everything else`() {
            folder.write("", to: "file")
            symlink(folder.path, folder.file("link"))
            #expect(HostFile.isFolder(folder.path))
            #expect(HostFile.isFolder(folder.file("link")))
            #expect(!HostFile.isFolder(folder.file("file")))
            #expect(!HostFile.isFolder(folder.file("missing")))
        }

        @Test func `temporary folders are private and never the same`() throws {
            let environment = ["TMPDIR": folder.path]
            let first = try HostFile.makeTemporaryFolder(prefix: "x", environment: environment)
            let second = try HostFile.makeTemporaryFolder(prefix: "x", environment: environment)
            #expect(first.hasPrefix(folder.path + "/x-"))
            #expect(first != second)
            #expect(FileState(first)?.permissions == 0o700)
        }

        @Test func `a variable set to nothing is not set`() throws {
            let made = try HostFile.makeTemporaryFolder(
                prefix: "tests", environment: ["TMPDIR": ""])
            defer { HostFile.removeFolder(made) }
            #expect(made.hasPrefix("/tmp/tests-"))
        }

        @Test func `a temporary folder needs a place`() {
            let place = folder.file("missing")
            #expect(
                throws: SocketError(
                    .system, "cannot create the folder \(place)/x-XXXXXX: No such file or directory"
                )
            ) {
                _ = try HostFile.makeTemporaryFolder(prefix: "x", environment: ["TMPDIR": place])
            }
        }

        @Test func `files and empty folders can be removed`() {
            folder.write("", to: "file")
            mkdir(folder.file("inner"), 0o700)
            HostFile.remove(folder.file("file"))
            HostFile.removeFolder(folder.file("inner"))
            #expect(TemporaryFolder.names(in: folder.path).isEmpty)
        }

        @Test func `a folder that is not empty stays`() {
            folder.write("", to: "file")
            HostFile.removeFolder(folder.path)
            #expect(TemporaryFolder.names(in: folder.path) == ["file"])
        }
    }
}

struct HostProcessTests {
    @Test func `the user and the signals that stop us`() {
        #expect(HostProcess.userID == getuid())
        #expect(HostProcess.terminationSignals == [SIGTERM, SIGINT, SIGHUP])
    }

    @Test func `the descriptor limit is raised to the most there is`() async {
        await #expect(processExitsWith: .success) {
            var limit = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            let most = Int(clamping: limit.rlim_max)
            limit.rlim_cur = 64
            setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #expect(HostProcess.raiseDescriptorLimit() == most)
            getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
            #expect(limit.rlim_cur == limit.rlim_max)
        }
    }

    @Test
    func
        `the table of descriptors has the room that was reserved, and none is open more than before`()
        async
    {
        await #expect(processExitsWith: .success) {
            HostProcess.reserveDescriptors(3_000)
            var text = [UInt8](repeating: 0, count: 4_096)
            let file = try #require(fopen("/proc/self/status", "r"))
            let status = String(decoding: text[..<fread(&text, 1, 4_096, file)], as: UTF8.self)
            let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("FDSize:") })
            let size = try #require(Int(line.drop { !$0.isNumber }))
            #expect(size >= 3_000)
            #expect(fcntl(2_999, F_GETFD) == -1)
        }
    }

    @Test func `a broken pipe is an error, not the end`() async {
        await #expect(processExitsWith: .success) {
            HostProcess.ignoreBrokenPipes()
            var ends: [Int32] = [-1, -1]
            pipe(&ends)
            close(ends[0])
            #expect(write(ends[1], "x", 1) == -1)
            #expect(errno == EPIPE)
        }
    }

    @Test func `text goes to standard error as it is`() async {
        let result = await #expect(
            processExitsWith: .success, observing: [\.standardErrorContent]
        ) {
            HostProcess.writeToStandardError("listening on /ä\n")
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("listening on /ä\n"))
    }
}
