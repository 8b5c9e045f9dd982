extension Character {
    /// True for `a` to `z` and `0` to `9`.
    package var isLowercaseLetterOrDigit: Bool {
        isASCII && (isLowercase || isNumber)
    }
}

extension StringProtocol {
    /// Returns true for a word such as `door-bell`: lowercase letters of ASCII, digits and `others`, with
    /// a letter first. Regular expressions would bring their parser into the program, half a megabyte.
    package func isLowercaseWord(with others: String) -> Bool {
        first.map { $0.isASCII && $0.isLowercase } == true
            && allSatisfy { $0.isLowercaseLetterOrDigit || others.contains($0) }
    }
}
