internal import CLinux
internal import Glibc

/// A sender of state notifications to a service manager (sd_notify(3)): a datagram to the socket
/// named by `NOTIFY_SOCKET`.
package struct ServiceNotifier {
    private let address: SocketAddress?
    /// The interval of keep-alive notifications: half of the manager's watchdog time; nil without a
    /// watchdog.
    package let watchdogIntervalMS: Int?

    /// Creates a notifier, which does nothing if there is no service manager.
    package init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"].flatMap { try? SocketAddress(path: $0) }
        let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        watchdogIntervalMS =
            isForUs
            ? environment["WATCHDOG_USEC"].flatMap { Int($0) }
                .flatMap { $0 > 0 ? max(1, $0 / 2_000) : nil } : nil
    }

    /// Sends assignments such as `READY=1`. Returns false if that failed and may succeed later: the
    /// manager has not read its queue, or memory is short. Other failures are ignored.
    @discardableResult
    package func notify(_ state: String) -> Bool {
        guard let address else { return true }
        let socket = linux_datagram_socket()
        guard socket >= 0 else { return false }
        defer { close(socket) }
        let bytes = Array(state.utf8)
        let count = address.withPointer {
            // Never waits: a manager that does not read must not block the loop.
            sendto(
                socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0,
                $1)
        }
        return count >= 0 || ![EAGAIN, EINTR, ENOBUFS, ENOMEM].contains(errno)
    }
}
