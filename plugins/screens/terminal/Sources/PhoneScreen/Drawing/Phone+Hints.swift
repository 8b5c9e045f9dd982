internal import CallClient

extension Phone {
    /// The keys of the line at the bottom.
    var hints: [Hint] {
        if page != nil { return [escape("close")] }
        if menu != nil { return [enter("choose"), escape("cancel")] }
        if let prompt {
            return prompt.isKeypad ? [escape("close")] : [enter("done"), escape("cancel")]
        }
        let general = [
            Hint(.character("?"), "?", hint("help")), Hint(.character("q"), "q", hint("quit")),
        ]
        let help = Hint(.function(1), "F1", hint("help"))
        switch tab {
        case .calls:
            return [
                Hint("c", hint("new_call")),
                Hint("z", hint("quiet")),
                Hint(.tab, "Tab", hint("next_view")),
            ] + general
        case .dial:
            return [
                enter("call"), Hint(.function(7), "F7", text("screen.phone.what_if")),
                Hint(.tab, "Tab", hint("next_view")), escape("back"), help,
            ]
        case .missed:
            return [
                Hint(.enter, "Enter", text("screen.button.call_back")), Hint("s", hint("seen")),
                Hint("b", text("screen.phone.button.block")), Hint("x", hint("remove")),
            ] + general
        case .contacts:
            return [
                enter("call"), Hint("n", hint("new")), Hint("f", hint("favorite")),
                Hint("t", hint("breaks_through")), Hint("x", hint("remove")),
            ] + general
        case .blocked:
            return [
                Hint("n", hint("new")), Hint("x", hint("remove")), Hint("z", hint("quiet")),
            ] + general
        case .settings: return [enter("change")] + general
        case .plugins: return [Hint("r", hint("restart"))] + general
        }
    }

    private func hint(_ word: String) -> String {
        text("screen.phone.hint." + word)
    }

    private func enter(_ word: String) -> Hint {
        Hint(.enter, "Enter", hint(word))
    }

    private func escape(_ word: String) -> Hint {
        Hint(.escape, "Esc", hint(word))
    }

    /// The page of all keys.
    var help: Page {
        let calls = CallButton.all.map { "\($0.key)   \(label($0))" }
        var lines = [text("screen.phone.help.calls"), ""]
        lines += calls
        lines += [
            "y   " + text("screen.phone.why"), "i   " + text("screen.phone.what_if"),
            "b   " + text("screen.phone.button.block"), "", text("screen.phone.help.everywhere"),
            "",
            "F5  " + text("screen.button.answer"), "F6  " + text("screen.button.decline"),
            "F2  " + text("screen.button.allow"), "F3  " + text("screen.button.deny"),
            "F4  " + text("screen.button.later"), "c   " + hint("new_call"),
            "z   " + hint("quiet"), "Tab " + hint("next_view"),
            "1-7 " + Tab.allCases.map { title(of: $0) }.joined(separator: ", "),
            "?   " + hint("help"), "q   " + hint("quit"),
        ]
        return Page(text("screen.phone.help.title"), lines)
    }
}
