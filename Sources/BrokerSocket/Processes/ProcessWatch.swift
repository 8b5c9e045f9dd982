internal import Glibc

/// Tells when a process has exited. It is the very process that connected: the kernel remembers it,
/// whatever becomes of its number.
package final class ProcessWatch {
    package let descriptor: Int32
    let pid: Int32
    private let loop: EventLoop?
    package private(set) var isStopped = false
    /// The loop has seen the exit, and has not told of it yet.
    var isWaiting = false

    init(_ pid: Int32, descriptor: Int32, loop: EventLoop) {
        self.pid = pid
        self.descriptor = descriptor
        self.loop = loop
    }

    /// A process in memory: whoever made it says when it exits.
    package init() {
        descriptor = -1
        pid = 0
        loop = nil
    }

    /// Watches no more. The descriptor closes at the end of the turn.
    package func stop() {
        guard !isStopped else { return }
        isStopped = true
        loop?.forget(descriptor)
    }
}
