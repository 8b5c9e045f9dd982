import FlyingSocks
import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// A socket of this user alone, at which a running server gives out addresses.
struct AddressSocket {
    private let listener: AsyncSocket
    private let site: Site

    /// Listens in the user's runtime folder; a socket of a server that has ended is replaced.
    init(path: String, site: Site, pool: some AsyncSocketPool) throws {
        let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
        mkdir(folder, 0o700)
        unlink(path)
        let mask = umask(0o177)
        defer { umask(mask) }
        let socket = try Socket(domain: AF_UNIX)
        try socket.bind(to: .unix(path: path))
        try socket.listen()
        listener = try AsyncSocket(socket: socket, pool: pool)
        self.site = site
    }

    /// Gives each that connects an address of its own.
    func run() async throws {
        while true {
            let client = try await listener.accept()
            try? await client.write(Data((await site.address() + "\n").utf8))
            try? client.close()
        }
    }

    /// Returns an address of the server that listens, or nil if there is none.
    static func ask(path: String, pool: some AsyncSocketPool) async -> String? {
        guard let socket = try? await AsyncSocket.connected(to: .unix(path: path), pool: pool)
        else {
            return nil
        }
        defer { try? socket.close() }
        var stream = ByteStream(socket)
        let line = try? await stream.read(until: [10], limit: 1_024)
        return line.map { String(decoding: $0, as: UTF8.self) }
    }
}
