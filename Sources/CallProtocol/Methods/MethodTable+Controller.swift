internal import BrokerRPC
internal import CallModel

/// What is asked for on behalf of a user, or of an app.
extension MethodTable {
    static let controllerRows =
        [request, start, answer, end, setHeld, setMuted, setGroup, playDTMF, dial]
        + [swap, merge, split, pressButton, silence]

    /// A method that asks for actions; its reply is a transaction.
    private static func asking(
        _ name: MethodName, _ summary: String, _ details: String, _ params: [Member],
        errors: [ErrorCode] = ActionSchemas.errors, examples: [Method.Example]
    ) -> Method {
        Method(
            name: name, direction: .toBroker,
            form: .request(result: ActionSchemas.outcome, deadlineMS: 5_000), roles: .asking,
            summary: summary, details: details, params: params + ActionSchemas.options,
            errors: errors, examples: examples)
    }

    /// A method for one action of a kind.
    private static func asking(
        _ name: MethodName, for kind: ActionKind, _ summary: String, _ details: String,
        also members: [Member] = [], example: String = ""
    ) -> Method {
        asking(
            name, summary, details, [.call] + ActionSchemas.arguments(of: kind) + members,
            examples: [
                Method.Example(
                    "one call", params: #"{"call":"\#(Sample.call)"\#(example)}"#,
                    result: Sample.accepted(kind.rawValue))
            ])
    }

    private static let request = asking(
        .request, "Asks for actions, together and in order",
        """
        Everything is checked before anything is sent: the first refusal refuses the whole, and \
        says which action. Actions run in order; after a failure the rest is skipped. The broker \
        puts in front what is needed, such as the hold of the live call. With wait completed the \
        reply comes when all is done, which may take as long as the actions may; a failure is then \
        the error of the first failed action. Otherwise transaction.completed follows, to the one \
        who asked even without a subscription. A transaction id that comes again gets the earlier \
        reply.
        """,
        [
            .required(
                "actions", .array(ActionSchemas.requested, count: 0...8),
                "in order, at least one")
        ],
        examples: [
            Method.Example(
                "a start, for an app that chooses the id",
                params: """
                    {"actions":[{"kind":"start","call":"\(Sample.call)",\
                    "provider":"\(Sample.provider)","arguments":{"remote":\(Sample.remote)}}],\
                    "wait":"completed"}
                    """,
                result: """
                    {\(Sample.members(ofTransaction: "start", "completed", action: "fulfilled")),\
                    "seq":42}
                    """),
            Method.Example(
                "what would happen",
                params: """
                    {"actions":[{"kind":"answer","call":"\(Sample.otherCall)"}],"dry_run":true}
                    """,
                result: """
                    {"dry_run":true,"actions":[{"kind":"set_held","call":"\(Sample.call)",\
                    "provider":"\(Sample.provider)","implied":true,"state":"planned"},\
                    {"kind":"answer","call":"\(Sample.otherCall)",\
                    "provider":"\(Sample.provider)","implied":false,"state":"planned"}],\
                    "would_hold":["\(Sample.call)"],"would_end":[],\
                    "would_activate":["\(Sample.otherCall)"],"refusal":null}
                    """),
        ])

    // MARK: - One action

    private static let start = asking(
        .start, "Calls somebody",
        "The provider may be left out: then it is picked as call.dial does.",
        ActionSchemas.arguments(of: .start) + [
            .optional("call", .id, "names the new call; made if left out"),
            .optional("provider", .identity, "whose call it becomes"),
        ],
        examples: [
            Method.Example(
                "a number", params: #"{"remote":\#(Sample.remote)}"#,
                result: Sample.accepted("start"))
        ])

