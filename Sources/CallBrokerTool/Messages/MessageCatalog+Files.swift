internal import BrokerJSON
internal import BrokerSocket
internal import CallBroker
internal import CallClient

extension MessageCatalog {
    private static let bytesMax = 1 << 20

    /// The folder of messages: installed beside the plugins, or in the sources.
    static var folder: String? {
        BundledFiles.places.lazy.map { "\($0.dropLast("plugins".count))messages" }
            .first { (try? HostFile.isFile("\($0)/\(english).json")) == true }
    }

    /// Reads the texts of the user's language from a folder; those of English alone without one.
    init(environment: [String: String], folder: String?) {
        self.init(environment: environment) { language in
            folder.flatMap { Self.read("\($0)/\(language).json") }
        }
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
