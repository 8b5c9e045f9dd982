/// The numbers of emergency services, as they are dialled.
///
/// 112 and 911 are so everywhere (3GPP TS 22.101, 10.1.1), the others in their regions, as libphonenumber knows
/// them.
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

    /// Whether a number is one of them, whatever separators it is written with. A country's code in front, or
    /// anything behind it, makes it another number.
    ///
    /// - Parameters:
    ///   - region: two letters of ISO 3166; empty where it is not known.
    ///   - others: further numbers, without separators.
    package static func contains(_ text: String, region: String, others: [String] = []) -> Bool {
        let number = PhoneNumber.dialled(text)
        return everywhere.contains(number) || others.contains(number)
            || byRegion[region[...]]?.contains(number) ?? false
    }
}
