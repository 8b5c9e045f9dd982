internal import CLinux
internal import Glibc

/// Tells a service manager how we are (sd_notify(3)): one datagram to the socket it named.
package struct ServiceNotifier {
    private let address: SocketAddress?
    /// How often to say that we are alive: half the time after which the manager would restart us.
    package let watchdogIntervalMS: Int?

    /// Silent where there is no service manager.
    package init(environment: [String: String]) {
        address = environment["NOTIFY_SOCKET"].flatMap { try? SocketAddress(path: $0) }
        let isForUs = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        watchdogIntervalMS =
            isForUs
            ? environment["WATCHDOG_USEC"].flatMap { Int($0) }
                .flatMap { $0 > 0 ? max(1, $0 / 2_000) : nil } : nil
    }

    /// Sends assignments such as `READY=1`. False if that was not possible now, and may be later: the
    /// manager has not read what it has, or there is no room. Any other failure is the manager's
    /// business.
    @discardableResult
    package func notify(_ state: String) -> Bool {
        guard let address else { return true }
        let socket = linux_datagram_socket()
        guard socket >= 0 else { return false }
        defer { close(socket) }
        let bytes = Array(state.utf8)
        let count = address.withPointer {
            // Never waits: a manager that does not read must not stop the loop.
            sendto(
                socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0,
                $1)
        }
        return count >= 0 || ![EAGAIN, EINTR, ENOBUFS, ENOMEM].contains(errno)
    }
}
