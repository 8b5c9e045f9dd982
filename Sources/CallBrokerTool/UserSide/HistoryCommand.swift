internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker history`: the call history.
struct HistoryCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "history", abstract: "Manage the call history.",
        subcommands: [
            Show.self, HistorySumCommand.self, CallBack.self, Remove.self, Clear.self, Seen.self,
            HistoryImport.self,
        ],
        defaultSubcommand: Show.self)

    struct Filter: ParsableArguments {
        @Flag(help: "Only missed calls.") var missed = false
        @Option(help: "Only calls of this app.", completion: Suggestions.providers) var provider:
            String?
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

        /// True if the filter includes every entry that is listed.
        var isEmpty: Bool {
            !missed && provider == nil && address == nil && since == nil
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
        static let configuration = CommandConfiguration(
            commandName: "show",
            abstract: "List the calls, latest first.",
            discussion: """
                Lists the latest 20 calls; --json, --flat, --raw and --csv list all, unless --limit \
                is given.
                """)

        /// The number of calls listed for people.
        private static let limitForPeople = 20

        @OptionGroup var filter: Filter
        @Option(help: "The greatest number of calls.") var limit: Int?
        @Flag(help: "List all calls.") var all = false
        @Flag(help: "Print CSV with a header (RFC 4180), and times as in RFC 3339.")
        var csv = false
        @OptionGroup var client: ClientOptions

        func validate() throws {
            guard limit ?? 1 > 0 else { throw ValidationError("--limit must be at least 1") }
            guard limit == nil || !all else {
                throw ValidationError("choose one of --limit and --all")
            }
        }

        func run() throws {
            let session = try client.open(.observer)
            let filter = try filter.resolved(session)
            guard !csv else { return try writeCSV(session, filter) }
            let isForPeople = client.output.form == .table && !all
            try session.showList(
                .listHistory, "entries", filter.write,
                most: limit ?? (isForPeople ? Self.limitForPeople : nil)
            ) { entries, hasMore in
                guard !entries.isEmpty else { return Messages.callNone }
                let rows = entries.map { HistoryLine($0).row(nowMS: session.nowMS) }
                let table = TextTable(HistoryLine.titles, rows).description
                return table + (hasMore ? "\n\(Messages.historyMore)" : "")
            }
        }

        private func writeCSV(_ session: Session, _ filter: Filter) throws {
            CSVLine.write(HistoryLine.columns.map(\.name))
            var count = 0
            try session.forEachPage(
                .listHistory, filter.write, while: { count < limit ?? .max }
            ) { page in
                for entry in page.result["entries"]?.elements.map(\.self) ?? []
                where count < limit ?? .max {
                    CSVLine.write(HistoryLine(entry).fields)
                    count += 1
                }
            }
        }
    }

    struct CallBack: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "call", abstract: "Call the remote party of an entry.",
            discussion: "Uses the app that had the call, unless --provider is given.")

        @Argument(help: "The number of the entry.") var entry: Int
        @Option(help: "The app that places the call.", completion: Suggestions.providers)
        var provider: String?
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller, waiting: 150)
            let reply = try session.historyEntry(entry)
            let found = reply.result["entries"]?[0]
            let provider = try provider.map(session.providerName) ?? found?["provider"]?.string
            guard let remote = found?["remote"] else {
                throw ToolFailure(
                    .errorReply, Messages.userEntryWithoutRemote(number: String(entry)))
            }
            let call = try session.request(.start) { writer in
                writer.name("remote")
                writer.value(remote)
                writer.member("provider", ifSet: provider)
                writer.member("wait", "completed" as StaticString)
            }
            session.show(call, OutcomeText.done)
        }
    }

    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Remove entries.")

        @Argument(help: "The numbers of the entries.") var entries: [Int]
        @OptionGroup var client: ClientOptions

        func run() throws {
            let reply = try client.open(.controller).request(.removeHistory) { writer in
                writer.name("entries")
                writer.array { writer in for entry in entries { writer.value(entry) } }
            }
            try client.output.showRemoved(
                reply.result,
                nothing: Messages.userNoEntry)
        }
    }

    struct Clear: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "clear",
            abstract: "Remove all entries, or those that match a filter.",
            discussion: "Asks first if standard input is a terminal.")

        @OptionGroup var filter: Filter
        @Flag(help: "Do not ask.") var yes = false
        @OptionGroup var client: ClientOptions

        func run() throws {
            let session = try client.open(.controller)
            let filter = try filter.resolved(session)
            let question =
                filter.isEmpty
                ? Messages.userClearHistory : Messages.userClearMatching
            guard yes || Terminal.confirm(question) else {
                throw ToolFailure(.errorReply, Messages.userNoneRemoved)
            }
            let reply = try session.request(.clearHistory, filter.write)
            try client.output.showRemoved(
                reply.result, nothing: Messages.userNoEntryMatches)
        }
    }

    struct Seen: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "seen",
            abstract: "Mark missed calls as seen.")

        @OptionGroup var client: ClientOptions

        func run() throws {
            let reply = try client.open(.controller).request(.markHistorySeen)
            client.output.show(count: "marked", reply.result, Messages.userMarked)
        }
    }
}

extension OutputOptions {
    /// Shows a result that was stored as text.
    func show(
        count name: String, _ result: [UInt8], _ text: (String) -> String
    ) throws {
        let document = try Frame.parse(result)
        show(count: name, document.root, text)
    }

    /// Shows what was removed.
    ///
    /// - Parameter nothing: the message if nothing was removed.
    func showRemoved(_ result: JSONValue, nothing: String) throws(ToolFailure) {
        let removed = result["removed"]
        guard removed?.boolean ?? ((removed?.integer ?? 0) > 0) else {
            throw ToolFailure(.errorReply, nothing)
        }
        show(count: "removed", result, Messages.userRemoved)
    }

    /// Shows a result that is one number, or a boolean.
    ///
    /// - Parameter text: for people, with the number, or yes or no.
    func show(count name: String, _ result: JSONValue, _ text: (String) -> String) {
        switch form {
        case .table:
            let value = result[named: name]
            let isTrue = value?.boolean ?? false
            let number = value?.integer.map(String.init)
            StandardOutput.line(text(number ?? (isTrue ? Messages.listYes : Messages.listNo)))
        case .flat: StandardOutput.line(FlatText(result).description)
        case .json, .raw: StandardOutput.line(ClientOptions.oneLine(result))
        }
    }
}
