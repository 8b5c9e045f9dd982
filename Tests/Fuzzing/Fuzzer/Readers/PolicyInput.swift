internal import CallBroker
internal import CallTesting

/// A configuration file: what is refused changes nothing; the policy that is accepted is told in a form
/// that is accepted, and means the same.
enum PolicyInput {
    static func check(_ bytes: [UInt8]) throws(Finding) {
        let before = BrokerConfiguration()
        var configuration = before
        do throws(ConfigurationError) {
            try configuration.merge(bytes)
        } catch {
            return try require(configuration == before, "refused, and yet changed")
        }
        var again = BrokerConfiguration()
        again.limits = configuration.limits
        let told = Array(#"{"policy":\#(try told(configuration))}"#.utf8)
        do throws(ConfigurationError) {
            try again.merge(told)
        } catch {
            throw Finding(words: "what is told is refused: \(error)")
        }
        try require(again == configuration, "\(configuration.choices) became \(again.choices)")
    }

    private static func told(_ configuration: BrokerConfiguration) throws(Finding) -> String {
        var faults: [String] = []
        let host = MemoryBroker(tellFault: { faults.append($0) }) {
            $0.choices = configuration.choices
        }
        let peer = host.connect()
        defer { peer.vanish() }
        let replies = peer.ask(
            #"{"jsonrpc":"2.0","id":1,"method":"broker.hello","params":{"protocol":{"min":1,"max":1},"#
                + #""client":{"name":"fuzzer","version":"1"}}}"#,
            #"{"jsonrpc":"2.0","id":2,"method":"policy.get","params":{}}"#)
        try require(faults.isEmpty, faults.joined(separator: "; "))
        let policy = replies.last.flatMap { try? JSONTree($0) }?["result"]?["policy"]
        guard let policy else { throw Finding(words: "no policy in \(replies)") }
        return policy.json
    }
}
