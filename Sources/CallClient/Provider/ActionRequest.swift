internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// An action that the broker requests of a provider for one of its calls.
public struct ActionRequest: Hashable, Sendable, Identifiable {
    /// The id of the action, which stays the same when the request is repeated.
    public let id: ActionID
    /// The call to act on.
    public let call: CallID
    /// The kind of action with its arguments.
    public let action: CallAction
    /// The transaction that the action belongs to.
    public let transaction: TransactionID
    /// The origin of the request, and its reason.
    public let cause: Cause
    /// The time that the action may take from its arrival, in milliseconds.
    public let deadlineMS: Int
    /// The number of the request: 1, or more if it is repeated after a lost connection.
    public let attempt: Int
    /// The time since the action was requested, in milliseconds: it may have waited for another
    /// action, such as the hold of another call.
    public let ageMS: Int
}

/// The outcome of an action.
public enum ActionOutcome: Hashable, Sendable {
    /// The action was performed, at a Unix time in milliseconds, or with nil just now.
    case fulfilled(atMS: Int64?)
    /// The action was not performed. The reason is a word in snake_case.
    case failed(reason: String)
    /// A start or an answer was not performed, and the call is over; with the detail of its end.
    case ended(EndDetail)
    /// The app does not support the action. After a hold with this outcome the broker requests no
    /// more holds of the call.
    case unsupported

    var isFulfilled: Bool {
        if case .fulfilled = self { true } else { false }
    }
}

extension ActionRequest {
    /// Reads the params of a request; nil for a kind of action unknown to this release.
    init?(_ params: JSONValue) {
        guard let transaction = TransactionID(params["transaction"]) else { return nil }
        self.init(params, in: transaction, of: params)
    }

    /// Reads an action of a transaction, whose params state what its actions have in common.
    init?(_ value: JSONValue, in transaction: TransactionID, of params: JSONValue) {
        guard let id = ActionID(value["action"]), let call = CallID(value["call"]),
            let kind = ActionKind(value["kind"]),
            let action = CallAction(kind, arguments: value["arguments"])
        else { return nil }
        self.init(
            id: id, call: call, action: action, transaction: transaction,
            cause: Cause(value["cause"]) ?? Cause(.user),
            deadlineMS: params["deadline_ms"]?.integer.map(Int.init) ?? 0,
            attempt: value["attempt"]?.integer.map(Int.init) ?? 1,
            ageMS: value["age_ms"]?.integer.map(Int.init) ?? 0)
    }
}
