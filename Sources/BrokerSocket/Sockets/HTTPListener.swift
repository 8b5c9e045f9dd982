internal import CLinux
internal import Glibc

/// The listening socket of a small HTTP server: TCP, or a Unix socket that only this user can
/// connect to.
package final class HTTPListener {
    private static let backlog: Int32 = 64
    private static let unixPrefix = "unix:"

    package let descriptor: Int32
    /// The address as clients write it.
    package let url: String
    /// The Unix socket; nil for TCP.
    private let unix: Listener?

    /// Listens on `unix:PATH`, or on `ADDRESS:PORT` with a numeric address; without an address, on
    /// 127.0.0.1. Port 0 is any free port.
    package init(_ place: String) throws(SocketError) {
        if place.hasPrefix(Self.unixPrefix) {
            let listener = try Listener(path: String(place.dropFirst(Self.unixPrefix.count)))
            (descriptor, url, unix) = (listener.descriptor, place, listener)
            return
        }
        let (address, port) = try Self.split(place)
        descriptor = try Self.bound(address, port, place)
        url = "http://" + Self.name(of: descriptor, place)
        unix = nil
    }

    deinit {
        if let unix { unix.shutDown() } else { Glibc.close(descriptor) }
    }

    /// Accepts a pending connection; nil if there is none.
    package func accept() -> PolledStream? {
        PolledStream.accepted(on: descriptor)
    }

    private static func split(_ place: String) throws(SocketError) -> (String, String) {
        let colon = place.lastIndex(of: ":")
        let port = colon.map { place[place.index(after: $0)...] } ?? place[...]
        guard UInt16(port) != nil else {
            throw SocketError(
                .unusable,
                "\(place) is not an address to listen on: write ADDRESS:PORT or unix:PATH")
        }
        let address = colon.map { place[..<$0] } ?? ""
        let bare =
            address.hasPrefix("[") && address.hasSuffix("]")
            ? address.dropFirst().dropLast() : address
        let isLocal = bare.isEmpty || bare == "localhost"
        return (isLocal ? "127.0.0.1" : String(bare), String(port))
    }

    private static func bound(
        _ address: String, _ port: String, _ place: String
    ) throws(SocketError) -> Int32 {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(address, port, &hints, &found) == 0, let found else {
            throw SocketError(
                .unusable, "\(place): the address must be numeric, such as 127.0.0.1 or [::1]")
        }
        defer { freeaddrinfo(found) }
        let socket = linux_tcp_socket(found.pointee.ai_family)
        guard socket >= 0 else { throw .system("cannot create a socket") }
        var yes: Int32 = 1
        setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
        guard bind(socket, found.pointee.ai_addr, found.pointee.ai_addrlen) == 0,
            Glibc.listen(socket, backlog) == 0
        else {
            let failure = errno
            Glibc.close(socket)
            throw .system("cannot listen on \(place)", failure)
        }
        return socket
    }

    /// Returns the address and port that a socket is bound to.
    private static func name(of socket: Int32, _ place: String) -> String {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        var port = [CChar](repeating: 0, count: Int(NI_MAXSERV))
        let code = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                getsockname(socket, address, &size) == 0
                    ? getnameinfo(
                        address, size, &host, socklen_t(host.count), &port, socklen_t(port.count),
                        NI_NUMERICHOST | NI_NUMERICSERV) : -1
            }
        }
        guard code == 0 else { return place }
        let (address, number) = (text(host), text(port))
        return address.contains(":") ? "[\(address)]:\(number)" : "\(address):\(number)"
    }

    private static func text(_ characters: [CChar]) -> String {
        String(decoding: characters.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
