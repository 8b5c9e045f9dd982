import BrokerSocket
import Glibc
import Testing

/// Files in memory and on the disk: not every file system of a disk gives room.
struct AppendFileTests {
    private let onDisk: TemporaryFolder
    private let inMemory: String

    init() throws {
        onDisk = try TemporaryFolder()
        inMemory = try HostFile.makeTemporaryFolder(
            prefix: "append", environment: ["TMPDIR": "/dev/shm"])
    }

    private var paths: [String] {
        [onDisk.file("file"), inMemory + "/file"]
    }

    private func cleanUp() {
        HostFile.remove(inMemory + "/file")
        HostFile.removeFolder(inMemory)
    }

    @Test func `what is appended is in the file at once, with room behind it`() throws {
        defer { cleanUp() }
        for path in paths {
            let file = try AppendFile(writing: [1, 2], to: path, room: 10_000)
            try file.append([3], [4, 5])
            try file.append([0, 0, 0, 0, 0, 0, 0, 6], [7])
            #expect(file.size == 14)
            let bytes = try HostFile.read(path)
            #expect(bytes.prefix(14) == [1, 2, 3, 4, 5, 0, 0, 0, 0, 0, 0, 0, 6, 7])
            #expect(bytes.dropFirst(14).allSatisfy { $0 == 0 })
        }
        #expect(try HostFile.size(inMemory + "/file") >= 10_000)
    }

    @Test func `bytes are replaced in their place`() throws {
        defer { cleanUp() }
        for path in paths {
            let file = try AppendFile(writing: [1, 0, 0, 4], to: path)
            try file.overwrite([2, 3], at: 1)
            try file.append([5], [])
            #expect(try HostFile.read(path) == [1, 2, 3, 4, 5])
        }
    }

    @Test func `what does not fit into the room is written behind it`() throws {
        defer { cleanUp() }
        for path in paths {
            let file = try AppendFile(writing: [1], to: path, room: 100)
            let many = [UInt8](repeating: 2, count: 10_000)
            try file.append([3], many)
            try file.append([4], [])
            #expect(try HostFile.read(path) == [1, 3] + many + [4])
        }
    }

    @Test func `one that is resumed has nothing behind its first bytes`() throws {
        defer { cleanUp() }
        for path in paths {
            try HostFile.write(path, [1, 2, 3, 4])
            let file = try AppendFile(resuming: path, at: 2, room: 5_000)
            try file.append([], [5])
            let bytes = try HostFile.read(path)
            #expect(bytes.prefix(3) == [1, 2, 5])
            #expect(bytes.dropFirst(3).allSatisfy { $0 == 0 })
        }
    }

    @Test func `one that another program cuts short takes nothing more, and says so`() throws {
        defer { cleanUp() }
        let path = inMemory + "/file"
        let file = try AppendFile(writing: [1], to: path, room: 10_000)
        let other = try AppendFile(writing: [1], to: onDisk.file("other"), room: 10_000)
        #expect(truncate(path, 0) == 0)
        for _ in 0..<2 {
            let error = #expect(throws: SocketError.self) { try file.append([2], [3]) }
            #expect(
                error?.description
                    == "cannot write to \(path): another program has cut it short")
        }
        try other.append([], [4])
        #expect(try HostFile.read(onDisk.file("other")).prefix(2) == [1, 4])
    }

    @Test func `one that is handed over goes on on the other side`() throws {
        defer { cleanUp() }
        for path in paths {
            let handle = try AppendFile(writing: [1], to: path, room: 5_000).handOver()
            try AppendFile(handle).append([2], [3])
            #expect(try HostFile.read(path).prefix(3) == [1, 2, 3])
        }
    }

    @Test func `room that was given back is there for others, however many`() throws {
        defer { cleanUp() }
        for number in 0..<200 {
            let file = try AppendFile(
                writing: [UInt8(number)], to: inMemory + "/file", room: 5_000)
            try file.append([9], [])
            #expect(try HostFile.size(inMemory + "/file") >= 5_000)
        }
    }
}
