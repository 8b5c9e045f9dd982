package import CallModel

/// Pseudonyms for people's numbers, addresses and names, and for the texts in which apps may name
/// them. A person has the same pseudonym under the
/// same key, and without the key cannot be identified, though there are few enough numbers to try
/// all of them.
package struct Pseudonyms: Equatable, Sendable {
    private let key: UUIDBits

    package init(key: UUIDBits) {
        self.key = key
    }

    /// Returns a pseudonym of the same kind: a number stays a number, in a country that does not
    /// exist (ITU-T E.164 keeps 999 free).
    package func handle(_ handle: Handle) -> Handle {
        var hash = SipHash(key: key)
        let bits = hash.of(Array(handle.value.utf8))
        let value: String
        switch handle.kind {
        case .phone: value = "+999" + String(1_000_000_000 + bits % 9_000_000_000)
        case .email: value = Self.word(bits) + "@example.invalid"
        case .generic, .other: value = Self.word(bits)
        }
        return Handle(kind: handle.kind, value: value)
    }

    package func name(_ name: String) -> String {
        var hash = SipHash(key: key)
        return Self.word(hash.of(Array(name.utf8)))
    }

    /// Returns the code itself if it is one of a standard whose meaning is known, such as `SIP 486`:
    /// the reason of an end follows from it. Any other code may be a text of its app.
    package func code(_ code: String) -> String {
        EndDetail.Reason(code: code) == nil ? name(code) : code
    }

    /// Returns the reason itself if it is a word in snake case, as the protocol has it.
    package func reason(_ reason: String) -> String {
        reason.utf8.isSnakeCase ? reason : name(reason)
    }

    /// Returns as many zeros as there are digits: their number may be known, the digits may be a
    /// secret.
    func digits(_ digits: String) -> String {
        String(repeating: "0", count: digits.count)
    }

    private static func word(_ bits: UInt64) -> String {
        "p" + String(bits, radix: 36)
    }
}

/// SipHash-2-4 (Aumasson and Bernstein, 2012): without the key its values cannot be distinguished
/// from random ones.
struct SipHash {
    private var v: (UInt64, UInt64, UInt64, UInt64)

    init(key: UUIDBits) {
        v = (
            key.low ^ 0x736F_6D65_7073_6575, key.high ^ 0x646F_7261_6E64_6F6D,
            key.low ^ 0x6C79_6765_6E65_7261, key.high ^ 0x7465_6462_7974_6573
        )
    }

    mutating func of(_ bytes: [UInt8]) -> UInt64 {
        var rest = bytes[...]
        while rest.count >= 8 { take(Self.word(rest.prefix(8)), at: &rest) }
        var last = UInt64(truncatingIfNeeded: bytes.count) << 56
        last |= Self.word(rest)
        take(last, at: &rest)
        v.2 ^= 0xFF
        for _ in 0..<4 { mix() }
        return v.0 ^ v.1 ^ v.2 ^ v.3
    }

    private mutating func take(_ word: UInt64, at rest: inout ArraySlice<UInt8>) {
        v.3 ^= word
        mix()
        mix()
        v.0 ^= word
        rest = rest.dropFirst(8)
    }

    /// Returns the number that bytes form, the lowest byte first.
    private static func word(_ bytes: ArraySlice<UInt8>) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    private mutating func mix() {
        v.0 &+= v.1
        v.1 = Self.turn(v.1, 13) ^ v.0
        v.0 = Self.turn(v.0, 32)
        v.2 &+= v.3
        v.3 = Self.turn(v.3, 16) ^ v.2
        v.0 &+= v.3
        v.3 = Self.turn(v.3, 21) ^ v.0
        v.2 &+= v.1
        v.1 = Self.turn(v.1, 17) ^ v.2
        v.2 = Self.turn(v.2, 32)
    }

    private static func turn(_ word: UInt64, _ bits: UInt64) -> UInt64 {
        word &<< bits | word &>> (64 - bits)
    }
}
