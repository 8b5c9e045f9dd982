internal import BrokerRPC
internal import CallModel

/// The methods of the call history (rule 39).
extension MethodTable {
    static let historyRows = [
        listHistory, sumHistory, removeHistory, clearHistory, markHistorySeen, importHistory,
    ]

    private static func row(
        _ name: MethodName, _ decoding: Decoding, roles: RoleSet = [.controller, .admin],
        _ summary: String, _ details: String, _ params: [Member], _ result: [Member],
        _ example: Method.Example
    ) -> Method {
        Method(
            name: name, direction: .toBroker(decoding),
            form: .request(result: result, deadlineMS: 5_000), roles: roles, summary: summary,
            details: details, params: params,
            errors: [.permissionDenied, .invalidParams], examples: [example])
    }

    private static let id = Schema.integer(1...9_007_199_254_740_991)
    private static let text = Schema.string(bytes: 0...Caller.textBytesMax)

    private static let filter = Member.optional(
        "filter",
        .object([
            .optional("entry", id, "the entry with this number"),
            .optional("missed", .boolean, "whether to show missed calls only"),
            .optional("provider", .identity, "calls of one app"),
            .optional("handle", .handle, "calls with one number or address"),
            .optional("since_at_ms", .count, "calls that ended at this time or later"),
            .optional(
                "hidden", .boolean,
                "whether to include calls of apps that exclude them from the recent calls"),
        ]), "a filter; all entries if left out")

    /// What an entry has of its call.
    private static let past: [Member] = [
        .required("call", .id, "the call"),
        .required("provider", .identity, "its provider"),
        .optional("provider_name", text, "the app's display name"),
        .optional("line", .lineID, "the line that had the call"),
        .optional("line_label", text, "the name of that line"),
        .required("direction", .words(Direction.self), "the direction"),
        .optional("remote", .handle, "the remote party"),
        .optional("forwarded_from", .handle, "the party that the call was meant for"),
        .optional(
            "verification", .words(Verification.self, isOpen: true),
            "the network's verdict about the caller's number, if there was one"),
        .optional(
            "elsewhere", .elsewhere, "the other device that answered or declined it, or had it"),
        .optional("external_id", .externalID, "the id of the call in the app's protocol"),
        .optional("name", text, "the remote party's name as shown"),
        .optional("label", text, "the label as shown"),
        .optional("label_source", text, "the source of the label"),
        .required("has_video", .boolean, "whether the call had video when it ended"),
        .required("started_at_ms", .count, "when the call arrived or was started"),
        .optional("connected_at_ms", .count, "when the call was connected"),
        .required("ended_at_ms", .count, "when the call ended"),
        .required("end_reason", .words(EndReason.self, isOpen: true), "why the call ended"),
        .required("end_cause", .cause, "the origin of the end"),
        .optional("end_detail", .endDetail, "the app's own words for the end"),
        .optional(
            "missed_reasons",
            .array(
                .choice(MissedReasons(rawValue: .max).names, isOpen: true), count: 0...64),
            "why the call was missed; several reasons may apply"),
        .optional("filtered_by", text, "the filter that blocked or silenced it"),
        .required("seen", .boolean, "whether the user has seen the entry"),
    ]

    private static let entry: [Member] =
        [.required("entry", id, "the number of the entry")] + past + [
            .required("duration_ms", .count, "the time between connection and end"),
            .optional("failure", ActionSchemas.failure, "the app's reason, if it failed"),
            .required("missed", .boolean, "whether the user has missed the call"),
        ]

    private static let example = """
        {"entries":[{"entry":7,"call":"\(Sample.call)","provider":"\(Sample.provider)",\
        "provider_name":"Phone","direction":"incoming","remote":\(Sample.remote),"name":"Ada",\
        "has_video":false,"started_at_ms":\(Sample.at),"ended_at_ms":\(Sample.at + 9_000),\
        "duration_ms":0,"end_reason":"remote_ended","end_cause":{"origin":"remote"},\
        "missed":true,"missed_reasons":["caller_gave_up"],"seen":false}],"missed":1}
        """

