/// A hash of ids that clients cannot foresee. Clients choose ids: if they knew the hash, they could
/// choose ids that all have the same place in a table, and make every look-up slow.
///
/// This is the pair-multiply-shift of Thorup, "High Speed Hashing for Integers and Strings": the
/// hashes of ids that were chosen without the secret numbers are as if drawn at random, any two
/// independently of each other. It takes a tenth of the instructions of `Hasher`.
package struct IDHash: Sendable {
    private let secret: (UInt64, UInt64, UInt64, UInt64, UInt64)

    /// The hash of this process.
    package static let shared = IDHash()

    private init() {
        secret = (Self.secret(0), Self.secret(1), Self.secret(2), Self.secret(3), Self.secret(4))
    }

    /// Returns a secret number. `Hasher` has another key in every process.
    private static func secret(_ number: Int) -> UInt64 {
        var hasher = Hasher()
        hasher.combine(number)
        return UInt64(truncatingIfNeeded: hasher.finalize())
    }

    /// Returns the hash of an id, from 0 to 2³² - 1. Each seed makes another hash of it.
    package func of(_ bits: UUIDBits, seed: Int = 0) -> Int {
        let lower: UInt64 = 0xFFFF_FFFF
        let seeded = secret.0 &+ UInt64(truncatingIfNeeded: seed) &* secret.4
        let high = (seeded &+ bits.high & lower) &* (secret.1 &+ bits.high >> 32)
        let low = (secret.2 &+ bits.low & lower) &* (secret.3 &+ bits.low >> 32)
        return Int((high &+ low &+ secret.4) >> 32)
    }
}

// A dictionary asks a key for this before it resorts to `hash(into:)`, which takes SipHash. A
// standard library that no longer asks makes look-ups slower, and nothing else.

extension UUIDBits {
    /// Returns the hash for a dictionary with this seed.
    public func _rawHashValue(seed: Int) -> Int {
        IDHash.shared.of(self, seed: seed)
    }
}

extension CallID {
    /// Returns the hash for a dictionary with this seed.
    public func _rawHashValue(seed: Int) -> Int {
        bits._rawHashValue(seed: seed)
    }
}

extension ActionID {
    /// Returns the hash for a dictionary with this seed.
    public func _rawHashValue(seed: Int) -> Int {
        bits._rawHashValue(seed: seed)
    }
}

extension TransactionID {
    /// Returns the hash for a dictionary with this seed.
    public func _rawHashValue(seed: Int) -> Int {
        bits._rawHashValue(seed: seed)
    }
}
