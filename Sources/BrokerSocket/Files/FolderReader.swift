internal import Glibc

/// A reader of the names in a folder, in portions: there may be any number of them.
package final class FolderReader {
    private var folder: OpaquePointer?

    /// Opens a folder. A folder that cannot be opened has no names.
    package init(_ path: String) {
        folder = opendir(path)
    }

    /// True if the folder could be opened.
    package var isOpen: Bool {
        folder != nil
    }

    deinit {
        if let folder { closedir(folder) }
    }

    /// Returns the next names, in no particular order; none at the end.
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
