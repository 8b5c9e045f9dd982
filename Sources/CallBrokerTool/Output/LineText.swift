internal import BrokerJSON
internal import CallModel
internal import CallProtocol

/// The lines of apps as a table for people.
enum LineText {
    /// Returns the lines of all apps; nil if none has any.
    static func table(_ providers: [JSONValue]) -> String? {
        let rows = providers.flatMap { provider in
            provider["lines"].map { lines in lines.elements.map { row($0, provider) } } ?? []
        }
        guard !rows.isEmpty else { return nil }
        return TextTable(
            [
                .plain(Messages.headingLine), .plain(Messages.headingApp),
                .text(Messages.headingName), .text(Messages.headingNumber),
                .text(Messages.headingState),
            ], rows
        ).description
    }

    private static func row(_ line: JSONValue, _ provider: JSONValue) -> [String] {
        [
            line["line"]?.string?.printable ?? "", provider["provider"]?.string?.printable ?? "",
            line["label"]?.string?.printable ?? "",
            line["handle"]?["value"]?.string?.printable ?? "",
            ([state(line)] + notes(line)).joined(separator: ", "),
        ]
    }

    private static func state(_ line: JSONValue) -> String {
        let state = Words.lineState(line["state"]?.string ?? "")
        guard let reason = line["reason"]?.string?.printable else { return state }
        return Messages.lineStateReason(state: state, reason: reason)
    }

    private static func notes(_ line: JSONValue) -> [String] {
        let messages = line["messages_waiting"]?.integer ?? 0
        return (line["default"]?.boolean == true ? [Messages.lineDefault] : [])
            + (messages > 0 ? [Messages.lineMessages(count: messages)] : [])
    }
}
