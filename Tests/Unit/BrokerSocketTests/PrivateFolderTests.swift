import BrokerSocket
import Glibc
import Testing

extension PermissionTests {
    struct PrivateFolderTests {
        private let folder: TemporaryFolder
        private let path: String

        init() throws {
            folder = try TemporaryFolder()
            path = folder.file("private")
        }

        @Test func `a missing folder is made for its owner only`() throws {
            try PrivateFolder.prepare(path)
            #expect(FileState(path)?.kind == S_IFDIR)
            #expect(FileState(path)?.permissions == 0o700)
        }

        @Test func `missing parents are made for their owner only`() throws {
            try PrivateFolder.prepare(path + "/a/b")
            for place in [path, path + "/a", path + "/a/b"] {
                #expect(FileState(place)?.kind == S_IFDIR)
                #expect(FileState(place)?.permissions == 0o700)
            }
        }

        @Test func `a folder that is private already stays as it is`() throws {
            mkdir(path, 0o700)
            let before = FileState(path)
            try PrivateFolder.prepare(path)
            try PrivateFolder.prepare(path, isChosen: true)
            #expect(FileState(path) == before)
        }

        @Test func `a parent open to all is nobody's business`() throws {
            mkdir(path, 0o755)
            try PrivateFolder.prepare(path + "/inner")
            #expect(FileState(path)?.permissions == 0o755)
            #expect(FileState(path + "/inner")?.permissions == 0o700)
        }

        @Test(arguments: [0o701, 0o710, 0o704, 0o740, 0o755, 0o777, 0o1777] as [mode_t])
        func `a folder open to others is refused`(mode: mode_t) {
            make(mode)
            #expect(throws: openToOthers) { try PrivateFolder.prepare(path) }
            #expect(FileState(path)?.permissions == mode)
        }

        @Test(arguments: [0o700, 0o750, 0o711, 0o755] as [mode_t])
        func `a chosen folder may be read by others`(mode: mode_t) throws {
            make(mode)
            try PrivateFolder.prepare(path, isChosen: true)
            #expect(FileState(path)?.permissions == mode)
        }

        @Test(arguments: [0o702, 0o720, 0o775, 0o777] as [mode_t])
        func `a chosen folder that others can write to is refused`(mode: mode_t) {
            make(mode)
            #expect(throws: openToOthers) { try PrivateFolder.prepare(path, isChosen: true) }
        }

        @Test(.enabled(if: getuid() == 0, "only root can give a folder away"))
        func `somebody else's folder is refused`() {
            make(0o700)
            chown(path, 12_345, 12_345)
            let refusal = SocketError(
                .unusable,
                "the folder \(path) belongs to user 12345, not to this user: remove it "
                    + "or choose another place")
            #expect(throws: refusal) { try PrivateFolder.prepare(path) }
            #expect(throws: refusal) { try PrivateFolder.prepare(path, isChosen: true) }
        }

        @Test func `a link to a private folder is refused`() {
            mkdir(folder.file("real"), 0o700)
            symlink(folder.file("real"), path)
            #expect(throws: isALink) { try PrivateFolder.prepare(path) }
            #expect(throws: isALink) { try PrivateFolder.prepare(path, isChosen: true) }
        }

        @Test func `where a link may lead to the folder, that has to be private`() throws {
            mkdir(folder.file("real"), 0o700)
            symlink(folder.file("real"), path)
            try PrivateFolder.prepare(path, followsLink: true)
            try PrivateFolder.prepare(path + "/inner", followsLink: true)
            #expect(FileState(folder.file("real/inner"))?.permissions == 0o700)
            chmod(folder.file("real"), 0o755)
            #expect(throws: openToOthers) { try PrivateFolder.prepare(path, followsLink: true) }
            try PrivateFolder.prepare(path, isChosen: true, followsLink: true)
        }

        @Test func `where a link may lead to the folder, it may not lead to a file`() {
            folder.write("", to: "real")
            symlink(folder.file("real"), path)
            #expect(throws: notAFolder) { try PrivateFolder.prepare(path, followsLink: true) }
        }

        @Test(.enabled(if: getuid() == 0, "only root can give a link away"))
        func `somebody else's link is refused, wherever it leads`() {
            mkdir(folder.file("real"), 0o700)
            symlink(folder.file("real"), path)
            lchown(path, 12_345, 12_345)
            let refusal = SocketError(
                .unusable,
                "the link \(path) belongs to user 12345, not to this user: remove it "
                    + "or choose another place")
            #expect(throws: refusal) { try PrivateFolder.prepare(path, followsLink: true) }
        }

        @Test func `a link to nothing is refused and nothing is made`() {
            symlink(folder.file("real"), path)
            #expect(throws: isALink) { try PrivateFolder.prepare(path) }
            #expect(
                throws: SocketError(
                    .system, "the link \(path) is broken: No such file or directory")
            ) {
                try PrivateFolder.prepare(path, followsLink: true)
            }
            #expect(FileState(folder.file("real")) == nil)
        }

        @Test func `a file is refused and untouched`() {
            folder.write("precious", to: "private")
            let before = FileState(path)
            #expect(throws: notAFolder) { try PrivateFolder.prepare(path) }
            #expect(FileState(path) == before)
        }

        @Test func `a file among the parents is the system's own error`() {
            folder.write("", to: "private")
            #expect(
                throws: SocketError(
                    .system, "cannot create the folder \(path)/inner: Not a directory")
            ) {
                try PrivateFolder.prepare(path + "/inner")
            }
        }

        private func make(_ mode: mode_t) {
            mkdir(path, 0o700)
            chmod(path, mode)
        }

        private var openToOthers: SocketError {
            SocketError(
                .unusable, "the folder \(path) is open to others: run chmod 700 \(path)")
        }

        private var isALink: SocketError {
            SocketError(.unusable, "\(path) is a link, not a folder: move it away")
        }

        private var notAFolder: SocketError {
            SocketError(.unusable, "\(path) is not a folder: move it away")
        }
    }
}
