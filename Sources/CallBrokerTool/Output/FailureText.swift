internal import BrokerJSON
internal import CallProtocol

/// An app's reason for not performing an action: its word, and its message if different.
struct FailureText: CustomStringConvertible {
    let description: String

    init(_ failure: JSONValue) {
        let reason = failure["reason"]?.string?.printable ?? ""
        let message = failure["message"]?.string?.printable ?? ""
        let isSame = message.isEmpty || message == reason.replacingUnderscores
        description = isSame ? reason : "\(reason), \"\(message)\""
    }
}
