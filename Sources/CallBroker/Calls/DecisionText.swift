internal import BrokerSocket
internal import CallArbitration
internal import CallModel
internal import CallProtocol

/// A decision on one line, for `serve --explain`: its time, rule and verdict, and the states of the
/// calls. Contains ids, apps, states and rules only; nothing that identifies who called whom.
struct DecisionText: CustomStringConvertible {
    private static let blockersMax = 4

    let description: String

    init(_ decision: Decision, _ broker: Broker) {
        var words = [
            ClockTime(unixMS: broker.clock.unixMS).description,
            decision.rule.map { "rule \($0.word)" } ?? "no rule", decision.verdict.rawValue,
        ]
        if let reason = decision.reason { words.append("(\(reason.rawValue))") }
        if let call = decision.call { words.append(Self.words(for: call, broker)) }
        words.append("by \(decision.cause.origin.word)")
        if let other = decision.cause.becauseOf {
            words.append("because of \(ShortID(other.description))")
        }
        let blocking = decision.blocking.prefix(Self.blockersMax)
        if !blocking.isEmpty {
            let calls = blocking.map { Self.words(for: $0.call, broker) }
            words.append("in the way: " + calls.joined(separator: ", "))
        }
        description = words.joined(separator: " ")
    }

    private static func words(for call: CallID, _ broker: Broker) -> String {
        guard let view = broker.outline(of: call) else {
            return ShortID(call.description).description
        }
        return "\(ShortID(call.description)) \(view.provider.name) \(view.state.word)"
    }
}
