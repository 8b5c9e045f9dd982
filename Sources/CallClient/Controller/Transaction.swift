package import BrokerJSON
public import CallModel
internal import CallProtocol

/// One thing to ask for in a transaction.
public struct RequestedAction: Hashable, Sendable {
    public var action: CallAction
    /// Which call; a start may leave it to the broker.
    public var call: CallID?
    /// For a start: whose call it becomes.
    public var provider: ProviderID?
    /// For an answer: what becomes of the call in the way.
    public var choice: AnswerChoice?

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

/// What an answer does about the call that speaks.
public enum AnswerChoice: String, CaseIterable, Sendable {
    /// Holds it, or is refused.
    case answer
    case holdAndAnswer = "hold_and_answer"
    case endAndAnswer = "end_and_answer"
    /// Ends the call that is held, and holds the one that speaks.
    case endHeldAndAnswer = "end_held_and_answer"
}

/// How a request is carried out.
public struct RequestOptions: Hashable, Sendable {
    /// An id of your own: asked twice within ten minutes, it is done once.
    public var transaction: TransactionID?
    /// Milliseconds for each action from its dispatch, 1 to 600,000; nil: the provider's.
    public var deadlineMS: Int?
    /// Tells what would happen, and changes nothing.
    public var isDryRun = false
    /// A live call that cannot be held is ended. Only the user may say so.
    public var endsOnConflict = false
    /// The reply comes when all is done, and a failure is thrown, instead of when it is accepted.
    public var waitsForCompletion = false

    public init() {}

    /// Replies when all is done.
    public static var completed: RequestOptions {
        var options = RequestOptions()
        options.waitsForCompletion = true
        return options
    }

    /// Changes nothing.
    public static var dryRun: RequestOptions {
        var options = RequestOptions()
        options.isDryRun = true
        return options
    }
}

/// What became of a request, or would.
public struct TransactionOutcome: Hashable, Sendable {
    /// One action, asked for or put in front by the broker.
    public struct Entry: Hashable, Sendable {
        /// Nil where it is only planned.
        public let action: ActionID?
        /// Nil for a kind that this release does not know.
        public let kind: ActionKind?
        public let call: CallID
        public let provider: ProviderID
        /// The broker put it in front of what was asked for.
        public let isImplied: Bool
        public let state: ActionState
    }

    /// Nil for a dry run.
    public let transaction: TransactionID?
    public let state: TransactionState?
    public let actions: [Entry]
    /// Of a dry run.
    public let wouldHold: [CallID]
    /// Of a dry run.
    public let wouldEnd: [CallID]
    /// The calls that speak afterwards, and do not now.
    public let wouldActivate: [CallID]
    /// Of a dry run: why it would be refused; nil if it would not.
    public let refusal: CallError?
    /// The same request was under way already.
    public let isJoined: Bool
    /// This is the reply to an earlier request with the same transaction id.
    public let isReplayed: Bool
}

extension TransactionOutcome {
    package init(_ value: JSONValue) {
        transaction = TransactionID(value["transaction"])
        state = TransactionState(value["state"])
        actions = value["actions"].map { $0.elements.compactMap(Entry.init) } ?? []
        wouldHold = value["would_hold"].map { $0.elements.compactMap { CallID($0) } } ?? []
        wouldEnd = value["would_end"].map { $0.elements.compactMap { CallID($0) } } ?? []
        wouldActivate = value["would_activate"].map { $0.elements.compactMap { CallID($0) } } ?? []
        refusal = value["refusal"].flatMap { $0.isNull ? nil : CallError($0) }
        isJoined = value["joined"]?.boolean ?? false
        isReplayed = value["replayed"]?.boolean ?? false
    }
}

extension TransactionOutcome.Entry {
    fileprivate init?(_ value: JSONValue) {
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
    /// The params of `transaction.request`.
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
        if options.endsOnConflict { member("on_conflict", "end" as StaticString) }
        if options.waitsForCompletion { member("wait", "completed" as StaticString) }
    }
}
