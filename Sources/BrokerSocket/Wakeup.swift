internal import CLinux
internal import Glibc

/// Wakes the loop from another thread. Any number of signals before the loop looks are one event.
///
/// `signal` may be called from any thread: it only writes to a descriptor that lives as long as
/// this object.
package final class Wakeup: Sendable {
    package let descriptor: Int32

    package init() throws(SocketError) {
        descriptor = linux_eventfd()
        guard descriptor >= 0 else { throw .system("cannot make an eventfd") }
    }

    deinit {
        close(descriptor)
    }

    package func signal() {
        var one: UInt64 = 1
        _ = write(descriptor, &one, MemoryLayout<UInt64>.size)
    }

    func reset() {
        var count: UInt64 = 0
        _ = read(descriptor, &count, MemoryLayout<UInt64>.size)
    }
}
