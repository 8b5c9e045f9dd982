internal import FoundationEssentials

/// The texts of the user's language over those of English, from the files of `messages`. The catalog,
/// its texts and plural forms are the sources of the tool, by symbolic links.
package struct ScreenTexts: Sendable {
    private let catalog: MessageCatalog
    private let english: [String: MessageText]

    /// Reads the texts; without a folder each key stands for itself.
    package init(environment: [String: String], folder: String?) {
        let read = { (language: String) in
            folder.flatMap { Self.read("\($0)/\(language).json") }
        }
        english = read(MessageCatalog.english) ?? [:]
        catalog = MessageCatalog(environment: environment, read: read)
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

    private static func read(_ path: String) -> [String: MessageText]? {
        guard let data = FileManager.default.contents(atPath: path) else { return nil }
        let texts = try? JSONDecoder().decode([String: DecodedText].self, from: data)
        return texts?.compactMapValues(\.text)
    }

    /// Returns the text of a key with its values. `count` chooses the plural form.
    package func text(
        _ key: String, _ values: [String: String] = [:], count: Int? = nil
    ) -> String {
        catalog.text(
            key, english[key] ?? .plain(key), values.map { ($0.key, $0.value) },
            count: count.map(Int64.init))
    }

    /// Returns whether there is a text for the key.
    package func has(_ key: String) -> Bool {
        english[key] != nil
    }
}

/// A text as it is in a file; nil for what is neither a text nor plural forms.
private struct DecodedText: Decodable {
    let text: MessageText?

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            self.text = .plain(text)
        } else {
            let forms = try? value.decode([String: String].self)
            text = forms.map { forms in
                let named = forms.compactMap { name, text in
                    PluralForm(rawValue: name).map { ($0, text) }
                }
                return .plural(Dictionary(named) { first, _ in first })
            }
        }
    }
}
