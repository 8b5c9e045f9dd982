package import CallModel

/// What the two sides of a call have typed, turn by turn, as ITU-T T.140 has it.
package struct Conversation: Equatable, Sendable {
    /// A line of one side.
    package struct Turn: Equatable, Sendable {
        package let side: CallText.Side
        package internal(set) var text = ""
        /// Indicates whether the side goes on typing it.
        package internal(set) var isOpen = true
    }

    /// The most turns that are kept, and the most characters of one: a stranger may type for hours.
    static let turnsMax = 200
    static let charactersMax = 1_000

    package private(set) var turns: [Turn] = []

    package init() {}

    /// Adds what a side has typed. A backspace erases a character of its open turn, a line separator
    /// ends the turn.
    package mutating func add(_ text: CallText) {
        for character in text.characters { add(character, text.side) }
        turns.removeFirst(max(0, turns.count - Self.turnsMax))
    }

    private mutating func add(_ character: Character, _ side: CallText.Side) {
        let open = turns.lastIndex { $0.side == side && $0.isOpen }
        if character == "\u{8}" {
            guard let open, !turns[open].text.isEmpty else { return }
            turns[open].text.removeLast()
        } else if character.isNewline {
            if let open { turns[open].isOpen = false }
        } else if let open {
            turns[open].text.append(character)
            turns[open].isOpen = turns[open].text.count < Self.charactersMax
        } else {
            turns.append(Turn(side: side, text: String(character)))
        }
    }

    /// What a side is typing.
    func open(_ side: CallText.Side) -> String {
        turns.last { $0.side == side && $0.isOpen }?.text ?? ""
    }
}
