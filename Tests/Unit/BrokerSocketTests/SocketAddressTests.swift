import Glibc
import Testing

// Seen from outside only through Listener, which cannot bind everything that can be named.
@testable import BrokerSocket

struct SocketAddressTests {
    @Test func `a path ends in a NUL that counts`() throws {
        let address = try SocketAddress(path: "/a/b")
        #expect(bytes(of: address) == Array("/a/b".utf8) + [0])
    }

    @Test func `an abstract name begins with a NUL and does not end in one`() throws {
        let address = try SocketAddress(path: "@name")
        #expect(bytes(of: address) == [0] + Array("name".utf8))
    }

    @Test func `a path of 107 bytes fits`() throws {
        let path = "/" + String(repeating: "a", count: 106)
        #expect(bytes(of: try SocketAddress(path: path)).count == 108)
        let name = "@" + String(repeating: "a", count: 106)
        #expect(bytes(of: try SocketAddress(path: name)).count == 107)
    }

    @Test func `a path of 108 bytes is refused with what to do`() {
        let path = "/" + String(repeating: "a", count: 107)
        let error = #expect(throws: SocketError(.longPath(path: path, bytesMax: 107))) {
            _ = try SocketAddress(path: path)
        }
        #expect(
            error?.description
                == "the socket path \(path) has 108 bytes, but a Unix socket takes at most 107: "
                + "choose a shorter one with --socket")
    }

    @Test func `bytes count, not characters`() {
        let path = "/" + String(repeating: "ä", count: 54)
        #expect(throws: SocketError.self) { _ = try SocketAddress(path: path) }
    }

    @Test(arguments: ["", "/a\0b", "\0abstract"])
    func `an empty path and one with a NUL are refused`(path: String) {
        #expect(throws: SocketError(.noPath)) { _ = try SocketAddress(path: path) }
    }

    /// What follows the family.
    private func bytes(of address: SocketAddress) -> [UInt8] {
        address.withPointer { pointer, length in
            let raw = UnsafeRawBufferPointer(start: pointer, count: Int(length))
            #expect(raw.load(as: sa_family_t.self) == sa_family_t(AF_UNIX))
            return Array(raw.dropFirst(MemoryLayout<sa_family_t>.size))
        }
    }
}
