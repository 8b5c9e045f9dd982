internal import CallModel

/// A phone number in the form of E.164: the country's code and the digits behind it.
///
/// This is no `libphonenumber`: it does not know which numbers exist. It finds out that two ways to
/// write a number mean the same: separators, other scripts' digits, `00` and `+`, and the trunk
/// prefix of the region. What it cannot complete stays as it is, and is the same only as itself.
package enum PhoneNumber {
    /// How many digits a number has with its country's code. E.164 allows no more.
    static let digits = 4...15

    /// `+` and the digits if the number can be completed, else what was dialled without separators.
    package static func key(_ text: String, region: String?) -> String {
        let dialled = Dialled(text)
        guard let rules = region.flatMap({ NumberingPlan.plans[$0] }) else {
            return dialled.international ?? dialled.text
        }
        return dialled.international(rules) ?? dialled.text
    }

    /// What is dialled: without separators, in ASCII's digits.
    static func dialled(_ text: String) -> String {
        Dialled(text).text
    }

    /// The same for the beginning of numbers, of which it cannot be told whether they are long enough.
    package static func prefixKey(_ text: String, region: String?) -> String {
        let dialled = Dialled(text)
        guard let rules = region.flatMap({ NumberingPlan.plans[$0] }) else {
            return dialled.internationalPrefix ?? dialled.text
        }
        return dialled.internationalPrefix(rules) ?? dialled.text
    }

    /// The key of a text that may be a number, and may be a name of digits: a number is one that is
    /// written for all countries, and, of the user at some host, one that is dialled with a trunk prefix.
    static func key(inName name: String, region: String?, isUser: Bool) -> String? {
        let separators = name.hasPrefix("+") ? "-() ." : "-() "
        let rest = name.hasPrefix("+") ? name.dropFirst() : name[...]
        guard rest.allSatisfy({ $0.isASCII && $0.isNumber || separators.contains($0) }) else {
            return nil
        }
        let dialled = Dialled(name)
        guard let rules = region.flatMap({ NumberingPlan.plans[$0] }) else {
            return dialled.international
        }
        return dialled.fromAbroad(rules) ?? (isUser ? dialled.withTrunk(rules) : nil)
    }

    /// As a caller directory names it: nil for a number that cannot be completed.
    package static func directoryNumber(_ text: String, region: String?) -> Int64? {
        HandleKey(kind: .phone, text: key(text, region: region)).directoryNumber
    }

    package static func isKnown(region: String) -> Bool {
        NumberingPlan.plans[region] != nil
    }

    /// The countries whose numbers can be completed.
    package static var regions: [String] {
        NumberingPlan.plans.keys.sorted()
    }
}

/// What somebody would press on a telephone.
private struct Dialled {
    /// A `+` or nothing, then digits, `*` and `#`; or, if there is anything else, the text.
    let text: String

    init(_ written: String) {
        var rest = Substring(written.trimmed)
        if rest.prefix(4).lowercased() == "tel:" { rest = rest.dropFirst(4) }
        // Parameters and extensions: ";ext=12", ",,12", "x12".
        if let end = rest.firstIndex(where: { ";,xX".contains($0) }), end != rest.startIndex {
            rest = rest[..<end]
        }
        var pressed = ""
        for scalar in rest.unicodeScalars {
            if let digit = Self.digit(scalar) {
                pressed.unicodeScalars.append(digit)
            } else if "*#+＋".unicodeScalars.contains(scalar) {
                pressed += scalar == "＋" ? "+" : String(scalar)
            } else if !Self.isSeparator(scalar) {
                text = written.trimmed.lowercased()
                return
            }
        }
        // "+44 (0)20 ...": the trunk prefix is not dialled from abroad.
        text =
            pressed.hasPrefix("+") && rest.contains("(0)")
            ? Self.withoutTrunkZero(pressed, written: rest) : pressed
    }

    private static func withoutTrunkZero(_ pressed: String, written: Substring) -> String {
        guard let place = written.firstRange(ofText: "(0)") else { return pressed }
        let before = written[..<place].unicodeScalars.count { digit($0) != nil }
        var digits = Array(pressed.utf8)
        if before + 1 < digits.count { digits.remove(at: before + 1) }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func digit(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
        if scalar.isASCII { return UInt8(scalar.value).isDigit ? scalar : nil }
        guard scalar.properties.numericType == .decimal,
            let value = scalar.properties.numericValue
        else { return nil }
        return Unicode.Scalar(UInt8(ascii: "0") + UInt8(value))
    }

    private static func isSeparator(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .spaceSeparator, .dashPunctuation, .format: true
        default: "()./[]\u{2044}\u{FF0F}\u{B7}\t".unicodeScalars.contains(scalar)
        }
    }

    /// A number that begins with `+`, or with what most countries dial instead of it.
    var international: String? {
        for prefix in ["+", "00"] where text.hasPrefix(prefix) {
            return Self.complete(text.dropFirst(prefix.count))
        }
        return nil
    }

    /// A number that a telephone in that region would reach.
    func international(_ plan: NumberingPlan) -> String? {
        if let number = fromAbroad(plan) ?? withTrunk(plan) { return number }
        guard isOfDigits, !plan.needsTrunk, plan.digits.contains(text.utf8.count),
            !isFromAbroad(plan)
        else { return nil }
        return Self.complete(plan.code + text)
    }

    private var isOfDigits: Bool {
        !text.isEmpty && text.utf8.allSatisfy(\.isDigit)
    }

    private func isFromAbroad(_ plan: NumberingPlan) -> Bool {
        plan.abroad.contains(where: text.hasPrefix)
    }

    /// A number with the code of its country.
    func fromAbroad(_ plan: NumberingPlan) -> String? {
        if text.hasPrefix("+") { return Self.complete(text.dropFirst()) }
        guard isOfDigits, let prefix = plan.abroad.first(where: text.hasPrefix) else { return nil }
        return Self.complete(text.dropFirst(prefix.count))
    }

    /// A number of the country, with what is dialled before it there.
    func withTrunk(_ plan: NumberingPlan) -> String? {
        guard isOfDigits, !isFromAbroad(plan), let trunk = plan.trunk, text.hasPrefix(trunk),
            plan.digits.contains(text.utf8.count - trunk.utf8.count)
        else { return nil }
        return Self.complete(plan.code + text.dropFirst(trunk.count))
    }

    /// What begins such numbers where the country is not known. The prefix alone begins no number yet.
    var internationalPrefix: String? {
        guard isOfDigits, text.hasPrefix("00"), text.utf8.count > 2 else { return nil }
        return "+" + text.dropFirst(2)
    }

    func internationalPrefix(_ plan: NumberingPlan) -> String? {
        if text.hasPrefix("+") { return text }
        guard isOfDigits else { return nil }
        for prefix in plan.abroad where text.hasPrefix(prefix) {
            return "+" + text.dropFirst(prefix.count)
        }
        if let trunk = plan.trunk, text.hasPrefix(trunk) {
            return "+" + plan.code + text.dropFirst(trunk.count)
        }
        return plan.needsTrunk ? nil : "+" + plan.code + text
    }

    private static func complete(_ digits: some StringProtocol) -> String? {
        guard PhoneNumber.digits.contains(digits.utf8.count), !digits.hasPrefix("0"),
            digits.utf8.allSatisfy(\.isDigit)
        else { return nil }
        return "+" + digits
    }
}

extension StringProtocol {
    /// Where that text begins first.
    func firstRange(ofText text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
