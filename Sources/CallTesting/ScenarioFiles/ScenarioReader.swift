internal import CallProtocol
internal import CallTranscript

/// A reader of a scenario's lines, which keeps the names that later lines may use.
struct ScenarioReader {
    enum Item {
        case nothing
        case comment(String)
        case title(String)
        case line(ScenarioFile.Line)
    }

    enum Participant: Equatable {
        case provider, program, controller
        case scripted(ScriptedPeer.Part)

        /// True if its name stands for an identity.
        var hasIdentity: Bool {
            self != .controller && self != .scripted(.observer)
        }
    }

    /// The participants by name.
    var participants: [String: Participant] = ["user": .controller]
    /// The participants that receive events.
    var watchers: Set<String> = ["user"]
    /// The names of ids so far.
    var ids: Set<String> = []
    /// The clock in milliseconds, which only the file moves.
    private var now = 0
    /// True if a line of this block expects a frame, which another one may follow.
    var hasExpected = false
    /// The latest request of each participant, which `result` refers to.
    var latest: [String: Method] = [:]

    private static let bytesMax = 16_384
    private static let depthMax = 16
    private static let millisecondsMax = 30 * 86_400_000

    mutating func read(_ bytes: [UInt8], number: Int) throws(TranscriptError) -> Item {
        let source = TranscriptSource(bytes, number: number)
        guard let mark = bytes.first else { return .nothing }
        guard bytes.count <= Self.bytesMax else {
            throw source.error(at: 0, expected: "a line of at most \(Self.bytesMax) bytes")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw source.error(at: 0, expected: "UTF-8")
        }
        if mark == UInt8(ascii: "#") { return Self.comment(text) }
        try Self.checkDepth(source)
        let step = try step(mark, source)
        return .line(ScenarioFile.Line(number: number, text: text, step: step))
    }

    private static func comment(_ text: String) -> Item {
        let isTitle = text.hasPrefix("##")
        let words = text.drop { $0 == "#" }.drop { $0 == " " }
        return isTitle ? .title(String(words)) : .comment(String(words))
    }

    private static func checkDepth(_ source: TranscriptSource) throws(TranscriptError) {
        var depth = 0
        for (place, byte) in source.bytes.enumerated() {
            if byte == UInt8(ascii: "(") || byte == UInt8(ascii: "[") { depth += 1 }
            if byte == UInt8(ascii: ")") || byte == UInt8(ascii: "]") { depth -= 1 }
            guard depth <= depthMax else {
                throw source.error(
                    at: place, expected: "at most \(depthMax) nested brackets")
            }
        }
    }

    private mutating func step(
        _ mark: UInt8, _ source: TranscriptSource
    ) throws(TranscriptError) -> ScenarioFile.Step {
        var words = ScenarioWords(source, from: 0)
        switch mark {
        case UInt8(ascii: ">"):
            try words.skipMark()
            return try act(&words)
        case UInt8(ascii: "<"), UInt8(ascii: "!"):
            try words.skipMark()
            return try expectation(&words, isForbidden: mark == UInt8(ascii: "!"))
        case UInt8(ascii: "="):
            try words.skipMark()
            return try state(&words)
        case UInt8(ascii: "$"):
            try words.skipMark()
            guard !words.isAtEnd else { throw words.error(expected: "a command for the shell") }
            hasExpected = false
            return .shell(words.rest)
        default:
            hasExpected = false
            return try declaration(&words)
        }
    }

    // MARK: - Pieces of a line

    /// Reads a time such as `@1500` or `@+30s`, in milliseconds from the start; nil without one.
    mutating func time(
        _ words: inout ScenarioWords, mayBePast: Bool = false
    ) throws(TranscriptError) -> Int? {
        guard let field = try words.timeField() else { return nil }
        let expected = "a time such as @1500, @+30s or @+10min, within 30 days"
        var text = field.verbatim[...]
        let isRelative = text.hasPrefix("+")
        if isRelative { text.removeFirst() }
        guard let duration = ScenarioWords.milliseconds(text) else {
            throw field.error(expected: expected)
        }
        let time = duration + (isRelative ? now : 0)
        guard time <= Self.millisecondsMax else { throw field.error(expected: expected) }
        guard time >= now || mayBePast else {
            throw field.error(expected: "a time from @\(now) on, which the clock has reached")
        }
        now = max(now, time)
        return time
    }

    mutating func who(
        _ words: inout ScenarioWords
    ) throws(TranscriptError) -> (name: String, Participant) {
        let names = participants.keys.sorted()
        let field = try words.next(expected: "who: one of " + names.joined(separator: ", "))
        guard let participant = participants[field.verbatim] else {
            throw field.error(expected: ScenarioTyping.oneOf(names, field.verbatim))
        }
        return (field.verbatim, participant)
    }

    func typing(isComplete: Bool) -> ScenarioTyping {
        ScenarioTyping(
            participants: Set(participants.filter(\.value.hasIdentity).keys), ids: ids,
            isComplete: isComplete)
    }

    /// Reads the members to the end of the line.
    mutating func members(
        _ words: ScenarioWords, _ members: [Member], isComplete: Bool
    ) throws(TranscriptError) -> ScenarioPattern {
        var typing = typing(isComplete: isComplete)
        let required = ScenarioTyping.required(members).joined(separator: ", ")
        let pattern = try typing.object(
            try words.pairs(), members, end: words.endError(expected: "all of \(required)"))
        ids = typing.ids
        return pattern
    }
}
