internal import CallClient
internal import CallModel

/// The buttons of a call: the key, the verb that allows it, and the key of its words.
package struct CallButton: Sendable {
    package let key: Character
    let verb: Verb
    /// The last part of the key of the message, after `screen.button.` or `screen.phone.button.`.
    let word: String

    static let all: [CallButton] = [
        CallButton("a", .holdAndAnswer, "hold_and_answer"), CallButton("a", .answer, "answer"),
        CallButton("E", .endAndAnswer, "end_and_answer"),
        CallButton("L", .endHeldAndAnswer, "end_held_and_answer"),
        CallButton("d", .decline, "decline"), CallButton("s", .silence, "silence"),
        CallButton("p", .pull, "pull"), CallButton("e", .end, "end"),
        CallButton("h", .hold, "hold"), CallButton("h", .resume, "resume"),
        CallButton("w", .swap, "swap"), CallButton("m", .mute, "mute"),
        CallButton("m", .unmute, "unmute"), CallButton("t", .playDTMF, "tones"),
        CallButton("g", .merge, "merge"), CallButton("u", .split, "split"),
        CallButton("x", .transfer, "transfer"), CallButton("X", .attendedTransfer, "join"),
        CallButton("f", .deflect, "deflect"), CallButton("v", .setVideo, "video"),
        CallButton("r", .setText, "text"), CallButton("o", .setEndpoint, "endpoint"),
    ]

    /// Every key once, in the order of the buttons.
    static let keys: [Character] = all.map(\.key).reduce(into: []) { keys, key in
        if !keys.contains(key) { keys.append(key) }
    }

    private init(_ key: Character, _ verb: Verb, _ word: String) {
        (self.key, self.verb, self.word) = (key, verb, word)
    }

    /// Returns the buttons of a call: one for each key, the first that is allowed.
    static func of(_ call: ShownCall) -> [CallButton] {
        var keys: Set<Character> = []
        return all.filter { call.allowed.contains($0.verb) && keys.insert($0.key).inserted }
    }
}

extension Phone {
    /// Returns the words of a button; many are those of other screens.
    func label(_ button: CallButton) -> String {
        let own = "screen.phone.button." + button.word
        return messages.has(own) ? text(own) : text("screen.button." + button.word)
    }
}
