/// A form of a sentence, in the notation of Home Assistant's sentence templates: `[please] (call |
/// phone) {who}`. Words in brackets may be left out, of those in parentheses one is said, and
/// `{who}` stands for one word or more. Text right before it is said in one word with it.
struct SentenceTemplate {
    /// One way to say the sentence.
    fileprivate struct Variant {
        var before: [String] = []
        /// The text that precedes the person in the same word; nil without a person.
        var prefix: String?
        var after: [String] = []
    }

    private enum Part {
        case word(String)
        case choice([[Part]])
    }

    /// The words and the person that were found in a sentence.
    struct Match: Equatable {
        /// The number of characters that the template names itself: of two templates the one that
        /// names more is meant.
        let weight: Int
        let who: String?
    }

    private static let slot = "{who}"
    private static let charactersMax = 1_024
    /// More ways to say a sentence than a person writes down.
    private static let variantsMax = 256

    private let variants: [Variant]

    /// Parses a template; nil if a bracket is missing, if it has two places for a person, or if it
    /// is longer than 1,024 characters or has more than 256 variants.
    init?(_ text: String) {
        guard text.count <= Self.charactersMax else { return nil }
        var rest = Self.tokens(of: text)[...]
        guard let parts = Self.parse(&rest, until: nil) else { return nil }
        var lines: [[String]] = [[]]
        for part in parts {
            guard let longer = Self.lines(lines, with: part) else { return nil }
            lines = longer
        }
        let variants = lines.map(Self.variant)
        guard variants.allSatisfy({ $0 != nil }) else { return nil }
        self.variants = variants.compactMap { $0 }
    }

    // MARK: - Parsing

    /// Splits a template at blanks and around brackets.
    private static func tokens(of text: String) -> [String] {
        var tokens: [String] = []
        var word = ""
        func end() {
            if !word.isEmpty { tokens.append(word) }
            word = ""
        }
        for character in text {
            if "[](|)".contains(character) {
                end()
                tokens.append(String(character))
            } else if character.isWhitespace {
                end()
            } else {
                word.append(character)
            }
        }
        end()
        return tokens
    }

    private static func parse(_ rest: inout ArraySlice<String>, until end: String?) -> [Part]? {
        var parts: [Part] = []
        while let token = rest.first, token != end, token != "|" {
            rest.removeFirst()
            switch token {
            case "[":
                guard let choices = parseChoices(&rest, until: "]") else { return nil }
                parts.append(.choice(choices + [[]]))
            case "(":
                guard let choices = parseChoices(&rest, until: ")") else { return nil }
                parts.append(.choice(choices))
            case "]", ")": return nil
            default: parts.append(.word(token.lowercased()))
            }
        }
        return end == nil && !rest.isEmpty ? nil : parts
    }

    private static func parseChoices(
        _ rest: inout ArraySlice<String>, until end: String
    ) -> [[Part]]? {
        var choices: [[Part]] = []
        repeat {
            guard let parts = parse(&rest, until: end) else { return nil }
            choices.append(parts)
        } while rest.popFirst("|")
        return rest.popFirst(end) ? choices : nil
    }

    /// Returns each line with each way to say a part; nil if these are too many.
    private static func lines(_ lines: [[String]], with part: Part) -> [[String]]? {
        switch part {
        case .word(let word): return lines.map { $0 + [word] }
        case .choice(let choices):
            var longer: [[String]] = []
            for choice in choices {
                var chosen = lines
                for part in choice {
                    guard let next = Self.lines(chosen, with: part) else { return nil }
                    chosen = next
                }
                longer += chosen
            }
            return longer.count <= variantsMax ? longer : nil
        }
    }

    private static func variant(_ words: [String]) -> Variant? {
        var variant = Variant()
        for word in words {
            if word.hasSuffix(slot), variant.prefix == nil {
                variant.prefix = String(word.dropLast(slot.count))
            } else if word.contains("{") || word.contains("}") {
                return nil
            } else if variant.prefix == nil {
                variant.before.append(word)
            } else {
                variant.after.append(word)
            }
        }
        return variant
    }

    // MARK: - Matching

    /// Finds the template in the words of a sentence; nil if it is another one.
    func match(_ words: [SpokenWord]) -> Match? {
        variants.compactMap { $0.match(words) }.max { $0.weight < $1.weight }
    }
}

extension SentenceTemplate.Variant {
    fileprivate func match(_ words: [SpokenWord]) -> SentenceTemplate.Match? {
        let weight = (before + after).reduce(prefix?.count ?? 0) { $0 + $1.count }
        guard let prefix else {
            return words.map(\.folded) == before ? .init(weight: weight, who: nil) : nil
        }
        let rest = words.dropFirst(before.count).dropLast(after.count)
        guard words.count > before.count + after.count,
            words.prefix(before.count).map(\.folded) == before,
            words.suffix(after.count).map(\.folded) == after,
            let first = rest.first, first.folded.hasPrefix(prefix), first.text.count > prefix.count
        else { return nil }
        let who = [String(first.text.dropFirst(prefix.count))] + rest.dropFirst().map(\.text)
        return .init(weight: weight, who: who.joined(separator: " "))
    }
}

extension ArraySlice<String> {
    /// Removes the first element if it is `token`, and returns whether it was.
    fileprivate mutating func popFirst(_ token: String) -> Bool {
        guard first == token else { return false }
        removeFirst()
        return true
    }
}

/// A word of a sentence that somebody has said or typed.
struct SpokenWord {
    /// The word as it was said, without marks around it.
    let text: String
    /// The word in lower case, by which it is compared.
    let folded: String

    private static let marks = ".,;:!?\"'()¿¡«»„“”‘’،؛؟…"

    /// Splits a sentence at blanks.
    static func words(of sentence: String) -> [SpokenWord] {
        sentence.split(whereSeparator: \.isWhitespace).compactMap { part in
            let text = part.trimmed(marks)
            return text.isEmpty ? nil : SpokenWord(text: text, folded: text.lowercased())
        }
    }
}

extension Substring {
    fileprivate func trimmed(_ marks: String) -> String {
        var text = self
        while let first = text.first, marks.contains(first) { text.removeFirst() }
        while let last = text.last, marks.contains(last) { text.removeLast() }
        return String(text)
    }
}
