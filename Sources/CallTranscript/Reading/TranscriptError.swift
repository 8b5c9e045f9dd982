/// An error in a line of a transcript, with its place.
public struct TranscriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The number of the line, from 1.
    public let line: Int
    /// The column, counted in characters from 1.
    public let column: Int
    /// The expectation, in words.
    public let expected: String
    /// The text found instead, in quotes or in words.
    public let found: String

    /// Creates an error.
    public init(line: Int, column: Int, expected: String, found: String) {
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found
    }

    /// The error as a sentence with its place.
    public var description: String {
        "line \(line), column \(column): expected \(expected), found \(found)"
    }
}
