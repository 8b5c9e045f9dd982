/// Emergency numbers, as they are dialed.
///
/// 112 and 911 apply everywhere (3GPP TS 22.101, 10.1.1), the others in their regions, according to
/// libphonenumber.
package enum EmergencyNumbers {
    private static let everywhere: Set<String> = ["112", "911"]

    private static let byRegion: [Substring: Set<String>] = {
        var numbers: [Substring: Set<String>] = [:]
        for row in table.split(separator: ",") {
            let words = row.split(separator: " ")
            numbers[words[0]] = Set(words.dropFirst().map(String.init))
        }
        return numbers
    }()

    /// Returns whether a number is an emergency number, regardless of its separators. A number with
    /// a country code in front, or anything after it, is not one.
    ///
    /// - Parameters:
    ///   - text: The number as it was dialed or entered.
    ///   - region: The region as two letters of ISO 3166; empty if unknown.
    ///   - others: Further numbers, without separators.
    package static func contains(_ text: String, region: String, others: [String] = []) -> Bool {
        // A pause, or an extension, is sent behind the number.
        guard !text.contains(where: { ";,xX".contains($0) }) else { return false }
        let number = PhoneNumber.dialed(text)
        return everywhere.contains(number) || others.contains(number)
            || byRegion[region[...]]?.contains(number) ?? false
    }
}
