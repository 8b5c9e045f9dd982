/// The places in which keys have a meaning.
package enum KeyPlace: String, CaseIterable, Sendable {
    /// Everywhere, also while something is typed: no text contains these keys.
    case everywhere
    /// Where there are rows to select.
    case rows
    /// In every view.
    case views
    /// In every view but the dialer, whose characters are text.
    case commands
    // The views.
    case calls, dial, missed, contacts, blocked, settings, plugins, lines
    // What is over a view.
    case page, menu, prompt, keypad, conversation, participants, schedule, line
}

/// A key of a place: what it does, and the words for it. The keys of the screen are these; the line of
/// hints, the help and `callbroker-phone --keys` are made from them.
package struct KeyBinding: Sendable {
    package let place: KeyPlace
    package let key: Key
    /// The key of the message that says what the key does; nil for keys that explain themselves, such
    /// as arrows, and second keys for the same.
    let word: String?
    let action: @Sendable (inout Phone) -> [Command]

    /// Indicates whether the screen shows the key with its words somewhere, to be clicked on.
    package var isShown: Bool {
        let isTone = "0123456789*#ABCD".contains { key == .character($0) }
        return word != nil || place == .calls || place == .keypad && isTone
    }

    /// Creates the binding of a key that changes the screen alone.
    static func local(
        _ place: KeyPlace, _ key: Key, _ word: String?,
        _ action: @escaping @Sendable (inout Phone) -> Void
    ) -> KeyBinding {
        KeyBinding(place, key, word) {
            action(&$0)
            return []
        }
    }

    init(
        _ place: KeyPlace, _ key: Key, _ word: String?,
        _ action: @escaping @Sendable (inout Phone) -> [Command]
    ) {
        (self.place, self.key, self.word, self.action) = (place, key, word, action)
    }
}
