package import CallModel

/// A list over the view, with keys of its own. Its rows are those of the state, so that they change
/// while it is shown.
package enum Sheet: Hashable, Sendable {
    /// Who takes part in a conference that the far end runs.
    case participants(CallID)
    /// When calls do not ring.
    case schedule
    /// What the network keeps for a line.
    case line(LineChoice)

    /// The call that the sheet is about.
    var call: CallID? {
        if case .participants(let call) = self { call } else { nil }
    }
}

extension Phone {
    package mutating func open(_ sheet: Sheet) {
        (self.sheet, sheetRow, page, menu, prompt) = (sheet, 0, nil, nil, nil)
    }

    func rowCount(of sheet: Sheet) -> Int {
        switch sheet {
        case .participants(let call): participants[call]?.count ?? 0
        case .schedule: schedule.count
        case .line(let choice): line(choice)?.line.settings.count ?? 0
        }
    }

    /// The title of a sheet.
    func title(of sheet: Sheet) -> String {
        switch sheet {
        case .participants(let call):
            text("screen.phone.participants_of", ["name": name(of: call)])
        case .schedule:
            text("screen.phone.quiet") + " · " + text(doesNotDisturb ? "dnd.on" : "dnd.off")
        case .line(let choice): name(of: choice)
        }
    }
}
