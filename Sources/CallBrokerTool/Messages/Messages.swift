internal import BrokerSocket

/// The texts that people read, one function for each key of the catalog. The functions are made
/// from `messages/en.json` (`make messages`); other languages are read from the folder of messages
/// when the tool starts. Output for programs, `--help` and what developers read are English, and
/// not in the catalog.
enum Messages {
    /// The catalog of the user's language.
    private static let catalog = MessageCatalog(
        environment: isForProgram ? [:] : Environment.current,
        folder: MessageCatalog.folder)

    /// True if a form for programs was requested, which is in English.
    static var isForProgram: Bool {
        let forms = ["--json", "--flat", "--raw"]
        return CommandLine.arguments.contains(where: forms.contains)
    }

    static func text(
        _ key: String, _ english: MessageText, _ values: [(name: String, text: String)] = [],
        count: Int64? = nil
    ) -> String {
        catalog.text(key, english, values, count: count)
    }
}
