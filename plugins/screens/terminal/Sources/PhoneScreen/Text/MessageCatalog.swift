internal import FoundationEssentials

/// The texts of the user's language over those of English, from `messages/LANGUAGE.json`.
package struct MessageCatalog: Sendable {
    private let language: String
    private let texts: [String: Message]
    private let english: [String: Message]

    /// A text, or its plural forms.
    private enum Message: Decodable {
        case plain(String)
        case plural([String: String])
        /// Something that is no text, and stands for none.
        case unusable

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            if let text = try? value.decode(String.self) {
                self = .plain(text)
            } else if let forms = try? value.decode([String: String].self) {
                self = .plural(forms)
            } else {
                self = .unusable
            }
        }
    }

    /// Reads the texts; without a folder each key stands for itself.
    package init(environment: [String: String], folder: String?) {
        english = folder.flatMap { Self.read("\($0)/en.json") } ?? [:]
        let found = Self.languages(environment).lazy.compactMap { name in
            folder.flatMap { Self.read("\($0)/\(name).json") }.map { (name, $0) }
        }
        (language, texts) = found.first ?? ("en", [:])
    }

    /// Returns the folder of messages of an installed program, or of one in the sources; nil if
    /// neither is there.
    package static func folder(of program: String) -> String? {
        let parts = program.split(separator: "/").dropLast()
        let places = (0...parts.count).reversed().flatMap { count in
            ["share/callbroker/messages", "messages"].map { place in
                "/" + (parts.prefix(count) + [Substring(place)]).joined(separator: "/")
            }
        }
        return places.first { FileManager.default.fileExists(atPath: "\($0)/en.json") }
    }

    /// Returns the names of the files to look for, such as `de_AT` and `de`; none for English.
    package static func languages(_ environment: [String: String]) -> [String] {
        let locale = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
            .first { !$0.isEmpty }
        let name = (locale ?? "").prefix { $0 != "." && $0 != "@" }
        let parts = name.split(separator: "_", omittingEmptySubsequences: false)
        let isName = parts.allSatisfy { part in
            !part.isEmpty && part.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
        }
        guard isName, name != "C", name != "POSIX", let language = parts.first.map(String.init)
        else { return [] }
        let names = parts.count == 1 ? [language] : [String(name), language]
        return Array(names.prefix { $0 != "en" })
    }

    private static func read(_ path: String) -> [String: Message]? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        return try? JSONDecoder().decode([String: Message].self, from: data)
    }

    /// Returns the text of a key with its values. `count` chooses the plural form.
    package func text(
        _ key: String, _ values: [String: String] = [:], count: Int? = nil
    ) -> String {
        var values = values
        if let count { values["count"] = String(count) }
        return Self.filled(texts[key], values, form(language, count))
            ?? Self.filled(english[key], values, form("en", count)) ?? key
    }

    /// Returns whether there is a text for the key.
    package func has(_ key: String) -> Bool {
        english[key] != nil
    }

    private func form(_ language: String, _ count: Int?) -> String {
        count.map { PluralForm.name(language, $0) } ?? "other"
    }

    private static func filled(
        _ message: Message?, _ values: [String: String], _ form: String
    ) -> String? {
        let found: String? =
            switch message {
            case .plain(let text): text
            case .plural(let forms): forms[form] ?? forms["other"]
            case .unusable, nil: nil
            }
        guard var rest = found.map({ $0[...] }) else { return nil }
        var text = ""
        while let start = rest.firstIndex(of: "{"), let end = rest[start...].firstIndex(of: "}") {
            guard let value = values[String(rest[rest.index(after: start)..<end])] else {
                return nil
            }
            text += String(rest[..<start]) + value
            rest = rest[rest.index(after: end)...]
        }
        return text + String(rest)
    }
}

/// The plural forms of CLDR for whole numbers, of the languages that have messages.
enum PluralForm {
    /// Returns the name of the form; English's for a language without a rule here.
    static func name(_ language: String, _ count: Int) -> String {
        let number = count.magnitude
        switch language.prefix(while: { $0 != "_" }) {
        case "ar":
            if number < 3 { return ["zero", "one", "two"][Int(number)] }
            let rest = number % 100
            return (3...10).contains(rest) ? "few" : rest >= 11 ? "many" : "other"
        case "fr":
            if number < 2 { return "one" }
            return number % 1_000_000 == 0 ? "many" : "other"
        default: return number == 1 ? "one" : "other"
        }
    }
}
