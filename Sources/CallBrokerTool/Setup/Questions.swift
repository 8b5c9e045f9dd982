internal import CallProtocol

/// Questions to the user, who may also have answered them all beforehand.
struct Questions {
    enum Manner {
        /// On a terminal.
        case asking
        /// Each offer is accepted.
        case accepting
        /// No offer is accepted.
        case declining
    }

    /// The number of answers that are not understood before the default counts.
    private static let attemptsMax = 3

    let manner: Manner

    var isAsking: Bool {
        manner == .asking
    }

    /// Asks; Enter, the end of the input and what is no answer stand for the default.
    func confirm(_ question: String, isDefault: Bool = true) -> Bool {
        guard isAsking else { return manner == .accepting }
        let prompt =
            isDefault
            ? Messages.promptYesDefault(question: question)
            : Messages.promptNoDefault(question: question)
        for _ in 0..<Self.attemptsMax {
            StandardError.write(prompt)
            guard let answer = Terminal.readLine()?.lowercased() else { return false }
            if answer.isEmpty { return isDefault }
            if Self.words(Messages.promptYesWords).contains(answer) { return true }
            if Self.words(Messages.promptNoWords).contains(answer) { return false }
        }
        return false
    }

    private static func words(_ text: String) -> [String] {
        text.split(separator: " ").map(String.init)
    }

    /// Asks for a text; nil if the user skips it.
    func text(_ prompt: String, isSecret: Bool = false) -> String? {
        guard isAsking else { return nil }
        StandardError.write(prompt)
        let answer = isSecret ? Terminal.readSecret() : Terminal.readLine()
        return answer.flatMap { $0.isEmpty ? nil : $0 }
    }
}
