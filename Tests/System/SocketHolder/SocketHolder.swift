internal import Glibc

/// Connects descriptor 3 to the socket that it is told, and lives until it is killed: a process that
/// has a connection, which another one uses.
@main
enum SocketHolder {
    static func main() {
        guard CommandLine.arguments.count == 2, connect(3, to: CommandLine.arguments[1]) else {
            exit(1)
        }
        write(1, "connected\n", 10)
        while true { pause() }
    }

    private static func connect(_ descriptor: Int32, to path: String) -> Bool {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        guard path.utf8.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                Glibc.connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
    }
}
