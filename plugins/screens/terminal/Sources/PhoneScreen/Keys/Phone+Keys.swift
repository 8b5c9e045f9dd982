internal import CallClient
internal import CallModel

extension Phone {
    /// Does what a key means, and returns what the broker is to do.
    package mutating func press(_ key: Key) -> [Command] {
        notice = ""
        if let commands = pressAnywhere(key) { return commands }
        if page != nil { return pressInPage(key) }
        if menu != nil { return pressInMenu(key) }
        if prompt != nil { return pressInPrompt(key) }
        if let commands = pressToMove(key) { return commands }
        switch tab {
        case .calls: return pressInCalls(key)
        case .dial: return pressInDialer(key)
        default: return pressInList(key)
        }
    }

    /// Does what a click on something means.
    package mutating func click(_ target: Target) -> [Command] {
        switch target {
        case .key(let key): return press(key)
        case .tab(let tab): return go(to: tab)
        case .item(let index):
            menu?.selected = index
            return pressInMenu(.enter)
        case .row(let index):
            let isAgain = index == row && tab != .calls
            notice = ""
            select(index)
            return isAgain ? press(.enter) : []
        }
    }

    /// Moves the selection, or the text of a page, as the wheel of a mouse does.
    package mutating func scroll(by rows: Int) {
        if page != nil {
            scrollPage(by: rows)
        } else if menu == nil, prompt == nil {
            select(row + rows)
        }
    }

    /// Shows another view, and returns what it needs.
    mutating func go(to tab: Tab) -> [Command] {
        (self.tab, page, menu, prompt, notice) = (tab, nil, nil, nil, "")
        return tab == .calls ? [] : [.load(tab)]
    }

    /// The keys that no text can contain, so that they work while the user types: the answer to a
    /// call and to a question.
    private mutating func pressAnywhere(_ key: Key) -> [Command]? {
        switch key {
        case .function(1):
            open(help)
            return []
        case .function(2): return answerQuestion(.allow)
        case .function(3): return answerQuestion(.deny)
        case .function(4): return answerQuestion(.later)
        case .function(5): return incoming.map { answer($0) } ?? []
        case .function(6): return incoming.map { [.request(.end, $0.id)] } ?? []
        default: return nil
        }
    }

    private mutating func answerQuestion(_ answer: AppQuestion.Answer) -> [Command] {
        questions.isEmpty ? [] : [.answer(answer)]
    }

    // MARK: - Moving

    private mutating func pressToMove(_ key: Key) -> [Command]? {
        switch key {
        case .tab: return go(to: neighbor(1))
        case .backTab: return go(to: neighbor(-1))
        case .up: select(row - 1)
        case .down: select(row + 1)
        case .pageUp: select(row - 10)
        case .pageDown: select(row + 10)
        case .home: select(0)
        case .end: select(rowCount - 1)
        case .character(let character) where tab != .dial:
            return pressToMove(character)
        default: return nil
        }
        return []
    }

    private mutating func pressToMove(_ character: Character) -> [Command]? {
        switch character {
        case "q": return [.quit]
        case "?": open(help)
        case "j": select(row + 1)
        case "k": select(row - 1)
        case "z": return [.doNotDisturb(!doesNotDisturb)]
        case "c": return go(to: .dial)
        default:
            guard let digit = character.wholeNumberValue, (1...Tab.allCases.count).contains(digit)
            else { return nil }
            return go(to: Tab.allCases[digit - 1])
        }
        return []
    }

    private func neighbor(_ distance: Int) -> Tab {
        let tabs = Tab.allCases
        let index = tabs.firstIndex(of: tab) ?? 0
        return tabs[(index + distance + tabs.count) % tabs.count]
    }

    // MARK: - Pages and menus

    private mutating func pressInPage(_ key: Key) -> [Command] {
        switch key {
        case .up, .character("k"): scrollPage(by: -1)
        case .down, .character("j"): scrollPage(by: 1)
        case .pageUp: scrollPage(by: -10)
        case .pageDown, .character(" "): scrollPage(by: 10)
        case .tab, .backTab:
            page = nil
            return pressToMove(key) ?? []
        default: page = nil
        }
        return []
    }

    private mutating func scrollPage(by rows: Int) {
        guard let shown = page else { return }
        page?.first = max(0, min(shown.first + rows, shown.lines.count - 1))
    }

    private mutating func pressInMenu(_ key: Key) -> [Command] {
        guard let shown = menu, !shown.items.isEmpty else {
            menu = nil
            return []
        }
        var chosen: Int?
        switch key {
        case .up, .character("k"): menu?.selected = max(0, shown.selected - 1)
        case .down, .character("j"):
            menu?.selected = min(shown.items.count - 1, shown.selected + 1)
        case .enter, .character(" "): chosen = shown.selected
        case .character(let digit):
            chosen = digit.wholeNumberValue.map { $0 - 1 }
            if chosen == nil { menu = nil }
        default: menu = nil
        }
        guard let chosen, shown.items.indices.contains(chosen) else { return [] }
        menu = nil
        return [shown.items[chosen].command]
    }
}
