/// The texts of the user's language. A text that it does not have is in English, and so is one that
/// cannot be filled; a file that cannot be read is no language.
struct MessageCatalog: Sendable {
    static let english = "en"

    let language: String
    private let texts: [String: MessageText]

    /// Creates the catalog of the first language of the environment that has texts.
    ///
    /// - Parameter read: returns the texts of a language, such as `de_AT` or `de`; nil if it has none.
    init(environment: [String: String], read: (_ language: String) -> [String: MessageText]?) {
        for language in Self.languages(environment) {
            guard let texts = read(language) else { continue }
            (self.language, self.texts) = (language, texts)
            return
        }
        (language, texts) = (Self.english, [:])
    }

    /// Returns the names of the files to look for, such as `de_AT` and `de`; none for English.
    static func languages(_ environment: [String: String]) -> [String] {
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
        return names.filter { $0 != english }
    }

    /// Returns the text of a key with its values.
    func text(
        _ key: String, _ english: MessageText, _ values: [(name: String, text: String)] = [],
        count: Int64? = nil
    ) -> String {
        texts[key]?.filled(values, count: count, language)
            ?? english.filled(values, count: count, Self.english) ?? key
    }
}
