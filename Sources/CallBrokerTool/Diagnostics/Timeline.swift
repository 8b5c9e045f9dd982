internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker timeline`: everything that has happened to a call.
struct Timeline: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Show everything that has happened to a call.",
        discussion: """
            Lists changes of the call, actions of its app, the audio, anomalies and decisions, oldest \
            first. Also finds calls that have ended, or that never rang, as long as the broker \
            remembers them. With --otlp, prints a trace that collectors of OpenTelemetry read: the \
            call is a span, and so is each of its states and actions. Neither form names anybody.
            """)

    @OptionGroup var subject: CallSubject
    @Flag(help: "Print an OpenTelemetry trace: OTLP as JSON, in one document.") var otlp = false
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.observer)
        let call = try subject.find(session).call
        var document = JSONWriter()
        try session.forEachPage(.timeline, { $0.member("call", call) }) { page in
            if client.output.form == .raw, !otlp {
                StandardOutput.line(String(decoding: page.frame, as: UTF8.self))
            }
            add(page.result, to: &document)
        }
        document.bytes += Array("]}".utf8)
        if otlp {
            let timeline = try Frame.parse(document.bytes)
            return StandardOutput.line(
                String(decoding: TimelineTrace(timeline.root).bytes, as: UTF8.self))
        }
        guard client.output.form != .raw else { return }
        try client.output.show(document.bytes) { TimelineText($0).description }
    }

    /// Adds a page to a document with all entries, whose end is missing.
    private func add(_ page: JSONValue, to document: inout JSONWriter) {
        if document.bytes.isEmpty {
            document.bytes = Array("{".utf8)
            for name in ["call", "provider", "direction"] {
                guard let value = page[named: name] else { continue }
                document.name(name)
                document.value(value)
            }
            document.name("entries")
            document.bytes.append(UInt8(ascii: "["))
        }
        for entry in page["entries"].map({ Array($0.elements) }) ?? [] { document.value(entry) }
    }
}

/// A time line, an entry on each line: the time, the milliseconds since the first entry, and what
/// has happened.
struct TimelineText: CustomStringConvertible {
    private static let offsetWidth = 8

    let description: String

    init(_ timeline: JSONValue) {
        let entries = timeline["entries"].map { Array($0.elements) } ?? []
        let startMS = entries.first?["at_ms"]?.integer ?? 0
        let lines = entries.filter(Self.isShown).map { Self.line($0, startMS: startMS) }
        description = lines.joined(separator: "\n")
    }

    /// Returns false for a change of the pending action alone: the lines of its action tell it.
    private static func isShown(_ entry: JSONValue) -> Bool {
        guard let changed = entry["change"]?["changed"] else { return true }
        return changed.elements.contains { $0.string != "pending_action" }
    }

    private static func line(_ entry: JSONValue, startMS: Int64) -> String {
        let atMS = entry["at_ms"]?.integer ?? 0
        let offset = "+\(atMS - startMS)"
        let padding = String(repeating: " ", count: max(0, offsetWidth - offset.count))
        let words = [ClockTime(unixMS: atMS).description, padding + offset] + words(entry)
        return words.filter { !$0.isEmpty }.joined(separator: "  ")
    }

    private static func words(_ entry: JSONValue) -> [String] {
        let event = entry["event"]?.string ?? ""
        guard let members = entry[named: event] else { return [event.printable] }
        switch event {
        case "decision":
            return [ExplainText.decision(members), ExplainText.source(members) ?? ""]
        case "change": return change(members)
        case "action": return [action(members)]
        case "audio":
            let isActive = members["active"]?.boolean == true
            return [isActive ? Messages.timelineAudioOn : Messages.timelineAudioOff]
        case "quality": return [QualityText(members).description]
        case "anomaly": return [Words.anomaly(members["anomaly"]?.string?.printable ?? "")]
        default: return [event.printable, FlatText.inline(members)]
        }
    }

    private static func change(_ members: JSONValue) -> [String] {
        let state = Words.state(members["state"]?.string?.printable ?? "")
        let changed = members["changed"]?.elements.compactMap { $0.string?.printable } ?? []
        let others = changed.filter { $0 != "state" && $0 != "pending_action" }
        return [state, others.isEmpty ? "" : "[\(others.joined(separator: " "))]"]
    }

    private static func action(_ members: JSONValue) -> String {
        let kind = members["kind"]?.string?.printable ?? ""
        let state = members["state"]?.string ?? ""
        let attempt = members["attempt"]?.integer ?? 1
        let words: [String?] = [
            "\(kind): \(state == "late" ? Messages.timelineLate : Words.actionState(state))",
            attempt > 1 ? Messages.watchAttempt(number: String(attempt)) : nil,
            members["failure"].map { Messages.explainAppReason(reason: "\(FailureText($0))") },
        ]
        return words.compactMap(\.self).joined(separator: ", ")
    }
}
