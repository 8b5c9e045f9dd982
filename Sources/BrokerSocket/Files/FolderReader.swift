internal import Glibc

/// The names in a folder, some at a time: there may be any number of them.
package final class FolderReader {
    private var folder: OpaquePointer?

    /// A folder that nobody may look into has no names.
    package init(_ path: String) {
        folder = opendir(path)
    }

    deinit {
        if let folder { closedir(folder) }
    }

    /// The next names, in no order; none at the end.
    package func next(atMost countMax: Int) -> [String] {
        var names: [String] = []
        while names.count < countMax, let folder, let entry = readdir(folder) {
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
