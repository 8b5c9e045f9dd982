package import CallModel

/// Somebody whose calls the user does not want.
package struct Block: Hashable, Sendable {
    package enum Pattern: Hashable, Sendable {
        /// This address and no other.
        case handle(Handle)
        /// All addresses of a kind that begin so.
        case prefix(Handle.Kind, String)
    }

    package static let reasonBytesMax = 256

    package var pattern: Pattern
    /// The user's own words.
    package var reason: String?
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
