internal import CLinux
internal import Glibc

/// A watch that reports possible changes in some folders. An event is a hint: the reader of the
/// folders has to find out what has changed, if anything.
package final class FolderWatch {
    let descriptor: Int32
    private let loop: EventLoop

    /// Watches the folders that exist.
    package init(_ folders: [String], on loop: EventLoop) throws(SocketError) {
        self.loop = loop
        descriptor = linux_inotify()
        guard descriptor >= 0 else { throw .system("cannot watch folders") }
        let changes = UInt32(
            IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
        for folder in folders { inotify_add_watch(descriptor, folder, changes) }
        try loop.watch(self)
    }

    /// Stops watching. The descriptor is closed at the end of the turn.
    package func stop() {
        loop.stopWatching(descriptor)
    }

    /// Reads and discards the pending events.
    func reset() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // Changes may come faster than they are read; the rest is read in another turn.
        for _ in 0..<16 where read(descriptor, &buffer, buffer.count) <= 0 { return }
    }
}
