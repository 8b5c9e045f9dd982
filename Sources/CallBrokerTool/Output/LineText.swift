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

    /// Returns the settings of the lines of all apps; nil if none has any.
    static func settings(_ providers: [JSONValue]) -> String? {
        let rows = providers.flatMap { provider in
            provider["lines"]?.elements.map { Line(checked: $0) }.flatMap(settingRows) ?? []
        }
        guard !rows.isEmpty else { return nil }
        return TextTable(
            [
                .plain(Messages.headingLine), .plain(Messages.headingSetting),
                .text(Messages.headingState),
            ], rows
        ).description
    }

    private static func settingRows(_ line: Line) -> [[String]] {
        line.settings.map { [line.id.printable, $0.kind.rawValue, state(of: $0)] }
    }

    /// Returns the state of a setting, such as `on, to +15550199, after 20 s`.
    static func state(of setting: LineSetting) -> String {
        let words = [
            setting.isOn ? Messages.lineSettingOn : Messages.lineSettingOff,
            setting.to.map { Messages.lineSettingTo(address: $0.value.printable) },
            setting.afterMS.map { Messages.lineSettingAfter(seconds: String($0 / 1_000)) },
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }

    private static func row(_ line: JSONValue, _ provider: JSONValue) -> [String] {
        [
            line["line"]?.string?.printable ?? "", provider["provider"]?.string?.printable ?? "",
            line["label"]?.string?.printable ?? "",
            line["handle"]?["value"]?.string?.printable ?? "",
            ([state(line)] + notes(line)).joined(separator: ", "),
        ]
    }

    /// Returns the state of a line with the words of its network, such as `failed: 403 Forbidden`.
    static func state(_ line: JSONValue) -> String {
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
