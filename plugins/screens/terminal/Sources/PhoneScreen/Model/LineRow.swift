package import CallModel

/// A line of an app.
package struct LineChoice: Hashable, Sendable {
    package var app: ProviderID
    package var line: String

    package init(_ app: ProviderID, _ line: String) {
        (self.app, self.line) = (app, line)
    }
}

/// A line as its app has reported it.
package struct LineRow: Equatable, Sendable {
    package var app: ProviderID
    package var line: Line

    package init(_ app: ProviderID, _ line: Line) {
        (self.app, self.line) = (app, line)
    }

    package var choice: LineChoice { LineChoice(app, line.id) }
}

extension Phone {
    func line(_ choice: LineChoice) -> LineRow? {
        lines.first { $0.choice == choice }
    }

    /// The words for a line, with its app; those for no choice if it is nil or gone.
    func name(of choice: LineChoice?) -> String {
        guard let row = choice.flatMap(line) else { return text("screen.phone.line.any") }
        return "\(name(of: row.app)) · \(row.line.label.shown)"
    }
}
