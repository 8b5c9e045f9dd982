import BrokerSocket
import Glibc
import Testing

extension PermissionTests {
    struct ServiceNotifierTests {
        @Test func `assignments arrive as one datagram each`() throws {
            let folder = try TemporaryFolder()
            let path = folder.file("notify")
            let manager = try ServiceManager(at: path)
            let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": path])
            notifier.notify("READY=1")
            notifier.notify("STATUS=two\nlines")
            #expect(manager.received() == ["READY=1", "STATUS=two\nlines"])
        }

        @Test func `an abstract socket works as well`() throws {
            let name = "@tests-\(getpid())-\(UInt64.random(in: 0 ... .max))"
            let manager = try ServiceManager(at: name)
            ServiceNotifier(environment: ["NOTIFY_SOCKET": name]).notify("WATCHDOG=1")
            #expect(manager.received() == ["WATCHDOG=1"])
        }

        @Test func `what a manager has no room for is worth another try`() throws {
            let folder = try TemporaryFolder()
            let path = folder.file("notify")
            let manager = try ServiceManager(at: path)
            let notifier = ServiceNotifier(environment: ["NOTIFY_SOCKET": path])
            var count = 0
            while notifier.notify("STATUS=\(count)") { count += 1 }
            #expect(!notifier.notify("READY=1"))
            #expect(manager.received().count == count)
            #expect(notifier.notify("READY=1"))
        }

        @Test(arguments: [
            [:], ["NOTIFY_SOCKET": ""], ["NOTIFY_SOCKET": "/nowhere/notify"],
            ["NOTIFY_SOCKET": String(repeating: "x", count: 200)],
        ])
        func `without a service manager nothing happens`(environment: [String: String]) {
            let notifier = ServiceNotifier(environment: environment)
            #expect(notifier.notify("READY=1"))
            #expect(notifier.watchdogIntervalMS == nil)
        }
    }
}

struct WatchdogTests {
    @Test(arguments: [
        ("30000000", 15_000), ("3000000", 1_500), ("2000", 1), ("1999", 1), ("1", 1),
    ])
    func `the interval is half of what the manager waits`(microseconds: String, interval: Int) {
        #expect(
            self.interval(["WATCHDOG_USEC": microseconds, "WATCHDOG_PID": "\(getpid())"])
                == interval)
        #expect(self.interval(["WATCHDOG_USEC": microseconds]) == interval)
    }

    @Test(arguments: ["", "soon", "99999999999999999999", "1.5"])
    func `what is no number is no watchdog`(microseconds: String) {
        #expect(interval(["WATCHDOG_USEC": microseconds]) == nil)
    }

    @Test(arguments: ["1", "0", "", "self", "99999999999999999999"])
    func `the watchdog of another process is not ours`(pid: String) {
        #expect(interval(["WATCHDOG_USEC": "3000000", "WATCHDOG_PID": pid]) == nil)
    }

    private func interval(_ environment: [String: String]) -> Int? {
        ServiceNotifier(environment: environment).watchdogIntervalMS
    }
}

/// The socket that a service manager would name.
private final class ServiceManager {
    private let peer: SocketPeer

    init(at path: String) throws {
        let flags = SOCK_DGRAM.rawValue | SOCK_CLOEXEC.rawValue
        peer = SocketPeer(descriptor: socket(AF_UNIX, Int32(flags), 0))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        var bytes = Array(path.utf8)
        if bytes[0] == UInt8(ascii: "@") { bytes[0] = 0 }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let status = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(peer.descriptor, $0, socklen_t(2 + bytes.count))
            }
        }
        try #require(status == 0)
    }

    func received() -> [String] {
        var datagrams: [String] = []
        while let datagram = peer.read() {
            datagrams.append(String(decoding: datagram, as: UTF8.self))
        }
        return datagrams
    }
}
