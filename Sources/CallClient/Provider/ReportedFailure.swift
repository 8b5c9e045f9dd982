internal import BrokerJSON

/// An app's error for an action that it did not perform.
public struct ReportedFailure: Hashable, Sendable {
    /// The app's error code; -32601 means that it does not support the action.
    public let code: Int
    /// A word in snake_case, such as `remote_refused`; `unspecified` if the app stated none.
    public let reason: String
    /// One line for people in the app's language, shortened to 256 bytes.
    public let message: String?
    /// The code of the app's protocol or network, such as `SIP 486`.
    public let appCode: String?

    init?(_ value: JSONValue?) {
        guard let value, let reason = value["reason"]?.string else { return nil }
        code = value["code"]?.integer.map(Int.init) ?? 0
        self.reason = reason
        message = value["message"]?.string
        appCode = value["app_code"]?.string
    }
}
