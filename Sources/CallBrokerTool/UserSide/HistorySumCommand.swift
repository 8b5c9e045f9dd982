internal import ArgumentParser
internal import BrokerJSON
internal import CallProtocol

/// `callbroker history sum`: past calls in numbers.
struct HistorySumCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sum", abstract: "Add up the calls by app, or by number.",
        discussion: "Those with the longest conversations first, and a line with the sum of all.")

    enum Grouping: String, CaseIterable, ExpressibleByArgument {
        case app, number

        /// The word of the protocol.
        fileprivate var word: StaticString {
            switch self {
            case .app: "provider"
            case .number: "handle"
            }
        }
    }

    @OptionGroup var filter: HistoryCommand.Filter
    @Option(help: "What each line is about: app, or number.") var by = Grouping.app
    @OptionGroup var client: ClientOptions

    func run() throws {
        let session = try client.open(.observer)
        let filter = try filter.resolved(session)
        let reply = try session.request(.sumHistory) { writer in
            filter.write(&writer)
            writer.member("by", by.word)
        }
        session.show(reply) { table($0, nowMS: session.nowMS) }
    }

    private func table(_ result: JSONValue, nowMS: Int64) -> String {
        guard let total = result["total"], total["calls"]?.integer ?? 0 > 0 else {
            return Messages.callNone
        }
        let rows = result["sums"]?.elements.map { row(titles(of: $0), $0, nowMS) } ?? []
        let last = row([Messages.historyTotal] + (by == .number ? [""] : []), total, nowMS)
        return TextTable(columns, rows + [last]).description
    }

    private var columns: [TextTable.Column] {
        let titles: [TextTable.Column] =
            switch by {
            case .app: [.text(Messages.headingApp)]
            case .number: [.text(Messages.headingName), .text(Messages.headingNumber)]
            }
        return titles + [
            .plain(Messages.headingCalls), .plain(Messages.headingIncoming),
            .plain(Messages.headingMissed), .plain(Messages.headingDuration),
            .plain(Messages.headingLast),
        ]
    }

    private func titles(of sum: JSONValue) -> [String] {
        switch by {
        case .app: [sum["provider_name"]?.string ?? sum["provider"]?.string ?? ""]
        case .number:
            [sum["name"]?.string ?? "", sum["remote"]?["value"]?.string ?? Messages.callUnknown]
        }
    }

    private func row(_ titles: [String], _ sum: JSONValue, _ nowMS: Int64) -> [String] {
        titles
            + [sum["calls"], sum["incoming"], sum["missed"]].map { "\($0?.integer ?? 0)" }
            + [
                HistoryLine.duration(sum["talked_ms"]?.integer ?? 0),
                RelativeTime(unixMS: sum["last_ended_at_ms"]?.integer ?? 0, nowMS: nowMS)
                    .description,
            ]
    }
}
