internal import BrokerJSON

/// What an app says of an action that it has not done.
public struct ReportedFailure: Hashable, Sendable {
    /// The number of its error; -32601 means that it never does such a thing.
    public let code: Int
    /// A word in snake_case, such as `remote_refused`; `unspecified` if it has given none.
    public let reason: String
    /// English or not, for people: one line, cut to 256 bytes.
    public let message: String?

    init?(_ value: JSONValue?) {
        guard let value, let reason = value["reason"]?.string else { return nil }
        code = value["code"]?.integer.map(Int.init) ?? 0
        self.reason = reason
        message = value["message"]?.string
    }
}
