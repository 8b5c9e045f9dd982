internal import BrokerJSON
internal import BrokerSocket
internal import CallClient

/// The sentences of a language, by what they mean.
struct SentenceBook {
    private static let bytesMax = 1 << 20

    private let templates: [(intent: Intent, template: SentenceTemplate)]
    /// The first sentence of each meaning, as an example.
    let examples: [String]

    /// Reads a document: an object of lists of templates, by the names of intents. Nil if it is not
    /// one, has an unknown name, or a template that is none.
    init?(_ root: JSONValue) {
        guard root.kind == .object else { return nil }
        var templates: [(Intent, SentenceTemplate)] = []
        var examples: [String] = []
        for intent in Intent.allCases {
            let texts = root[named: intent.rawValue]?.elements.compactMap(\.string) ?? []
            for text in texts {
                guard let template = SentenceTemplate(text) else { return nil }
                templates.append((intent, template))
            }
            if let first = texts.first { examples.append(first) }
        }
        guard root.count == examples.count else { return nil }
        (self.templates, self.examples) = (templates, examples)
    }

    /// Reads the file of a language from a folder; nil if there is none, or it is broken.
    init?(language: String, folder: String) {
        guard
            let bytes = try? HostFile.read("\(folder)/\(language).json", bytesMax: Self.bytesMax),
            let document = try? JSONDocument(parsing: bytes, limits: .document)
        else { return nil }
        self.init(document.root)
    }

    /// Returns the meaning of a sentence: that of the template that names most of its words.
    func meaning(of sentence: String) -> (intent: Intent, who: String?)? {
        let words = SpokenWord.words(of: sentence)
        let found = templates.compactMap { entry in
            entry.template.match(words).map { (entry.intent, $0) }
        }
        return found.max { $0.1.weight < $1.1.weight }.map { ($0.0, $0.1.who) }
    }
}
