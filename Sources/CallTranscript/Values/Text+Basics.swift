internal import CallArbitration
internal import CallModel

/// Booleans, numbers, texts, times and tokens.

extension Bool: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        writer.append(self ? "true" : "false")
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Bool {
        if field.isEqual(to: "true") { return true }
        if field.isEqual(to: "false") { return false }
        throw field.error(expected: "true or false")
    }
}

extension Int: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        writer.append(decimal: self)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Int {
        guard let number = field.signed() else { throw field.error(expected: "a whole number") }
        return number
    }
}

extension UInt64: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        writer.append(decimal: self)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> UInt64 {
        guard let number = field.unsigned() else { throw field.error(expected: "a number") }
        return number
    }
}

extension String: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        writer.append(string: self)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> String {
        try field.text()
    }
}

extension RequestToken: TranscriptValue {
    func write(to writer: inout TranscriptWriter) {
        number.write(to: &writer)
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> RequestToken {
        RequestToken(try UInt64.read(field))
    }
}

/// An instant in milliseconds, with a fraction of six digits if it has one.
extension Instant: TranscriptValue {
    private static let nanosecondsPerMS: UInt64 = 1_000_000
    private static let expected = "milliseconds, such as 1500 or 1500.000250"

    func write(to writer: inout TranscriptWriter) {
        let magnitude = nanoseconds.magnitude
        if nanoseconds < 0 { writer.append(UInt8(ascii: "-")) }
        writer.append(decimal: magnitude / Self.nanosecondsPerMS)
        var fraction = magnitude % Self.nanosecondsPerMS
        guard fraction > 0 else { return }
        writer.append(UInt8(ascii: "."))
        var place: UInt64 = 100_000
        while place > 0 {
            writer.append(decimal: fraction / place)
            fraction %= place
            place /= 10
        }
    }

    static func read(_ field: TranscriptField) throws(TranscriptError) -> Instant {
        guard field.isWord, field.start < field.end else { throw field.error(expected: expected) }
        let isNegative = field.source.bytes[field.start] == UInt8(ascii: "-")
        let magnitude = try magnitude(field, from: field.start + (isNegative ? 1 : 0))
        if isNegative, magnitude == Int64.min.magnitude { return Instant(nanoseconds: .min) }
        guard let nanoseconds = Int64(exactly: magnitude) else {
            throw field.error(expected: expected)
        }
        return Instant(nanoseconds: isNegative ? -nanoseconds : nanoseconds)
    }

    private static func magnitude(_ field: TranscriptField, from start: Int)
        throws(TranscriptError) -> UInt64
    {
        let point = field.source.bytes[start..<field.end].firstIndex(of: UInt8(ascii: "."))
        guard let whole = field.unsigned(from: start, to: point),
            let fraction = point.map({ self.fraction(field, from: $0 + 1) }) ?? 0
        else { throw field.error(expected: expected) }
        let (product, isTooLarge) = whole.multipliedReportingOverflow(by: nanosecondsPerMS)
        let (sum, isStillTooLarge) = product.addingReportingOverflow(fraction)
        guard !isTooLarge, !isStillTooLarge else { throw field.error(expected: expected) }
        return sum
    }

    /// Parses one to six digits after the decimal point as nanoseconds.
    private static func fraction(_ field: TranscriptField, from start: Int) -> UInt64? {
        guard field.end - start <= 6, var fraction = field.unsigned(from: start) else { return nil }
        for _ in field.end - start..<6 { fraction *= 10 }
        return fraction
    }
}