    private static let answer = asking(
        .answer, for: .answer, "Answers a call",
        """
        A plain answer holds the live call first, and is refused if that cannot be held. The call's \
        `allowed` says which choices there are now.
        """, also: [ActionSchemas.choice], example: #","choice":"end_and_answer""#)

    private static let end = asking(
        .end, for: .end, "Ends, declines or cancels a call",
        "Whatever fits its state. It is done here even if the provider is gone or fails.")

    private static let setHeld = asking(
        .setHeld, for: .setHeld, "Holds or resumes a call",
        "Its whole group. A resume holds the live group first.", example: #","held":true"#)

    private static let setMuted = asking(
        .setMuted, for: .setMuted, "Takes or gives the microphone",
        "Of its whole group.", example: #","muted":true"#)

    private static let setGroup = asking(
        .setGroup, for: .setGroup, "Lets a call join a group, or leave its own",
        "The same as call.merge and call.split.", example: #","with":"\#(Sample.otherCall)""#)

    private static let playDTMF = asking(
        .playDTMF, for: .playDTMF, "Plays tones",
        "To the other side of an active call; the whole string, before the next one.",
        example: #","digits":"1234#""#)

    private static let dial = asking(
        .dial, "Calls an address",
        """
        A tel, sip, sips or mailto address, or one with a scheme that a provider has registered. \
        Of the providers that know the scheme, or the kind of address, the one is picked that the \
        user's contact with this address names, else the policy's default_provider, else the only \
        one; if several are left, the error ambiguous_provider names them.
        """,
        [
            .required("uri", .string(bytes: 1...512), "the address, scheme and all"),
            .optional("provider", .identity, "whose call it becomes"),
            .optional("has_video", .boolean, "whether it begins with video; false if left out"),
            .optional("call", .id, "names the new call; made if left out"),
        ],
        examples: [
            Method.Example(
                "a number", params: #"{"uri":"tel:+15550123"}"#, result: Sample.accepted("start"))
        ])

    // MARK: - More than one action

    private static let swap = asking(
        .swap, "The live call and a held one change places",
        "In one transaction; if the held one cannot be resumed, the other comes back.",
        [.optional("call", .id, "the held one; needed if there are several")],
        examples: [
            Method.Example("two calls", params: "{}", result: Sample.accepted("set_held"))
        ])

    private static let merge = asking(
        .merge, "Two calls become a conference",
        "Of one provider, which must be able to. Groups become one group.",
        [.call, .required("with", .id, "a call of the group it shall join")],
        examples: [
            Method.Example(
                "two calls",
                params: #"{"call":"\#(Sample.call)","with":"\#(Sample.otherCall)"}"#,
                result: Sample.accepted("set_group"))
        ])

    private static let split = asking(
        .split, "A call leaves its conference",
        "It becomes the live one, the others are held.", [.call],
        examples: [
            Method.Example(
                "one of three", params: #"{"call":"\#(Sample.call)"}"#,
                result: Sample.accepted("set_group"))
        ])

    private static let pressButton = Method(
        name: .pressButton, direction: .toBroker,
        form: .request(result: ActionSchemas.outcome, deadlineMS: 5_000), roles: .asking,
        summary: "The button of a headset, or a hot key",
        details: """
            Short: answers, swaps, ends or resumes, whatever comes first. Long: declines, ends the \
            active one of two, or mutes. With nothing to do there are no actions, and no error.
            """,
        params: [.required("press", .choice(["short", "long"], isOpen: false), "how long")],
        errors: ActionSchemas.errors,
        examples: [
            Method.Example(
                "a call rings", params: #"{"press":"short"}"#, result: Sample.accepted("answer")),
            Method.Example(
                "nothing to do", params: #"{"press":"short"}"#,
                result: #"{"actions":[],"seq":42}"#),
        ])

    private static let silence = Method(
        name: .silence, direction: .toBroker,
        form: .request(result: [.seq], deadlineMS: 5_000), roles: .asking,
        summary: "A call goes on ringing without sound",
        details: "Its provider is not asked. The next call that rings has sound again.",
        params: [.call], errors: [.permissionDenied, .notFound, .invalidState],
        examples: [
            Method.Example(
                "not now", params: #"{"call":"\#(Sample.call)"}"#, result: Sample.seq)
        ])
}
