internal import CallerLists

/// Everything that reads bytes which somebody else wrote, and what must be true of it whatever the
/// bytes are. The name is that of the folder in `Tests/Fuzzing/Inputs/corpus`.
enum FuzzTarget: String, CaseIterable {
    /// A connection's bytes, through a whole broker.
    case wire
    /// The scanner, the outline and Jansson.
    case json
    case journal
    case storeKey = "store-key"
    case vcard, csv, ndjson
    case manifest
    /// The file of what users chose for plugins.
    case choices
    case scenario, transcript
    /// Replies and events as the tool shows them.
    case replies
    /// The policy in a configuration file.
    case policy
    /// The address of a link.
    case uri
    /// Not bytes but moves of well-behaved clients: `SessionPlay`.
    case sessions
    /// Has a defect on purpose, which must be found.
    case canary

    func run(_ bytes: [UInt8]) throws(Finding) {
        switch self {
        case .wire: try WireInput.check(bytes)
        case .json: try JSONInput.check(bytes)
        case .journal: try JournalInput.check(bytes)
        case .storeKey: try StoreKeyInput.check(bytes)
        case .vcard: try VCardInput.check(bytes)
        case .csv: try CallerListInput.check(bytes, .csv)
        case .ndjson: try CallerListInput.check(bytes, .ndjson)
        case .manifest: try ManifestInput.check(bytes)
        case .choices: try ChoicesInput.check(bytes)
        case .scenario: try ScenarioInput.check(bytes)
        case .transcript: try TranscriptInput.check(bytes)
        case .replies: try ReplyInput.check(bytes)
        case .policy: try PolicyInput.check(bytes)
        case .uri: try URIInput.check(bytes)
        case .sessions: try SessionInput.check(bytes)
        case .canary: try VCardInput.check(bytes, written: VCardInput.withoutFavorites)
        }
    }
}

/// What is wrong, in a sentence.
struct Finding: Error, Equatable {
    let words: String
}

func require(_ truth: Bool, _ words: @autoclosure () -> String) throws(Finding) {
    guard truth else { throw Finding(words: words()) }
}
