/// The forms of a word beside a number, by their names in CLDR.
enum PluralForm: String, CaseIterable, Sendable {
    case zero, one, two, few, many, other

    /// Creates the form of a whole number, by CLDR's cardinal rules. A language without rules here
    /// has those of English.
    ///
    /// - Parameter language: The name of a file of messages, such as `de` or `de_AT`.
    init(of count: Int64, in language: String) {
        let number = count.magnitude
        self =
            switch language.prefix(while: { $0 != "_" }) {
            case "ar": Self.arabic(number)
            case "fr": Self.french(number)
            default: number == 1 ? .one : .other
            }
    }

    private static func arabic(_ number: UInt64) -> PluralForm {
        switch (number, number % 100) {
        case (0, _): .zero
        case (1, _): .one
        case (2, _): .two
        case (_, 3...10): .few
        case (_, 11...99): .many
        default: .other
        }
    }

    private static func french(_ number: UInt64) -> PluralForm {
        guard number > 1 else { return .one }
        return number.isMultiple(of: 1_000_000) ? .many : .other
    }
}
