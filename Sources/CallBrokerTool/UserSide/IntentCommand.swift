internal import ArgumentParser
internal import BrokerSocket

/// `callbroker intent`: a sentence of the user, from a voice assistant or a search field.
struct IntentCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "intent", abstract: "Do what a sentence says, such as \"call Ada\".",
        discussion: """
            For voice assistants. Sentences are in the user's language or in English; those of a \
            language are in share/callbroker/messages/sentences. The output and the exit code are \
            those of the command that the sentence stands for, which --show prints.
            """)

    @Argument(help: "The sentence, in one argument or several.")
    var sentence: [String]

    @Option(help: "The language of the sentence, such as de. Default: that of the environment.")
    var language: String?

    @Flag(help: "Print the command that the sentence stands for, and do nothing.")
    var show = false

    @Option(help: "Path of the broker's socket.", completion: .file())
    var socket: String?

    func run() throws {
        let books = try Self.languages(language).compactMap(Self.book)
        let text = sentence.joined(separator: " ")
        guard let meaning = books.lazy.compactMap({ $0.meaning(of: text) }).first else {
            let examples = books.first.map { $0.examples.joined(separator: "\n  ") } ?? ""
            throw ToolFailure(.usage, Messages.intentUnknown(examples: "\n  \(examples)"))
        }
        let person = meaning.who.map { ["--", $0] } ?? []
        guard !show else {
            return StandardOutput.line(
                Self.quoted(["callbroker"] + meaning.intent.words + person))
        }
        let options = socket.map { ["--socket", $0] } ?? []
        var command = try meaning.intent.command.parseAsRoot(
            meaning.intent.words.dropFirst() + options + person)
        try command.run()
    }

    /// Returns the languages to look in: the chosen one, otherwise those of the environment;
    /// English last.
    private static func languages(_ chosen: String?) -> [String] {
        let environment = chosen.map { ["LC_ALL": $0] } ?? Environment.current
        return MessageCatalog.languages(environment) + [MessageCatalog.english]
    }

    private static func book(_ language: String) throws -> SentenceBook? {
        guard let folder = MessageCatalog.folder else {
            throw ToolFailure(.usage, Messages.intentNoSentences)
        }
        return SentenceBook(language: language, folder: "\(folder)/sentences")
    }

    /// The words of a command, quoted as for a shell.
    private static func quoted(_ arguments: [String]) -> String {
        arguments.map { word in
            let isPlain =
                !word.isEmpty
                && word.allSatisfy { $0.isLetter || $0.isNumber || "-+:@._".contains($0) }
            return isPlain ? word : "'" + word.replacing("'", with: "'\\''") + "'"
        }.joined(separator: " ")
    }
}

extension Intent {
    /// The command whose name is the first of the words.
    fileprivate var command: any ParsableCommand.Type {
        switch self {
        case .dial, .dialVideo: Dial.self
        case .answer: Answer.self
        case .decline: Decline.self
        case .end: End.self
        case .hold: Hold.self
        case .resume: Resume.self
        case .swap: Swap.self
        case .mute: Mute.self
        case .unmute: Unmute.self
        case .silence: Silence.self
        case .doNotDisturbOn, .doNotDisturbOff: DoNotDisturbCommand.self
        case .calls: Calls.self
        }
    }
}
