internal import CLinux
internal import Glibc

/// Room behind the end of a file, allocated and mapped into memory: appending is a copy, without a
/// system call.
///
/// Only file systems that keep allocated blocks give room: there a full disk is an error when the
/// room is made, never one of a later copy. If somebody else cuts the file short, a copy is refused.
struct MappedRoom: Sendable {
    private static let pageBytes = sysconf(Int32(_SC_PAGESIZE))
    private static let handlesBusErrors: Void = linux_catch_bus_errors()

    /// The number of the mapping.
    private let map: Int32
    /// The place of its first byte in the file.
    private let start: Int
    /// The place behind its last byte.
    private let end: Int

    /// Makes room; nil if the file system gives none, or has none.
    init?(in descriptor: Int32, from size: Int, bytes: Int) {
        Self.handlesBusErrors
        start = size / Self.pageBytes * Self.pageBytes
        end = (size + bytes + Self.pageBytes - 1) / Self.pageBytes * Self.pageBytes
        map = linux_map_file(descriptor, off_t(start), end - start)
        if map < 0 { return nil }
    }

    func unmap() {
        linux_unmap_file(map)
    }

    /// Returns whether that many bytes fit.
    func hasRoom(for count: Int, at place: Int) -> Bool {
        place + count <= end
    }

    /// Stores both parts, the head last; false if the file does not have them, as somebody has cut
    /// it short.
    func store(_ head: [UInt8], _ rest: [UInt8], at place: Int) -> Bool {
        head.withUnsafeBytes { head in
            rest.withUnsafeBytes { rest in
                linux_store_in_map(
                    map, place - start, head.baseAddress, head.count, rest.baseAddress, rest.count)
            }
        }
    }
}
