internal import BrokerRPC
internal import CallModel

/// The methods that list and explain calls.
extension MethodTable {
    static let callRows = [listCalls, getCall, explain, timeline, listTransactions]

    static let callPage: [Member] = [
        .required("calls", .array(.call, count: 0...1_000), "in order of creation"),
        .optional("next", .cursor, "present if there are more: pass it as `after` to call.list"),
    ]

    private static let listCalls = Method(
        name: .listCalls, direction: .toBroker(.request { .call(.list($0)) }),
        form: .request(result: callPage + [.seq], deadlineMS: 5_000),
        roles: .watching,
        summary: "Lists the calls",
        details: """
            A page has as many calls as fit into a frame, and covers at most 2,048 calls, so a \
            filtered page can be empty and still have `next`. Pages and events, applied in the order \
            of their arrival, give the exact state; of two versions of a call, use the one with the \
            higher `rev`.
            """,
        params: [
            .optional(
                "filter",
                .object([
                    .optional("provider", .identity, "calls of this provider"),
                    .optional("state", .words(CallState.self), "calls in this state"),
                    .optional("direction", .words(Direction.self), "the direction"),
                ]), "only calls that match all members"),
            .after, .limit, .includeEnded,
        ],
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "ringing calls", params: #"{"filter":{"state":"ringing"}}"#,
                result: #"{"calls":[\#(Sample.ringing)],"seq":42}"#),
            Method.Example(
                "the next page", params: #"{"after":"64","limit":10}"#,
                result: #"{"calls":[],"seq":42}"#),
        ])

    private static let getCall = Method(
        name: .getCall, direction: .toBroker(.request { .call(.get($0)) }),
        form: .request(result: CallSchemas.call + [.seq], deadlineMS: 5_000),
        roles: .watching,
        summary: "Returns a call",
        details: "An ended call is not found, with the reason call_ended.",
        params: [.call], errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example(
                "a ringing call", params: #"{"call":"\#(Sample.call)"}"#,
                result: String(Sample.ringing.dropLast()) + #","seq":42}"#)
        ])

    private static let explain = Method(
        name: .explain, direction: .toBroker(.request { .call(.explain($0)) }),
        form: .request(
            result: [
                .required(
                    "steps", .array(.object(moment + decision), count: 0...1_000),
                    "oldest first"), .seq,
            ], deadlineMS: 5_000),
        roles: .watching,
        summary: "Explains the decisions about a call or a transaction",
        details: """
            Lists the decisions with their rules, and the failures of apps. Send exactly one of `call` \
            and `transaction`; a refused request is found by the transaction id that it named. Old \
            decisions are forgotten.
            """,
        params: [
            .optional("call", .id, "the call"),
            .optional("transaction", .id, "the transaction"),
        ],
        errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example(
                "why a call was held", params: #"{"call":"\#(Sample.call)"}"#,
                result: """
                    {"steps":[{"seq":41,"at_ms":\(Sample.at),"rule":"5","decision":"holds_first",\
                    "call":"\(Sample.call)","cause":{"origin":"user","rule":"5",\
                    "because_of":"\(Sample.otherCall)"},"blocking":[{"call":"\(Sample.call)",\
                    "provider":"\(Sample.provider)"}]}],"seq":42}
                    """)
        ])

    private static let moment: [Member] = [
        .required("seq", .count, "the number of the latest published event"),
        .required("at_ms", .count, "the time"),
    ]

    private static let decision: [Member] = [
        .optional("rule", .rule, "the deciding rule; left out if no rule applied"),
        .required("decision", .reason, "a stable word"),
        .optional("reason", .reason, "why the request was refused or failed"),
        .optional("call", .id, "the call"),
        .optional("end_reason", .words(EndReason.self, isOpen: true), "why the call ended"),
        .optional("end_detail", .endDetail, "the app's own words for the end"),
        .optional("elsewhere", .elsewhere, "the device that has answered or declined it instead"),
        .optional(
            "failure", ActionSchemas.failure, "the app's reason for not performing the action"),
        .optional(
            "filtered_by", .string(bytes: 0...Caller.textBytesMax),
            "the filter that blocked or silenced the call"),
        .optional(
            "explanation",
            .object([
                .required(
                    "by", .string(bytes: 1...Caller.textBytesMax),
                    "the screener, `store` or `broker`"),
                .required("text", .string(bytes: 1...1_024), "the explanation"),
            ]), "the deciding screener's explanation, or why one, or the store, gave no answer"),
        .required("cause", .cause, "the cause of the decision"),
        .optional("blocking", .blocking, "the calls in the way"),
    ]
}

