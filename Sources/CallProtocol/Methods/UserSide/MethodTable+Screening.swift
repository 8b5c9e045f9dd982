internal import BrokerRPC
internal import CallModel

/// What plugins are asked about a call before it rings (rule 32).
extension MethodTable {
    static let screeningRows = [check, lookUp]

    private static let deadline = Member.required(
        "deadline_ms", .integer(1...600_000), "how long the answer may take from now")

    private static let check = Method(
        name: .check, direction: .toClient,
        form: .request(
            result: [
                .required(
                    "verdict", .choice(["continue", "allow", "silence", "block"], isOpen: true),
                    "continue: nothing to say; allow: rings despite do-not-disturb"),
                .optional(
                    "label", .string(bytes: 0...Caller.textBytesMax), "what kind of caller it is"),
                .optional("explain", .string(bytes: 0...1_024), "why, for call.explain"),
            ], deadlineMS: 1_500),
        roles: .screener,
        summary: "May this call ring?",
        details: """
            All screeners are asked at once, and the call waits for them. A late answer, or an error, \
            counts as continue, unless the plugin's manifest says closed: then as block. A block of \
            anybody wins over everything else. A plugin that starts with the first call is asked when it \
            has come, with what is left of its time. Whoever asks with call.explain reads what the \
            screener that decided has said in explain; it is written to no log.
            """,
        params: [
            .call, .required("provider", .identity, "whose call it is"),
            .required("remote", .nullable(.handle), "who calls; null: not known"),
        ] + CallSchemas.properties + [deadline],
        errors: [.brokerError],
        examples: [
            Method.Example(
                "somebody who is not wanted",
                params: """
                    {"call":"\(Sample.call)","provider":"\(Sample.provider)",\
                    "remote":\(Sample.remote),"has_video":false,"deadline_ms":1500}
                    """,
                result: #"{"verdict":"block","label":"Survey","explain":"many have complained"}"#)
        ])

    private static let lookUp = Method(
        name: .lookUp, direction: .toClient,
        form: .request(
            result: [
                .optional(
                    "display_name", .string(bytes: 0...Caller.textBytesMax), "who it is"),
                .optional(
                    "label", .string(bytes: 0...Caller.textBytesMax), "what kind of caller it is"),
                .optional("blocked", .boolean, "whether the call must not ring"),
                .optional("spam", .boolean, "whether many have complained about it"),
                .optional("ttl_s", .count, "how long that may be remembered"),
            ], deadlineMS: 700),
        roles: .directory,
        summary: "Who is that?",
        details: """
            The call waits 700 ms for it, or what the plugin's manifest says; what comes later improves \
            a call that rings already. A contact of the user wins over every directory, and of two \
            directories the one with the higher priority in its manifest, else the first by name. It is \
            asked again when the call is with somebody else.
            """,
        params: [.required("remote", .handle, "who calls, or is called"), deadline],
        errors: [.brokerError],
        examples: [
            Method.Example(
                "a company", params: #"{"remote":\#(Sample.remote),"deadline_ms":700}"#,
                result: #"{"display_name":"Example Ltd","label":"Company"}"#)
        ])
}
