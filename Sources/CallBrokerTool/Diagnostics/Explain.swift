internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker explain`: the decisions about a call or a request.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Explain the decisions about a call or a request.",
        discussion: """
            Lists the decisions, oldest first: time, rule, decision, and the calls in the way. Also \
            finds calls that ended in the last ten minutes.
            """)

    @Argument(help: CallArgument.help) var call: String?
    @Option(
        help: "The id of a transaction, in full or as \"callbroker watch\" prints it."
    )
    var transaction: String?
    @OptionGroup var client: ClientOptions

    func validate() throws {
        guard call == nil || transaction == nil else {
            throw ValidationError("name a call or a transaction, not both")
        }
    }

    func run() throws {
        let session = try client.open(.observer)
        let reply = try session.request(.explain, try subject(session))
        guard client.output.form != .raw else { return session.show(reply) { _ in "" } }
        var steps = JSONWriter()
        if let list = reply.result["steps"] { steps.value(list) }
        try client.output.show(list: steps.bytes) { steps in
            steps.isEmpty
                ? "no decisions are recorded"
                : steps.map(Self.line).joined(separator: "\n")
        }
    }

    /// Returns the params that name the call or the transaction.
    private func subject(_ session: Session) throws -> (inout JSONWriter) -> Void {
        guard let transaction else {
            let call = try CallChooser(session, knowsEnded: true).choose(call, .any)
            return { $0.member("call", call) }
        }
        let id = try TransactionChooser(session).choose(transaction)
        return { $0.member("transaction", id) }
    }

    private static func line(_ step: JSONValue) -> String {
        let blocking = step["blocking"].map { Array($0.elements) } ?? []
        let others = blocking.compactMap { $0["call"]?.string }.map { ShortID($0).description }
        let words = [
            ClockTime(unixMS: step["at_ms"]?.integer ?? 0).description,
            step["rule"]?.string.map { "rule \($0.printable)" },
            step["decision"]?.string?.printable.replacingUnderscores,
            step["reason"]?.string.map { "(\($0.printable.replacingUnderscores))" },
            step["call"]?.string.map { ShortID($0).description },
            step["end_reason"]?.string?.printable.replacingUnderscores,
            step["failure"].map { "the app's reason: \(FailureText($0).description)" },
            step["filtered_by"]?.string.map { "as \($0.printable) says" },
            step["explanation"].map(Self.explanation),
            step["cause"].map { CauseText($0).description },
            others.isEmpty ? nil : "in the way: " + others.joined(separator: ", "),
        ]
        return words.compactMap { $0 }.joined(separator: "  ")
    }

    private static func explanation(_ value: JSONValue) -> String {
        let text = value["text"]?.string?.printable ?? ""
        return "\(value["by"]?.string?.printable ?? ""): \"\(text)\""
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
            throw ToolFailure(
                code: .errorReply,
                message: """
                    callbroker: no transaction of the latest calls matches "\(name.printable)"; \
                    "callbroker watch 'transaction.*'" shows new ones
                    """)
        }
        guard found.count == 1 else {
            let lines = found.sorted().map { "\n  \($0)" }.joined()
            throw ToolFailure(
                code: .usage,
                message: "callbroker: \"\(name.printable)\" matches several transactions; name one:"
                    + lines)
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
