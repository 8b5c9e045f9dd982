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

    /// Sends assignments such as `READY=1`. A failure is nobody's business but the manager's.
    package func notify(_ state: String) {
        guard let address else { return }
        let socket = linux_datagram_socket()
        guard socket >= 0 else { return }
        defer { close(socket) }
        let bytes = Array(state.utf8)
        _ = address.withPointer {
            // Never waits: a manager that does not read must not stop the loop.
            sendto(
                socket, bytes, bytes.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT), $0,
                $1)
        }
    }
}
