/// The text of a key in one language, with `{name}` where a value belongs.
enum MessageText: Equatable, Sendable, ExpressibleByStringLiteral, ExpressibleByDictionaryLiteral {
    case plain(String)
    /// Texts with a `{count}`; `other` serves for the forms that are missing.
    case plural([PluralForm: String])

    init(stringLiteral text: String) {
        self = .plain(text)
    }

    init(dictionaryLiteral forms: (PluralForm, String)...) {
        self = .plural(Dictionary(forms, uniquingKeysWith: { $1 }))
    }

    /// Returns the text with its values; nil if it has no form for the count, or names a value that
    /// there is not.
    func filled(
        _ values: [(name: String, text: String)], count: Int64?, _ language: String
    ) -> String? {
        let all = values + (count.map { [("count", String($0))] } ?? [])
        switch self {
        case .plain(let text): return Self.fill(text[...], all)
        case .plural(let forms):
            guard let form = count.map({ PluralForm(of: $0, in: language) }),
                let text = forms[form] ?? forms[.other]
            else { return nil }
            return Self.fill(text[...], all)
        }
    }

    private static func fill(
        _ text: Substring, _ values: [(name: String, text: String)]
    ) -> String? {
        var (rest, filled) = (text, "")
        while let start = rest.firstIndex(of: "{") {
            filled += rest[..<start]
            let name = rest[start...].dropFirst().prefix { $0 == "_" || ("a"..."z").contains($0) }
            guard !name.isEmpty, rest[name.endIndex...].first == "}" else {
                filled.append("{")
                rest = rest[start...].dropFirst()
                continue
            }
            guard let value = values.first(where: { $0.name == name }) else { return nil }
            filled += value.text
            rest = rest[name.endIndex...].dropFirst()
        }
        return filled + rest
    }
}
