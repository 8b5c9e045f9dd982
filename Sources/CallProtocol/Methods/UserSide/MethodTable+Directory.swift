internal import BrokerRPC
internal import CallModel

/// The methods of caller directories, which label or block numbers (CallKit's `CXCallDirectory`).
extension MethodTable {
    static let directoryRows = [
        putEntries, changeEntries, clearDirectory, listDirectories, enableDirectory,
    ]

    /// The greatest number of entries in one frame.
    package static let directoryEntriesMax = 500

    private static let roles: RoleSet = [.directory, .admin]
    private static let source = Member.optional(
        "source", .string(bytes: 1...Caller.textBytesMax),
        "the directory; a plugin's own if left out")
    private static let number = Schema.integer(1...9_007_199_254_740_991)
    private static let generation = Member.required(
        "generation", .count, "the generation; higher than the active one")

    private static let entries = Schema.array(
        .object([
            .required("number", number, "the number with its country code, digits only"),
            .optional(
                "label", .string(bytes: 1...Caller.textBytesMax), "the label"),
            .optional("blocked", .boolean, "whether the number is blocked; false if left out"),
        ]), count: 0...directoryEntriesMax)
    private static let numbers = Schema.array(number, count: 0...directoryEntriesMax)

    private static func change(
        _ name: MethodName, _ decoding: Decoding, roles: RoleSet = roles, _ summary: String,
        _ details: String, _ params: [Member], _ result: [Member], _ errors: [ErrorCode],
        _ example: Method.Example
    ) -> Method {
        Method(
            name: name, direction: .toBroker(decoding),
            form: .request(result: result, deadlineMS: 60_000), roles: roles, summary: summary,
            details: details, params: params, errors: errors,
            examples: [example])
    }

    private static let putEntries = change(
        .putEntries, .request { .directory(.putEntries($0)) }, "Loads a part of a directory",
        """
        Numbers have to ascend, and each occurs once per label. The first frame of a generation starts \
        the load, and `final` completes it; only then the generation becomes active, as a whole, and \
        replaces the earlier one. After a rejected part the rest of the generation is rejected, too. \
        An unfinished generation is dropped when its loader starts a higher one, or disconnects.
        """,
        [
            source, generation,
            .required("final", .boolean, "whether this is the last part"),
            .required("entries", entries, "the entries"),
        ],
        [
            .required("accepted", .count, "entries in this part"),
            .required("total", .count, "entries of this generation so far"),
        ],
        [.permissionDenied, .invalidParams, .invalidState, .limitReached, .providerGone],
        Method.Example(
            "the whole directory",
            params: """
                {"source":"org.example.numbers","generation":1,"final":true,"entries":[\
                {"number":15550123,"label":"Example Ltd"},{"number":15550199,"blocked":true}]}
                """,
            result: #"{"accepted":2,"total":2}"#))

    private static let changeEntries = change(
        .changeEntries, .request { .directory(.changeEntries($0)) },
        "Changes the active generation",
        "All changes are applied, or none. Removing an absent entry has no effect.",
        [
            source,
            .optional("add", entries, "entries to add"),
            .optional("remove_labels", numbers, "numbers whose labels are removed"),
            .optional("remove_blocks", numbers, "numbers to unblock"),
            .optional("remove_all_labels", .boolean, "whether to remove all labels"),
            .optional("remove_all_blocks", .boolean, "whether to remove all blocks"),
        ],
        [.required("total", .count, "the number of entries after the change")],
        [.permissionDenied, .notFound, .invalidParams, .invalidState, .limitReached],
        Method.Example(
            "unblocking a number",
            params: #"{"source":"org.example.numbers","remove_blocks":[15550199]}"#,
            result: #"{"total":1}"#))

    private static let clearDirectory = change(
        .clearDirectory, .request { .directory(.clear($0)) },
        "Removes a directory with all its entries",
        "A load in progress has to start over.",
        [source, .optional("generation", .count, "accepted and ignored")],
        [.required("removed", .boolean, "whether there was such a directory")],
        [.permissionDenied],
        Method.Example(
            "gone", params: #"{"source":"org.example.numbers"}"#, result: #"{"removed":true}"#))

    private static let listDirectories = change(
        .listDirectories, .bare(.directory(.list)), roles: [.watching, .directory, .admin],
        "Lists the directories",
        "Stored directories only, without plugins that look numbers up.", [],
        [
            .required(
                "sources",
                .array(
                    .object([
                        .required("source", .string(bytes: 1...Caller.textBytesMax), "its name"),
                        .required("enabled", .boolean, "whether the directory is enabled"),
                        .optional("generation", .count, "the active generation"),
                        .required("entries", .count, "its number of entries"),
                        .optional("loading", .count, "the generation being loaded"),
                    ]), count: 0...1_024), "ordered by name")
        ],
        [.permissionDenied],
        Method.Example(
            "one", params: "{}",
            result: """
                {"sources":[{"source":"org.example.numbers","enabled":true,"generation":1,\
                "entries":2}]}
                """))

    private static let enableDirectory = change(
        .enableDirectory, .request { .directory(.enable($0)) }, roles: [.controller, .admin],
        "Enables or disables a directory",
        "A disabled directory is not used, and cannot be loaded.",
        [
            .required("source", .string(bytes: 1...Caller.textBytesMax), "its name"),
            .required("enabled", .boolean, "whether the directory is enabled"),
        ], [.required("enabled", .boolean, "whether the directory is enabled")],
        [.permissionDenied, .notFound],
        Method.Example(
            "off", params: #"{"source":"org.example.numbers","enabled":false}"#,
            result: #"{"enabled":false}"#))
}
