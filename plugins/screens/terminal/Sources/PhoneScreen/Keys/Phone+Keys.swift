internal import CallClient
internal import CallModel

extension Phone {
    /// Does what a key means, and returns what the broker is to do.
    package mutating func press(_ key: Key) -> [Command] {
        notice = ""
        for place in [.everywhere] + places {
            if let binding = KeyTable.binding(place, key) { return binding.action(&self) }
        }
        return pressUnbound(key)
    }

    /// The places whose keys count now, the innermost first.
    var places: [KeyPlace] {
        if page != nil { return [.page] }
        if menu != nil { return [.menu] }
        if let prompt {
            return [prompt.isKeypad ? .keypad : prompt.isConversation ? .conversation : .prompt]
        }
        switch sheet {
        case .participants: return [.participants, .rows]
        case .schedule: return [.schedule, .rows]
        case .line: return [.line, .rows]
        case nil: break
        }
        let view = KeyPlace(rawValue: tab.rawValue) ?? .calls
        return tab == .dial ? [view, .rows, .views] : [view, .rows, .views, .commands]
    }

    /// What no binding names: text where text is typed. A page and a menu are closed by any key.
    private mutating func pressUnbound(_ key: Key) -> [Command] {
        if page != nil {
            page = nil
            return key == .tab || key == .backTab ? press(key) : []
        }
        if menu != nil {
            menu = nil
            return []
        }
        guard case .character(let character) = key else { return [] }
        if let prompt {
            if prompt.isConversation { return type(character) }
            if !prompt.isKeypad { self.prompt?.text.append(character) }
        } else if sheet == nil, tab == .dial {
            retype(dialed + String(character))
        }
        return []
    }

    /// Does what a click on something means.
    package mutating func click(_ target: Target) -> [Command] {
        switch target {
        case .key(let key): return press(key)
        case .tab(let tab): return go(to: tab)
        case .item(let index):
            notice = ""
            return choose(index)
        case .row(let index):
            let isAgain = index == shownRow && (sheet != nil || tab != .calls)
            notice = ""
            move(by: index - shownRow)
            return isAgain ? press(.enter) : []
        }
    }

    /// Moves the selection, or the text of a page, as the wheel of a mouse does.
    package mutating func scroll(by rows: Int) {
        if page != nil {
            scrollPage(by: rows)
        } else if menu != nil {
            moveInMenu(by: rows)
        } else if prompt == nil {
            move(by: rows)
        }
    }

    /// Shows another view, and returns what it needs.
    mutating func go(to tab: Tab) -> [Command] {
        (self.tab, page, menu, prompt, sheet, notice) = (tab, nil, nil, nil, nil, "")
        return tab == .calls ? [] : [.load(tab)]
    }

    mutating func go(toNeighbor distance: Int) -> [Command] {
        let tabs = Tab.allCases
        let index = tabs.firstIndex(of: tab) ?? 0
        return go(to: tabs[(index + distance + tabs.count) % tabs.count])
    }

    func answerQuestion(_ answer: AppQuestion.Answer) -> [Command] {
        questions.isEmpty ? [] : [.answer(answer)]
    }

    // MARK: - Moving

    /// The selected row of the sheet, or of the view.
    var shownRow: Int {
        sheet.map { max(0, min(sheetRow, rowCount(of: $0) - 1)) } ?? row
    }

    var shownRowCount: Int {
        sheet.map { rowCount(of: $0) } ?? rowCount
    }

    mutating func move(by rows: Int) {
        if let sheet {
            sheetRow = max(0, min(shownRow + rows, rowCount(of: sheet) - 1))
        } else {
            select(row + rows)
        }
    }

    mutating func scrollPage(by rows: Int) {
        guard let shown = page else { return }
        page?.first = max(0, min(shown.first + rows, shown.lines.count - 1))
    }

    mutating func moveInMenu(by rows: Int) {
        guard let shown = menu else { return }
        menu?.selected = max(0, min(shown.items.count - 1, shown.selected + rows))
    }

    /// Chooses an item of the menu, and closes it; an item that there is not closes nothing.
    mutating func choose(_ index: Int) -> [Command] {
        guard let shown = menu, shown.items.indices.contains(index) else { return [] }
        menu = nil
        return [shown.items[index].command]
    }
}
