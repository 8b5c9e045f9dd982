internal import CallModel

extension Phone {
    /// Draws a sheet: its title, and its rows.
    func draw(_ sheet: Sheet, in body: Frame, _ picture: inout Picture) {
        picture.put(title(of: sheet), body.row, 1, .title)
        let list = Frame(
            row: body.row + 2, column: 0, rows: body.rows - 2, columns: body.columns)
        let count = rowCount(of: sheet)
        if count == 0 { picture.put(empty(sheet), list.row, 2, .dim) }
        drawRows(in: list, count: count) { index, row in
            draw(fields(sheet, index), index, row, list, &picture)
        }
    }

    private func empty(_ sheet: Sheet) -> String {
        switch sheet {
        case .participants: text("participants.none")
        case .schedule: text("dnd.no_schedule")
        case .line: text("screen.phone.line.no_settings")
        }
    }

    private func fields(_ sheet: Sheet, _ index: Int) -> [(text: String, width: Int)] {
        switch sheet {
        case .participants(let call): fields(of: participants[call]?[index])
        case .schedule: [(schedule[index].words(dayNames, everyDay: text("screen.every_day")), 0)]
        case .line(let choice): fields(of: line(choice)?.line.settings[index])
        }
    }

    private func fields(of participant: Participant?) -> [(text: String, width: Int)] {
        guard let participant else { return [] }
        let name = participant.name ?? participant.handle?.value ?? participant.id
        let own = participant.isSelf ? " (" + text("participants.self") + ")" : ""
        let marks = [
            participant.isMuted ? text("participants.muted") : "",
            participant.isHandRaised ? text("participants.hand_raised") : "",
        ]
        return [
            (name + own, 0), (text("participants." + participant.state.rawValue), 20),
            (marks.filter { !$0.isEmpty }.joined(separator: ", "), 26),
        ]
    }

    private func fields(of setting: LineSetting?) -> [(text: String, width: Int)] {
        guard let setting else { return [] }
        let state = [
            text(setting.isOn ? "line.setting_on" : "line.setting_off"),
            setting.to.map { text("line.setting_to", ["address": $0.value.shown]) } ?? "",
            setting.afterMS.map {
                text("line.setting_after", ["seconds": String($0 / 1_000)])
            } ?? "",
        ]
        return [
            (text("screen.phone.line_setting." + setting.kind.rawValue), 0),
            (state.filter { !$0.isEmpty }.joined(separator: ", "), 36),
        ]
    }

    // MARK: - Real-time text

    /// Draws what both sides have typed, as much of its end as fits.
    func drawConversation(of call: CallID, in body: Frame, _ picture: inout Picture) {
        picture.put(
            text("screen.phone.conversation", ["name": name(of: call)]), body.row, 1, .title)
        let turns = conversations[call]?.turns ?? []
        let lines = turns.suffix(max(0, body.rows)).flatMap { turn in
            let isOwn = turn.side == .local
            let who = isOwn ? text("participants.self") : name(of: call)
            return "\(who): \(turn.text)".wrapped(to: max(1, body.columns - 4)).map {
                (text: $0, style: isOwn ? Style.plain : .bold)
            }
        }
        for (index, line) in lines.suffix(max(0, body.rows - 2)).enumerated() {
            picture.put(line.text, body.row + 2 + index, 2, line.style)
        }
    }
}
