internal import BrokerJSON
internal import BrokerSocket
internal import CallBroker
internal import CallClient

/// The texts of the user's language. A text that it does not have is in English, and so is one that
/// cannot be filled; a file that cannot be read is no language.
struct MessageCatalog: Sendable {
    static let english = "en"
    private static let bytesMax = 1 << 20

    /// The folder of messages: installed beside the plugins, or in the sources.
    static var folder: String? {
        BundledFiles.places.lazy.map { "\($0.dropLast("plugins".count))messages" }
            .first { (try? HostFile.isFile("\($0)/\(english).json")) == true }
    }

    let language: String
    private let texts: [String: MessageText]

    init(environment: [String: String], folder: String?) {
        let read = Self.languages(environment).lazy.compactMap { language in
            folder.flatMap { Self.read("\($0)/\(language).json") }.map { (language, $0) }
        }
        (language, texts) = read.first ?? (Self.english, [:])
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

    private static func read(_ path: String) -> [String: MessageText]? {
        guard let bytes = try? HostFile.read(path, bytesMax: bytesMax),
            let document = try? JSONDocument(parsing: bytes, limits: .document),
            document.root.kind == .object
        else { return nil }
        var texts: [String: MessageText] = [:]
        document.root.forEachMember { name, value in
            texts[String(decoding: name, as: UTF8.self)] = MessageText(value)
        }
        return texts
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

extension MessageText {
    /// Reads a text, or its plural forms; nil if it is neither.
    fileprivate init?(_ value: JSONValue) {
        if let text = value.string {
            self = .plain(text)
            return
        }
        guard value.kind == .object else { return nil }
        var forms: [PluralForm: String] = [:]
        value.forEachMember { name, text in
            guard let form = PluralForm(rawValue: String(decoding: name, as: UTF8.self)) else {
                return
            }
            forms[form] = text.string
        }
        self = .plural(forms)
    }
}
