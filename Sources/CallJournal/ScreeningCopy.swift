package import CallArbitration
package import CallModel

/// The part of the store that calls must not pass without, within the journal's limits: blocked
/// callers, and contacts that break through do not disturb. Used while the store is unavailable.
package struct ScreeningCopy: Equatable, Sendable {
    /// A blocked address, or a prefix of addresses.
    package struct Pattern: Hashable, Sendable {
        package var handle: Handle
        /// Matches all addresses that begin with the handle.
        package var isPrefix: Bool

        package init(_ handle: Handle, isPrefix: Bool = false) {
            self.handle = handle
            self.isPrefix = isPrefix
        }
    }

    /// A change of the copy.
    package enum Change: Equatable, Sendable {
        case all(ScreeningCopy)
        case block(Pattern)
        case unblock(Pattern)
    }

    /// The maximum length of either list.
    package static let countMax = 1_024
    /// The maximum size of all addresses, in bytes.
    package static let bytesMax = 65_536

    package private(set) var blocked: [Pattern] = []
    package private(set) var breakingThrough: [Handle] = []
    /// Indicates that nothing was left out for lack of room.
    package private(set) var isWhole = true
    private var bytes = 0

    package init() {}

    /// Applies a change.
    package mutating func apply(_ change: Change) {
        switch change {
        case .all(let copy): self = copy
        case .block(let pattern): block(pattern)
        case .unblock(let pattern): unblock(pattern)
        }
    }

    /// Adds a blocked address, if there is room.
    package mutating func block(_ pattern: Pattern) {
        guard !blocked.contains(pattern), hasRoom(for: pattern.handle, among: blocked.count) else {
            return
        }
        blocked.append(pattern)
    }

    /// Adds a contact that breaks through, if there is room.
    package mutating func letThrough(_ handle: Handle) {
        guard hasRoom(for: handle, among: breakingThrough.count) else { return }
        breakingThrough.append(handle)
    }

    private mutating func unblock(_ pattern: Pattern) {
        guard let index = blocked.firstIndex(of: pattern) else { return }
        bytes -= blocked.remove(at: index).handle.value.utf8.count
    }

    private mutating func hasRoom(for handle: Handle, among count: Int) -> Bool {
        let size = handle.value.utf8.count
        guard count < Self.countMax, bytes + size <= Self.bytesMax else {
            isWhole = false
            return false
        }
        bytes += size
        return true
    }
}

// MARK: - Stored

extension ScreeningCopy: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(blocked, breakingThrough, isWhole)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        blocked = try reader.read()
        breakingThrough = try reader.read()
        isWhole = try reader.read()
        bytes = (blocked.map(\.handle) + breakingThrough).reduce(0) { $0 + $1.value.utf8.count }
    }
}

extension ScreeningCopy.Pattern: Storable {
    package func store(in writer: inout StateWriter) {
        writer.write(handle, isPrefix)
    }

    package init(from reader: inout StateReader) throws(StateError) {
        self.init(try reader.read(), isPrefix: try reader.read())
    }
}

extension ScreeningCopy.Change: Storable {
    package func store(in writer: inout StateWriter) {
        switch self {
        case .all(let copy): writer.write(UInt8(0), copy)
        case .block(let pattern): writer.write(UInt8(1), pattern)
        case .unblock(let pattern): writer.write(UInt8(2), pattern)
        }
    }

    package init(from reader: inout StateReader) throws(StateError) {
        let number: UInt8 = try reader.read()
        switch number {
        case 0: self = .all(try reader.read())
        case 1: self = .block(try reader.read())
        case 2: self = .unblock(try reader.read())
        default: throw reader.unexpected(UInt64(number), expected: "a change of what is blocked")
        }
    }
}
