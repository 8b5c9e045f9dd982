internal import CallProtocol
internal import CallTranscript

// Declarations of participants.

extension ScenarioReader {
    private static let kinds =
        ["provider", "program", "controller"] + ScriptedPeer.Part.allCases.map(\.rawValue)

    mutating func declaration(
        _ words: inout ScenarioWords
    ) throws(TranscriptError) -> ScenarioFile.Step {
        let expected = "one of >, <, =, !, $, #, " + Self.kinds.joined(separator: ", ")
        let kind = try words.next(expected: expected)
        guard Self.kinds.contains(kind.verbatim) else { throw kind.error(expected: expected) }
        let name = try newName(&words)
        if let part = ScriptedPeer.Part(rawValue: kind.verbatim) {
            return try scripted(name, part, words)
        }
        switch kind.verbatim {
        case "provider": return try provider(name, words)
        case "program":
            participants[name] = .program
            return .program(name: name, try ScenarioWords.program(words))
        default:
            participants[name] = .controller
            watchers.insert(name)
            _ = try members(words, [], isComplete: true)
            return .controller(name: name)
        }
    }

    private func newName(_ words: inout ScenarioWords) throws(TranscriptError) -> String {
        let field = try words.next(expected: "a name")
        let name = field.verbatim
        guard name.wholeMatch(of: /[a-z][a-z0-9_-]*/) != nil else {
            throw field.error(expected: "a name of small letters, digits, - and _, such as desk")
        }
        guard participants[name] == nil, !Self.reservedNames.contains(name) else {
            throw field.error(expected: "a name that is not in use")
        }
        return name
    }

    /// Words with a meaning of their own where a name may stand.
    private static let reservedNames = ["broker", "then"]

    private static let identity = Member.optional("identity", .pattern(.identity), "who it is")
    private static let answers = Member.optional("answers", .map, "what it answers")
    private static let topics = Member.optional(
        "topics", .array(.string(bytes: 1...64), count: 1...64), "what it subscribes to")

    private static let budget = Member.optional("budget_ms", .integer(1...600_000), "its time")

    // MARK: - Apps

    private mutating func provider(
        _ name: String, _ words: ScenarioWords
    ) throws(TranscriptError) -> ScenarioFile.Step {
        participants[name] = .provider
        let registering = MethodTable.standard.find("provider.register")?.params ?? []
        var own = OwnMembers(identity: "org.example.\(name)")
        let rest = try own.read(words)
        // The two required members have defaults.
        let members = registering.map { Member.optional($0.name, $0.schema, $0.summary) }
        let extra = [Self.identity, Self.answers, Self.topics]
        var typing = typing(isComplete: true)
        let registration = try typing.object(
            rest, members + extra, end: words.endError(expected: "members"))
        var description = ScenarioFile.ProviderDescription(
            identity: own.identity, registration: registration)
        if let answers = own.answers {
            description.answers = try ScenarioWords.answers(try answers.pairs())
        }
        description.topics = own.topics
        if !own.topics.isEmpty { watchers.insert(name) }
        return .provider(name: name, description)
    }

    // MARK: - Other clients

    private mutating func scripted(
        _ name: String, _ part: ScriptedPeer.Part, _ words: ScenarioWords
    ) throws(TranscriptError) -> ScenarioFile.Step {
        participants[name] = .scripted(part)
        var own = OwnMembers(identity: "org.example.\(name)")
        let rest = try own.read(words)
        var typing = typing(isComplete: true)
        let members = try typing.object(
            rest, Self.members(of: part), end: words.endError(expected: "members"))
        var description = ScriptedPeer.Description(
            part: part, identity: own.identity, members: members)
        if !own.topics.isEmpty { description.topics = own.topics }
        if let answers = own.answers {
            description.answer = try scriptedAnswer(try answers.pairs(), of: part)
        }
        if part.receivesEvents { watchers.insert(name) }
        return .scripted(name: name, description)
    }

    private static func members(of part: ScriptedPeer.Part) -> [Member] {
        switch part {
        case .observer: [topics]
        case .screen:
            [
                identity, answers, topics,
                .optional("priority", .integer(-1_000...1_000), "the highest wins"),
            ]
        case .screener:
            [
                identity, answers, budget,
                .optional("fail", .choice(["open", "closed"], isOpen: false), "if it is late"),
            ]
        case .directory: [identity, answers, budget]
        }
    }

    /// Reads answers such as `(check=(verdict=block after=2s))` or `(present=never)`.
    func scriptedAnswer(
        _ pairs: [TranscriptPair], of part: ScriptedPeer.Part
    ) throws(TranscriptError) -> ScriptedPeer.Answer {
        var answer = ScriptedPeer.Answer.usual
        for pair in pairs {
            guard let kind = part.kind, pair.name.verbatim == kind else {
                throw pair.name.error(
                    expected: part.kind ?? "nothing: an observer receives no requests")
            }
            answer = try scriptedAnswer(pair.value, of: part)
        }
        return answer
    }

    private func scriptedAnswer(
        _ field: TranscriptField, of part: ScriptedPeer.Part
    ) throws(TranscriptError) -> ScriptedPeer.Answer {
        guard field.isWord else {
            return try scriptedResult(
                try field.pairs(), of: part, end: { field.error(expected: $0) })
        }
        guard let answer = ScenarioWords.scriptedAnswer(field.verbatim) else {
            throw field.error(
                expected: "a result in brackets, or one of never, fail, fail:REASON, after:TIME")
        }
        return answer
    }

    /// Reads the members of a result, and `after`, which delays it.
    func scriptedResult(
        _ pairs: [TranscriptPair], of part: ScriptedPeer.Part,
        end: (String) -> TranscriptError
    ) throws(TranscriptError) -> ScriptedPeer.Answer {
        let delays = pairs.filter { $0.name.verbatim == "after" }
        let members = part.resultMembers
        let required = ScenarioTyping.required(members).joined(separator: ", ")
        var typing = typing(isComplete: true)
        let result = try typing.object(
            pairs.filter { $0.name.verbatim != "after" }, members,
            end: end("all of \(required)"))
        guard let delay = delays.first?.value else { return .result(result) }
        guard let time = ScenarioWords.milliseconds(delay.verbatim[...]), time <= 86_400_000 else {
            throw delay.error(expected: "a time such as 2s, within a day")
        }
        return .after(time, .result(result))
    }
}

/// The members of a declaration that are not on the wire.
private struct OwnMembers {
    var identity: String
    var answers: TranscriptField?
    var topics: [String] = []

    init(identity: String) {
        self.identity = identity
    }

    /// Reads these members, and returns the others.
    mutating func read(_ words: ScenarioWords) throws(TranscriptError) -> [TranscriptPair] {
        var rest: [TranscriptPair] = []
        for pair in try words.pairs() {
            switch pair.name.verbatim {
            case "identity": identity = try pair.value.text()
            case "answers": answers = pair.value
            case "topics":
                for element in try pair.value.elements() {
                    topics.append(try Self.topic(element))
                }
            default: rest.append(pair)
            }
        }
        return rest
    }

    private static func topic(_ field: TranscriptField) throws(TranscriptError) -> String {
        let pattern = try field.text()
        guard TopicSet(pattern: pattern) != nil else {
            let topics = Topic.allCases.map(\.rawValue)
            throw field.error(
                expected: NearestName.find(pattern, in: topics) ?? "a topic, such as call.*")
        }
        return pattern
    }
}
