internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker transactions`: the latest requests that were accepted, and how long they took.
struct Transactions: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transactions",
        abstract: "Show the latest requests, and how long they waited and ran.",
        discussion: """
            Lists requests that were accepted, of all programs and of the broker itself, the latest \
            first: the time that each waited for its first action to be sent, such as for another \
            call to be held, and the time from then until the last one was done. The broker keeps \
            1,000. "callbroker explain --transaction ID" explains one.
            """)

    @Option(help: ArgumentHelp("The number of requests.", valueName: "number")) var limit = 20
    @OptionGroup var client: ClientOptions

    func validate() throws {
        guard limit > 0 else { throw ValidationError("--limit: expected a number from 1 on") }
    }

    func run() throws {
        let session = try client.open(.observer)
        try session.showList(.listTransactions, "transactions", { _ in }, most: limit) { list, _ in
            guard !list.isEmpty else { return Messages.transactionsNone }
            return TextTable(
                [
                    .plain(Messages.headingTime), .plain(Messages.headingTransaction),
                    .text(Messages.headingActions), .plain(Messages.headingBy),
                    .plain(Messages.headingState), .plain(Messages.headingWaited),
                    .plain(Messages.headingRan),
                ], list.map(Self.row)
            ).description
        }
    }

    private static func row(_ transaction: JSONValue) -> [String] {
        let shown = transaction["actions"]?.elements.map { action in
            let call = action["call"]?.string.map { ShortID($0).description } ?? ""
            return "\(action["kind"]?.string?.printable ?? "") \(call)"
        }
        let more = transaction["more_actions"]?.integer.map { ["+\($0)"] } ?? []
        return [
            ClockTime(unixMS: transaction["accepted_at_ms"]?.integer ?? 0).description,
            transaction["transaction"]?.string.map { ShortID($0).description } ?? "",
            ((shown ?? []) + more).joined(separator: ", "),
            Words.origin(transaction["cause"]?["origin"]?.string?.printable ?? ""),
            state(transaction), milliseconds(transaction["wait_ms"]),
            milliseconds(transaction["run_ms"]),
        ]
    }

    private static func state(_ transaction: JSONValue) -> String {
        let state = Words.outcome(transaction["state"]?.string ?? "")
        return transaction["reason"]?.string.map { "\(state): \(Words.refusal($0))" } ?? state
    }

    private static func milliseconds(_ value: JSONValue?) -> String {
        value?.integer.map { "\($0) ms" } ?? ""
    }
}
