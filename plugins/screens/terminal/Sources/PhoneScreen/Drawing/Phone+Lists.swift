internal import CallClient
internal import CallModel

extension Phone {
    // MARK: - The dialer

    func drawDialer(in body: Frame, _ clock: Clock, _ picture: inout Picture) {
        let column = picture.put(" " + text("screen.phone.dial_whom") + ": ", body.row, 0, .bold)
        drawTyped(dialed, body.row, column, &picture)
        if prompt != nil { picture.cursor = nil }
        if !lines.isEmpty {
            let words = text("screen.phone.line") + ": " + name(of: dialLine)
            picture.put(words, body.row + 1, 1, width: body.columns - 1, .dim, .key(.function(8)))
        }
        let list = Frame(
            row: body.row + 2, column: 0, rows: body.rows - 2, columns: body.columns)
        let rows = suggestions
        drawRows(in: list, count: rows.count) { index, row in
            let each = rows[index]
            let sign = each.isFavorite ? "★" : each.past.map(mark) ?? " "
            let when = each.past.map { clock.words($0.atMS) } ?? ""
            draw(
                [(sign, 1), (each.name, 0), (each.address.value, 24), (when, 16)],
                index, row, list, &picture)
        }
    }

    /// The direction of a past call.
    private func mark(_ past: PastRow) -> String {
        past.isMissed ? "!" : past.isIncoming ? "<" : ">"
    }

    // MARK: - Lists

    func drawList(in body: Frame, _ clock: Clock, _ picture: inout Picture) {
        guard rowCount > 0 else {
            picture.put(text("screen.phone.empty." + tab.rawValue), body.row + 1, 2, .dim)
            return
        }
        var list = body
        if meaning != nil { list.rows -= 3 }
        drawRows(in: list, count: rowCount) { index, row in
            draw(fields(index, clock), index, row, list, &picture)
        }
        let lines = (meaning ?? "").wrapped(to: max(1, body.columns - 4))
        for (index, line) in lines.prefix(2).enumerated() {
            picture.put(line, body.row + body.rows - 2 + index, 2, .dim)
        }
    }

    /// What the selected row says in full, below the list: the hint of a setting, and what may not fit
    /// into a row; nil in a view whose rows say it all.
    private var meaning: String? {
        let row = shownRow
        switch tab {
        case .settings where settings.indices.contains(row):
            return text("screen.phone.setting_hint." + settings[row].name.rawValue)
        case .missed where missed.indices.contains(row): return reasons(missed[row])
        case .plugins where plugins.indices.contains(row): return plugins[row].about
        case .lines where lines.indices.contains(row): return state(of: lines[row].line)
        default: return nil
        }
    }

    private func reasons(_ past: PastRow) -> String {
        past.missedReasons.map { text("missed." + $0) }.joined(separator: ", ")
    }

    private func state(of line: Line) -> String {
        let state = text("line." + line.state.rawValue)
        return line.reason.map {
            text("line.state_reason", ["state": state, "reason": $0.shown])
        } ?? state
    }

    /// The texts of a row, each with the cells that it gets; what gets 0 shares the rest.
    private func fields(_ index: Int, _ clock: Clock) -> [(text: String, width: Int)] {
        switch tab {
        case .missed:
            let past = missed[index]
            let name = past.name ?? past.remote?.value ?? text("screen.unknown_caller")
            return [
                (past.isSeen ? " " : "*", 1), (name, 0), (past.remote?.value ?? "", 16),
                (clock.words(past.atMS), 16), (reasons(past), 18),
            ]
        case .contacts:
            let contact = contacts[index]
            let numbers = contact.handles.map(\.value).joined(separator: ", ")
            let passes = contact.breaksThrough ? text("screen.phone.breaks_through") : ""
            return [
                (contact.isFavorite ? "★" : " ", 1), (contact.name, 0), (numbers, 28), (passes, 18),
            ]
        case .blocked:
            return [(address(blocks[index].who), 26), (blocks[index].reason ?? "", 0)]
        case .settings:
            let setting = settings[index]
            let rule = text("explain.rule", ["rule": setting.name.rule])
            return [
                (text("screen.phone.setting." + setting.name.rawValue), 0), (setting.value, 9),
                (rule, 10),
            ]
        case .plugins:
            let plugin = plugins[index]
            return [(plugin.name, 20), (plugin.state, 13), (plugin.about, 0)]
        case .lines: return fields(of: lines[index])
        case .calls, .dial: return []
        }
    }

    private func fields(of row: LineRow) -> [(text: String, width: Int)] {
        let line = row.line
        let messages = line.messagesWaiting ?? 0
        return [
            (name(of: row.choice), 0), (line.handle?.value ?? "", 22), (state(of: line), 20),
            (messages > 0 ? text("line.messages", count: messages) : "", 12),
        ]
    }

    private func address(_ who: CallBlock.Who) -> String {
        switch who {
        case .handle(let handle): handle.value
        case .prefix(let handle): handle.value + "*"
        }
    }

    func draw(
        _ fields: [(text: String, width: Int)], _ index: Int, _ row: Int, _ list: Frame,
        _ picture: inout Picture
    ) {
        let isSelected = index == shownRow
        let fixed = fields.reduce(0) { $0 + $1.width + 1 }
        let rest = max(1, list.columns - fixed - 2)
        let words = fields.map { $0.text.fitted(to: $0.width == 0 ? rest : $0.width) }
        let line = (isSelected ? "> " : "  ") + words.joined(separator: " ")
        picture.put(line, row, 0, width: list.columns, isSelected ? .reversed : .plain)
        picture.touch(row, 0..<max(0, list.columns), .row(index))
    }

    // MARK: - Dialogs

    func draw(_ page: Page, in body: Frame, _ picture: inout Picture) {
        picture.put(page.title, body.row, 1, .title)
        let lines = page.lines.flatMap { $0.wrapped(to: max(1, body.columns - 4)) }
        let first = min(page.first, max(0, lines.count - body.rows + 1))
        for (index, line) in lines.dropFirst(first).prefix(max(0, body.rows - 1)).enumerated() {
            picture.put(line, body.row + 1 + index, 2)
        }
    }

    func draw(_ menu: Menu, in body: Frame, _ picture: inout Picture) {
        picture.put(menu.title, body.row, 1, .title)
        let room = max(1, body.rows - 1)
        let first = max(0, min(menu.selected - room / 2, menu.items.count - room))
        for index in first..<min(menu.items.count, first + room) {
            let number = index < 9 ? "\(index + 1)" : " "
            let isSelected = index == menu.selected
            picture.put(
                "\(isSelected ? ">" : " ") \(number) \(menu.items[index].label) ",
                body.row + 1 + index - first, 1, isSelected ? .reversed : .plain, .item(index))
        }
    }

    func drawKeypad(in body: Frame, _ picture: inout Picture) {
        for (index, line) in ["123A", "456B", "789C", "*0#D"].enumerated() {
            for (place, tone) in line.enumerated() {
                picture.put(
                    "[ \(tone) ]", body.row + 1 + index * 2, 4 + place * 8, .key,
                    .key(.character(tone)))
            }
        }
    }
}
