import Foundation
import Glibc

/// A folder of one test, removed with all it holds when this value goes away.
final class TemporaryFolder {
    let path: String

    init() throws {
        let parent = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var template = Array("\(parent)/cbt-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw SystemError("mkdtemp") }
        path = template.withUnsafeBufferPointer { buffer in
            buffer.baseAddress.map { String(cString: $0) } ?? ""
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String {
        "\(path)/\(name)"
    }

    @discardableResult
    func write(_ text: String, to name: String) throws -> String {
        let path = file(name)
        guard let stream = fopen(path, "we") else { throw SystemError("fopen") }
        fputs(text, stream)
        fclose(stream)
        return path
    }
}

/// What the system knows of a path, the link itself if it is one.
struct FileStatus: Equatable {
    enum Kind: Equatable { case socket, regular, folder, link, other }
    let kind: Kind
    let permissions: UInt32
    let number: UInt64

    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        permissions = status.st_mode & 0o7777
        number = UInt64(status.st_ino)
        switch status.st_mode & S_IFMT {
        case S_IFSOCK: kind = .socket
        case S_IFREG: kind = .regular
        case S_IFDIR: kind = .folder
        case S_IFLNK: kind = .link
        default: kind = .other
        }
    }
}

/// Files of the system's own, such as /proc/PID/status, and those the test wrote.
func contents(of path: String) throws -> String {
    guard let stream = fopen(path, "re") else { throw SystemError("fopen \(path)") }
    defer { fclose(stream) }
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while case let count = fread(&chunk, 1, chunk.count, stream), count > 0 {
        bytes.append(contentsOf: chunk[..<count])
    }
    return String(decoding: bytes, as: UTF8.self)
}

func namesInFolder(_ path: String) -> [String] {
    guard let folder = opendir(path) else { return [] }
    defer { closedir(folder) }
    var names: [String] = []
    while let entry = readdir(folder) {
        let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
            pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
        }
        if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
}

/// The root of the package.
let repositoryPath = String(
    #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(5)
        .joined(separator: "/"))
