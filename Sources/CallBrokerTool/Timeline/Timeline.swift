internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker timeline`: everything that has happened to a call, or a picture of calls over time.
struct Timeline: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "timeline",
        abstract: "Show everything that has happened to a call, or draw calls over time.",
        discussion: """
            Lists changes of the call, actions of its app, the audio, anomalies and decisions, oldest \
            first. Also finds calls that have ended, or that never rang, as long as the broker \
            remembers them. With --otlp, prints a trace that collectors of OpenTelemetry read: the \
            call is a span, and so is each of its states and actions.

            With -o, draws a picture: a lane for each call, below its app; its states, mute, \
            microphone and speaker, the actions of its app with their latency, the rules that \
            decided, and which call is held for which. With --since, --all or --recording it has \
            several calls, and --json prints what it is drawn of. No form names anybody.
            """)

    @OptionGroup var subject: CallSubject
    @Option(help: "Draw the calls that had not ended then: \(PastMoment.forms).")
    var since: HistoryCommand.Since?
    @Flag(help: "Draw all calls that the broker remembers.") var all = false
    @Option(
        help: "Draw the calls of a recording of \"callbroker record\", or of a journal.",
        completion: .file())
    var recording: String?
    @OptionGroup var picture: TimelineFile
    @Flag(help: "Print an OpenTelemetry trace: OTLP as JSON, in one document.") var otlp = false
    @OptionGroup var client: ClientOptions

    private static let bytesMax = 256 << 20

    /// Whether several calls are drawn.
    private var isOfMany: Bool { since != nil || all || recording != nil }

    func validate() throws {
        let sources = [subject.count > 0, since != nil, all, recording != nil]
        guard sources.count(where: \.self) <= 1 else {
            throw ValidationError("choose one of a call, --since, --all and --recording")
        }
        guard !otlp || !isOfMany && picture.output == nil else {
            throw ValidationError("--otlp prints a call, and draws nothing")
        }
        guard !isOfMany || picture.output != nil || client.output.form == .json else {
            throw ValidationError("several calls are drawn: name the file with -o FILE.svg")
        }
    }

    func run() throws {
        if isOfMany { return try draw(many()) }
        let session = try client.open(.observer)
        let call = try subject.find(session).call
        if picture.output != nil {
            var collection = TimelineCollection(session)
            return try draw(collection.scene(of: call))
        }
        try list(call, session)
    }

    private func many() throws -> TimelineScene {
        if let recording {
            let bytes = try Terminal.read(recording, bytesMax: Self.bytesMax)
            return try TimelineRecording.scene(bytes, path: recording)
        }
        var collection = TimelineCollection(try client.open(.observer))
        return try collection.scene(sinceMS: since?.unixMS)
    }

    /// Draws a picture, and prints what it is drawn of, or where it is.
    private func draw(_ scene: TimelineScene) throws {
        guard !scene.calls.isEmpty else {
            throw ToolFailure(.errorReply, Messages.timelineNoCalls)
        }
        try picture.write(scene)
        if client.output.form == .json {
            StandardOutput.line(String(decoding: scene.bytes, as: UTF8.self))
        } else if let file = picture.output, file != "-" {
            let count = Int64(scene.calls.count)
            StandardOutput.line(Messages.timelineDrawn(count: count, file: file.printable))
        }
    }

    private func list(_ call: String, _ session: Session) throws {
        var document = TimelineDocument()
        try session.forEachPage(.timeline, { $0.member("call", call) }) { page in
            if client.output.form == .raw, !otlp {
                StandardOutput.line(String(decoding: page.frame, as: UTF8.self))
            }
            document.add(page.result)
        }
        if otlp {
            let timeline = try Frame.parse(document.bytes)
            return StandardOutput.line(
                String(decoding: TimelineTrace(timeline.root).bytes, as: UTF8.self))
        }
        guard client.output.form != .raw else { return }
        try client.output.show(document.bytes) { TimelineText($0).description }
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
