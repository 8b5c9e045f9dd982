internal import CNCurses
internal import Glibc
internal import PhoneScreen

/// The terminal, by ncurses, which sends only the cells that have changed.
final class Terminal {
    /// What a terminal reports.
    enum Input {
        case key(Key)
        case click(row: Int, column: Int, times: Int)
        case wheel(Int)
        case resize
    }

    private let hasColors: Bool
    /// True if characters beyond ASCII can be shown.
    private let isUnicode: Bool

    /// Opens the terminal; nil if it has no cursor to move.
    init?(environment: [String: String]) {
        setlocale(LC_CTYPE, "")
        isUnicode = String(cString: nl_langinfo(Int32(CODESET))) == "UTF-8"
        // Over a slow line the rest of a key's sequence comes later than ESC.
        if environment["ESCDELAY"] == nil { set_escdelay(100) }
        var problem: Int32 = 0
        guard setupterm(nil, STDOUT_FILENO, &problem) == OK, callbroker_can_move() else {
            return nil
        }
        initscr()
        cbreak()
        noecho()
        nonl()
        intrflush(callbroker_window(), false)
        keypad(callbroker_window(), true)
        nodelay(callbroker_window(), true)
        // All of them: ncurses waits for a key after an event that nobody wants.
        mousemask(callbroker_mouse, nil)
        mouseinterval(0)
        hasColors = (environment["NO_COLOR"] ?? "").isEmpty && has_colors()
        if hasColors { Self.startColors() }
    }

    private static func startColors() {
        start_color()
        use_default_colors()
        let colors = [(Style.Color.good, COLOR_GREEN), (.alert, COLOR_RED), (.accent, COLOR_CYAN)]
        for (color, number) in colors { init_pair(Int16(color.rawValue), Int16(number), -1) }
    }

    /// Gives the terminal back as it was.
    func close() {
        endwin()
    }

    var size: Size {
        Size(rows: Int(getmaxy(callbroker_window())), columns: Int(getmaxx(callbroker_window())))
    }

    // MARK: - Output

    func show(_ picture: Picture) {
        let window = callbroker_window()
        werase(window)
        for run in picture.runs { draw(run) }
        if let cursor = picture.cursor, cursor.column < picture.size.columns {
            wmove(window, Int32(cursor.row), Int32(cursor.column))
            curs_set(1)
        } else {
            curs_set(0)
        }
        wrefresh(window)
    }

    /// Draws each glyph at its own place, so that no disagreement about a width moves others.
    private func draw(_ run: Picture.Run) {
        wattrset(callbroker_window(), attributes(run.style))
        var column = Int32(run.column)
        for glyph in run.glyphs {
            let text = isUnicode || glyph.text.utf8.count == 1 ? glyph.text : "?"
            var wide = text.unicodeScalars.map { wchar_t(bitPattern: $0.value) }
            wide.append(0)
            wmove(callbroker_window(), Int32(run.row), column)
            waddwstr(callbroker_window(), wide)
            column += Int32(glyph.width)
        }
        wattrset(callbroker_window(), 0)
    }

    private func attributes(_ style: Style) -> Int32 {
        var attributes: Int32 = 0
        if style.isBold { attributes |= callbroker_bold }
        if style.isDim { attributes |= callbroker_dim }
        if style.isReversed { attributes |= callbroker_reverse }
        if hasColors, style.color != .plain {
            attributes |= callbroker_color(Int32(style.color.rawValue))
        }
        return attributes
    }

    func ring() {
        beep()
    }

    // MARK: - Input

    /// Returns what was pressed; nil if nothing more was.
    func read() -> Input? {
        while true {
            var code: wint_t = 0
            let kind = wget_wch(callbroker_window(), &code)
            guard kind != ERR else { return nil }
            let isSpecial = kind == KEY_CODE_YES
            if let input = isSpecial ? special(Int32(bitPattern: code)) : typed(code) {
                return input
            }
        }
    }

    private func typed(_ code: wint_t) -> Input? {
        code == 27 ? afterEscape() : plain(code)
    }

    /// Returns what an escape begins: the key, or a sequence that the terminal's description lacks,
    /// whose characters are no keys that somebody has pressed.
    private func afterEscape() -> Input? {
        var code: wint_t = 0
        let kind = wget_wch(callbroker_window(), &code)
        guard kind == OK, code == 91 || code == 79 else {
            if kind == OK { unget_wch(wchar_t(bitPattern: code)) }
            if kind == KEY_CODE_YES { ungetch(Int32(bitPattern: code)) }
            return .key(.escape)
        }
        var sequence = ""
        while wget_wch(callbroker_window(), &code) == OK, let scalar = Unicode.Scalar(code) {
            sequence.unicodeScalars.append(scalar)
            if (0x40...0x7E).contains(code) { break }
        }
        return Self.sequences[sequence].map { .key($0) }
    }

    /// The keys whose sequences differ between terminals of the same description.
    private static let sequences: [String: Key] = [
        "H": .home, "1~": .home, "7~": .home, "F": .end, "4~": .end, "8~": .end,
        "A": .up, "B": .down, "3~": .delete, "5~": .pageUp, "6~": .pageDown, "Z": .backTab,
    ]

    private func plain(_ code: wint_t) -> Input? {
        switch code {
        case 9: return .key(.tab)
        case 10, 13: return .key(.enter)
        case 8, 127: return .key(.backspace)
        case 12:
            redrawwin(callbroker_window())
            return .resize
        case 1..<32:
            return Unicode.Scalar(code + 96).map { .key(.control(Character($0))) }
        default: return Unicode.Scalar(code).map { .key(.character(Character($0))) }
        }
    }

    private func special(_ code: Int32) -> Input? {
        switch code {
        case KEY_RESIZE: return .resize
        case KEY_MOUSE: return mouse()
        case KEY_UP: return .key(.up)
        case KEY_DOWN: return .key(.down)
        case KEY_PPAGE: return .key(.pageUp)
        case KEY_NPAGE: return .key(.pageDown)
        case KEY_HOME: return .key(.home)
        case KEY_END: return .key(.end)
        case KEY_ENTER: return .key(.enter)
        case KEY_BACKSPACE: return .key(.backspace)
        case KEY_DC: return .key(.delete)
        case KEY_BTAB: return .key(.backTab)
        default:
            let function = Int(code - KEY_F0)
            return (1...12).contains(function) ? .key(.function(function)) : nil
        }
    }

    private func mouse() -> Input? {
        var event = MEVENT()
        guard getmouse(&event) == OK else { return nil }
        let buttons = Int(event.bstate)
        if buttons & Int(callbroker_wheel_up) != 0 { return .wheel(-1) }
        if buttons & Int(callbroker_wheel_down) != 0 { return .wheel(1) }
        let times = clicks(buttons)
        return times > 0 ? .click(row: Int(event.y), column: Int(event.x), times: times) : nil
    }

    /// Returns how often the button was pressed: ncurses makes one event of those that come at once.
    private func clicks(_ buttons: Int) -> Int {
        let kinds = [
            (callbroker_button_pressed, 1), (callbroker_button_clicked, 1),
            (callbroker_button_twice, 2), (callbroker_button_thrice, 3),
        ]
        return kinds.first { buttons & Int($0.0) != 0 }?.1 ?? 0
    }
}
