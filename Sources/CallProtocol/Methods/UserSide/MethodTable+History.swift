internal import BrokerRPC
internal import CallModel

/// Calls that are over (rule 39).
extension MethodTable {
    static let historyRows = [listHistory, removeHistory, clearHistory, markHistorySeen]

    private static func row(
        _ name: MethodName, roles: RoleSet = [.controller, .admin], _ summary: String,
        _ details: String, _ params: [Member], _ result: [Member], _ example: Method.Example
    ) -> Method {
        Method(
            name: name, direction: .toBroker, form: .request(result: result, deadlineMS: 5_000),
            roles: roles, summary: summary, details: details, params: params,
            errors: [.permissionDenied, .invalidParams], examples: [example])
    }

    private static let id = Schema.integer(1...9_007_199_254_740_991)
    private static let text = Schema.string(bytes: 0...Caller.textBytesMax)

    private static let filter = Member.optional(
        "filter",
        .object([
            .optional("entry", id, "that one alone"),
            .optional("missed", .boolean, "whether to show missed calls only"),
            .optional("provider", .identity, "calls of one app"),
            .optional("handle", .handle, "calls with one number or address"),
            .optional("since_at_ms", .count, "calls that ended then or later"),
            .optional(
                "hidden", .boolean,
                "whether to show calls of apps that want none among the recent ones, too"),
        ]), "which; all if left out")

    private static let entry: [Member] = [
        .required("entry", id, "names the entry"),
        .required("call", .id, "which call it was"),
        .required("provider", .identity, "whose call it was"),
        .optional("provider_name", text, "what people call the app"),
        .required("direction", .words(Direction.self), "who called whom"),
        .optional("remote", .handle, "whom it was with"),
        .optional("name", text, "the other side, as it was shown"),
        .optional("label", text, "what kind of caller it was"),
        .optional("label_source", text, "who said so"),
        .required("has_video", .boolean, "whether there was video at last"),
        .required("started_at_ms", .count, "when it came, or was started"),
        .optional("connected_at_ms", .count, "when both sides could talk"),
        .required("ended_at_ms", .count, "when it was over"),
        .required("duration_ms", .count, "how long both sides could talk"),
        .required("end_reason", .words(EndReason.self, isOpen: true), "why it was over"),
        .required("end_cause", .cause, "who ended it"),
        .optional("failure", ActionSchemas.failure, "why its app would not go on, as it says"),
        .required("missed", .boolean, "whether it is one that the user has missed"),
        .optional(
            "missed_reasons",
            .array(
                .choice(MissedReasons(rawValue: .max).names, isOpen: true), count: 0...64),
            "why it was missed; several may apply"),
        .optional("filtered_by", text, "who blocked or silenced it"),
        .required("seen", .boolean, "whether the user knows of it"),
    ]

    private static let example = """
        {"entries":[{"entry":7,"call":"\(Sample.call)","provider":"\(Sample.provider)",\
        "provider_name":"Phone","direction":"incoming","remote":\(Sample.remote),"name":"Ada",\
        "has_video":false,"started_at_ms":\(Sample.at),"ended_at_ms":\(Sample.at + 9_000),\
        "duration_ms":0,"end_reason":"remote_ended","end_cause":{"origin":"remote"},\
        "missed":true,"missed_reasons":["caller_gave_up"],"seen":false}],"missed":1}
        """

    private static let listHistory = row(
        .listHistory, roles: [.watching, .admin], "Calls that are over", "The newest first.",
        [filter, .after, .limit],
        [
            .required("entries", .array(.object(entry), count: 0...1_000), "a page of them"),
            .next, .required("missed", .count, "missed calls that are new to the user"),
        ],
        Method.Example(
            "the missed ones", params: #"{"filter":{"missed":true}}"#, result: example))

    private static let removeHistory = row(
        .removeHistory, "Removes entries", "Those that are not there are no error.",
        [.required("entries", .array(id, count: 1...500), "which")],
        [.required("removed", .count, "how many there were")],
        Method.Example("one", params: #"{"entries":[7]}"#, result: #"{"removed":1}"#))

    private static let clearHistory = row(
        .clearHistory, "Removes all entries, or those that a filter shows",
        "A call that goes on gets its entry when it is over.", [filter],
        [.required("removed", .count, "how many there were")],
        Method.Example("all", params: "{}", result: #"{"removed":3}"#))

    private static let markHistorySeen = row(
        .markHistorySeen, "The user has seen the missed calls", "The badge goes.",
        [.optional("until_at_ms", .count, "those that ended until then; all if left out")],
        [.required("marked", .count, "how many were new")],
        Method.Example("all", params: "{}", result: #"{"marked":2}"#))
}
