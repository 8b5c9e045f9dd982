internal import BrokerJSON
public import CallModel
internal import CallProtocol

/// Something that a provider is asked to do to one of its calls.
public struct ActionRequest: Hashable, Sendable, Identifiable {
    public let id: ActionID
    public let call: CallID
    public let action: CallAction
    public let transaction: TransactionID
    /// Who wanted it, and why.
    public let cause: Cause
    /// Milliseconds that it may take, from when it came.
    public let deadlineMS: Int
    /// 1, or more when it is asked for again after a lost connection.
    public let attempt: Int
    /// How many milliseconds ago it was asked for: something was in its way, such as another call's hold.
    public let ageMS: Int
}

/// How an action went.
public enum ActionOutcome: Hashable, Sendable {
    /// Done: just now, or at this Unix time in milliseconds.
    case fulfilled(atMS: Int64?)
    /// Not done, for this reason: a word in snake_case.
    case failed(reason: String)
    /// Not done, because the app never does such a thing; of a hold, the broker will ask no more.
    case unsupported

    var isFulfilled: Bool {
        if case .fulfilled = self { true } else { false }
    }
}

extension ActionRequest {
    /// Nil for a kind that we do not know.
    init?(_ params: JSONValue) {
        guard let transaction = TransactionID(params["transaction"]) else { return nil }
        self.init(params, in: transaction, of: params)
    }

    /// An action with what is said of all actions of its transaction.
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
