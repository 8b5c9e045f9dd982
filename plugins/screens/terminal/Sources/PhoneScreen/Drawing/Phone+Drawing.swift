internal import CallModel

/// The times that a picture needs.
package struct Clock: Equatable, Sendable {
    /// The time: Unix time in milliseconds.
    package var nowMS: Int64
    /// Returns a time of the day or a date in the user's time zone.
    let words: @Sendable (_ atMS: Int64) -> String

    package init(nowMS: Int64, words: @escaping @Sendable (Int64) -> String) {
        (self.nowMS, self.words) = (nowMS, words)
    }

    package static func == (left: Clock, right: Clock) -> Bool {
        left.nowMS == right.nowMS
    }

    /// Returns a duration, such as `1:05` or `1:00:05`.
    static func duration(_ milliseconds: Int64) -> String {
        let seconds = max(0, milliseconds) / 1_000
        let (minutes, rest) = (seconds / 60 % 60, seconds % 60)
        let end = rest < 10 ? "0\(rest)" : "\(rest)"
        guard seconds >= 3_600 else { return "\(minutes):\(end)" }
        return "\(seconds / 3_600):\(minutes < 10 ? "0" : "")\(minutes):\(end)"
    }
}

extension Phone {
    /// The least columns for two columns of views side by side.
    static let wideColumns = 110

    /// Draws everything. A terminal that is too small shows what fits.
    package func draw(_ size: Size, _ clock: Clock) -> Picture {
        var picture = Picture(size)
        drawTabs(&picture)
        drawBanner(&picture)
        let body = Frame(row: 2, column: 0, rows: size.rows - 4, columns: size.columns)
        if let page {
            draw(page, in: body, &picture)
        } else if let menu {
            draw(menu, in: body, &picture)
        } else if prompt?.isKeypad == true {
            drawKeypad(in: body, &picture)
        } else if let prompt, prompt.isConversation, let call = prompt.call {
            drawConversation(of: call, in: body, &picture)
        } else if let sheet {
            draw(sheet, in: body, &picture)
        } else {
            drawView(in: body, clock, &picture)
        }
        drawLine(&picture)
        drawHints(&picture)
        return picture
    }

    private func drawView(in body: Frame, _ clock: Clock, _ picture: inout Picture) {
        switch tab {
        case .calls: drawCalls(in: body, clock, &picture)
        case .dial: drawDialer(in: body, clock, &picture)
        default: drawList(in: body, clock, &picture)
        }
    }

    // MARK: - The frame around a view

    /// Draws the tabs: where they do not fit, closer to each other, then without spaces in them, and in
    /// a terminal of less than 80 columns with the start of their titles, but for the shown one.
    /// Do-not-disturb is told beside them, or in the line below.
    private func drawTabs(_ picture: inout Picture) {
        let columns = picture.size.columns
        let longest = Tab.allCases.map { title(of: $0).cells }.max() ?? 0
        let fits = { (words: [String]) in words.reduce(0) { $0 + $1.cells } <= columns }
        let whole = [tabs(space: " ", end: " "), tabs(space: " "), tabs(space: "")]
        let cut = (0...longest).reversed().lazy.map { tabs(space: "", titles: $0) }
        let words = whole.first(where: fits) ?? cut.first(where: fits) ?? tabs(space: "", titles: 0)
        var column = 0
        for (each, words) in zip(Tab.allCases, words) {
            let style = each == tab ? Style.reversed : .plain
            column = picture.put(words, 0, column, style, .tab(each))
        }
        guard doesNotDisturb else { return }
        let quiet = " " + text("screen.phone.quiet") + " "
        let isBeside = column + quiet.cells <= columns
        if isBeside || !hasBanner {
            picture.put(quiet, isBeside ? 0 : 1, max(0, columns - quiet.cells), .alert)
        }
    }

    private var hasBanner: Bool {
        awayReason != nil || isConnecting || !questions.isEmpty || incoming != nil
    }

    /// The words of the tabs: number, title and count with a space between them or none, titles of at
    /// most so many cells, and an end of each.
    private func tabs(space: String, titles width: Int = .max, end: String = "") -> [String] {
        Tab.allCases.enumerated().map { index, each in
            let title = title(of: each)
            let count = each == .calls ? calls.count : each == .missed ? missedCount : 0
            let parts = [
                "\(index + 1)", each == tab ? title : title.cut(to: width),
                count > 0 ? "(\(count))" : "",
            ]
            let start = space.isEmpty && index == 0 ? "" : " "
            return start + parts.filter { !$0.isEmpty }.joined(separator: space) + end
        }
    }

    func title(of tab: Tab) -> String {
        text("screen.phone.tab." + tab.rawValue)
    }

    /// The line for what cannot wait: no broker, a question of an app, or a call that comes in.
    private func drawBanner(_ picture: inout Picture) {
        if let awayReason {
            let reason = awayReason.isEmpty ? text("screen.phone.reconnecting") : awayReason
            let words = text("screen.broker_gone") + " " + reason
            picture.put(" " + words.fitted(to: picture.size.columns - 1), 1, 0, .alert)
        } else if isConnecting {
            picture.put(" " + text("screen.phone.connecting"), 1, 0, .dim)
        } else if let question = questions.first {
            drawQuestion(question, &picture)
        } else if let call = incoming {
            drawIncoming(call, &picture)
        }
    }

