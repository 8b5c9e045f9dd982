/// A UUID in the form of RFC 9562: 36 characters, lowercase on output, any case on input.
public struct UUIDBits: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The upper 64 bits, which are the first 16 hexadecimal digits of the text.
    public let high: UInt64
    /// The lower 64 bits.
    public let low: UInt64

    /// Creates a UUID from its halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Returns a random UUID (version 4) from the system's generator.
    public static func random() -> UUIDBits {
        var generator = SystemRandomNumberGenerator()
        return UUIDBits(
            high: generator.next() & ~0xF000 | 0x4000, low: generator.next() & ~(3 << 62) | 1 << 63)
    }

    /// Creates the `counter`-th UUID of a broker's lineage (version 8). It is a function of its
    /// arguments, so that a replay creates the same ids.
    public init(lineage: UInt64, counter: UInt64) {
        let version: UInt64 = 0x8000
        let variant: UInt64 = 1 << 63
        high = lineage & 0xFFFF_FFFF_FFFF_0000 | version | lineage & 0x0FFF
        low = variant | counter & (1 << 62 - 1)
    }

    /// Creates a UUID from its text; nil if the text is not a UUID.
    public init?(_ text: some StringProtocol) {
        var copy = String(text)
        guard let bits = copy.withUTF8({ UUIDBits(utf8: $0) }) else { return nil }
        self = bits
    }

    /// Creates a UUID from the 36 bytes of its text; nil if they are not a UUID.
    public init?(utf8 text: UnsafeBufferPointer<UInt8>) {
        let dash = UInt8(ascii: "-")
        guard text.count == 36, text[8] == dash, text[13] == dash, text[18] == dash,
            text[23] == dash
        else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        guard Self.read(text, 0..<8, into: &high), Self.read(text, 9..<13, into: &high),
            Self.read(text, 14..<18, into: &high), Self.read(text, 19..<23, into: &low),
            Self.read(text, 24..<36, into: &low)
        else { return nil }
        self.init(high: high, low: low)
    }

    /// Shifts hexadecimal digits into `half`; returns false at any other character.
    private static func read(
        _ text: UnsafeBufferPointer<UInt8>, _ places: Range<Int>, into half: inout UInt64
    ) -> Bool {
        for place in places {
            guard let digit = value(ofHexDigit: text[place]) else { return false }
            half = half &<< 4 | digit
        }
        return true
    }

    private static func value(ofHexDigit byte: UInt8) -> UInt64? {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { return UInt64(digit) }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? UInt64(letter + 10) : nil
    }

    /// The length of the text in bytes.
    public static let textBytes = 36

    /// The bytes of the text.
    public var utf8: [UInt8] {
        Array(unsafeUninitializedCapacity: Self.textBytes) { room, filled in
            write(to: UnsafeMutableRawBufferPointer(room))
            filled = Self.textBytes
        }
    }

    /// Writes the bytes of the text into a buffer of that length.
    ///
    /// Writes eight digits at a time, from left to right. Each write overwrites the bytes that the
    /// previous one wrote beyond its group.
    public func write(to room: UnsafeMutableRawBufferPointer) {
        let (middle, last) = (Self.digits(high), Self.digits(low &>> 32))
        room.storeBytes(of: Self.digits(high &>> 32).bigEndian, as: UInt64.self)
        room.storeBytes(of: middle.bigEndian, toByteOffset: 9, as: UInt64.self)
        room.storeBytes(of: (middle &<< 32).bigEndian, toByteOffset: 14, as: UInt64.self)
        room.storeBytes(of: last.bigEndian, toByteOffset: 19, as: UInt64.self)
        room.storeBytes(of: (last &<< 32).bigEndian, toByteOffset: 24, as: UInt64.self)
        room.storeBytes(of: Self.digits(low).bigEndian, toByteOffset: 28, as: UInt64.self)
        let dash = UInt8(ascii: "-")
        (room[8], room[13], room[18], room[23]) = (dash, dash, dash, dash)
    }

    /// Returns the lowest 32 bits as 8 hexadecimal digits, one per byte, the first in the highest
    /// byte. The nibbles are spread first, and then become characters all at once.
    private static func digits(_ bits: UInt64) -> UInt64 {
        var nibbles = bits & 0xFFFF_FFFF
        nibbles = (nibbles &<< 16 | nibbles) & 0x0000_FFFF_0000_FFFF
        nibbles = (nibbles &<< 8 | nibbles) & 0x00FF_00FF_00FF_00FF
        nibbles = (nibbles &<< 4 | nibbles) & 0x0F0F_0F0F_0F0F_0F0F
        let isLetter = (nibbles &+ 0x0606_0606_0606_0606) &>> 4 & 0x0101_0101_0101_0101
        let toLetter = UInt64(UInt8(ascii: "a") - UInt8(ascii: "0") - 10)
        return nibbles &+ 0x3030_3030_3030_3030 &+ isLetter &* toLetter
    }

    /// The text: 36 characters, lowercase.
    public var description: String {
        String(decoding: utf8, as: UTF8.self)
    }

    /// Compares the 128 bits as numbers.
    public static func < (left: UUIDBits, right: UUIDBits) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

