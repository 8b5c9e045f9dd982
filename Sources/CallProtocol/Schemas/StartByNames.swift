/// The forms of the names by which apps are started.
enum StartByNames {
    /// The longest name, in bytes.
    static let bytesMax = 255

    /// Returns whether a text is a well-known name of D-Bus: elements of letters, digits, `_` and
    /// `-`, separated by dots, that do not begin with a digit.
    static func isBusName(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let elements = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return text.count <= bytesMax && elements.count >= 2
            && elements.allSatisfy { element in
                element.first.map { !isDigit($0) } ?? false && element.allSatisfy(isNameByte)
            }
    }

    /// Returns whether a text is the id of a desktop file.
    static func isDesktopID(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let ending = ".desktop".utf8
        guard text.count <= bytesMax, text.count > ending.count,
            text.suffix(ending.count).elementsEqual(ending)
        else { return false }
        let name = text.dropLast(ending.count)
        return name.first.map { isNameByte($0) && $0 != UInt8(ascii: "-") } ?? false
            && name.allSatisfy { isNameByte($0) || ".+@".utf8.contains($0) }
    }

    private static func isDigit(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || isDigit(byte)
            || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }
}
