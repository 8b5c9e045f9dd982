internal import BrokerRPC
internal import CallModel

/// Whom the user knows, and whom not to hear of.
extension MethodTable {
    static let peopleRows = [
        addBlock, removeBlock, listBlocks, putContact, removeContact, listContacts,
    ]

    private static func row(
        _ name: MethodName, roles: RoleSet = [.controller, .admin], _ summary: String,
        _ details: String, _ params: [Member], _ result: [Member],
        errors: [ErrorCode] = [.permissionDenied, .invalidParams], _ example: Method.Example
    ) -> Method {
        Method(
            name: name, direction: .toBroker, form: .request(result: result, deadlineMS: 5_000),
            roles: roles, summary: summary, details: details, params: params, errors: errors,
            examples: [example])
    }

    // MARK: - Blocks

    private static let who: [Member] = [
        .optional("handle", .handle, "one number or address"),
        .optional("prefix", .handle, "every one of that type that begins so"),
    ]
    private static let block: [Member] =
        who + [
            .optional("reason", .string(bytes: 0...256), "for the user"),
            .required("added_at_ms", .count, "since when"),
        ]

    private static let addBlock = row(
        .addBlock, "Calls of somebody shall not ring",
        """
        Either a handle or a prefix. What is blocked already gets the new reason. The app gets \
        CallKit's filteredByBlockList, and the history says who blocked the call.
        """,
        who + [.optional("reason", .string(bytes: 0...256), "for the user")], block,
        Method.Example(
            "a number", params: #"{"handle":\#(Sample.remote),"reason":"Survey"}"#,
            result: #"{"handle":\#(Sample.remote),"reason":"Survey","added_at_ms":\#(Sample.at)}"#))

    private static let removeBlock = row(
        .removeBlock, "Calls of somebody may ring again",
        "What was never blocked is no error.", who,
        [.required("removed", .boolean, "whether there was such a block")],
        Method.Example(
            "a prefix", params: #"{"prefix":{"type":"phone","value":"+1900"}}"#,
            result: #"{"removed":true}"#))

    private static let listBlocks = row(
        .listBlocks, roles: [.watching, .admin], "Who is blocked", "The oldest first.",
        [.after, .limit],
        [.required("blocks", .array(.object(block), count: 0...1_000), "a page of them"), .next],
        Method.Example(
            "one", params: "{}",
            result: #"{"blocks":[{"handle":\#(Sample.remote),"added_at_ms":\#(Sample.at)}]}"#))

    // MARK: - Contacts

    private static let name = Schema.string(bytes: 1...Caller.textBytesMax)
    private static let contactID = Schema.string(bytes: 1...128)
    private static let details: [Member] = [
        .required("name", name, "as the user calls them"),
        .required("handles", .array(.handle, count: 1...32), "numbers and addresses"),
        .optional("favorite", .boolean, "whether it is one"),
        .optional("breakthrough", .boolean, "whether calls ring despite do-not-disturb"),
        .optional("provider", .identity, "the app to call them with"),
    ]
    private static let contact: [Member] =
        [.required("contact", contactID, "names the contact")] + details

    private static let example = """
        {"contact":"c1","name":"Ada","handles":[\(Sample.remote)],"favorite":true,\
        "breakthrough":false}
        """

    private static let putContact = row(
        .putContact, "Adds or replaces a contact",
        "The broker names a new one if no name is given.",
        [.optional("contact", contactID, "which one; a new one if left out")] + details, contact,
        Method.Example(
            "a new one",
            params: #"{"name":"Ada","handles":[\#(Sample.remote)],"favorite":true}"#,
            result: example))

    private static let removeContact = row(
        .removeContact, "Removes a contact", "What is not there is no error.",
        [.required("contact", contactID, "which one")],
        [.required("removed", .boolean, "whether there was such a contact")],
        Method.Example("one", params: #"{"contact":"c1"}"#, result: #"{"removed":true}"#))

    private static let listContacts = row(
        .listContacts, roles: [.watching, .admin], "The contacts", "By name.",
        [
            .optional("text", .string(bytes: 0...128), "a part of the name, or of a number"),
            .optional("favorites", .boolean, "whether to show these only"), .after, .limit,
        ],
        [
            .required("contacts", .array(.object(contact), count: 0...1_000), "a page of them"),
            .next,
        ],
        Method.Example("all", params: "{}", result: #"{"contacts":[\#(example)]}"#))
}

extension Member {
    static let next = Member.optional(
        "next", .cursor, "where the next page begins, if there is one")
}
