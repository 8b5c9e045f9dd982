/// An error in a list, with its line.
package struct CallerListError: Error, Hashable, CustomStringConvertible {
    /// The number of the line, from 1.
    package let line: Int
    /// The reason, without text of the line.
    package let reason: Reason

    package init(line: Int, reason: Reason) {
        self.line = line
        self.reason = reason
    }

    package var description: String {
        "line \(line): \(reason)"
    }
}

extension CallerListError {
    /// Reasons of an error. A program for people says them in their language; `description` is
    /// English.
    package enum Reason: Hashable, Sendable {
        case longLine(bytesMax: Int)
        case notUTF8, openQuote, noSeparator, repeatedColumn
        /// The column, from 1, has neither true nor false.
        case notTruth(column: Int)
        /// The line is not JSON; the message is the parser's.
        case notJSON(column: Int, message: String)
        case notObject, numberType, labelType, blockedType, unknownMember
        case repeatedNumber, lowerNumber, noLabel, incompleteNumber, numberWithoutCountry
    }
}

extension CallerListError.Reason: CustomStringConvertible {
    package var description: String {
        switch self {
        case .longLine(let bytesMax): "longer than \(bytesMax) bytes"
        case .notUTF8: "not valid UTF-8"
        case .openQuote: "the closing quotation mark is missing"
        case .noSeparator: "expected a separator after the closing quotation mark"
        case .repeatedColumn: "two columns have the same name"
        case .notTruth(let column): "column \(column): expected true or false"
        case .notJSON(let column, let message): "column \(column): \(message)"
        case .notObject: "expected an object"
        case .numberType: "number: expected a string or an integer"
        case .labelType: "label: expected a string"
        case .blockedType: "blocked: expected true or false"
        case .unknownMember: "unknown member: expected number, label and blocked only"
        case .repeatedNumber: "the number repeats that of the previous line"
        case .lowerNumber: "the number is lower than the previous one: sort the list by number"
        case .noLabel: "expected a label or a blocked number"
        case .incompleteNumber: "the number is incomplete"
        case .numberWithoutCountry:
            "the number is incomplete: add a country code, or give a region for the list"
        }
    }
}
