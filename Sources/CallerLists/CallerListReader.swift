package import CallStore

/// A reader of a list of callers in CSV or NDJSON, one number per line, that takes the file in
/// pieces.
///
/// A list may have millions of lines, so only an unfinished line is kept. Errors give the line and
/// a reason but no text of the line, which is a person's name or number.
package struct CallerListReader {
    /// Formats of a list.
    package enum Form: Sendable {
        /// `number,label,blocked`, or the columns named in the first line; separated by commas,
        /// semicolons or tabs.
        case csv
        /// An object per line, such as `{"number":"+15550100","label":"Shop","blocked":false}`.
        case ndjson
    }

    /// The maximum length of a line, in bytes.
    package static let lineBytesMax = 4_096

    private let form: Form
    private let region: String?
    private var columns: CSVColumns?
    private var unfinished: [UInt8] = []
    private var line = 0
    private var lastNumber: Int64 = 0

    /// - Parameter region: The country of numbers without a country code.
    package init(_ form: Form, region: String?) {
        self.form = form
        self.region = region
    }

    /// Reads the next piece, and calls `body` with each complete entry.
    package mutating func read(
        _ piece: ArraySlice<UInt8>, _ body: (DirectoryEntry) throws(CallerListError) -> Void
    ) throws(CallerListError) {
        var rest = piece
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            if unfinished.isEmpty {
                try readLine(rest[..<end], body)
            } else {
                let whole = unfinished + rest[..<end]
                unfinished = []
                try readLine(whole[...], body)
            }
            rest = rest[(end + 1)...]
        }
        unfinished += rest
        guard unfinished.count <= Self.lineBytesMax else {
            line += 1
            throw error(.longLine(bytesMax: Self.lineBytesMax))
        }
    }

    /// Ends the list. A last line without LF counts.
    package mutating func finish(
        _ body: (DirectoryEntry) throws(CallerListError) -> Void
    ) throws(CallerListError) {
        let bytes = unfinished
        unfinished = []
        if !bytes.isEmpty { try readLine(bytes[...], body) }
    }

    private mutating func readLine(
        _ bytes: ArraySlice<UInt8>, _ body: (DirectoryEntry) throws(CallerListError) -> Void
    ) throws(CallerListError) {
        line += 1
        guard bytes.count <= Self.lineBytesMax else {
            throw error(.longLine(bytesMax: Self.lineBytesMax))
        }
        var text = bytes
        // The byte order mark that some programs write before UTF-8.
        if line == 1, text.starts(with: [0xEF, 0xBB, 0xBF]) { text = text.dropFirst(3) }
        if text.last == UInt8(ascii: "\r") { text = text.dropLast() }
        guard let row = try row(of: text) else { return }
        try body(try entry(row))
    }

    /// Parses a line; nil if it is empty, a comment or the heading.
    private mutating func row(
        of text: ArraySlice<UInt8>
    ) throws(CallerListError) -> CallerListRow? {
        guard text.contains(where: { $0 > 0x20 }), text.first != UInt8(ascii: "#") else {
            return nil
        }
        guard form == .csv else { return try CallerListRow(json: text, line: line) }
        if let columns { return try columns.row(text, line: line) }
        let (found, isHeading) = try CSVColumns.detect(in: text, line: line)
        columns = found
        return isHeading ? nil : try found.row(text, line: line)
    }

    private mutating func entry(_ row: CallerListRow) throws(CallerListError) -> DirectoryEntry {
        let number =
            if let simple = row.simpleNumber { simple } else { try number(row.number) }
        guard number != lastNumber else {
            throw error(.repeatedNumber)
        }
        guard number > lastNumber else {
            throw error(.lowerNumber)
        }
        guard row.isBlocked || !row.label.isEmpty else {
            throw error(.noLabel)
        }
        lastNumber = number
        guard !row.label.isEmpty else { return DirectoryEntry(number, isBlocked: row.isBlocked) }
        guard let label = String(validating: row.label, as: UTF8.self) else {
            throw error(.notUTF8)
        }
        return DirectoryEntry(number, label: label, isBlocked: row.isBlocked)
    }

    /// Parses a number. One that begins with a digit other than zero begins with its country code,
    /// as in CallKit.
    private func number(_ bytes: ArraySlice<UInt8>) throws(CallerListError) -> Int64 {
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw error(.notUTF8)
        }
        let isBare = bytes.first.map { (UInt8(ascii: "1")...UInt8(ascii: "9")).contains($0) }
        let whole = isBare == true ? "+" + text : text
        if let number = PhoneNumber.directoryNumber(whole, region: region) { return number }
        throw error(region == nil ? .numberWithoutCountry : .incompleteNumber)
    }

    private func error(_ reason: CallerListError.Reason) -> CallerListError {
        CallerListError(line: line, reason: reason)
    }
}
