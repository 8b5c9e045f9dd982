internal import BrokerJSON
internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// An entry of the history as text.
struct HistoryLine {
    private let entry: JSONValue

    init(_ entry: JSONValue) {
        self.entry = entry
    }

    // MARK: - For programs

    static let columns: [(name: String, value: @Sendable (JSONValue) -> String)] = [
        ("entry", { number($0["entry"]) }), ("call", { text($0["call"]) }),
        ("started_at", { time($0["started_at_ms"]) }),
        ("connected_at", { time($0["connected_at_ms"]) }),
        ("ended_at", { time($0["ended_at_ms"]) }),
        ("direction", { text($0["direction"]) }), ("type", { text($0["remote"]?["type"]) }),
        ("remote", { text($0["remote"]?["value"]) }), ("name", { text($0["name"]) }),
        ("label", { text($0["label"]) }), ("label_source", { text($0["label_source"]) }),
        ("provider", { text($0["provider"]) }),
        ("provider_name", { text($0["provider_name"]) }),
        ("video", { String($0["has_video"]?.boolean ?? false) }),
        ("duration_ms", { number($0["duration_ms"]) }),
        ("end_reason", { text($0["end_reason"]) }),
        ("end_origin", { text($0["end_cause"]?["origin"]) }),
        ("missed_reasons", { missed($0).joined(separator: " ") }),
        ("filtered_by", { text($0["filtered_by"]) }),
        ("seen", { String($0["seen"]?.boolean ?? true) }),
        ("failure", { $0["failure"].map { FailureText($0).description } ?? "" }),
        ("forwarded_from", { text($0["forwarded_from"]?["value"]) }),
        ("forwarded_type", { text($0["forwarded_from"]?["type"]) }),
        ("verification", { text($0["verification"]) }),
        ("external_id", { text($0["external_id"]) }),
        ("elsewhere", { text($0["elsewhere"]) }),
        ("line", { text($0["line"]) }), ("line_label", { text($0["line_label"]) }),
        ("detail_reason", { text($0["end_detail"]?["reason"]) }),
        ("detail_text", { text($0["end_detail"]?["text"]) }),
        ("detail_code", { text($0["end_detail"]?["code"]) }),
    ]

    /// The fields of the entry as CSV.
    var fields: [String] {
        Self.columns.map { $0.value(entry) }
    }

    private static func text(_ value: JSONValue?) -> String {
        value?.string ?? ""
    }

    private static func number(_ value: JSONValue?) -> String {
        value?.integer.map(String.init) ?? ""
    }

    private static func time(_ value: JSONValue?) -> String {
        value?.integer.map { ClockTime.rfc3339(unixMS: $0) } ?? ""
    }

    private static func missed(_ entry: JSONValue) -> [String] {
        entry["missed_reasons"]?.elements.compactMap(\.string) ?? []
    }

    // MARK: - For people

    static let titles: [TextTable.Column] = [
        .plain(Messages.headingEntry), .plain(Messages.headingWhen), "",
        .text(Messages.headingName), .text(Messages.headingNumber, widthMin: 16),
        .optionalText(Messages.headingApp),
        .plain(Messages.headingDuration),
        .text(Messages.headingEnd),
    ]

    /// Returns the entry as a table row.
    func row(nowMS: Int64) -> [String] {
        let label = entry["label"]?.string.map { "[\($0.printable)]" }
        let names = [entry["name"]?.string?.printable, label].compactMap(\.self)
        let isIncoming = entry["direction"]?.string == "incoming"
        let isMissed = !Self.missed(entry).isEmpty
        return [
            Self.number(entry["entry"]),
            RelativeTime(unixMS: entry["started_at_ms"]?.integer ?? 0, nowMS: nowMS).description,
            isIncoming ? (isMissed ? Messages.historyMissed : "<-") : "->",
            names.joined(separator: " "),
            entry["remote"]?["value"]?.string?.printable ?? Messages.callUnknown,
            entry["provider_name"]?.string?.printable ?? Self.text(entry["provider"]),
            Self.duration(entry["duration_ms"]?.integer ?? 0), end,
        ]
    }

    /// Returns the entry on one line.
    func line(nowMS: Int64) -> String {
        let row = row(nowMS: nowMS).filter { !$0.isEmpty }
        return row.dropFirst().dropLast().joined(separator: " ") + ": " + end
    }

    private var end: String {
        let reason = Words.end(
            Self.text(entry["end_reason"]), missed: Self.missed(entry),
            filter: entry["filtered_by"]?.string)
        let end = device.map { Messages.historyElsewhere(end: reason, device: $0) } ?? reason
        guard let detail = entry["end_detail"] ?? entry["failure"] else { return end }
        return isSaid(by: detail) ? "\(FailureText(detail))" : "\(end): \(FailureText(detail))"
    }

    /// The device that answered or declined the call instead.
    private var device: String? {
        let reason = EndReason(rawValue: Self.text(entry["end_reason"]))
        return reason?.isElsewhere == true ? entry["elsewhere"]?.string?.printable : nil
    }

    /// Returns whether a detail says more than the end reason, which it implies: a busy remote party
    /// has ended the call.
    private func isSaid(by detail: JSONValue) -> Bool {
        let reason = detail["reason"]?.string.map(EndDetail.Reason.init(rawValue:))
        let end = EndReason(rawValue: Self.text(entry["end_reason"]))
        guard let reason, EndDetail.Reason.all.contains(reason), Self.missed(entry).isEmpty else {
            return false
        }
        return end != .failed && reason.endReason == end
    }

    static func duration(_ milliseconds: Int64) -> String {
        guard milliseconds > 0 else { return "" }
        let seconds = milliseconds / 1_000 + (milliseconds % 1_000 + 500) / 1_000
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
