internal import BrokerRPC
internal import CallModel

/// What is there, and why.
extension MethodTable {
    static let callRows = [listCalls, getCall, explain]

    static let callPage: [Member] = [
        .required("calls", .array(.call, count: 0...1_000), "in the order of their making"),
        .optional("next", .cursor, "there are more: pass it as `after` to call.list"),
    ]

    private static let listCalls = Method(
        name: .listCalls, direction: .toBroker,
        form: .request(result: callPage + [.seq], deadlineMS: 5_000),
        roles: .watching,
        summary: "Lists the calls",
        details: """
            A page ends early rather than be longer than a frame, or once 2,048 calls have been \
            looked at for it: one with a filter may be empty, and have a next. Pages and events, taken in the \
            order in which they arrive, give the exact state; of two versions of a call the one \
            with the higher rev counts.
            """,
        params: [
            .optional(
                "filter",
                .object([
                    .optional("provider", .identity, "whose calls"),
                    .optional("state", .words(CallState.self), "in which state"),
                    .optional("direction", .words(Direction.self), "who called whom"),
                ]), "only calls that fit all of it"),
            .after, .limit, .includeEnded,
        ],
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "what rings", params: #"{"filter":{"state":"ringing"}}"#,
                result: #"{"calls":[\#(Sample.ringing)],"seq":42}"#),
            Method.Example(
                "the next page", params: #"{"after":"64","limit":10}"#,
                result: #"{"calls":[],"seq":42}"#),
        ])

    private static let getCall = Method(
        name: .getCall, direction: .toBroker,
        form: .request(result: CallSchemas.call + [.seq], deadlineMS: 5_000),
        roles: .watching,
        summary: "One call as it is now",
        details: "A call that is over is not found, with the reason call_ended.",
        params: [.call], errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example(
                "it rings", params: #"{"call":"\#(Sample.call)"}"#,
                result: String(Sample.ringing.dropLast()) + #","seq":42}"#)
        ])

    private static let explain = Method(
        name: .explain, direction: .toBroker,
        form: .request(
            result: [
                .required("steps", .array(step, count: 0...1_000), "the oldest first"), .seq,
            ], deadlineMS: 5_000),
        roles: .watching,
        summary: "Why a call or a transaction is as it is",
        details: """
            Every decision that concerned it, with the rule that made it, and what apps would not do. \
            Exactly one of call and transaction is given; a request that was refused is known by the \
            transaction that it named. Old decisions are forgotten.
            """,
        params: [
            .optional("call", .id, "which call"),
            .optional("transaction", .id, "which transaction"),
        ],
        errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example(
                "why it was held", params: #"{"call":"\#(Sample.call)"}"#,
                result: """
                    {"steps":[{"seq":41,"at_ms":\(Sample.at),"rule":"5","decision":"holds_first",\
                    "call":"\(Sample.call)","cause":{"origin":"user","rule":"5",\
                    "because_of":"\(Sample.otherCall)"},"blocking":[{"call":"\(Sample.call)",\
                    "provider":"\(Sample.provider)"}]}],"seq":42}
                    """)
        ])

    private static let step = Schema.object([
        .required("seq", .count, "the event that it came with"),
        .required("at_ms", .count, "when it was decided"),
        .optional("rule", .rule, "by which rule; where none had to decide it is left out"),
        .required("decision", .reason, "a stable word"),
        .optional("reason", .reason, "why it was refused, or has failed"),
        .optional("call", .id, "about which call"),
        .optional("end_reason", .words(EndReason.self, isOpen: true), "why the call is over"),
        .optional("failure", ActionSchemas.failure, "why an app would not do it, as it says"),
        .optional(
            "filtered_by", .string(bytes: 0...Caller.textBytesMax),
            "who blocked or silenced the call"),
        .optional(
            "explanation",
            .object([
                .required(
                    "by", .string(bytes: 1...Caller.textBytesMax), "which screener, or store"),
                .required("text", .string(bytes: 1...1_024), "why, as it says"),
            ]), "what the screener that decided says about it, or why the store was not asked"),
        .required("cause", .cause, "who made it necessary"),
        .optional("blocking", .blocking, "the calls in the way"),
    ])
}
