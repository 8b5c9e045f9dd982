/// An error in a manifest, with its file and line.
package struct ManifestFault: Error, Equatable, Sendable, CustomStringConvertible {
    package let file: String
    /// The line, from 1.
    package let line: Int
    package let reason: String

    package init(_ file: String, line: Int, _ reason: String) {
        self.file = file
        self.line = line
        self.reason = reason
    }

    package var description: String {
        "\(file):\(line): \(reason)"
    }
}

/// A search for the place of a value in a text that has been parsed before, so that the parser need
/// not record places.
struct JSONLocator {
    private let text: [UInt8]
    private var index = 0

    /// Returns the line, from 1, of the value that a JSON pointer refers to, or of the innermost
    /// existing value around it.
    static func line(of pointer: String, in text: [UInt8]) -> Int {
        var locator = JSONLocator(text: text)
        locator.descend(pointer.split(separator: "/").map(String.init))
        return 1 + text[..<min(locator.index, text.count)].count { $0 == UInt8(ascii: "\n") }
    }

    private init(text: [UInt8]) {
        self.text = text
    }

    private mutating func descend(_ path: [String]) {
        skipWhitespace()
        for name in path {
            let start = index
            let isFound =
                switch current {
                case UInt8(ascii: "{"): enterMember(name)
                case UInt8(ascii: "["): Int(name).map { enterElement($0) } ?? false
                default: false
                }
            guard isFound else {
                index = start
                return
            }
        }
    }

    private var current: UInt8? {
        index < text.count ? text[index] : nil
    }

    private mutating func enterMember(_ name: String) -> Bool {
        index += 1
        while true {
            skipWhitespace()
            guard current == UInt8(ascii: "\"") else { return false }
            let start = index
            skipString()
            let isWanted = text[(start + 1)..<(index - 1)].elementsEqual(name.utf8)
            skipWhitespace()
            index += 1
            skipWhitespace()
            if isWanted { return true }
            skipValue()
            guard skipComma() else { return false }
        }
    }

    private mutating func enterElement(_ number: Int) -> Bool {
        index += 1
        for _ in 0..<number {
            skipWhitespace()
            guard current != UInt8(ascii: "]") else { return false }
            skipValue()
            guard skipComma() else { return false }
        }
        skipWhitespace()
        return current != UInt8(ascii: "]")
    }

    private mutating func skipComma() -> Bool {
        skipWhitespace()
        guard current == UInt8(ascii: ",") else { return false }
        index += 1
        return true
    }

    private mutating func skipWhitespace() {
        while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { index += 1 }
    }

    private mutating func skipString() {
        index += 1
        while let byte = current, byte != UInt8(ascii: "\"") {
            index += byte == UInt8(ascii: "\\") ? 2 : 1
        }
        index += 1
    }

    /// Skips a scalar, or a container with its contents.
    private mutating func skipValue() {
        var depth = 0
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                skipString()
                if depth == 0 { return }
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > 0 else { return }
                depth -= 1
                if depth == 0 {
                    index += 1
                    return
                }
            case UInt8(ascii: ","): if depth == 0 { return }
            default: break
            }
            index += 1
        }
    }
}
