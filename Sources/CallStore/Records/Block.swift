package import CallModel

/// A caller whom the user has blocked.
package struct Block: Hashable, Sendable {
    package enum Pattern: Hashable, Sendable {
        /// A single address.
        case handle(Handle)
        /// All addresses of a kind that begin with a prefix.
        case prefix(Handle.Kind, String)
    }

    /// The maximum length of a reason, in bytes.
    package static let reasonBytesMax = 256

    package var pattern: Pattern
    /// The reason in the user's own words.
    package var reason: String?
    /// The time of the addition, in milliseconds of Unix time.
    package var addedAtMS: Int64

    package init(_ pattern: Pattern, reason: String? = nil, addedAtMS: Int64) {
        self.pattern = pattern
        self.reason = reason
        self.addedAtMS = addedAtMS
    }
}

extension Block.Pattern {
    var value: String {
        switch self {
        case .handle(let handle): handle.value
        case .prefix(_, let value): value
        }
    }

    var kind: Handle.Kind {
        switch self {
        case .handle(let handle): handle.kind
        case .prefix(let kind, _): kind
        }
    }

    var isPrefix: Bool {
        switch self {
        case .handle: false
        case .prefix: true
        }
    }
}
