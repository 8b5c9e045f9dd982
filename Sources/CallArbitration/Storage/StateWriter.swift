package import CallModel

/// Appends values to bytes, from which `StateReader` makes the same values again.
///
/// **The form.** Values have no names: the reader expects them in the same order. A number takes as
/// many bytes as it needs, seven bits in each. A text is its length and its UTF-8. A truth value is
/// one bit: eight of them share a byte, which stands where the first of them was written; the
/// presence of an optional value is a truth value too. Enums are stored by numbers that are written
/// down and never change (`Stored+Words.swift`, and the `switch`es of those with payload).
///
/// **What may change.** Words and cases may be added under new numbers: what was stored before
/// reads as before. Anything else is another form, and needs another `formVersion`; the reader
/// still reads the earlier ones. Version 2 added the caller of a call, version 3 the time of an
/// action that is settled before its turn, version 4 the time at which a call was taken that may
/// not be active yet, version 5 the names of debts, and which resumes are offered, version 6 the
/// failures of actions, the time at which an action was requested, and the calls that a plan would
/// activate, version 7 the details of ends, the ringing at the far end, lines, and
/// transfers.
package struct StateWriter {
    /// The version of the form, in front of every stored state.
    package static let formVersion: UInt64 = 7

    package private(set) var bytes: [UInt8] = []
    /// The byte that takes the next truth values.
    private var flagsPlace = 0
    /// The bit for the next truth value; 0 if that needs another byte.
    private var flagBit: UInt8 = 0

    /// The bytes of a piece: what a thread writes in a tenth of a millisecond.
    private static let pieceBytes = 1 << 14
    /// The number of bytes here at which the next piece is handed over.
    private var nextPiece = pieceBytes
    /// Takes the bytes piece by piece; nil if all of them stay here.
    private let take: ((ArraySlice<UInt8>) -> Void)?

    /// - Parameter take: Takes the bytes of a long state piece by piece, in order, so that it is
    ///   never in memory as a whole, and so that a thread that writes it can let others run. The
    ///   last piece stays in `bytes`.
    package init(handingTo take: ((ArraySlice<UInt8>) -> Void)? = nil) {
        self.take = take
    }

    /// Hands over a piece, if that many bytes were written since the last one. Called for each of
    /// many records.
    mutating func handOver() {
        guard bytes.count >= nextPiece, let take else { return }
        // A byte that takes further truth values stays, and so does what is behind it: a list has
        // none.
        let end = flagBit == 0 ? bytes.count : flagsPlace
        take(bytes[..<end])
        bytes.removeFirst(end)
        flagsPlace = 0
        nextPiece = bytes.count + Self.pieceBytes
    }

    /// Removes all bytes, and keeps the capacity for the next ones.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        flagBit = 0
    }

    /// Ends the current byte of truth values, so that a reader can begin here.
    package mutating func finishFlags() {
        flagBit = 0
    }

    // MARK: - Bytes

    mutating func put(byte: UInt8) {
        bytes.append(byte)
    }

    mutating func put(flag: Bool) {
        if flagBit == 0 {
            flagsPlace = bytes.count
            bytes.append(0)
            flagBit = 1
        }
        if flag { bytes[flagsPlace] |= flagBit }
        flagBit &<<= 1
    }

    mutating func put(number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest &>>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Appends a signed number; small ones are short below zero too: 0, -1, 1, -2, 2.
    mutating func put(signed number: Int64) {
        put(number: UInt64(bitPattern: (number &<< 1) ^ (number &>> 63)))
    }

    /// Appends a number in eight bytes, whatever its value.
    mutating func put(whole number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { bytes.append(contentsOf: $0) }
    }

    mutating func put(text: String) {
        let utf8 = text.utf8
        put(number: UInt64(utf8.count))
        let isDone: Void? = utf8.withContiguousStorageIfAvailable { bytes.append(contentsOf: $0) }
        if isDone == nil { bytes.append(contentsOf: utf8) }
    }

    // MARK: - Values

    // One function with a parameter pack would suffice, but take five times as long.

    package mutating func write<A: Storable>(_ a: A) {
        a.store(in: &self)
    }

    package mutating func write<A: Storable, B: Storable>(_ a: A, _ b: B) {
        a.store(in: &self)
        b.store(in: &self)
    }

    package mutating func write<A: Storable, B: Storable, C: Storable>(_ a: A, _ b: B, _ c: C) {
        write(a, b)
        write(c)
    }

    package mutating func write<A: Storable, B: Storable, C: Storable, D: Storable>(
        _ a: A, _ b: B, _ c: C, _ d: D
    ) {
        write(a, b)
        write(c, d)
    }

    package mutating func write<A: Storable, B: Storable, C: Storable, D: Storable, E: Storable>(
        _ a: A, _ b: B, _ c: C, _ d: D, _ e: E
    ) {
        write(a, b, c)
        write(d, e)
    }
}

extension StateWriter {
    /// Appends an event and its instant: one entry of a journal, in bytes of its own.
    package mutating func write(_ event: ArbiterEvent, at now: Instant) {
        finishFlags()
        now.store(in: &self)
        event.store(in: &self)
        finishFlags()
    }
}
