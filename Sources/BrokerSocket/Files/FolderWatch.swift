internal import CLinux
internal import Glibc

/// Tells that something may have changed in some folders. It is a hint: what has changed, and whether,
/// is for the reader of the folders to find out.
package final class FolderWatch {
    let descriptor: Int32
    private let loop: EventLoop

    /// Folders that are not there are not watched.
    package init(_ folders: [String], on loop: EventLoop) throws(SocketError) {
        self.loop = loop
        descriptor = linux_inotify()
        guard descriptor >= 0 else { throw .system("cannot watch folders") }
        let changes = UInt32(
            IN_CREATE | IN_CLOSE_WRITE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB)
        for folder in folders { inotify_add_watch(descriptor, folder, changes) }
        try loop.watch(self)
    }

    /// Watches no more. The descriptor closes at the end of the turn.
    package func stop() {
        loop.forget(descriptor)
    }

    func reset() {
        var buffer = [UInt8](repeating: 0, count: 4_096)
        // Somebody may change things faster than we read; then there is another turn.
        for _ in 0..<16 where read(descriptor, &buffer, buffer.count) <= 0 { return }
    }
}
