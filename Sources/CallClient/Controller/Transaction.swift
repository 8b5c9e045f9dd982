package import BrokerJSON
public import CallModel
internal import CallProtocol

/// An action to request in a transaction.
public struct RequestedAction: Hashable, Sendable {
    /// The kind of action with its arguments.
    public var action: CallAction
    /// The call to act on. Nil is allowed for a start, whose id the broker then chooses.
    public var call: CallID?
    /// For a start, the app to call with; nil lets the broker choose one.
    public var provider: ProviderID?
    /// For an answer, what to do with the active call.
    public var choice: AnswerChoice?

    /// Makes an action to request. It is checked when it is requested.
    public init(
        _ action: CallAction, call: CallID?, provider: ProviderID? = nil,
        choice: AnswerChoice? = nil
    ) {
        self.action = action
        self.call = call
        self.provider = provider
        self.choice = choice
    }
}

/// The effect of an answer on the active call. Raw values are those of the wire.
public enum AnswerChoice: String, CaseIterable, Sendable {
    /// Holds the active call; if it cannot be held, the policy decides.
    case answer
    /// Holds the active call, or is refused if it cannot be held.
    case holdAndAnswer = "hold_and_answer"
    /// Ends the active call.
    case endAndAnswer = "end_and_answer"
    /// Ends the call that was held last, and holds the active one.
    case endHeldAndAnswer = "end_held_and_answer"
}

/// Options of a request.
public struct RequestOptions: Hashable, Sendable {
    /// An id that the client chooses. A request that is repeated with the same id within ten
    /// minutes is executed once.
    public var transaction: TransactionID?
    /// The deadline of each action from its dispatch, 1 to 600,000 ms; nil stands for the app's
    /// own.
    public var deadlineMS: Int?
    /// True if the request is only checked: the outcome describes what would happen.
    public var isDryRun = false
    /// True if an active call that cannot be held is ended. Only a `CallController` may set it.
    public var endsOnConflict = false
    /// True if the reply comes when all actions are performed, and a failure is thrown. Otherwise
    /// it comes when the request is accepted.
    public var waitsForCompletion = false
    /// True if an end is meant for all calls of the group.
    public var endsGroup = false

    /// Makes options with defaults.
    public init() {}

    /// Options of a request that returns when all actions are performed.
    public static var completed: RequestOptions {
        var options = RequestOptions()
        options.waitsForCompletion = true
        return options
    }

    /// Options of a request that is only checked.
    public static var dryRun: RequestOptions {
        var options = RequestOptions()
        options.isDryRun = true
        return options
    }
}

/// The outcome of a request, or of a dry run.
public struct TransactionOutcome: Hashable, Sendable {
    /// An action of the transaction, requested or added by the broker.
    public struct Entry: Hashable, Sendable {
        /// The id of the action; nil in a dry run.
        public let action: ActionID?
        /// The kind of action; nil for one unknown to this release.
        public let kind: ActionKind?
        /// The call that the action is on.
        public let call: CallID
        /// The app that performs the action.
        public let provider: ProviderID
        /// True if the broker added the action, such as a hold before an answer.
        public let isImplied: Bool
        /// The state of the action when the reply was sent.
        public let state: ActionState
    }

    /// The id of the transaction; nil for a dry run.
    public let transaction: TransactionID?
    /// The state of the transaction when the reply was sent; nil for a dry run.
    public let state: TransactionState?
    /// The actions in the order in which they are performed.
    public let actions: [Entry]
    /// The apps that a dry run would start first.
    public let wouldStart: [ProviderID]
    /// True if the call is started without the requested video, which its app does not have.
    public let isWithoutVideo: Bool
    /// The calls that a dry run would hold.
    public let wouldHold: [CallID]
    /// The calls that a dry run would end.
    public let wouldEnd: [CallID]
    /// The calls that would become active.
    public let wouldActivate: [CallID]
    /// The error with which a dry run would be refused; nil if it would be accepted.
    public let refusal: CallError?
    /// True if an equal request was in progress already, which this one joined.
    public let isJoined: Bool
    /// True if this is the reply to an earlier request with the same transaction id.
    public let isReplayed: Bool
}

extension TransactionOutcome {
    package init(_ value: JSONValue) {
        transaction = TransactionID(value["transaction"])
        state = TransactionState(value["state"])
        actions = value["actions"].map { $0.elements.compactMap(Entry.init) } ?? []
        wouldStart = value["would_start"].map { $0.elements.compactMap { ProviderID($0) } } ?? []
        isWithoutVideo = value["video_fallback"] != nil
        wouldHold = value["would_hold"].map { $0.elements.compactMap { CallID($0) } } ?? []
        wouldEnd = value["would_end"].map { $0.elements.compactMap { CallID($0) } } ?? []
        wouldActivate = value["would_activate"].map { $0.elements.compactMap { CallID($0) } } ?? []
        refusal = value["refusal"].flatMap { $0.isNull ? nil : CallError($0) }
        isJoined = value["joined"]?.boolean ?? false
        isReplayed = value["replayed"]?.boolean ?? false
    }
}

extension TransactionOutcome.Entry {
    init?(_ value: JSONValue) {
        guard let call = CallID(value["call"]), let provider = ProviderID(value["provider"]),
            let state = ActionState(value["state"])
        else { return nil }
        action = ActionID(value["action"])
        kind = ActionKind(value["kind"])
        (self.call, self.provider, self.state) = (call, provider, state)
        isImplied = value["implied"]?.boolean ?? false
    }
}

extension JSONWriter {
    /// Writes the params of `transaction.request`.
    package mutating func members(_ actions: [RequestedAction], _ options: RequestOptions) {
        name("actions")
        array { writer in
            for requested in actions { writer.value(requested) }
        }
        members(of: options)
    }

    private mutating func value(_ requested: RequestedAction) {
        object { writer in
            writer.member("kind", requested.action.kind.word)
            if let call = requested.call { writer.member("call", call) }
            if let provider = requested.provider { writer.member("provider", provider) }
            writer.member(arguments: requested.action)
            writer.member("choice", ifSet: requested.choice?.rawValue)
        }
    }

    mutating func members(of options: RequestOptions) {
        if let transaction = options.transaction { member("transaction", transaction) }
        member("deadline_ms", ifSet: options.deadlineMS)
        if options.isDryRun { member("dry_run", true) }
        if options.endsGroup { member("group", true) }
        if options.endsOnConflict { member("on_conflict", "end" as StaticString) }
        if options.waitsForCompletion { member("wait", "completed" as StaticString) }
    }
}
