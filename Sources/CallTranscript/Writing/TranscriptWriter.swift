public import CallArbitration
public import CallModel

/// A writer of lines into one array of bytes. It creates no strings, because a journal's export has
/// a line for everything that happens.
public struct TranscriptWriter: Sendable {
    /// The lines so far, each with its newline.
    public private(set) var bytes: [UInt8] = []
    /// The lineage of ids that are written by their counter alone.
    public let lineage: UInt64

    /// Creates a writer.
    public init(lineage: UInt64 = 1) {
        self.lineage = lineage
    }

    /// The lines so far, as text.
    public var text: String {
        String(decoding: bytes, as: UTF8.self)
    }

    /// Removes the lines, and keeps the capacity.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
    }

    // MARK: - Lines

    /// Writes an event.
    public mutating func write(_ event: ArbiterEvent, at now: Instant) {
        append("> @")
        now.write(to: &self)
        append(UInt8(ascii: " "))
        event.kind.write(to: &self)
        event.writeMembers(to: &self)
        append(UInt8(ascii: "\n"))
    }

    /// Writes an effect.
    public mutating func write(_ effect: ArbiterEffect) {
        append("< ")
        effect.kind.write(to: &self)
        effect.writeMembers(to: &self)
        append(UInt8(ascii: "\n"))
    }

    /// Writes the state of a call.
    public mutating func write(_ call: CallView) {
        append("= call")
        call.writeMembers(to: &self)
        append(UInt8(ascii: "\n"))
    }

    /// Writes the state of the host.
    public mutating func write(_ host: HostState) {
        append("= host")
        host.writeMembers(to: &self)
        append(UInt8(ascii: "\n"))
    }

    /// Writes a line verbatim.
    mutating func write(mark: StaticString, _ text: String) {
        append(mark)
        append(contentsOf: text)
        append(UInt8(ascii: "\n"))
    }

    // MARK: - Members

    /// Writes a space, unless a record begins here, and `name=`; in one step, as this is the most
    /// frequent operation.
    private mutating func key(_ name: StaticString) {
        let isFirst = bytes.last == UInt8(ascii: "(")
        let count = name.utf8CodeUnitCount
        bytes.append(addingCapacity: count + 2) { output in
            if !isFirst { output.append(UInt8(ascii: " ")) }
            for offset in 0..<count { output.append(name.utf8Start[offset]) }
            output.append(UInt8(ascii: "="))
        }
    }

    mutating func member(_ name: StaticString, _ value: some TranscriptValue) {
        key(name)
        value.write(to: &self)
    }

    /// Writes a member, unless it is nil.
    mutating func member<Value: TranscriptValue>(_ name: StaticString, _ value: Value?) {
        guard let value else { return }
        member(name, value)
    }

    /// Writes a member, unless it has the default value.
    mutating func member<Value: TranscriptValue & Equatable>(
        _ name: StaticString, _ value: Value, default standard: Value
    ) {
        if value != standard { member(name, value) }
    }

    /// Writes a member, or `null` where omitting it would lose information.
    mutating func member<Value: TranscriptValue>(orNull name: StaticString, _ value: Value?) {
        key(name)
        if let value { value.write(to: &self) } else { append("null") }
    }

    mutating func member<Value: TranscriptValue>(_ name: StaticString, _ change: Change<Value>) {
        switch change {
        case .unchanged: break
        case .set(let value): member(name, value)
        case .cleared: member(orNull: name, Value?.none)
        }
    }

    // MARK: - Bytes

    mutating func append(_ byte: UInt8) {
        bytes.append(byte)
    }

    mutating func append(_ text: StaticString) {
        bytes.append(
            contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    mutating func append(contentsOf text: String) {
        let isDone: Void? = text.utf8.withContiguousStorageIfAvailable {
            bytes.append(contentsOf: $0)
        }
        if isDone == nil { bytes.append(contentsOf: text.utf8) }
    }

    mutating func append(decimal number: some BinaryInteger) {
        if number < 0 { append(UInt8(ascii: "-")) }
        append(decimal: UInt64(number.magnitude))
    }

    mutating func append(decimal number: UInt64) {
        var divisor: UInt64 = 1
        while number / divisor >= 10 { divisor *= 10 }
        var rest = number
        bytes.append(addingCapacity: 20) { output in
            while divisor > 0 {
                output.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest / divisor))
                rest %= divisor
                divisor /= 10
            }
        }
    }

    mutating func append(uuid bits: UUIDBits) {
        bytes.append(contentsOf: bits.utf8)
    }

    /// Returns the digit of the lowest four bits.
    static func hexDigit(_ number: UInt64) -> UInt8 {
        let digit = UInt8(truncatingIfNeeded: number) & 15
        return digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") - 10 + digit
    }
}
