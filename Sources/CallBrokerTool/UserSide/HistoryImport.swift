internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallModel
internal import CallProtocol

/// `callbroker history import`: entries from CSV.
struct HistoryImport: ParsableCommand {
    private static let bytesMax = 256 << 20
    /// The number of entries in a request.
    private static let partMax = 32

    static let configuration = CommandConfiguration(
        commandName: "import", abstract: "Add entries from CSV.",
        discussion: """
            Reads what "callbroker history --csv" prints. The first line names the columns: \
            started_at, direction, provider, remote, and at will the others. A call that is in the \
            history already is left out. If a line is invalid, nothing is imported.
            """)

    @Argument(help: "The file. Default, and -: standard input.", completion: .file())
    var file: String?
    @OptionGroup var client: ClientOptions

    func run() throws {
        let text = String(decoding: try Terminal.read(file, bytesMax: Self.bytesMax), as: UTF8.self)
        let entries = try CSVLine.rows(of: text, requiring: Self.required).map {
            try PastCallRow($0.values, $0.line)
        }
        let session = try client.open(.controller, waiting: 600)
        // The broker removes the entries that were added first, if there are too many.
        var (rest, imported) = (entries.sorted { $0.endedAtMS < $1.endedAtMS }[...], Int64(0))
        while !rest.isEmpty {
            let part = rest.prefix(Self.partMax)
            let reply = try session.request(.importHistory) { writer in
                writer.name("entries")
                writer.array { writer in for entry in part { writer.object(entry.write) } }
            }
            imported += reply.result["imported"]?.integer ?? 0
            rest = rest.dropFirst(part.count)
        }
        var writer = JSONWriter()
        writer.object { $0.member("imported", imported) }
        try client.output.show(count: "imported", writer.bytes, Messages.userImported)
    }

    private static let required = ["started_at", "direction", "provider"]
}

/// A line of a history in CSV.
private struct PastCallRow {
    private let values: [String: String]
    private let startedAtMS: Int64
    private let connectedAtMS: Int64?
    let endedAtMS: Int64

    init(_ values: [String: String], _ line: Int) throws(ToolFailure) {
        self.values = values
        func time(_ column: String) throws(ToolFailure) -> Int64? {
            guard let text = values[column] else { return nil }
            guard let unixMS = ClockTime.unixMS(rfc3339: text), unixMS >= 0 else {
                throw CSVLine.mistake(line, Messages.importNotTime(column: column))
            }
            return unixMS
        }
        func check(_ column: String, _ words: [String]) throws(ToolFailure) {
            guard let word = values[column], !words.contains(word) else { return }
            throw CSVLine.mistake(
                line,
                Messages.importNotOneOf(column: column, words: words.joined(separator: ", ")))
        }
        guard let started = try time("started_at") else {
            throw CSVLine.mistake(line, Messages.importNoValue(column: "started_at"))
        }
        startedAtMS = started
        connectedAtMS = try time("connected_at")
        endedAtMS = try time("ended_at") ?? started
        try check("direction", Direction.allCases.map(\.rawValue))
        try check("end_reason", EndReason.allCases.map(\.rawValue))
        try check("end_origin", Origin.allCases.map(\.rawValue))
        try check("type", AddressKind.allCases.map(\.rawValue))
        for column in ["video", "seen"] { try check(column, ["true", "false"]) }
        if let call = values["call"], !call.isWholeID {
            throw CSVLine.mistake(line, Messages.importNotUuid(column: "call"))
        }
    }

    func write(_ writer: inout JSONWriter) {
        writer.member("call", values["call"] ?? RandomCallID.make())
        writer.member("provider", values["provider"] ?? "")
        writer.member("provider_name", ifSet: values["provider_name"])
        writer.member("direction", values["direction"] ?? "")
        if let remote = values["remote"] {
            let kind = values["type"].flatMap(AddressKind.init(rawValue:))
            writer.member("remote", address: remote, kind)
        }
        for (column, member) in Self.texts {
            writer.member(member, ifSet: values[column])
        }
        writer.member("has_video", values["video"] == "true")
        writer.member("started_at_ms", startedAtMS)
        if let connectedAtMS { writer.member("connected_at_ms", connectedAtMS) }
        writer.member("ended_at_ms", endedAtMS)
        writer.member("end_reason", values["end_reason"] ?? EndReason.localEnded.rawValue)
        writer.name("end_cause")
        writer.object { $0.member("origin", values["end_origin"] ?? Origin.admin.rawValue) }
        if let party = values["forwarded_from"] {
            let kind = values["forwarded_type"].flatMap(AddressKind.init(rawValue:))
            writer.member("forwarded_from", address: party, kind)
        }
        writeDetail(&writer)
        if let missed = values["missed_reasons"] {
            writer.member("missed_reasons", words: missed.split(separator: " ").map(String.init))
        }
        writer.member("seen", values["seen"] != "false")
    }

    private func writeDetail(_ writer: inout JSONWriter) {
        let members: [(StaticString, String?)] = [
            ("reason", values["detail_reason"]), ("text", values["detail_text"]),
            ("code", values["detail_code"]),
        ]
        guard members.contains(where: { $0.1 != nil }) else { return }
        writer.name("end_detail")
        writer.object { writer in for (name, text) in members { writer.member(name, ifSet: text) } }
    }

    private static let texts: [(column: String, member: StaticString)] = [
        ("name", "name"), ("label", "label"), ("label_source", "label_source"),
        ("filtered_by", "filtered_by"), ("line", "line"), ("line_label", "line_label"),
        ("verification", "verification"), ("external_id", "external_id"),
        ("elsewhere", "elsewhere"),
    ]
}