    private static let listHistory = row(
        .listHistory, .request { .history(.list($0)) }, roles: [.watching, .admin],
        "Lists past calls", "Newest first.",
        [filter, .after, .limit],
        [
            .required("entries", .array(.object(entry), count: 0...1_000), "a page"),
            .next, .required("missed", .count, "missed calls that the user has not seen"),
        ],
        Method.Example(
            "missed calls", params: #"{"filter":{"missed":true}}"#, result: example))

    private static let numbers: [Member] = [
        .required("calls", .count, "the number of calls"),
        .required("incoming", .count, "those that came in"),
        .required("missed", .count, "those that the user has missed"),
        .required("talked_ms", .count, "the time of all conversations"),
        .required("last_ended_at_ms", .count, "when the latest of the calls ended; 0 for none"),
    ]

    private static let sum: [Member] =
        [
            .optional("provider", .identity, "by provider: the app"),
            .optional("provider_name", text, "by provider: its latest display name"),
            .optional(
                "remote", .handle,
                "by handle: the number or address as in the latest call; absent for calls without one"
            ), .optional("name", text, "by handle: the name that the latest call showed"),
        ] + numbers

    private static let sumHistory = row(
        .sumHistory, .request { .history(.sum($0)) }, roles: [.watching, .admin],
        "Adds up past calls by app, or by number",
        """
        Those with the longest conversations first. The spellings of one number are one number. The \
        total is that of all entries that match the filter.
        """,
        [
            filter,
            .required(
                "by", .choice(["provider", "handle"], isOpen: false), "what each sum is about"),
            .optional("limit", .integer(1...100), "the number of sums; 100 if left out"),
        ],
        [
            .required("sums", .array(.object(sum), count: 0...100), "the sums"),
            .optional("more", .boolean, "true if there are more"),
            .required("total", .object(numbers), "the sum of all"),
        ],
        Method.Example(
            "by app", params: #"{"by":"provider"}"#,
            result: """
                {"sums":[{"provider":"\(Sample.provider)","provider_name":"Phone","calls":3,\
                "incoming":2,"missed":1,"talked_ms":61000,"last_ended_at_ms":\(Sample.at)}],\
                "total":{"calls":3,"incoming":2,"missed":1,"talked_ms":61000,\
                "last_ended_at_ms":\(Sample.at)}}
                """))

    private static let removeHistory = row(
        .removeHistory, .request { .history(.remove($0)) }, "Removes entries",
        "Absent entries are ignored.",
        [.required("entries", .array(id, count: 1...500), "the numbers of the entries")],
        [.required("removed", .count, "the number of removed entries")],
        Method.Example("one", params: #"{"entries":[7]}"#, result: #"{"removed":1}"#))

    private static let clearHistory = row(
        .clearHistory, .request { .history(.clear($0)) },
        "Removes all entries, or those that match a filter",
        "Live calls are added when they end.", [filter],
        [.required("removed", .count, "the number of removed entries")],
        Method.Example("all", params: "{}", result: #"{"removed":3}"#))

    private static let markHistorySeen = row(
        .markHistorySeen, .request { .history(.markSeen($0)) }, "Marks missed calls as seen",
        "The count of unseen missed calls becomes 0.",
        [.optional("until_at_ms", .count, "only calls that ended by this time; all if left out")],
        [.required("marked", .count, "the number of entries marked")],
        Method.Example("all", params: "{}", result: #"{"marked":2}"#))

    private static let importHistory = row(
        .importHistory, .request { .history(.import($0)) },
        "Adds entries of calls that are over",
        """
        For a history from another host, or a copy. Entries get new numbers. A call that is in the history \
        is ignored; so are a `rule`, `transaction` and `because_of` of its end. Entries that are too \
        old are removed, as all others.
        """,
        [.required("entries", .array(.object(past), count: 1...32), "the entries")],
        [.required("imported", .count, "the number of added entries")],
        Method.Example(
            "a missed call",
            params: """
                {"entries":[{"call":"\(Sample.call)","provider":"\(Sample.provider)",\
                "direction":"incoming","remote":\(Sample.remote),"name":"Ada","has_video":false,\
                "started_at_ms":\(Sample.at),"ended_at_ms":\(Sample.at + 9_000),\
                "end_reason":"remote_ended","end_cause":{"origin":"remote"},\
                "missed_reasons":["caller_gave_up"],"seen":true}]}
                """, result: #"{"imported":1}"#))
}
