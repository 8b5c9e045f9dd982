internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker explain`: the decisions about a call or a request.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "explain",
        abstract: "Explain the decisions about a call or a request.",
        discussion: """
            Lists the decisions, oldest first: time, call, decision, its rule, and the calls in the \
            way; and then the rules in words. Also finds calls that have ended, or that never rang, \
            as long as the broker remembers the decisions; later it shows what the history says.
            """)

    @OptionGroup var subject: CallSubject
    @Option(
        help: "The id of a transaction, in full or as \"callbroker watch\" prints it."
    )
    var transaction: String?
    @OptionGroup var client: ClientOptions

    func validate() throws {
        guard transaction == nil || subject.count == 0 else {
            throw ValidationError("name a call, a transaction, an entry, or the last call")
        }
    }

    func run() throws {
        let session = try client.open(.observer)
        guard let transaction else { return try explain(try subject.find(session), session) }
        let id = try TransactionChooser(session).choose(transaction)
        try show(session.request(.explain) { $0.member("transaction", id) })
    }

    private func explain(
        _ subject: (call: String, entry: PastCall?), _ session: Session
    ) throws {
        let members: (inout JSONWriter) -> Void = { $0.member("call", subject.call) }
        if let reply = session.requestIfPossible(.explain, members) { return try show(reply) }
        // The history is longer than the broker's memory of its decisions.
        guard let entry = try subject.entry ?? session.pastCall(withID: subject.call) else {
            return try show(session.request(.explain, members))
        }
        try client.output.show(entry.json) { _ in
            Messages.explainForgotten + "\n  " + entry.line
        }
    }

    private func show(_ reply: borrowing Reply) throws {
        guard client.output.form != .raw else {
            return StandardOutput.line(String(decoding: reply.frame, as: UTF8.self))
        }
        var steps = JSONWriter()
        if let list = reply.result["steps"] { steps.value(list) }
        try client.output.show(list: steps.bytes) { ExplainText($0).description }
    }
}

/// Finds a transaction by a part of its id, among those that the decisions about the latest calls
/// name.
struct TransactionChooser {
    /// The number of calls to search; each is a request.
    private static let callsMax = 64

    private let session: Session

    init(_ session: Session) {
        self.session = session
    }

    func choose(_ name: String) throws -> String {
        if name.isWholeID { return name.lowercased() }
        var found: Set<String> = []
        for call in try CallChooser(session, knowsEnded: true).all.prefix(Self.callsMax) {
            found.formUnion(transactions(of: call.call).filter { $0.isAbbreviated(by: name) })
        }
        guard let first = found.first else {
            throw ToolFailure(.errorReply, Messages.explainNoTransaction(name: name.printable))
        }
        guard found.count == 1 else {
            throw ToolFailure.ambiguous(
                Messages.explainSeveralTransactions(name: name.printable), found.sorted())
        }
        return first
    }

    private func transactions(of call: String) -> [String] {
        guard let reply = session.requestIfPossible(.explain, { $0.member("call", call) }) else {
            return []
        }
        let steps = reply.result["steps"].map { Array($0.elements) } ?? []
        return steps.compactMap { $0["cause"]?["transaction"]?.string?.printable }
    }
}
