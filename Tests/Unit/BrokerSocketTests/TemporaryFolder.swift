import BrokerSocket
import Glibc
import Testing

/// A folder for one test; it goes away with everything in it.
final class TemporaryFolder {
    let path: String

    init() throws {
        let chosen = getenv("TMPDIR").map { ["TMPDIR": String(cString: $0)] } ?? [:]
        path = try HostFile.makeTemporaryFolder(prefix: "tests", environment: chosen)
    }

    deinit {
        Self.remove(path)
    }

    func file(_ name: String) -> String {
        path + "/" + name
    }

    func write(_ text: String, to name: String, mode: mode_t = 0o600) {
        let descriptor = open(file(name), O_WRONLY | O_CREAT | O_TRUNC, mode)
        let bytes = Array(text.utf8)
        #expect(Glibc.write(descriptor, bytes, bytes.count) == bytes.count)
        close(descriptor)
    }

    private static func remove(_ path: String) {
        for name in names(in: path) { remove(path + "/" + name) }
        Glibc.remove(path)
    }

    /// What lies in a folder; nothing for anything else. A link is not followed.
    static func names(in path: String) -> [String] {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW)
        guard descriptor >= 0, let folder = fdopendir(descriptor) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }
}

/// What a path names: its kind and its permissions.
struct FileState: Equatable, CustomStringConvertible {
    let kind: mode_t
    let permissions: mode_t
    let inode: ino_t

    /// Nil if there is nothing. A link is looked at itself.
    init?(_ path: String) {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        kind = status.st_mode & S_IFMT
        permissions = status.st_mode & 0o7777
        inode = status.st_ino
    }

    var description: String {
        "kind \(String(kind, radix: 8)), mode \(String(permissions, radix: 8)), inode \(inode)"
    }
}

/// Suites that make files of known permissions, which take turns.
@Suite(.serialized) enum PermissionTests {}
