internal import BrokerJSON
internal import CallProtocol

@testable internal import CallBrokerTool

/// What a broker, or whoever holds its socket, replies, as the tool lays it out: nothing but printable
/// text in lines behind the one function that all of it goes through.
enum ReplyInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let limits = JSONLimits(depth: 64, values: 65_536)
        guard let document = try? JSONDocument(parsing: bytes, limits: limits) else { return }
        try check(document.root)
        for name in ["result", "params", "error"] as [StaticString] {
            if let part = document.root[name] { try check(part) }
        }
    }

    private static func check(_ value: JSONValue) throws(Finding) {
        for layout in layouts {
            let text = TerminalText.safe(layout(value))
            let parts = text.unicodeScalars.split { $0 == "\n" || $0 == "\t" }.map { String($0) }
            try require(
                parts.allSatisfy { $0.printable == $0 },
                "a terminal would not take it as text: \(text)")
        }
    }

    /// What there is to lay out, each by itself.
    private static let layouts: [@Sendable (JSONValue) -> String] = [
        { FlatText($0).description },
        { FlatText($0).aligned },
        { EventLine($0).description },
        { CallSummary($0).line },
        { CallSummary.list($0).map(\.line).joined(separator: "\n") },
        { OutcomeText.done($0) },
        { OutcomeText.plan($0) { _ in nil } },
        { ErrorText.lines($0) { _ in nil }.joined(separator: "\n") },
        { table($0, "entries") { HistoryLine($0).row(nowMS: $0["now"]?.integer ?? 0) } },
        { table($0, "plugins") { [PluginText.state($0), PluginText.fault($0) ?? ""] } },
        { table($0, "findings") { [PluginText.finding($0)] } },
        { table($0, "lines") { [PluginText.logLine($0)] } },
        { table($0, "providers") { [AuthorizationText($0).problem ?? ""] } },
    ]

    private static func table(
        _ value: JSONValue, _ name: StaticString, _ row: (JSONValue) -> [String]
    ) -> String {
        let rows = value[name].map { $0.elements.map(row) } ?? []
        let columns = Array(
            repeating: TextTable.Column.text("TITLE"), count: rows.first?.count ?? 0)
        return TextTable(columns, rows).text(fitting: 40)
    }
}
