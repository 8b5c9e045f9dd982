internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker history`: the call history.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Manage the call history.",
        subcommands: [Show.self, CallBack.self, Remove.self, Clear.self, Seen.self],
        defaultSubcommand: Show.self)

    struct Filter: ParsableArguments {
        @Flag(help: "Only missed calls.") var missed = false
        @Option(help: "Only calls of this app.") var provider: String?
        @Option(name: .customLong("with"), help: "Only calls with this number or address.")
        var address: String?
        @Option(help: "Only calls that ended since: \(PastMoment.forms).") var since: Since?
        @Flag(help: "Include calls of apps that exclude them from the recent calls.") var hidden =
            false

        /// Returns the filter with the whole identity of the app.
        func resolved(_ session: Session) throws -> Filter {
            var filter = self
            filter.provider = try provider.map(session.providerName)
            return filter
        }

        func write(_ writer: inout JSONWriter) {
            writer.name("filter")
            writer.object { writer in
                if missed { writer.member("missed", true) }
                writer.member("provider", ifSet: provider)
                if let address { writer.member("handle", address: address, nil) }
                if let since { writer.member("since_at_ms", since.unixMS) }
                if hidden { writer.member("hidden", true) }
            }
        }
    }

    /// A period that ends now.
    struct Since: ExpressibleByArgument {
        let unixMS: Int64

        init?(argument: String) {
            guard let moment = PastMoment(argument, nowMS: LoopClock.monotonic.unixMS) else {
                return nil
            }
            unixMS = moment.unixMS
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the calls, latest first.")

        @OptionGroup var filter: Filter
        @Flag(help: "Print CSV with a header (RFC 4180).")
        var csv = false
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.observer)
            let filter = try filter.resolved(session)
            guard csv else {
                return try session.showList(.listHistory, "entries", filter.write) {
                    Self.table($0, nowMS: session.nowMS)
                }
            }
            StandardOutput.line(HistoryLine.columns.map(\.name).joined(separator: ","))
            try session.forEachPage(.listHistory, filter.write) { page in
                for entry in page.result["entries"].map({ Array($0.elements) }) ?? [] {
                    StandardOutput.line(HistoryLine(entry).csv)
                }
            }
        }

        private static func table(_ entries: [JSONValue], nowMS: Int64) -> String {
            guard !entries.isEmpty else { return "no calls" }
            return TextTable(
                ["ENTRY", "WHEN", "", .text("WITH"), .text("APP"), "FOR", .text("END")],
                entries.map { HistoryLine($0).row(nowMS: nowMS) }
            ).description
        }
    }

    struct CallBack: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "call", abstract: "Call the remote party of an entry.",
            discussion: "Uses the app that had the call, unless --provider is given.")

        @Argument(help: "The number of the entry.") var entry: Int
        @Option(help: "The app that places the call.") var provider: String?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller, waiting: 150)
            let found = try session.historyEntry(entry)
            let provider = try provider.map(session.providerName) ?? found.provider
            guard let remote = found.remote else {
                throw ToolFailure(
                    code: .errorReply,
                    message: "callbroker: the remote party of entry \(entry) is unknown")
            }
            let reply = try session.request(.start) { writer in
                writer.name("remote")
                writer.value(json: remote)
                writer.member("provider", provider)
                writer.member("wait", "completed" as StaticString)
            }
            session.show(reply, OutcomeText.done)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Remove entries.")

        @Argument(help: "The numbers of the entries.") var entries: [Int]
        @OptionGroup var client: ClientOptions

        func run() throws {
            let reply = try client.open(.controller).request(.removeHistory) { writer in
                writer.name("entries")
                writer.array { writer in for entry in entries { writer.value(entry) } }
            }
            try client.output.showRemoved(
                reply.result,
                nothing: "the history has no such entry; callbroker history lists them")
        }
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove all entries, or those that match a filter.")

        @OptionGroup var filter: Filter
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller)
            let reply = try session.request(
                .clearHistory, try filter.resolved(session).write)
            try client.output.showRemoved(
                reply.result, nothing: "the history has no entry that matches")
        }
    }

    struct Seen: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Mark missed calls as seen.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let reply = try client.open(.controller).request(.markHistorySeen)
            client.output.show(count: "marked", reply.result)
        }
    }
}

extension Session {
    /// Returns the remote address of an entry, as JSON, and its provider.
    fileprivate func historyEntry(_ number: Int) throws -> (remote: [UInt8]?, provider: String) {
        let reply = try request(.listHistory) { writer in
            writer.name("filter")
            writer.object { writer in
                writer.member("entry", number)
                writer.member("hidden", true)
            }
        }
        guard let entry = reply.result["entries"]?[0] else {
            throw ToolFailure(
                code: .errorReply,
                message:
                    "callbroker: the history has no entry \(number); callbroker history lists them")
        }
        let remote = entry["remote"].map { Array(ClientOptions.oneLine($0).utf8) }
        return (remote, entry["provider"]?.string ?? "")
    }
}

extension OutputOptions {
    /// Shows a result that was stored as text.
    func show(count name: String, _ result: [UInt8]) throws {
        let document = try Frame.parse(result)
        show(count: name, document.root)
    }

    /// Shows what was removed.
    ///
    /// - Parameter nothing: the message if nothing was removed.
    func showRemoved(_ result: JSONValue, nothing: String) throws(ToolFailure) {
        let removed = result["removed"]
        guard removed?.boolean ?? ((removed?.integer ?? 0) > 0) else {
            throw ToolFailure(code: .errorReply, message: "callbroker: \(nothing)")
        }
        show(count: "removed", result)
    }

    /// Shows a result that is one number, or a boolean.
    func show(count name: String, _ result: JSONValue) {
        switch form {
        case .table:
            let value = result[named: name]
            let text =
                value?.integer.map(String.init) ?? (value?.boolean ?? false ? "yes" : "no")
            StandardOutput.line("\(name): \(text)")
        case .flat: StandardOutput.line(FlatText(result).description)
        case .json, .raw: StandardOutput.line(ClientOptions.oneLine(result))
        }
    }
}

/// An entry of the history as text.
struct HistoryLine {
    private let entry: JSONValue

    init(_ entry: JSONValue) {
        self.entry = entry
    }

    static let columns: [(name: String, value: @Sendable (JSONValue) -> String)] = [
        ("entry", { $0["entry"]?.integer.map(String.init) ?? "" }),
        ("started_at_ms", { $0["started_at_ms"]?.integer.map(String.init) ?? "" }),
        ("direction", { $0["direction"]?.string ?? "" }),
        ("type", { $0["remote"]?["type"]?.string ?? "" }),
        ("remote", { $0["remote"]?["value"]?.string ?? "" }),
        ("name", { $0["name"]?.string ?? "" }), ("label", { $0["label"]?.string ?? "" }),
        ("provider", { $0["provider"]?.string ?? "" }),
        ("duration_ms", { $0["duration_ms"]?.integer.map(String.init) ?? "" }),
        ("end_reason", { $0["end_reason"]?.string ?? "" }),
        ("missed_reasons", { words($0["missed_reasons"]) }),
        ("filtered_by", { $0["filtered_by"]?.string ?? "" }),
        ("failure", { $0["failure"].map { FailureText($0).description } ?? "" }),
    ]

    private static func words(_ value: JSONValue?) -> String {
        value.map { $0.elements.compactMap(\.string).joined(separator: " ") } ?? ""
    }

    /// The entry as CSV, quoted where a comma, a quote or a line break requires it.
    var csv: String {
        Self.columns.map { column in
            let value = column.value(entry)
            let text = Terminal.isOutput ? value.printable : value
            guard text.contains(where: { ",\"\r\n".contains($0) }) else { return text }
            return "\""
                + text.split(separator: "\"", omittingEmptySubsequences: false)
                .joined(separator: "\"\"") + "\""
        }.joined(separator: ",")
    }

    /// Returns the entry as a table row.
    func row(nowMS: Int64) -> [String] {
        let name = entry["name"]?.string?.printable
        let remote = entry["remote"]?["value"]?.string?.printable
        let label = entry["label"]?.string.map { " [\($0.printable)]" } ?? ""
        let missed = Self.words(entry["missed_reasons"])
        let by = entry["filtered_by"]?.string.map { " by \($0.printable)" } ?? ""
        return [
            entry["entry"]?.integer.map(String.init) ?? "",
            RelativeTime(unixMS: entry["started_at_ms"]?.integer ?? 0, nowMS: nowMS).description,
            entry["direction"]?.string == "incoming" ? (missed.isEmpty ? "<-" : "<- missed") : "->",
            (name ?? remote ?? "unknown") + label,
            entry["provider_name"]?.string?.printable ?? entry["provider"]?.string ?? "",
            Self.duration(entry["duration_ms"]?.integer ?? 0),
            (entry["end_reason"]?.string ?? "") + (missed.isEmpty ? "" : " (\(missed))") + by
                + (entry["failure"].map { ": \(FailureText($0))" } ?? ""),
        ]
    }

    private static func duration(_ milliseconds: Int64) -> String {
        guard milliseconds > 0 else { return "" }
        let seconds = milliseconds / 1_000 + (milliseconds % 1_000 + 500) / 1_000
        let rest = seconds % 60
        return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
    }
}
