internal import CLinux
internal import Glibc

/// A watch that reports possible changes in some folders. An event is a hint: the reader of the
/// folders has to find out what has changed, if anything.
package final class FolderWatch {
    /// The names in a folder whose changes count.
    package enum Names: Hashable, Sendable {
        case all
        case ending(String)
        case exactly(String)

        fileprivate func include(_ name: String) -> Bool {
            switch self {
            case .all: true
            case .ending(let end): name.hasSuffix(end)
            case .exactly(let whole): name == whole
            }
        }
    }

    private static let changes = UInt32(
        IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB
            | IN_DELETE_SELF | IN_MOVE_SELF)

    let descriptor: Int32
    private let loop: EventLoop
    /// The names that count, by the numbers of the kernel's watches.
    private var names: [Int32: Set<Names>] = [:]

    package init(on loop: EventLoop) throws(SocketError) {
        self.loop = loop
        descriptor = linux_inotify()
        guard descriptor >= 0 else { throw .system("cannot watch folders") }
        try loop.watch(self)
    }

    /// Watches a folder. In place of one that does not exist, watches for its creation in the
    /// nearest parent that does: the reader then has to watch the folder again.
    ///
    /// - Parameter path: An absolute path.
    package func watch(_ path: String, _ names: Names = .all) {
        var (place, awaited) = (path, names)
        while !add(place, awaited) {
            guard errno == ENOENT || errno == ENOTDIR, place != "/",
                let slash = place.lastIndex(of: "/")
            else { return }
            awaited = .exactly(String(place[place.index(after: slash)...]))
            place = slash == place.startIndex ? "/" : String(place[..<slash])
        }
        // The next folder may have been created before its parent was watched.
        if case .exactly(let name) = awaited, place != path, HostFile.isFolder("\(place)/\(name)") {
            watch(path, names)
        }
    }

    private func add(_ folder: String, _ wanted: Names) -> Bool {
        let number = inotify_add_watch(descriptor, folder, Self.changes)
        guard number >= 0 else { return false }
        names[number, default: []].insert(wanted)
        return true
    }

    /// Stops watching. The descriptor is closed at the end of the turn.
    package func stop() {
        loop.stopWatching(descriptor)
    }

    /// Reads the pending events.
    ///
    /// - Returns: true if one of them counts.
    func readChanges() -> Bool {
        var hasChanged = false
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // Changes may come faster than they are read; the rest is read in another turn.
        for _ in 0..<16 {
            let count = read(descriptor, &buffer, buffer.count)
            guard count > 0 else { break }
            buffer[..<count].withUnsafeBytes { hasChanged = readEvents($0) || hasChanged }
        }
        return hasChanged
    }

    private func readEvents(_ bytes: UnsafeRawBufferPointer) -> Bool {
        var (hasChanged, index) = (false, 0)
        let headBytes = MemoryLayout<inotify_event>.size
        while index + headBytes <= bytes.count {
            let event = bytes.loadUnaligned(fromByteOffset: index, as: inotify_event.self)
            let end = index + headBytes + Int(event.len)
            let name = bytes[(index + headBytes)..<end].prefix { $0 != 0 }
            hasChanged = counts(event, String(decoding: name, as: UTF8.self)) || hasChanged
            index = end
        }
        return hasChanged
    }

    private func counts(_ event: inotify_event, _ name: String) -> Bool {
        let mask = Int32(bitPattern: event.mask)
        // Events were lost, or the folder itself has gone.
        if mask & Int32(IN_Q_OVERFLOW | IN_DELETE_SELF | IN_MOVE_SELF) != 0 { return true }
        guard mask & Int32(IN_IGNORED) == 0 else {
            names[event.wd] = nil
            return false
        }
        return names[event.wd]?.contains { $0.include(name) } ?? false
    }
}