    private func drawQuestion(_ question: Question, _ picture: inout Picture) {
        let buttons: [(key: Int, label: String)] = [
            (2, text("screen.button.allow")), (3, text("screen.button.deny")),
            (4, text("screen.button.later")),
        ]
        let name = question.name?.shown ?? ""
        let app = name.isEmpty ? question.app.name : name
        drawBanner(text("screen.ask." + question.subject, ["app": app]), buttons, &picture)
        // The name is the app's own word; what it is called and which program it is are not.
        let facts = [question.app.name, question.program ?? ""].filter { !$0.isEmpty }
        guard prompt == nil, notice.isEmpty else { return }
        picture.put(" " + facts.joined(separator: " · "), picture.size.rows - 2, 0)
    }

    private func drawIncoming(_ call: ShownCall, _ picture: inout Picture) {
        let answer = CallButton.of(call).first { $0.key == "a" || $0.key == "E" }
        var buttons: [(key: Int, label: String)] = []
        if let answer, answer.key == "a" { buttons.append((5, label(answer))) }
        if call.allowed.contains(.decline) { buttons.append((6, text("screen.button.decline"))) }
        drawBanner("\(kind(of: call)): \(party(call))", buttons, &picture)
    }

    private func drawBanner(
        _ words: String, _ buttons: [(key: Int, label: String)], _ picture: inout Picture
    ) {
        let needed = buttons.reduce(0) { $0 + $1.label.cells + 8 }
        let room = max(10, picture.size.columns - needed - 2)
        var column = picture.put(" " + words.cut(to: room) + " ", 1, 0, .alert)
        for button in buttons {
            let words = " [F\(button.key)] \(button.label)"
            column = picture.put(words, 1, column, .bold, .key(.function(button.key)))
        }
    }

    /// The line for the result of the last request, or for what is typed.
    private func drawLine(_ picture: inout Picture) {
        let row = picture.size.rows - 2
        if let prompt {
            let label = " " + words(for: prompt) + ": "
            let column = picture.put(label, row, 0, .bold)
            let open = prompt.isConversation ? prompt.call.flatMap { conversations[$0] } : nil
            drawTyped(open?.open(.local) ?? prompt.text, row, column, &picture)
            if !notice.isEmpty { picture.put(" " + notice, row - 1, 0, .bold) }
        } else if !notice.isEmpty {
            picture.put(" " + notice, row, 0, .bold)
        }
    }

    /// Draws a typed text, with its end in sight and the cursor there.
    func drawTyped(_ text: String, _ row: Int, _ column: Int, _ picture: inout Picture) {
        let room = max(1, picture.size.columns - column - 1)
        var glyphs = Glyph.list(text)
        while glyphs.reduce(0, { $0 + $1.width }) > room { glyphs.removeFirst() }
        let end = picture.put(glyphs.map(\.text).joined(), row, column)
        if row >= 0, row < picture.size.rows { picture.cursor = (row, end) }
    }

    func words(for prompt: Prompt) -> String {
        switch prompt.purpose {
        case .transfer(let call): text("screen.phone.transfer_to", ["name": name(of: call)])
        case .deflect(let call): text("screen.phone.deflect_to", ["name": name(of: call)])
        case .tones(let call): text("screen.phone.tones_for", ["name": name(of: call)])
        case .conversation: text("screen.phone.you_type")
        case .block: text("screen.phone.block_whom")
        case .contactName: text("screen.phone.contact_name")
        case .contactAddress(let name): text("screen.phone.contact_address", ["name": name])
        case .period: text("screen.phone.period")
        case .forward(_, let kind): text("screen.phone.line_setting." + kind.rawValue)
        }
    }

    private func drawHints(_ picture: inout Picture) {
        drawButtons(hints, picture.size.rows - 1, 1, picture.size.columns, 1, &picture)
    }

    /// Draws buttons beside each other, in lines as needed, and returns how many lines those are.
    @discardableResult
    func drawButtons(
        _ buttons: [Hint], _ first: Int, _ left: Int, _ right: Int, _ rows: Int,
        _ picture: inout Picture
    ) -> Int {
        guard rows > 0 else { return 0 }
        var (row, column) = (first, left)
        for hint in buttons {
            let key = "[\(hint.key.name)]"
            let width = key.cells + 1 + hint.label.cells
            if column > left, column + width > right {
                (row, column) = (row + 1, left)
                if row >= first + rows { return rows }
            }
            let start = column
            column = picture.put(key, row, column, width: right - column, .key)
            column = picture.put(" " + hint.label, row, column, width: right - column)
            if row >= 0, row < picture.size.rows {
                picture.touch(row, start..<max(start, column), .key(hint.key))
            }
            column += 2
        }
        return row - first + 1
    }
}
