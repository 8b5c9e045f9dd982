package import BrokerJSON
internal import BrokerRPC
package import CallModel

/// A request for actions of a user or an app.
package enum ControllerRequest {
    case request(TransactionParams)
    /// One of the methods for a single action: `call.start` to `call.play_dtmf`.
    case action(ActionParams)
    case dial(DialParams)
    case swap(SwapParams)
    case merge(MergeParams)
    case split(SplitParams)
    case pressButton(PressButtonParams)
    case silence(NamedCall)
    case prioritize(NamedCall)
    case mayRing(MayRingParams)
    case continueTones(ContinueTonesParams)
}

/// The options of every request for actions.
package struct ActionOptions {
    /// The id that the client has chosen for the transaction.
    package let transaction: TransactionID?
    /// The deadline of each action from its dispatch; nil for the provider's or the policy's.
    package let deadlineMS: Int?
    package let isDryRun: Bool
    /// True if a live call that cannot be held is ended.
    package let endsOnConflict: Bool
    /// True if the reply waits until all actions are done.
    package let waitsForCompletion: Bool
    /// True if an end is meant for all calls of the group.
    package let endsGroup: Bool

    init(checked params: JSONValue?) {
        transaction = TransactionID(params?["transaction"])
        deadlineMS = params?["deadline_ms"]?.int
        isDryRun = params?["dry_run"]?.boolean ?? false
        endsOnConflict = params?["on_conflict"]?.utf8?.reads("end") ?? false
        waitsForCompletion = params?["wait"]?.utf8?.reads("completed") ?? false
        endsGroup = params?["group"]?.boolean ?? false
    }
}

/// The params of `transaction.request`.
package struct TransactionParams: MethodParams {
    /// An array whose elements `RequestedActionParams` decodes, one after the other: an error of an
    /// action comes before any of the next.
    package let actions: JSONValue
    package let options: ActionOptions

    package init(checked params: JSONValue?) throws(SchemaFault) {
        actions = try params.required("actions") { $0 }
        options = ActionOptions(checked: params)
    }
}

/// An action of `transaction.request`. Its arguments have not been checked.
package struct RequestedActionParams {
    /// Nil for a kind that this release does not know.
    package let kind: ActionKind?
    package let call: CallID?
    package let provider: ProviderID?
    /// The word that says what happens to the live call.
    package let choice: String?
    private let arguments: JSONValue?

    package init(checked element: JSONValue) {
        kind = ActionKind(element["kind"])
        call = CallID(element["call"])
        provider = ProviderID(element["provider"])
        choice = element["choice"]?.string
        arguments = element["arguments"]
    }

    /// Checks the arguments and returns the action. The pointer of a fault begins with `arguments`.
    package func action(_ kind: ActionKind) throws(SchemaFault) -> CallAction {
        do throws(SchemaFault) {
            try ActionSchemas.check(arguments, of: kind)
            return try CallAction(checked: arguments, kind)
        } catch {
            throw error.inside("arguments")
        }
    }
}

/// The params of a method for a single action.
package struct ActionParams {
    /// Nil if the client leaves the id of a new call to the broker.
    package let call: CallID?
    package let action: CallAction
    /// Of a start: the provider that places the call.
    package let provider: ProviderID?
    /// Of an answer: the word that says what happens to the live call.
    package let choice: String?
    /// Of an answer: the video that the call is answered with; nil for what the call has.
    package let answerVideo: VideoDirection?
    /// Of an answer: whether the call is answered with real-time text; nil for what the call has.
    package let answerText: Bool?
    package let options: ActionOptions

    init(checked params: JSONValue?, _ kind: ActionKind) throws(SchemaFault) {
        call =
            kind == .start
            ? CallID(params?["call"]) : try params.required("call", CallID.init)
        action = try CallAction(checked: params, kind)
        provider = ProviderID(params?["provider"])
        choice = params?["choice"]?.string
        answerVideo =
            kind == .answer
            ? params?["video"]?.string.flatMap(VideoDirection.init(rawValue:)) : nil
        answerText = kind == .answer ? params?["text"]?.boolean : nil
        options = ActionOptions(checked: params)
    }
}

extension CallAction {
    /// Reads the arguments of an action that passed the check.
    fileprivate init(checked arguments: JSONValue?, _ kind: ActionKind) throws(SchemaFault) {
        guard let action = CallAction(kind, arguments: arguments) else {
            throw SchemaFault(reason: .missingMember, message: "is required", pointer: "")
        }
        self = action
    }
}

/// The params of `call.dial`.
package struct DialParams: MethodParams {
    package let uri: String
    package let provider: ProviderID?
    package let line: String?
    package let hasVideo: Bool
    package let hasText: Bool
    package let call: CallID?
    package let options: ActionOptions

    package init(checked params: JSONValue?) throws(SchemaFault) {
        uri = try params.required("uri") { $0?.string }
        provider = ProviderID(params?["provider"])
        line = params?["line"]?.string
        hasVideo = params?["has_video"]?.boolean ?? false
        hasText = params?["has_text"]?.boolean ?? false
        call = CallID(params?["call"])
        options = ActionOptions(checked: params)
    }
}

/// The params of `call.swap`.
package struct SwapParams: MethodParams {
    /// The held call; nil if there is only one.
    package let call: CallID?
    package let options: ActionOptions

    package init(checked params: JSONValue?) {
        call = CallID(params?["call"])
        options = ActionOptions(checked: params)
    }
}

/// The params of `call.merge`.
package struct MergeParams: MethodParams {
    package let call: CallID
    package let with: CallID
    package let options: ActionOptions

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        with = try params.required("with", CallID.init)
        options = ActionOptions(checked: params)
    }
}

/// The params of `call.split`.
package struct SplitParams: MethodParams {
    package let call: CallID
    package let options: ActionOptions

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        options = ActionOptions(checked: params)
    }
}

/// The params of `call.press_button`.
package struct PressButtonParams: MethodParams {
    package let isLong: Bool

    package init(checked params: JSONValue?) {
        isLong = params?["press"]?.utf8?.reads("long") ?? false
    }
}

/// The params of `call.continue_tones`.
package struct ContinueTonesParams: MethodParams {
    package let call: CallID
    /// False if the tones are dropped.
    package let isWanted: Bool

    package init(checked params: JSONValue?) throws(SchemaFault) {
        call = try params.required("call", CallID.init)
        isWanted = params?["send"]?.boolean ?? true
    }
}

/// The members of a refused request for actions by which it is found again. Its params may have
/// failed the check.
package struct RefusedParams {
    package let transaction: TransactionID?
    package let call: CallID?
    package let isDryRun: Bool
    /// Of `call.dial`.
    package let uri: String?

    package init(unchecked params: JSONValue?) {
        transaction = TransactionID(params?["transaction"])
        call = CallID(params?["call"])
        isDryRun = params?["dry_run"]?.boolean ?? false
        uri = params?["uri"]?.string
    }
}
