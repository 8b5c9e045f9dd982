/// 128 bits that name something, in the form of RFC 9562: 36 characters, lower case on output, any
/// case on input.
public struct UUIDBits: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let high: UInt64
    public let low: UInt64

    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Number `counter` of the ids that a broker makes: version 8, half of the lineage's id and the
    /// counter, so that a replay makes the same ones.
    public init(lineage: UInt64, counter: UInt64) {
        let version: UInt64 = 0x8000
        let variant: UInt64 = 1 << 63
        high = lineage & 0xFFFF_FFFF_FFFF_0000 | version | lineage & 0x0FFF
        low = variant | counter & (1 << 62 - 1)
    }

    /// Nil for a text that is no UUID.
    public init?(_ text: some StringProtocol) {
        var copy = String(text)
        guard let bits = copy.withUTF8({ UUIDBits(utf8: $0) }) else { return nil }
        self = bits
    }

    public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        guard text.count == 36 else { return nil }
        var halves: (high: UInt64, low: UInt64) = (0, 0)
        var digits = 0
        for (index, byte) in text.enumerated() {
            if [8, 13, 18, 23].contains(index) {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = Self.value(ofHexDigit: byte) else { return nil }
            if digits < 16 {
                halves.high = halves.high << 4 | digit
            } else {
                halves.low = halves.low << 4 | digit
            }
            digits += 1
        }
        self.init(high: halves.high, low: halves.low)
    }

    private static func value(ofHexDigit byte: UInt8) -> UInt64? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt64(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f"): UInt64(byte - UInt8(ascii: "a") + 10)
        case UInt8(ascii: "A")...UInt8(ascii: "F"): UInt64(byte - UInt8(ascii: "A") + 10)
        default: nil
        }
    }

    /// The 36 bytes of the text.
    public var utf8: [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for place in 0..<32 {
            if [8, 12, 16, 20].contains(place) { text.append(UInt8(ascii: "-")) }
            let half = place < 16 ? high : low
            text.append(digits[Int(half >> UInt64(60 - place % 16 * 4) & 15)])
        }
        return text
    }

    public var description: String {
        String(decoding: utf8, as: UTF8.self)
    }

    public static func < (left: UUIDBits, right: UUIDBits) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// Names a call: chosen by whoever creates it, never used again.
public struct CallID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let bits: UUIDBits

    public init(_ bits: UUIDBits) {
        self.bits = bits
    }

    public var description: String {
        bits.description
    }

    public static func < (left: CallID, right: CallID) -> Bool {
        left.bits < right.bits
    }
}

/// Names an action: one thing that one provider performs once.
public struct ActionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let bits: UUIDBits

    public init(_ bits: UUIDBits) {
        self.bits = bits
    }

    public var description: String {
        bits.description
    }

    public static func < (left: ActionID, right: ActionID) -> Bool {
        left.bits < right.bits
    }
}

/// Names a transaction: what was asked for together.
public struct TransactionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let bits: UUIDBits

    public init(_ bits: UUIDBits) {
        self.bits = bits
    }

    public var description: String {
        bits.description
    }

    public static func < (left: TransactionID, right: TransactionID) -> Bool {
        left.bits < right.bits
    }
}

/// Names a provider: a reverse-domain name such as `org.example.phone`.
public struct ProviderID: Hashable, Comparable, Sendable, CustomStringConvertible {
    public let name: String

    public init(_ name: String) {
        self.name = name
    }

    public var description: String {
        name
    }

    public static func < (left: ProviderID, right: ProviderID) -> Bool {
        left.name < right.name
    }
}

/// An instant of the clock that whoever drives the arbiter passes in; only differences mean
/// anything.
public struct Instant: Hashable, Comparable, Sendable {
    public let nanoseconds: Int64

    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    public static let zero = Instant(nanoseconds: 0)

    /// Never beyond what can be counted: some 292 years.
    public func advanced(byMS milliseconds: Int) -> Instant {
        let (span, isFar) = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
        let (sum, isTooFar) = nanoseconds.addingReportingOverflow(span)
        guard isFar || isTooFar else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: milliseconds < 0 ? .min : .max)
    }

    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
