package import CallStore

/// Reads a list of callers from a file, as it comes in pieces: a line for each number, CSV or NDJSON.
///
/// A list may have millions of lines, so nothing is kept but an unfinished line. What is wrong is told by
/// line and reason, without the line's words: they are somebody's name or number.
package struct CallerListReader {
    package enum Form: Sendable {
        /// `number,label,blocked`, or the columns that a first line names; separated by commas,
        /// semicolons or tabs.
        case csv
        /// `{"number":"+15550100","label":"Shop","blocked":false}`
        case ndjson
    }

    /// Bytes of a line at most.
    package static let lineBytesMax = 4_096

    private let form: Form
    private let region: String?
    private var columns: CSVColumns?
    private var unfinished: [UInt8] = []
    private var line = 0
    private var lastNumber: Int64 = 0

    /// - Parameter region: the country whose form numbers without a country's code have.
    package init(_ form: Form, region: String?) {
        self.form = form
        self.region = region
    }

    /// Takes the next piece, and calls `take` with each entry that is whole.
    package mutating func read(
        _ piece: ArraySlice<UInt8>, _ take: (DirectoryEntry) throws(CallerListError) -> Void
    ) throws(CallerListError) {
        var rest = piece
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if unfinished.isEmpty {
                try readLine(rest[..<end], take)
            } else {
                let whole = unfinished + rest[..<end]
                unfinished = []
                try readLine(whole[...], take)
            }
            rest = rest[(end + 1)...]
        }
        unfinished += rest
        guard unfinished.count <= Self.lineBytesMax else {
            line += 1
            throw wrong("it has more than \(Self.lineBytesMax) bytes")
        }
    }

    /// There is no more. A last line without an end counts.
    package mutating func finish(
        _ take: (DirectoryEntry) throws(CallerListError) -> Void
    ) throws(CallerListError) {
        let bytes = unfinished
        unfinished = []
        if !bytes.isEmpty { try readLine(bytes[...], take) }
    }

    private mutating func readLine(
        _ bytes: ArraySlice<UInt8>, _ take: (DirectoryEntry) throws(CallerListError) -> Void
    ) throws(CallerListError) {
        line += 1
        guard bytes.count <= Self.lineBytesMax else {
            throw wrong("it has more than \(Self.lineBytesMax) bytes")
        }
        var text = bytes
        // The mark that some programs put before UTF-8.
        if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        guard let row = try row(of: text) else { return }
        try take(try entry(row))
    }

    /// Nil for a line that says nothing: an empty one, a remark, the names of the columns.
    private mutating func row(
        of text: ArraySlice<UInt8>
    ) throws(CallerListError) -> CallerListRow? {
        guard text.contains(where: { $0 > 0x20 }), text.first != UInt8(ascii: "#") else {
            return nil
        }
        guard form == .csv else { return try CallerListRow(json: text, line: line) }
        if let columns { return try columns.row(text, line: line) }
        let (found, isHeading) = try CSVColumns.found(in: text, line: line)
        columns = found
        return isHeading ? nil : try found.row(text, line: line)
    }

    private mutating func entry(_ row: CallerListRow) throws(CallerListError) -> DirectoryEntry {
        let number =
            if let simple = row.simpleNumber { simple } else { try number(row.number) }
        guard number != lastNumber else { throw wrong("the number is that of the line before") }
        guard number > lastNumber else {
            throw wrong("the number is lower than the one before: sort the list by number")
        }
        guard row.isBlocked || !row.label.isEmpty else {
            throw wrong("expected a label, or that the number is blocked")
        }
        lastNumber = number
        guard !row.label.isEmpty else { return DirectoryEntry(number, isBlocked: row.isBlocked) }
        guard let label = String(validating: row.label, as: UTF8.self) else {
            throw wrong("it is not in UTF-8")
        }
        return DirectoryEntry(number, label: label, isBlocked: row.isBlocked)
    }

    /// What begins with a digit is a country's code and a number, as CallKit has it, unless the digit
    /// is a zero.
    private func number(_ bytes: ArraySlice<UInt8>) throws(CallerListError) -> Int64 {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw wrong("it is not in UTF-8")
        }
        let isBare = bytes.first.map { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        let whole = isBare == true ? "+" + text : text
        if let number = PhoneNumber.directoryNumber(whole, region: region) { return number }
        throw wrong(
            region == nil
                ? "the number is not complete: expected a country's code, or a region for all"
                : "the number is not complete")
    }

    private func wrong(_ reason: String) -> CallerListError {
        CallerListError(line: line, reason: reason)
    }
}

/// What is wrong with a list, and in which line.
package struct CallerListError: Error, Hashable, CustomStringConvertible {
    /// From 1.
    package let line: Int
    package let reason: String

    package init(line: Int, reason: String) {
        self.line = line
        self.reason = reason
    }

    package var description: String {
        "line \(line): \(reason)"
    }
}
