internal import Glibc

/// A reference to the process at the other end of a connection, while it is looked up.
final class PeerHandle: Sendable {
    let pid: Int32
    /// The time since the boot at which the connection was opened, in milliseconds.
    let openedAtMS: Int64
    private let descriptor: Int32?

    /// - Parameter descriptor: The process itself, whatever its number means by now; nil where the
    ///   kernel has none. This object closes it.
    init(pid: Int32, openedAtMS: Int64, descriptor: Int32?) {
        self.pid = pid
        self.openedAtMS = openedAtMS
        self.descriptor = descriptor
    }

    deinit {
        if let descriptor { close(descriptor) }
    }

    /// True if the process has certainly exited.
    var hasExited: Bool {
        guard let descriptor else { return false }
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, 0) > 0
    }
}
