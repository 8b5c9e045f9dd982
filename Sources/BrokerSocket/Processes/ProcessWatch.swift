internal import Glibc

/// A watch that reports the exit of a process. It refers to the very process that connected: the
/// kernel keeps track of it even if its pid is reused.
package final class ProcessWatch {
    package let descriptor: Int32
    let pid: Int32
    private let loop: EventLoop?
    package private(set) var isStopped = false
    /// Indicates that the loop has seen the exit and has queued its event.
    var isQueued = false

    init(_ pid: Int32, descriptor: Int32, loop: EventLoop) {
        self.pid = pid
        self.descriptor = descriptor
        self.loop = loop
    }

    /// Creates a watch of a process in memory, controlled by a test.
    package init() {
        descriptor = -1
        pid = 0
        loop = nil
    }

    /// True if the process has exited, also one that is not a child of this one.
    var hasExited: Bool {
        var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&ready, 1, 0) > 0
    }

    /// Stops watching. The descriptor is closed at the end of the turn.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        loop?.stopWatching(descriptor)
    }
}
