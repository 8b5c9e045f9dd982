internal import CLinux
internal import Glibc

/// An event that wakes the loop from another thread. Any number of signals before the loop's next
/// check are one event.
///
/// `signal` may be called from any thread: it only writes to a descriptor that lives as long as
/// this object.
package final class Wakeup: Sendable {
    package let descriptor: Int32
    private static let triesMax = 64

    package init() throws(SocketError) {
        descriptor = linux_eventfd()
        guard descriptor >= 0 else { throw .system("cannot create an eventfd") }
    }

    deinit {
        close(descriptor)
    }

    /// Signals the event. A lost signal might be awaited forever, so a failed write is retried,
    /// unless a signal is pending already (EAGAIN).
    package func signal() {
        var one: UInt64 = 1
        for _ in 0..<Self.triesMax {
            let count = write(descriptor, &one, MemoryLayout<UInt64>.size)
            if count > 0 || errno == EAGAIN { return }
        }
    }

    /// Waits for a signal, for a thread without a loop.
    package func wait() {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        while poll(&event, 1, -1) < 0, errno == EINTR {}
        reset()
    }

    /// Waits for a signal, up to that many milliseconds.
    package func wait(atMostMS milliseconds: Int) {
        var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&event, 1, Int32(clamping: milliseconds))
        reset()
    }

    func reset() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