/// The id of a call. Its creator chooses it and never reuses it.
public struct CallID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The UUID.
    public let bits: UUIDBits

    /// Creates an id from its UUID.
    public init(_ bits: UUIDBits) {
        self.bits = bits
    }

    /// The text of the UUID.
    public var description: String {
        bits.description
    }

    /// Compares the UUIDs.
    public static func < (left: CallID, right: CallID) -> Bool {
        left.bits < right.bits
    }
}

/// The id of an action, which one provider performs once.
public struct ActionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The UUID.
    public let bits: UUIDBits

    /// Creates an id from its UUID.
    public init(_ bits: UUIDBits) {
        self.bits = bits
    }

    /// The text of the UUID.
    public var description: String {
        bits.description
    }

    /// Compares the UUIDs.
    public static func < (left: ActionID, right: ActionID) -> Bool {
        left.bits < right.bits
    }
}

/// The id of a transaction: one or several actions that are requested together.
public struct TransactionID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The UUID.
    public let bits: UUIDBits

    /// Creates an id from its UUID.
    public init(_ bits: UUIDBits) {
        self.bits = bits
    }

    /// The text of the UUID.
    public var description: String {
        bits.description
    }

    /// Compares the UUIDs.
    public static func < (left: TransactionID, right: TransactionID) -> Bool {
        left.bits < right.bits
    }
}

/// The id of a provider: a reverse-domain name such as `org.example.phone`.
public struct ProviderID: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The reverse-domain name.
    public let name: String

    /// Creates an id from its name, which is not checked here.
    public init(_ name: String) {
        self.name = name
    }

    /// The name.
    public var description: String {
        name
    }

    /// Compares the names.
    public static func < (left: ProviderID, right: ProviderID) -> Bool {
        left.name < right.name
    }
}

/// A point in time on the clock of the arbiter's caller. Only differences are meaningful.
public struct Instant: Hashable, Comparable, Sendable {
    /// Nanoseconds since an arbitrary point.
    public let nanoseconds: Int64

    /// Creates an instant from its nanoseconds.
    public init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    /// The instant with no nanoseconds.
    public static let zero = Instant(nanoseconds: 0)

    /// Returns the instant that many milliseconds later, limited to the range of `Instant` (some
    /// 292 years).
    public func advanced(byMS milliseconds: Int) -> Instant {
        let (span, isFar) = Int64(milliseconds).multipliedReportingOverflow(by: 1_000_000)
        let (sum, isTooFar) = nanoseconds.addingReportingOverflow(span)
        guard isFar || isTooFar else { return Instant(nanoseconds: sum) }
        return Instant(nanoseconds: milliseconds < 0 ? .min : .max)
    }

    /// Compares the nanoseconds.
    public static func < (left: Instant, right: Instant) -> Bool {
        left.nanoseconds < right.nanoseconds
    }
}
