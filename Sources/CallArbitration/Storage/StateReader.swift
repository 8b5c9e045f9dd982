package import CallModel

/// Reads the values that `StateWriter` wrote.
///
/// **Total.** Any bytes result in a value or a `StateError`. Nothing is allocated for a length that
/// is only announced: a list grows as its elements are read.
package struct StateReader: Sendable {
    private let bytes: ArraySlice<UInt8>
    /// The pseudonyms for people in the state; nil to read their names and numbers as they are.
    private let pseudonyms: Pseudonyms?
    /// The version of the form, as recorded in the state. What was stored behind a state, such as
    /// the events since, has the same: the reader of a file sets it.
    package var formVersion = StateWriter.formVersion
    /// The form of the file that contains the bytes, for values that no state of the arbiter has;
    /// set by the reader of the file.
    package var fileForm = Int.max
    private var place: Int
    private var flags: UInt8 = 0
    /// The bit of the next truth value in `flags`; 0 if that value is in another byte.
    private var flagBit: UInt8 = 0

    package init(_ bytes: ArraySlice<UInt8>, _ pseudonyms: Pseudonyms? = nil) {
        self.bytes = bytes
        self.pseudonyms = pseudonyms
        place = bytes.startIndex
    }

    /// The number of bytes that are not read yet.
    package var bytesLeft: Int {
        bytes.endIndex - place
    }

    /// The number of bytes that are read.
    private var offset: Int {
        place - bytes.startIndex
    }

    /// Begins a new byte of truth values: the following bytes were written after `finishFlags`.
    package mutating func finishFlags() {
        flagBit = 0
    }

    /// Throws an error if any bytes are left.
    package func finish() throws(StateError) {
        guard bytesLeft == 0 else { throw .leftOver(bytes: bytesLeft, at: offset) }
    }

    package func unexpected(_ found: UInt64, expected: String) -> StateError {
        .unexpected(found: found, expected: expected, at: offset)
    }

    // MARK: - Bytes

    mutating func takeByte() throws(StateError) -> UInt8 {
        guard place < bytes.endIndex else { throw .cutOff(at: offset) }
        let byte = bytes[place]
        place += 1
        return byte
    }

    mutating func takeFlag() throws(StateError) -> Bool {
        if flagBit == 0 {
            flags = try takeByte()
            flagBit = 1
        }
        let flag = flags & flagBit != 0
        flagBit &<<= 1
        return flag
    }

    mutating func takeNumber() throws(StateError) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            let byte = try takeByte()
            let part = UInt64(byte & 0x7F)
            guard shift < 63 || part <= 1 && shift == 63 else {
                throw unexpected(part, expected: "a number of 64 bits")
            }
            number |= part &<< shift
            if byte < 0x80 { return number }
            shift += 7
        }
    }

    mutating func takeSigned() throws(StateError) -> Int64 {
        let number = try takeNumber()
        return Int64(bitPattern: number &>> 1) ^ -Int64(bitPattern: number & 1)
    }

    mutating func takeWhole() throws(StateError) -> UInt64 {
        guard bytesLeft >= 8 else { throw .cutOff(at: offset) }
        var number: UInt64 = 0
        for index in stride(from: place + 7, through: place, by: -1) {
            number = number &<< 8 | UInt64(bytes[index])
        }
        place += 8
        return number
    }

    mutating func takeText() throws(StateError) -> String {
        let count = try takeCount("a text")
        let text = bytes[place..<place + count]
        place += count
        do {
            return String(copying: try UTF8Span(validating: text.span))
        } catch {
            throw unexpected(UInt64(count), expected: "a text in UTF-8")
        }
    }

    /// Returns the number of elements that follow, each of which takes a byte at least.
    mutating func takeCount(_ what: String) throws(StateError) -> Int {
        let number = try takeNumber()
        guard number <= UInt64(bytesLeft) else {
            throw unexpected(number, expected: "the length of \(what) that fits into the rest")
        }
        return Int(number)
    }

    // MARK: - People

    func called(_ handle: Handle) -> Handle {
        pseudonyms?.handle(handle) ?? handle
    }

    func called(_ name: String) -> String {
        pseudonyms?.name(name) ?? name
    }

    func called(_ name: String?) -> String? {
        name.map { called($0) }
    }

    func called(_ name: Change<String>) -> Change<String> {
        if case .set(let name) = name { .set(called(name)) } else { name }
    }

    func called(code: String?) -> String? {
        code.map { pseudonyms?.code($0) ?? $0 }
    }

    func called(reason: String) -> String {
        pseudonyms?.reason(reason) ?? reason
    }

    func dialed(_ digits: String) -> String {
        pseudonyms?.digits(digits) ?? digits
    }

    // MARK: - Values

    package mutating func read<Value: Storable>() throws(StateError) -> Value {
        try Value(from: &self)
    }

    /// Reads a number that counts up and down, and must never come near the largest integer.
    mutating func readTally() throws(StateError) -> Int {
        let number = try takeSigned()
        guard 0...Int64(Int32.max) ~= number else {
            throw unexpected(UInt64(bitPattern: number), expected: "a number of things")
        }
        return Int(number)
    }

    /// Reads a number that only counts up.
    mutating func readSerial() throws(StateError) -> UInt64 {
        let number = try takeNumber()
        guard number < 1 << 62 else { throw unexpected(number, expected: "a serial number") }
        return number
    }
}

extension StateReader {
    /// Reads an event and its instant, as `StateWriter.write(_:at:)` wrote them.
    package mutating func readEvent() throws(StateError) -> (event: ArbiterEvent, now: Instant) {
        finishFlags()
        let now = try Instant(from: &self)
        let event = try ArbiterEvent(from: &self)
        finishFlags()
        return (event, now)
    }
}
