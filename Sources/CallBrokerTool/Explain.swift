internal import ArgumentParser
internal import BrokerJSON
internal import BrokerSocket
internal import CallProtocol

/// `callbroker explain`: why things are as they are.
struct Explain: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Say why a call, or a request, went as it did.",
        discussion: """
            Every decision that concerned it, oldest first: when, by which rule, what, and the \
            calls in the way. A call that is over is named by its whole id.
            """)

    @Argument(help: CallArgument.help) var call: String?
    @Option(help: "The id of a transaction, instead of a call.") var transaction: String?
    @OptionGroup var client: ClientOptions

    func validate() throws {
        guard call == nil || transaction == nil else {
            throw ValidationError("name a call or a transaction, not both")
        }
    }

    func run() throws {
        let session = try client.open(.observer)
        let call = transaction == nil ? try CallChooser(session).choose(call, .any) : nil
        let reply = try session.ask(.explain) { writer in
            writer.member("call", ifSet: call)
            writer.member("transaction", ifSet: transaction)
        }
        guard client.output.form != .raw else { return session.show(reply) { _ in "" } }
        var steps = JSONWriter()
        if let list = reply.result["steps"] { steps.value(list) }
        try client.output.show(list: steps.bytes) { steps in
            steps.isEmpty
                ? "nothing was decided about it, or it is forgotten"
                : steps.map(Self.line).joined(separator: "\n")
        }
    }

    private static func line(_ step: JSONValue) -> String {
        let blocking = step["blocking"].map { Array($0.elements) } ?? []
        let others = blocking.compactMap { $0["call"]?.string }.map { ShortID($0).description }
        let words = [
            ClockTime(unixMS: step["at_ms"]?.integer ?? 0).description,
            step["rule"]?.string.map { "rule \($0.printable)" },
            step["decision"]?.string?.printable.replacingUnderscores,
            step["call"]?.string.map { ShortID($0).description },
            step["end_reason"]?.string?.printable.replacingUnderscores,
            step["cause"].map { CauseText($0).description },
            others.isEmpty ? nil : "in the way: " + others.joined(separator: ", "),
        ]
        return words.compactMap { $0 }.joined(separator: "  ")
    }
}

extension String {
    fileprivate var replacingUnderscores: String {
        String(map { $0 == "_" ? " " : $0 })
    }
}