/// The time line of a call.
extension MethodTable {
    private static let timeline = Method(
        name: .timeline, direction: .toBroker(.request { .call(.timeline($0)) }),
        form: .request(
            result: [
                .call,
                .optional("provider", .identity, "its provider, if the call is known"),
                .optional("direction", .words(Direction.self), "the direction"),
                .required(
                    "entries", .array(.object(moment + timelineEntry), count: 0...1_000),
                    "oldest first"),
                .optional("next", .cursor, "present if there are more: pass it as `after`"), .seq,
            ], deadlineMS: 5_000),
        roles: .watching,
        summary: "Returns the time line of a call",
        details: """
            Everything that has happened to a call, in order, also after its end: changes of its \
            state, actions as they were sent and settled, the audio, anomalies, and the decisions of \
            call.explain, which include those of filters. An entry has the member that `event` names. \
            The broker keeps the latest 16,384 decisions, 8,192 events and 4,096 reports of quality of \
            all calls.
            """,
        params: [.call, .after, .limit], errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example(
                "a ringing call", params: #"{"call":"\#(Sample.call)"}"#,
                result: """
                    {"call":"\(Sample.call)","provider":"\(Sample.provider)",\
                    "direction":"incoming","entries":[\
                    {"seq":41,"at_ms":\(Sample.at),"event":"decision",\
                    "decision":{"rule":"1","decision":"rings","call":"\(Sample.call)",\
                    "cause":{"origin":"provider","rule":"1"}}},\
                    {"seq":42,"at_ms":\(Sample.at),"event":"change",\
                    "change":{"state":"ringing","cause":{"origin":"provider","rule":"1"}}}],\
                    "seq":42}
                    """)
        ])

    private static let timelineEntry: [Member] = [
        .required(
            "event",
            .choice(
                ["decision", "change", "action", "audio", "quality", "anomaly"], isOpen: true),
            "the kind of entry"),
        .optional("decision", .object(decision), "a decision, as in call.explain"),
        .optional(
            "change",
            .object([
                .required("state", .words(CallState.self, isOpen: true), "the state since then"),
                .optional(
                    "changed",
                    .array(
                        .choice(ChangedProperties(rawValue: .max).names, isOpen: true),
                        count: 0...64), "the changed members; left out if the call was added"),
                .optional("muted", .boolean, "whether it is muted since then, if that has changed"),
                .optional("group", .id, "its group since then, if that has changed"),
                .optional(
                    "held_because_of", .id,
                    "the call that its group is held for since then, if that has changed"),
                .required("cause", .cause, "the cause"),
            ]), "the call was added, or has changed"),
        .optional(
            "action",
            .object([
                .required("action", .id, "the action"),
                .required("kind", ActionSchemas.kind, "its kind"),
                .required("transaction", .id, "its transaction"),
                .required(
                    "state", .choice(ActionState.allCases.map(\.rawValue) + ["late"], isOpen: true),
                    "its state since then; `late`: a reply came after the end of its time"),
                .required("attempt", .count, "the number of the attempt"),
                .optional("failure", ActionSchemas.failure, "the app's reason, if it failed"),
            ]), "an action for the call was sent, or settled"),
        .optional(
            "audio",
            .object([
                .required("active", .boolean, "whether the call has microphone and speaker now")
            ]), "microphone and speaker were given to the call's group, or taken from it"),
        .optional(
            "quality", .object(CallSchemas.quality), "the app has reported the quality of the call"),
        .optional(
            "anomaly",
            .object([
                .required(
                    "anomaly", .choice(TopicTable.anomalies, isOpen: true),
                    "the anomaly")
            ]), "an event that should not happen, as in broker.anomaly"),
    ]
}

/// The latest transactions.
extension MethodTable {
    private static let listTransactions = Method(
        name: .listTransactions, direction: .toBroker(.request { .call(.listTransactions($0)) }),
        form: .request(
            result: [
                .required(
                    "transactions", .array(.object(transaction), count: 0...1_000),
                    "the latest first"),
                .optional("next", .cursor, "present if there are more: pass it as `after`"), .seq,
            ], deadlineMS: 5_000),
        roles: .watching,
        summary: "Lists the latest transactions",
        details: """
            The last 1,000 that were accepted, of all clients and of the broker itself, with the time \
            that each has waited for its first action to be sent, such as for a call in its way, and \
            the time that it has run since. A page has as many as fit into a frame.
            """,
        params: [.after, .limit], errors: [.permissionDenied],
        examples: [
            Method.Example(
                "a call was answered", params: "{}",
                result: """
                    {"transactions":[{\
                    \(Sample.members(ofTransaction: "answer", "completed", action: "fulfilled")),\
                    "accepted_at_ms":\(Sample.at),"wait_ms":0,"run_ms":340,\
                    "cause":{"origin":"user"}}],"seq":42}
                    """)
        ])

    private static let transaction: [Member] = [
        .required("transaction", .id, "its id"),
        .required("state", .words(TransactionState.self, isOpen: true), "its state"),
        .required("accepted_at_ms", .count, "when it was accepted"),
        .required(
            "wait_ms", .count,
            "the time until its first action was sent; so far or in all if none was"),
        .optional(
            "run_ms", .count, "the time since then, until it was completed; left out if none was"),
        .required(
            "actions", .array(ActionSchemas.entry, count: 0...8), "its first actions, in order"),
        .optional("more_actions", .count, "the number of its other actions"),
        .optional("reason", .reason, "why it failed"),
        .required("cause", .cause, "the origin of the request, and the rule of the broker's own"),
    ]
}
