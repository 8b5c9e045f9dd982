internal import BrokerRPC
internal import CallModel

/// The requests to screeners and directories about a call before it rings (rule 32).
extension MethodTable {
    static let screeningRows = [check, lookUp]

    private static let deadline = Member.required(
        "deadline_ms", .integer(1...600_000), "the deadline of the reply, from now")

    private static let check = Method(
        name: .check, direction: .toClient,
        form: .request(
            result: [
                .required(
                    "verdict", .choice(["continue", "allow", "silence", "block"], isOpen: true),
                    "`continue`: no opinion; `allow`: the call rings despite do-not-disturb"),
                .optional(
                    "label", .string(bytes: 0...Caller.textBytesMax), "a label for the caller"),
                .optional(
                    "reason",
                    .choice(["restricted_sharing", "sensitive_participants"], isOpen: true),
                    "of a `block`, the reason of the refusal; `screener` if left out"),
                .optional(
                    "priority", .boolean, "whether the caller is a priority caller (rule 43)"),
                .optional("explain", .string(bytes: 0...1_024), "an explanation for call.explain"),
            ], deadlineMS: 1_500),
        roles: .screener,
        summary: "Asks a screener whether a call may ring",
        details: """
            All screeners are asked at the same time, and the call waits for them. A late reply, or an \
            error, counts as `continue`, or as `block` if the plugin's manifest says `closed`. Any \
            `block` overrides all other verdicts. A plugin that is started by the call is asked after \
            its hello, with the remaining time. call.explain shows the deciding screener's `explain`, \
            which is not logged.
            """,
        params: [
            .call, .required("provider", .identity, "the call's provider"),
            .required("remote", .nullable(.handle), "the caller; null if unknown"),
        ] + CallSchemas.properties + [
            .optional(
                "dry_run", .boolean,
                "true if an app only asks whether the call would ring; its id is of this request only"
            ), deadline,
        ],
        errors: [.brokerError],
        examples: [
            Method.Example(
                "an unwanted caller",
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
                    "display_name", .string(bytes: 0...Caller.textBytesMax),
                    "the name of the caller"),
                .optional(
                    "label", .string(bytes: 0...Caller.textBytesMax), "a label for the caller"),
                .optional("blocked", .boolean, "whether the call is blocked"),
                .optional("spam", .boolean, "whether the number is reported as spam"),
                .optional("ttl_s", .count, "accepted and ignored: replies are not cached"),
            ], deadlineMS: 700),
        roles: .directory,
        summary: "Asks a directory about a number",
        details: """
            The call waits for 700 ms, or as long as the plugin's manifest says; a later reply, within \
            `deadline_ms` (5,000), updates the ringing call. The user's contacts override directories, \
            and a directory with a higher priority in its manifest, else the first by name, overrides \
            others. Sent again when the remote party changes.
            """,
        params: [.required("remote", .handle, "the remote party"), deadline],
        errors: [.brokerError],
        examples: [
            Method.Example(
                "a company", params: #"{"remote":\#(Sample.remote),"deadline_ms":5000}"#,
                result: #"{"display_name":"Example Ltd","label":"Company"}"#)
        ])
}
