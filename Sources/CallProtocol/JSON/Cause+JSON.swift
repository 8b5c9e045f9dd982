package import BrokerJSON
package import CallModel

extension JSONWriter {
    package mutating func member(_ name: StaticString, _ cause: Cause) {
        self.name(name)
        object { writer in
            writer.member("origin", cause.origin.word)
            if let rule = cause.rule { writer.member("rule", rule.word) }
            if let transaction = cause.transaction { writer.member("transaction", transaction) }
            if let call = cause.becauseOf { writer.member("because_of", call) }
        }
    }

    /// Writes the calls in the way.
    package mutating func member(_ name: StaticString, blocking: [Refusal.Blocker]) {
        self.name(name)
        array { writer in
            for blocker in blocking {
                writer.object { writer in
                    writer.member("call", blocker.call)
                    writer.member("provider", blocker.provider)
                }
            }
        }
    }
}
