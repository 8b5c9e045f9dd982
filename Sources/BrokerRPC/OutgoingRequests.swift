/// The requests sent on a connection that have not been answered, each with its purpose.
///
/// Ids count up from 1 and are never reused on the connection. A cancelled request remains pending:
/// the peer still has to reply, and until then the id stays in use.
///
/// It is public and inlinable so that it is specialized for each purpose: the compiler does not
/// inline `package` declarations.
public struct OutgoingRequests<Purpose> {
    @usableFromInline struct Number: Hashable, Comparable {
        @usableFromInline let value: Int64

        @inlinable init(_ value: Int64) {
            self.value = value
        }

        @inlinable static func < (left: Number, right: Number) -> Bool {
            left.value < right.value
        }

        /// Returns the hash for a dictionary with this seed. Ids count up: they need no other.
        @inlinable func _rawHashValue(seed: Int) -> Int {
            Int(truncatingIfNeeded: value) ^ seed
        }
    }

    @usableFromInline var pending: [Number: Purpose] = [:]
    @usableFromInline var last: Int64 = 0

    /// Creates an empty table.
    @inlinable public init() {}

    /// The number of pending requests.
    @inlinable public var count: Int {
        pending.count
    }

    /// Adds a request and returns the id to send it with.
    @inlinable public mutating func open(_ purpose: Purpose) -> Int64 {
        last += 1
        pending[Number(last)] = purpose
        return last
    }

    /// Returns the purpose of a pending request, which stays pending: for progress and
    /// cancellation.
    @inlinable public func purpose(of id: Int64) -> Purpose? {
        pending[Number(id)]
    }

    /// The pending requests, in the order of sending.
    @inlinable public var open: [(id: Int64, purpose: Purpose)] {
        pending.sorted { $0.key < $1.key }.map { (id: $0.key.value, purpose: $0.value) }
    }

    /// Removes request `id` and returns its purpose; nil if it is not pending, as for an unknown id
    /// or a second reply.
    @inlinable public mutating func settle(_ id: Int64) -> Purpose? {
        pending.removeValue(forKey: Number(id))
    }

    /// Removes all requests of a lost connection, and returns their purposes in the order of
    /// sending.
    @inlinable public mutating func settleAll() -> [Purpose] {
        let ids = pending.keys.sorted()
        defer { pending = [:] }
        return ids.compactMap { pending[$0] }
    }
}
