/// What is wrong with a line, and where: a column counts characters from 1.
public struct TranscriptError: Error, Hashable, Sendable, CustomStringConvertible {
    public let line: Int
    public let column: Int
    public let expected: String
    public let found: String

    public init(line: Int, column: Int, expected: String, found: String) {
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
    }

    public var description: String {
        "line \(line), column \(column): expected \(expected), found \(found)"
    }
}
