import BrokerSocket
import Glibc
import Testing

extension PermissionTests {
    struct ListenerTests {
        private let folder: TemporaryFolder
        private let path: String

        init() throws {
            folder = try TemporaryFolder()
            path = folder.file("broker.sock")
        }

        @Test func `the socket is for its owner only and connections come in`() throws {
            let listener = try Listener(path: path)
            defer { listener.shutDown() }
            #expect(listener.path == path)
            #expect(FileState(path)?.kind == S_IFSOCK)
            #expect(FileState(path)?.permissions == 0o600)
            #expect(FileState(path + ".lock")?.permissions == 0o600)
            #expect(SocketPeer(connectingTo: path) != nil)
        }

        @Test func `binding leaves the umask as it was`() async {
            // The umask is that of a whole process.
            await #expect(processExitsWith: .success) {
                let folder = try TemporaryFolder()
                umask(0o027)
                try Listener(path: folder.file("broker.sock")).shutDown()
                #expect(umask(0o027) == 0o027)
                withExtendedLifetime(folder) {}
            }
        }

        @Test func `the lock file tells the process`() throws {
            let listener = try Listener(path: path)
            defer { listener.shutDown() }
            let text = try HostFile.read(path + ".lock", bytesMax: 100)
            #expect(String(decoding: text, as: UTF8.self) == "\(getpid())\n")
        }

        @Test func `a second listener is refused and told what to do`() throws {
            let listener = try Listener(path: path)
            defer { listener.shutDown() }
            #expect(
                throws: SocketError(
                    .inUse,
                    "\(path) is already served by process \(getpid()): stop it, or choose "
                        + "another path with --socket")
            ) {
                _ = try Listener(path: path)
            }
            #expect(SocketPeer(connectingTo: path) != nil)
        }

        @Test func `a living socket without our lock is not taken away`() throws {
            let listener = try Listener(path: path)
            defer { listener.shutDown() }
            let before = FileState(path)
            unlink(path + ".lock")
            #expect(
                throws: SocketError(
                    .inUse,
                    "\(path) is already served: stop it, or choose another path with --socket"
                )
            ) {
                _ = try Listener(path: path)
            }
            #expect(FileState(path) == before)
        }

        @Test func `a stale socket is replaced`() throws {
            let dead = try Listener(path: path)
            shutdown(dead.descriptor, Int32(SHUT_RDWR))
            close(dead.descriptor)
            unlink(path + ".lock")
            #expect(FileState(path)?.kind == S_IFSOCK)
            #expect(SocketPeer(connectingTo: path) == nil)

            let listener = try Listener(path: path)
            defer { listener.shutDown() }
            #expect(SocketPeer(connectingTo: path) != nil)
        }

        @Test func `a lock file that a dead process left is no hindrance`() throws {
            folder.write("4194304\nmore than a pid", to: "broker.sock.lock")
            let listener = try Listener(path: path)
            defer { listener.shutDown() }
            let text = try HostFile.read(path + ".lock", bytesMax: 100)
            #expect(String(decoding: text, as: UTF8.self) == "\(getpid())\n")
        }

        @Test func `the path can be bound again after a shutdown`() throws {
            for _ in 0..<3 {
                var made: Listener?
                // A child that another test is just starting may still hold the lock.
                #expect(
                    becomesTrue {
                        made = try? Listener(path: path)
                        return made != nil
                    })
                let listener = try #require(made)
                #expect(SocketPeer(connectingTo: path) != nil)
                listener.shutDown()
                #expect(FileState(path) == nil)
                #expect(SocketPeer(connectingTo: path) == nil)
            }
        }

        @Test func `a shutdown leaves somebody else's socket alone`() throws {
            let listener = try Listener(path: path)
            unlink(path)
            let other = folder.file("other.sock")
            let stranger = try Listener(path: other)
            defer { close(stranger.descriptor) }
            rename(other, path)
            let before = FileState(path)
            listener.shutDown()
            #expect(before != nil)
            #expect(FileState(path) == before)
        }

        @Test func `a regular file in the way is refused and untouched`() throws {
            folder.write("precious", to: "broker.sock", mode: 0o640)
            let before = FileState(path)
            #expect(throws: notASocket) { _ = try Listener(path: path) }
            #expect(FileState(path) == before)
            #expect(try HostFile.read(path, bytesMax: 100) == Array("precious".utf8))
        }

        @Test func `a link in the way is refused and its target untouched`() throws {
            folder.write("precious", to: "target")
            symlink(folder.file("target"), path)
            let before = FileState(folder.file("target"))
            #expect(throws: notASocket) { _ = try Listener(path: path) }
            #expect(FileState(path)?.kind == S_IFLNK)
            #expect(FileState(folder.file("target")) == before)
            #expect(try HostFile.read(path, bytesMax: 100) == Array("precious".utf8))
        }

        @Test func `a link to nothing is refused too`() {
            symlink(folder.file("nowhere"), path)
            #expect(throws: notASocket) { _ = try Listener(path: path) }
            #expect(FileState(folder.file("nowhere")) == nil)
        }

        @Test func `a folder in the way is refused and untouched`() {
            mkdir(path, 0o755)
            let before = FileState(path)
            #expect(throws: notASocket) { _ = try Listener(path: path) }
            #expect(FileState(path) == before)
        }

        @Test func `a lock file that is a link is refused and its target untouched`() throws {
            folder.write("precious", to: "target")
            symlink(folder.file("target"), path + ".lock")
            let error = #expect(throws: SocketError.self) { _ = try Listener(path: path) }
            #expect(
                error
                    == SocketError(
                        .unusable, "\(path).lock is a link, not a file: move it away"))
            #expect(try HostFile.read(folder.file("target"), bytesMax: 100).count == 8)
            #expect(FileState(path) == nil)
        }

        @Test func `a refused path can be served once the way is free`() throws {
            folder.write("in the way", to: "broker.sock")
            #expect(throws: notASocket) { _ = try Listener(path: path) }
            unlink(path)
            try Listener(path: path).shutDown()
        }

        @Test func `a path of 107 bytes works and one of 108 does not`() throws {
            let longest = folder.path + "/" + String(repeating: "a", count: 106 - folder.path.count)
            try #require(longest.utf8.count == 107)
            let listener = try Listener(path: longest)
            #expect(SocketPeer(connectingTo: longest) != nil)
            listener.shutDown()
            let error = #expect(throws: SocketError.self) { _ = try Listener(path: longest + "a") }
            #expect(error?.kind == .unusable)
            #expect(error?.description.hasSuffix("choose a shorter one with --socket") == true)
            #expect(FileState(longest + "a.lock") == nil)
        }

        @Test func `a folder that does not exist is the system's own error`() {
            let path = folder.file("missing/broker.sock")
            #expect(
                throws: SocketError(
                    .system, "cannot open the lock file \(path).lock: No such file or directory")
            ) {
                _ = try Listener(path: path)
            }
        }

        private var notASocket: SocketError {
            SocketError(.unusable, "\(path) exists and is not a socket: move it away")
        }
    }
}
