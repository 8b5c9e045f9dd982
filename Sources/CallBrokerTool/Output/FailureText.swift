internal import BrokerJSON
internal import CallProtocol

/// What an app says of an action that it has not done: its word, and its sentence if it is another.
struct FailureText: CustomStringConvertible {
    let description: String

    init(_ failure: JSONValue) {
        let reason = failure["reason"]?.string?.printable ?? ""
        let message = failure["message"]?.string?.printable ?? ""
        let isSame = message.isEmpty || message == reason.replacingUnderscores
        description = isSame ? reason : "\(reason), \"\(message)\""
    }
}
