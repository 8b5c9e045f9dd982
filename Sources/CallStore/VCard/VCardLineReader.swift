/// A reader that splits a text into lines as it comes in pieces. Some programs fold a line within a
/// character, so bytes are joined before they are decoded.
struct VCardLineReader {
    /// The maximum length of a line with its continuations, in bytes: it may be a photo.
    static let lineBytesMax = 8 << 20

    /// The physical line that is being read.
    private var part: [UInt8] = []
    private var partNumber = 1
    /// Indicates that the last byte was a CR: an LF after it ends the same line.
    private var isAfterCR = false
    /// A line that the next one may continue, with the number of its first physical line.
    private var open: (number: Int, bytes: [UInt8])?

    mutating func read(
        _ piece: ArraySlice<UInt8>, _ body: (VCardLine) throws(VCardError) -> Void
    ) throws(VCardError) {
        let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        var rest = piece
        while let end = rest.firstIndex(where: { $0 == cr || $0 == lf }) {
            let isSecond = isAfterCR && rest[end] == lf && end == rest.startIndex
            isAfterCR = rest[end] == cr
            if !isSecond {
                part += rest[..<end]
                try endPart(body)
            }
            rest = rest[(end + 1)...]
        }
        if !rest.isEmpty { isAfterCR = false }
        part += rest
        try checkLength()
    }

    /// Ends the text. A last line without a line break counts.
    mutating func finish(
        _ body: (VCardLine) throws(VCardError) -> Void
    ) throws(VCardError) {
        try endPart(body)
        try endLine(body)
    }

    /// Ends a physical line. Empty ones are skipped.
    private mutating func endPart(
        _ body: (VCardLine) throws(VCardError) -> Void
    ) throws(VCardError) {
        try checkLength()
        // The byte order mark that some programs write before UTF-8.
        if partNumber == 1, part.starts(with: [0xEF, 0xBB, 0xBF]) { part.removeFirst(3) }
        if part.first == UInt8(ascii: " ") || part.first == UInt8(ascii: "\t") {
            guard open != nil else {
                throw VCardError(line: partNumber, reason: .continuation)
            }
            open?.bytes += part.dropFirst()
        } else {
            try endLine(body)
            open = part.isEmpty ? nil : (partNumber, part)
        }
        part.removeAll(keepingCapacity: true)
        partNumber += 1
    }

    private mutating func endLine(
        _ body: (VCardLine) throws(VCardError) -> Void
    ) throws(VCardError) {
        guard let line = open else { return }
        open = nil
        try body(try VCardLine(line.bytes, number: line.number))
    }

    private func checkLength() throws(VCardError) {
        guard part.count + (open?.bytes.count ?? 0) > Self.lineBytesMax else { return }
        let number = part.count > Self.lineBytesMax ? partNumber : open?.number ?? partNumber
        throw VCardError(line: number, reason: .longLine(bytesMax: Self.lineBytesMax))
    }
}
