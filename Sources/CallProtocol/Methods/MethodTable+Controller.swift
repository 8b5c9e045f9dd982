internal import BrokerRPC
internal import CallModel

/// The methods that request actions for a user or an app.
extension MethodTable {
    static let controllerRows =
        [request, start, answer, pull, end, setHeld, setMuted, setGroup, playDTMF, dial]
        + [
            setEndpoint, setVideo, setText, transfer, attendedTransfer, deflect, swap, merge, split,
            pressButton, silence, prioritize, mayRing, continueTones,
        ]

    /// A method that requests actions; its result is a transaction.
    private static func asking(
        _ name: MethodName, _ decoding: Decoding, _ summary: String, _ details: String,
        _ params: [Member], errors: [ErrorCode] = ActionSchemas.errors, examples: [Method.Example]
    ) -> Method {
        Method(
            name: name, direction: .toBroker(decoding),
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
            name, .action(kind), summary, details,
            [.call] + ActionSchemas.arguments(of: kind) + members,
            examples: [
                Method.Example(
                    "one call", params: #"{"call":"\#(Sample.call)"\#(example)}"#,
                    result: Sample.accepted(kind.rawValue))
            ])
    }

    private static let request = asking(
        .request, .request { .controller(.request($0)) },
        "Requests actions, executed in order as one transaction",
        """
        All actions are checked before any is sent: one refusal refuses the whole request, and names \
        the action. Actions run in order; after a failure the rest is skipped. The broker adds \
        necessary actions in front, such as a hold of the live call. With `wait` `completed` the reply \
        is sent when all actions are done, within their deadlines; a failure is the error of the first \
        failed action. Otherwise transaction.completed follows, to the requesting client even without \
        a subscription. A repeated transaction id gets the earlier reply.
        """,
        [
            .required(
                "actions", .array(ActionSchemas.requested, count: 0...8),
                "the actions, in order"),
            wholeGroup,
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
                "a dry run",
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
        .start, .action(.start), "Starts a call",
        "Without a provider, one is chosen as for call.dial.",
        ActionSchemas.arguments(of: .start) + [
            .optional("call", .id, "the id of the new call; generated if left out"),
            .optional("provider", .identity, "the provider that places the call"),
        ],
        examples: [
            Method.Example(
                "a number", params: #"{"remote":\#(Sample.remote)}"#,
                result: Sample.accepted("start"))
        ])

    private static let answer = asking(
        .answer, for: .answer, "Answers a call",
        """
        A plain answer holds the live call first, and is refused if that call cannot be held. The \
        call's `allowed` lists the choices that are possible now. With `video` or `text` the call \
        gets that first, by the actions set_video and set_text, and is answered once that is done.
        """,
        also: [
            ActionSchemas.choice,
            .optional(
                "video", .words(VideoDirection.self),
                "the video that the call is answered with; what it has if left out"),
            .optional(
                "text", .boolean,
                "whether the call is answered with real-time text; as it is if left out"),
        ], example: #","choice":"end_and_answer""#)

    private static let pull = asking(
        .pull, .action(.answer), "Pulls a call from another device here",
        """
        For a call in the state external with supports_pull. The same as call.answer, which its \
        provider gets as the action answer: the live call is held first, and so on. If it fails, the \
        call goes on where it is.
        """,
        [.call] + ActionSchemas.arguments(of: .answer) + [ActionSchemas.choice],
        examples: [
            Method.Example(
                "one call", params: #"{"call":"\#(Sample.call)"}"#,
                result: Sample.accepted("answer"))
        ])

    private static let end = asking(
        .end, for: .end, "Ends, declines or cancels a call",
        """
        Whichever fits the call's state. The call ends for the broker even if its provider is \
        disconnected or fails.
        """, also: [wholeGroup])

    private static let wholeGroup = Member.optional(
        "group", .boolean, "whether an end is meant for all calls of the group")

    private static let setHeld = asking(
        .setHeld, for: .setHeld, "Holds or resumes a call",
        "Applies to the whole group. A resume holds the live group first.",
        example: #","held":true"#)

    private static let setMuted = asking(
        .setMuted, for: .setMuted, "Mutes or unmutes a call",
        "Applies to the whole group.", example: #","muted":true"#)

    private static let setGroup = asking(
        .setGroup, for: .setGroup, "Moves a call into a group, or out of its own",
        "The same as call.merge and call.split.", example: #","with":"\#(Sample.otherCall)""#)

    private static let playDTMF = asking(
        .playDTMF, for: .playDTMF, "Sends DTMF tones",
        """
        To the remote party of an active call. Strings are played one after the other. Of a user's string \
        with pauses the app gets the part before the first one; the rest is sent after two seconds for \
        each `,` or `p`, or, if the pause has a `;` or `w`, with call.continue_tones. Until then it is \
        the call's `paused_tones`. A hold or the end of the call drops it.
        """,
        example: #","digits":"1234#""#)

    private static let setEndpoint = asking(
        .setEndpoint, for: .setEndpoint, "Moves the sound of a call to another endpoint",
        """
        For a call whose `endpoints` has it as `available`. Once its provider has done it, it is \
        `in_use` there; if it fails, the sound stays where it was.
        """, example: #","endpoint":"headset""#)

    private static let setVideo = asking(
        .setVideo, for: .setVideo, "Adds video to a call, changes its direction, or takes it away",
        """
        For a ringing, waiting, active or held call with `supports_set_video`. It is also the reply to a \
        `video_request` of the remote side: that direction accepts it, the present one declines it. \
        While the call is held, no camera is sent.
        """, example: #","video":"both""#)

    private static let setText = asking(
        .setText, for: .setText, "Adds real-time text to a call, or takes it away",
        """
        For a ringing, waiting, active or held call with `supports_set_text`. It is also the reply to a \
        `text_request` of the remote side: true accepts it, false declines it. The characters are sent \
        with call.send_text.
        """, example: #","text":true"#)

    private static let transfer = asking(
        .transfer, for: .transfer, "Transfers a call to an address",
        """
        For an active or held call with `supports_transfer`. Once its provider has done it, the call \
        ends here with the detail `transferred`; if it fails, the call stays as it was.
        """, example: #","to":\#(Sample.remote)"#)

    private static let attendedTransfer = asking(
        .attendedTransfer, for: .attendedTransfer, "Joins the remote parties of two calls",
        """
        For two active or held calls of one provider, the first with `supports_attended_transfer`. \
        Once the provider has done it, both end here with the detail `transferred`.
        """, example: #","with":"\#(Sample.otherCall)""#)

    private static let deflect = asking(
        .deflect, for: .deflect, "Sends an incoming call to another address",
        """
        For a ringing or waiting call with `supports_deflect`. Once its provider has done it, the call \
        ends here as declined, with the detail `deflected`; if it fails, the call rings on.
        """, example: #","to":\#(Sample.remote)"#)

    private static let dial = asking(
        .dial, .request { .controller(.dial($0)) }, "Dials a URI",
        """
        Accepts tel, sip, sips and mailto URIs, and the schemes that providers have registered. Among \
        the providers for the scheme, or for the type of address, the broker chooses the one named in \
        the user's contact with this address, else the policy's default_provider, else the only one; \
        if several remain, the error ambiguous_provider lists them. For an emergency of the user rule 20 \
        chooses, and the next provider places the call if one fails. URIs with control characters, and \
        tel URIs with an extension, are refused; a phone-context that begins with + is put in front of \
        the number. A refused or failed request is published as call.dial_refused, too.
        """,
        [
            .required("uri", .string(bytes: 1...512), "the URI, with its scheme"),
            .optional("provider", .identity, "the provider that places the call"),
            .optional(
                "line", .lineID,
                "the line that places the call; without a provider, the one that has it"),
            .optional(
                "has_video", .boolean, "whether the call starts with video; false if left out"),
            .optional(
                "has_text", .boolean,
                "whether the call starts with real-time text; false if left out"),
            .optional("call", .id, "the id of the new call; generated if left out"),
        ],
        examples: [
            Method.Example(
                "a number", params: #"{"uri":"tel:+15550123"}"#, result: Sample.accepted("start"))
        ])

    // MARK: - More than one action

    private static let swap = asking(
        .swap, .request { .controller(.swap($0)) }, "Swaps the live call and a held one",
        "One transaction: if the held call cannot be resumed, the other one is.",
        [.optional("call", .id, "the held call; required if there are several")],
        examples: [
            Method.Example("two calls", params: "{}", result: Sample.accepted("set_held"))
        ])

    private static let merge = asking(
        .merge, .request { .controller(.merge($0)) }, "Merges two calls into a conference",
        "The calls must belong to one provider, which has to support it. Their groups become one.",
        [.call, .required("with", .id, "a call of the group to join")],
        examples: [
            Method.Example(
                "two calls",
                params: #"{"call":"\#(Sample.call)","with":"\#(Sample.otherCall)"}"#,
                result: Sample.accepted("set_group"))
        ])

    private static let split = asking(
        .split, .request { .controller(.split($0)) }, "Splits a call from its conference",
        "The call becomes live, and the others are held.", [.call],
        examples: [
            Method.Example(
                "one of three", params: #"{"call":"\#(Sample.call)"}"#,
                result: Sample.accepted("set_group"))
        ])

    private static let pressButton = Method(
        name: .pressButton, direction: .toBroker(.request { .controller(.pressButton($0)) }),
        form: .request(result: ActionSchemas.outcome, deadlineMS: 5_000), roles: .asking,
        summary: "Presses the headset button",
        details: """
            Short: answers, swaps, ends or resumes, whichever applies first. Long: declines, ends the \
            active one of two calls, or mutes. If nothing applies, the result has no actions.
            """,
        params: [
            .required(
                "press", .choice(["short", "long"], isOpen: false), "the length of the press")
        ],
        errors: ActionSchemas.errors,
        examples: [
            Method.Example(
                "a ringing call", params: #"{"press":"short"}"#, result: Sample.accepted("answer")),
            Method.Example(
                "nothing to do", params: #"{"press":"short"}"#,
                result: #"{"actions":[],"seq":42}"#),
        ])

    private static let silence = Method(
        name: .silence, direction: .toBroker(.request { .controller(.silence($0)) }),
        form: .request(result: [.seq], deadlineMS: 5_000), roles: .asking,
        summary: "Silences a ringing call",
        details: """
            No action is sent to the provider, but call.presentation if it named that feature. The next \
            call that comes in rings aloud.
            """,
        params: [.call], errors: [.permissionDenied, .notFound, .invalidState],
        examples: [
            Method.Example(
                "not now", params: #"{"call":"\#(Sample.call)"}"#, result: Sample.seq)
        ])

    private static let prioritize = Method(
        name: .prioritize, direction: .toBroker(.request { .controller(.prioritize($0)) }),
        form: .request(result: [.seq], deadlineMS: 5_000), roles: .asking,
        summary: "Marks a call as one of a priority caller",
        details: """
            For a call that rings or waits, until it is over; of its caller nothing is kept. It is \
            answered before older calls that wait. An app may mark its own calls if the policy names \
            it in `priority_claims`.
            """,
        params: [.call], errors: [.permissionDenied, .notFound, .invalidState],
        examples: [
            Method.Example(
                "the one to answer first", params: #"{"call":"\#(Sample.call)"}"#,
                result: Sample.seq)
        ])

    private static let continueTones = Method(
        name: .continueTones, direction: .toBroker(.request { .controller(.continueTones($0)) }),
        form: .request(result: ActionSchemas.outcome, deadlineMS: 5_000), roles: .asking,
        summary: "Sends the tones that wait behind a pause",
        details: """
            For a call with `paused_tones`, whether the pause waits for the user or for time; the rest \
            after a further pause waits again. For the user only.
            """,
        params: [
            .call,
            .optional(
                "send", .boolean,
                "false drops the tones, and the result has no actions; true if left out"),
        ],
        errors: ActionSchemas.errors,
        examples: [
            Method.Example(
                "the number of a conference", params: #"{"call":"\#(Sample.call)"}"#,
                result: Sample.accepted("play_dtmf")),
            Method.Example(
                "not wanted", params: #"{"call":"\#(Sample.call)","send":false}"#,
                result: #"{"actions":[],"seq":42}"#),
        ])
}

extension Decoding {
    /// The decoding of a method for one action of a kind.
    fileprivate static func action(_ kind: ActionKind) -> Decoding {
        .toRequest { (params) throws(SchemaFault) in
            .controller(.action(try ActionParams(checked: params, kind)))
        }
    }
}
