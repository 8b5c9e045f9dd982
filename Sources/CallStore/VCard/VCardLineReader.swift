/// Makes lines of a text that comes in pieces. Some programs continue a line within a character, so
/// that bytes are put together first.
struct VCardLineReader {
    /// Bytes of a line with its continuations at most: a photo may be one.
    static let lineBytesMax = 8 << 20

    /// A line as it stands in the file, as far as it has come.
    private var part: [UInt8] = []
    private var partNumber = 1
    /// The byte before was a CR: an LF behind it ends the same line.
    private var isAfterCR = false
    /// A line that the next one may continue, and where it begins.
    private var open: (number: Int, bytes: [UInt8])?

    mutating func read(
        _ piece: ArraySlice<UInt8>, _ take: (VCardLine) throws(VCardError) -> Void
    ) throws(VCardError) {
        let (cr, lf) = (UInt8(ascii: "\r"), UInt8(ascii: "\n"))
        var rest = piece
        while let end = rest.firstIndex(where: { $0 == cr || $0 == lf }) {
            let isSecond = isAfterCR && rest[end] == lf && end == rest.startIndex
            isAfterCR = rest[end] == cr
            if !isSecond {
                part += rest[..<end]
                try endPart(take)
            }
            rest = rest[(end + 1)...]
        }
        if !rest.isEmpty { isAfterCR = false }
        part += rest
        try checkLength()
    }

    /// There is no more. A last line without an end counts.
    mutating func finish(
        _ take: (VCardLine) throws(VCardError) -> Void
    ) throws(VCardError) {
        try endPart(take)
        try endLine(take)
    }

    /// Empty lines are left out.
    private mutating func endPart(
        _ take: (VCardLine) throws(VCardError) -> Void
    ) throws(VCardError) {
        try checkLength()
        // The mark that some programs put before UTF-8.
        if partNumber == 1, part.starts(with: [0xEF, 0xBB, 0xBF]) { part.removeFirst(3) }
        if part.first == UInt8(ascii: " ") || part.first == UInt8(ascii: "\t") {
            guard open != nil else {
                throw VCardError(
                    line: partNumber, reason: "it continues a line that is not there")
            }
            open?.bytes += part.dropFirst()
        } else {
            try endLine(take)
            open = part.isEmpty ? nil : (partNumber, part)
        }
        part.removeAll(keepingCapacity: true)
        partNumber += 1
    }

    private mutating func endLine(
        _ take: (VCardLine) throws(VCardError) -> Void
    ) throws(VCardError) {
        guard let line = open else { return }
        open = nil
        try take(try VCardLine(line.bytes, number: line.number))
    }

    private func checkLength() throws(VCardError) {
        guard part.count + (open?.bytes.count ?? 0) > Self.lineBytesMax else { return }
        let number = part.count > Self.lineBytesMax ? partNumber : open?.number ?? partNumber
        throw VCardError(line: number, reason: "it has more than \(Self.lineBytesMax) bytes")
    }
}
