internal import CallClient

/// A button: a key, and the words for it.
struct Hint: Equatable, Sendable {
    let key: Key
    let label: String

    init(_ key: Key, _ label: String) {
        (self.key, self.label) = (key, label)
    }

    init(_ character: Character, _ label: String) {
        self.init(.character(character), label)
    }
}

extension Phone {
    /// The keys of the line at the bottom: those of the innermost place that have words, and how to
    /// get help and out.
    var hints: [Hint] {
        let places = places
        let own = places.first.map { place in
            // The buttons of a call are beside it.
            place == .calls ? [] : KeyTable.of(place).filter(isUseful).compactMap(hint)
        }
        return (own ?? []) + general(places)
    }

    private func general(_ places: [KeyPlace]) -> [Hint] {
        guard places.contains(.views) else { return [] }
        let keys: [Key] =
            switch tab {
            case .calls:
                [.character("c"), .character("z"), .character("?"), .character("q"), .tab]
            case .dial: [.function(1)]
            case .blocked: [.character("z"), .character("Z"), .character("?"), .character("q")]
            default: [.character("?"), .character("q")]
            }
        return keys.compactMap { key in
            (places + [.everywhere]).lazy.compactMap { KeyTable.binding($0, key) }.first
                .flatMap(hint)
        }
    }

    /// Apps without lines leave nothing to choose.
    private func isUseful(_ binding: KeyBinding) -> Bool {
        !lines.isEmpty || binding.place != .dial || binding.key != .function(8)
    }

    private func hint(_ binding: KeyBinding) -> Hint? {
        binding.word.map { Hint(binding.key, text($0)) }
    }

    /// The page of all keys.
    var help: Page {
        var lines = [text("screen.phone.help.calls"), ""]
        lines += CallButton.all.map { line(String($0.key), label($0)) }
        lines += bindings(.calls) + ["", text("screen.phone.help.everywhere"), ""]
        lines += bindings(.everywhere) + ["", text("screen.phone.help.views"), ""]
        lines += bindings(.views) + bindings(.commands)
        for tab in Tab.allCases where tab != .calls {
            let keys = KeyPlace(rawValue: tab.rawValue).map(bindings) ?? []
            lines += ["", title(of: tab) + ":", ""] + keys
        }
        return Page(text("screen.phone.help.title"), lines)
    }

    private func bindings(_ place: KeyPlace) -> [String] {
        KeyTable.of(place).compactMap { binding in
            binding.word.map { line(binding.key.name, text($0)) }
        }
    }

    private func line(_ key: String, _ words: String) -> String {
        key.fitted(to: 6) + " " + words
    }
}
