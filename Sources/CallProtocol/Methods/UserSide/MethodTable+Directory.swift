internal import BrokerRPC
internal import CallModel

/// Caller directories: numbers with a name, or that must not ring (CallKit's `CXCallDirectory`).
extension MethodTable {
    static let directoryRows = [
        putEntries, changeEntries, clearDirectory, listDirectories, enableDirectory,
    ]

    /// Entries of one frame at most.
    package static let directoryEntriesMax = 500

    private static let roles: RoleSet = [.directory, .admin]
    private static let source = Member.optional(
        "source", .string(bytes: 1...Caller.textBytesMax),
        "names the directory; a plugin's own if left out")
    private static let number = Schema.integer(1...9_007_199_254_740_991)
    private static let generation = Member.required(
        "generation", .count, "the load that it belongs to; higher than the one that serves")

    private static let entries = Schema.array(
        .object([
            .required("number", number, "with its country code, digits only"),
            .optional(
                "label", .string(bytes: 1...Caller.textBytesMax), "who that is"),
            .optional("blocked", .boolean, "whether it must not ring; no"),
        ]), count: 0...directoryEntriesMax)
    private static let numbers = Schema.array(number, count: 0...directoryEntriesMax)

    private static func change(
        _ name: MethodName, roles: RoleSet = roles, _ summary: String, _ details: String,
        _ params: [Member], _ result: [Member], _ errors: [ErrorCode], _ example: Method.Example
    ) -> Method {
        Method(
            name: name, direction: .toBroker, form: .request(result: result, deadlineMS: 60_000),
            roles: roles, summary: summary, details: details, params: params, errors: errors,
            examples: [example])
    }

    private static let putEntries = change(
        .putEntries, "A part of a directory",
        """
        Ascending numbers, each only once for each label. The first frame of a generation begins to \
        load it, final ends it, and only then it serves, all at once; until then the earlier one does. \
        When a part is refused, the rest of its generation is, too. A generation that was never \
        finished is dropped when its loader begins a higher one, or goes.
        """,
        [
            source, generation,
            .required("final", .boolean, "whether this is the last part"),
            .required("entries", entries, "so many of them"),
        ],
        [
            .required("accepted", .count, "entries of this part"),
            .required("total", .count, "entries of this generation so far"),
        ],
        [.permissionDenied, .invalidParams, .invalidState, .limitReached, .providerGone],
        Method.Example(
            "all of it",
            params: """
                {"source":"org.example.numbers","generation":1,"final":true,"entries":[\
                {"number":15550123,"label":"Example Ltd"},{"number":15550199,"blocked":true}]}
                """,
            result: #"{"accepted":2,"total":2}"#))

    private static let changeEntries = change(
        .changeEntries, "Changes to the generation that serves",
        "Done as a whole or not at all. Removing what is not there changes nothing.",
        [
            source,
            .optional("add", entries, "entries that come in"),
            .optional("remove_labels", numbers, "numbers that lose their labels"),
            .optional("remove_blocks", numbers, "numbers that may ring again"),
            .optional("remove_all_labels", .boolean, "every label goes"),
            .optional("remove_all_blocks", .boolean, "every block goes"),
        ],
        [.required("total", .count, "entries that there are now")],
        [.permissionDenied, .notFound, .invalidParams, .invalidState, .limitReached],
        Method.Example(
            "one may ring again",
            params: #"{"source":"org.example.numbers","remove_blocks":[15550199]}"#,
            result: #"{"total":1}"#))

    private static let clearDirectory = change(
        .clearDirectory, "Removes a directory with all its entries",
        "One that is being loaded has to begin anew.",
        [source, .optional("generation", .count, "nothing, for those who count them")],
        [.required("removed", .boolean, "whether there was one")],
        [.permissionDenied],
        Method.Example(
            "gone", params: #"{"source":"org.example.numbers"}"#, result: #"{"removed":true}"#))

    private static let listDirectories = change(
        .listDirectories, roles: [.watching, .directory, .admin], "The directories",
        "Those that the broker keeps; plugins that are asked are not among them.", [],
        [
            .required(
                "sources",
                .array(
                    .object([
                        .required("source", .string(bytes: 1...Caller.textBytesMax), "its name"),
                        .required("enabled", .boolean, "whether it serves"),
                        .optional("generation", .count, "the load that serves"),
                        .required("entries", .count, "of that load"),
                        .optional("loading", .count, "the load that has begun"),
                    ]), count: 0...1_024), "by name")
        ],
        [.permissionDenied],
        Method.Example(
            "one", params: "{}",
            result: """
                {"sources":[{"source":"org.example.numbers","enabled":true,"generation":1,\
                "entries":2}]}
                """))

    private static let enableDirectory = change(
        .enableDirectory, roles: [.controller, .admin], "Switches a directory on or off",
        "One that is off is not asked, and cannot be loaded.",
        [
            .required("source", .string(bytes: 1...Caller.textBytesMax), "its name"),
            .required("enabled", .boolean, "whether it serves"),
        ], [.required("enabled", .boolean, "as it is now")],
        [.permissionDenied, .notFound],
        Method.Example(
            "off", params: #"{"source":"org.example.numbers","enabled":false}"#,
            result: #"{"enabled":false}"#))
}
