internal import CallModel

/// A phone number in the form of E.164: the country code and the digits after it.
///
/// Unlike `libphonenumber`, this type does not list existing numbers. It recognizes different
/// spellings of a number: separators, digits of other scripts, `00` and `+`, and the trunk prefix
/// of the region. A number that it cannot complete stays as it is, and equals only itself.
package enum PhoneNumber {
    /// The number of digits with the country code. E.164 allows no more.
    static let digits = 4...15

    /// Returns `+` and the digits if the number can be completed, else the number as dialed.
    package static func key(_ text: String, region: String?) -> String {
        let dialed = DialedNumber(text)
        guard let rules = region.flatMap({ NumberingPlan.plans[$0] }) else {
            return dialed.international ?? dialed.text
        }
        return dialed.international(rules) ?? dialed.text
    }

    /// Returns the number as dialed: without separators, in ASCII digits.
    static func dialed(_ text: String) -> String {
        DialedNumber(text).text
    }

    /// Returns the key of a prefix, whose length does not show whether it is complete.
    package static func prefixKey(_ text: String, region: String?) -> String {
        let dialed = DialedNumber(text)
        guard let rules = region.flatMap({ NumberingPlan.plans[$0] }) else {
            return dialed.internationalPrefix ?? dialed.text
        }
        return dialed.internationalPrefix(rules) ?? dialed.text
    }

    /// Returns the key of a text that may be a number or a name made of digits. It is a number in
    /// international form, or, for the user part of an address, one with a trunk prefix.
    static func key(inName name: String, region: String?, isUser: Bool) -> String? {
        let separators = name.hasPrefix("+") ? "-() ." : "-() "
        let rest = name.hasPrefix("+") ? name.dropFirst() : name[...]
        guard rest.allSatisfy({ $0.isASCII && $0.isNumber || separators.contains($0) }) else {
            return nil
        }
        let dialed = DialedNumber(name)
        guard let rules = region.flatMap({ NumberingPlan.plans[$0] }) else {
            return dialed.international
        }
        return dialed.fromAbroad(rules) ?? (isUser ? dialed.withTrunk(rules) : nil)
    }

    /// Returns the number for a caller directory; nil if it cannot be completed.
    package static func directoryNumber(_ text: String, region: String?) -> Int64? {
        HandleKey(kind: .phone, text: key(text, region: region)).directoryNumber
    }

    package static func isKnown(region: String) -> Bool {
        NumberingPlan.plans[region] != nil
    }

    /// The regions whose numbers can be completed.
    package static var regions: [String] {
        NumberingPlan.plans.keys.sorted()
    }
}

/// A number as a person would dial it.
private struct DialedNumber {
    /// `+` or nothing, then digits, `*` and `#`; or the whole text, if it has any other character.
    let text: String

    init(_ written: String) {
        var rest = Substring(written.trimmed)
        if rest.prefix(4).lowercased() == "tel:" { rest = rest.dropFirst(4) }
        // Drops parameters and extensions: ";ext=12", ",,12", "x12".
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
        // "+44 (0)20 ...": the trunk prefix is not dialed from abroad.
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

    /// The number, if it begins with `+` or with the prefix that most countries use instead.
    var international: String? {
        for prefix in ["+", "00"] where text.hasPrefix(prefix) {
            return Self.complete(text.dropFirst(prefix.count))
        }
        return nil
    }

    /// Returns the number that a phone in that region would reach.
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

    /// Returns a number that is dialed with its country code.
    func fromAbroad(_ plan: NumberingPlan) -> String? {
        if text.hasPrefix("+") { return Self.complete(text.dropFirst()) }
        guard isOfDigits, let prefix = plan.abroad.first(where: text.hasPrefix) else { return nil }
        return Self.complete(text.dropFirst(prefix.count))
    }

    /// Returns a national number that is dialed with the trunk prefix.
    func withTrunk(_ plan: NumberingPlan) -> String? {
        guard isOfDigits, !isFromAbroad(plan), let trunk = plan.trunk, text.hasPrefix(trunk),
            plan.digits.contains(text.utf8.count - trunk.utf8.count)
        else { return nil }
        return Self.complete(plan.code + text.dropFirst(trunk.count))
    }

    /// The prefix in international form, for an unknown region. The international prefix alone does
    /// not begin a number yet.
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
    /// Returns the start of the first occurrence of a text.
    func firstRange(ofText text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
