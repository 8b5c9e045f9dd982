internal import CallModel
internal import CallTranscript

/// A reader of one line of a scenario, word by word.
struct ScenarioWords {
    private let source: TranscriptSource
    private var place: Int

    init(_ source: TranscriptSource, from place: Int) {
        self.source = source
        self.place = place
    }

    var isAtEnd: Bool {
        place == source.range.upperBound
    }

    /// The rest of the line.
    var rest: String {
        String(decoding: source.bytes[place...], as: UTF8.self)
    }

    mutating func skipMark() throws(TranscriptError) {
        place = 1
        guard !isAtEnd, source.bytes[place] == UInt8(ascii: " ") else {
            throw source.error(at: place, expected: "a space after the mark")
        }
        place = source.skipSpaces(from: place, before: source.range.upperBound)
    }

    mutating func next(expected: @autoclosure () -> String) throws(TranscriptError)
        -> TranscriptField
    {
        let limit = source.range.upperBound
        let end = source.endOfWord(at: place, before: limit)
        guard end > place else { throw source.error(at: place, expected: expected()) }
        guard end == limit || source.bytes[end] == UInt8(ascii: " ") else {
            throw source.error(at: end, expected: "a space")
        }
        let field = TranscriptField(source: source, start: place, end: end)
        place = source.skipSpaces(from: end, before: limit)
        return field
    }

    /// Reads the word after an `@`; nil without one.
    mutating func timeField() throws(TranscriptError) -> TranscriptField? {
        guard !isAtEnd, source.bytes[place] == UInt8(ascii: "@") else { return nil }
        place += 1
        return try next(expected: "a time such as @1500, @+30s or @+10min")
    }

    func pairs() throws(TranscriptError) -> [TranscriptPair] {
        try source.pairs(from: place)
    }

    func error(expected: String) -> TranscriptError {
        source.error(at: place, expected: expected)
    }

    /// Makes an error at the end of the line, for something that is missing.
    func endError(expected: String) -> TranscriptError {
        source.error(at: source.range.upperBound, expected: expected)
    }
}

// MARK: - Words of scenarios

extension ScenarioWords {
    /// Reads a duration such as `1500`, `30s` or `10min`.
    static func milliseconds(_ text: Substring) -> Int? {
        let digits = text.prefix { ("0"..."9").contains($0) }
        guard (1...10).contains(digits.count), let number = Int(digits) else { return nil }
        switch text.dropFirst(digits.count) {
        case "", "ms": return number
        case "s": return number * 1_000
        case "min": return number * 60_000
        default: return nil
        }
    }

    /// Reads answers such as `(answer=never set_held=fail:busy start=after:2s)`.
    static func answers(
        _ pairs: [TranscriptPair]
    ) throws(TranscriptError) -> ScenarioFile.Answers {
        var answers: ScenarioFile.Answers = [:]
        for pair in pairs {
            try checkKind(pair.name)
            answers[pair.name.verbatim] = try answer(pair.value)
        }
        return answers
    }

    static func checkKind(_ field: TranscriptField) throws(TranscriptError) {
        let kinds = ActionKind.allCases.map(\.rawValue)
        guard kinds.contains(field.verbatim) else {
            throw field.error(expected: ScenarioTyping.oneOf(kinds, field.verbatim))
        }
    }

    private static func answer(
        _ field: TranscriptField
    ) throws(TranscriptError) -> FakeProvider.Answer {
        let expected = "one of fulfil, fail, fail:REASON, never, after:TIME, after:TIME:fail:REASON"
        let words = field.verbatim.split(separator: ":", omittingEmptySubsequences: false)
        guard field.isWord, let answer = answer(words[...]) else {
            throw field.error(expected: expected)
        }
        return answer
    }

    private static func answer(_ words: ArraySlice<Substring>) -> FakeProvider.Answer? {
        let rest = words.dropFirst()
        switch words.first {
        case "fulfil" where rest.isEmpty: return .fulfill
        case "never" where rest.isEmpty: return .never
        case "fail" where rest.isEmpty: return .fail()
        case "fail" where rest.count == 1: return rest.first.flatMap(failure)
        case "after":
            guard let time = rest.first.flatMap(milliseconds), time <= 86_400_000 else {
                return nil
            }
            let then = rest.dropFirst()
            if then.isEmpty { return .after(.milliseconds(time), .fulfill) }
            return answer(then).map { .after(.milliseconds(time), $0) }
        default: return nil
        }
    }

    /// Reads an answer such as `never`, `fail:not_now`, `after:2s` or `after:2s:fail:not_now`.
    static func scriptedAnswer(_ text: String) -> ScriptedPeer.Answer? {
        let words = text.split(separator: ":", omittingEmptySubsequences: false)
        return answer(words[...]).flatMap { ScriptedPeer.Answer($0) }
    }

    static func failure(_ reason: Substring) -> FakeProvider.Answer? {
        guard reason.wholeMatch(of: /[a-z][a-z0-9_]*/) != nil else { return nil }
        return .fail(reason: String(reason))
    }

    /// Reads a program such as `exec=[python3,door.py]` or `manifest=door`.
    static func program(
        _ words: ScenarioWords
    ) throws(TranscriptError) -> ScenarioFile.ProgramDescription {
        var program = ScenarioFile.ProgramDescription()
        for pair in try words.pairs() {
            switch pair.name.verbatim {
            case "manifest": program.manifest = try pair.value.text()
            case "exec":
                let fields = pair.value.isWord ? [pair.value] : try pair.value.elements()
                program.arguments = []
                for field in fields { program.arguments.append(try field.text()) }
            case "transport":
                let all = ProviderProgram.Transport.allCases.map(\.rawValue)
                let text = try pair.value.text()
                guard let transport = ProviderProgram.Transport(rawValue: text) else {
                    throw pair.value.error(expected: ScenarioTyping.oneOf(all, text))
                }
                program.transport = transport
            case "env":
                for member in try pair.value.pairs() {
                    program.environment[member.name.verbatim] = try member.value.text()
                }
            case let name:
                throw pair.name.error(
                    expected: ScenarioTyping.oneOf(["exec", "manifest", "transport", "env"], name))
            }
        }
        guard (program.manifest == nil) != program.arguments.isEmpty else {
            throw words.endError(expected: "exec=[PROGRAM,...] or manifest=PATH")
        }
        return program
    }
}

extension ScriptedPeer.Answer {
    /// Converts an app's answer; nil for one that only apps give.
    fileprivate init?(_ answer: FakeProvider.Answer) {
        switch answer {
        case .fail(_, let reason): self = .fail(reason: reason)
        case .never: self = .never
        case .after(let time, .fulfill): self = .after(time.wholeMilliseconds, .usual)
        case .after(let time, let then):
            guard let then = ScriptedPeer.Answer(then) else { return nil }
            self = .after(time.wholeMilliseconds, then)
        case .fulfill, .both: return nil
        }
    }
}
