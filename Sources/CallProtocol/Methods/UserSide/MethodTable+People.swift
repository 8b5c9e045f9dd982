internal import BrokerRPC
internal import CallModel

/// The methods of contacts and blocks.
extension MethodTable {
    static let peopleRows = [
        addBlock, removeBlock, listBlocks, putContact, removeContact, listContacts,
    ]

    private static func row(
        _ name: MethodName, _ decoding: Decoding, roles: RoleSet = [.controller, .admin],
        _ summary: String, _ details: String, _ params: [Member], _ result: [Member],
        errors: [ErrorCode] = [.permissionDenied, .invalidParams], _ example: Method.Example
    ) -> Method {
        Method(
            name: name, direction: .toBroker(decoding),
            form: .request(result: result, deadlineMS: 5_000), roles: roles, summary: summary,
            details: details, params: params, errors: errors,
            examples: [example])
    }

    // MARK: - Blocks

    private static let who: [Member] = [
        .optional("handle", .handle, "a number or address"),
        .optional("prefix", .handle, "all addresses of this type with this prefix"),
    ]
    private static let block: [Member] =
        who + [
            .optional("reason", .string(bytes: 0...256), "a note for the user"),
            .required("added_at_ms", .count, "when the block was added"),
        ]

    private static let addBlock = row(
        .addBlock, .request { .people(.addBlock($0)) }, "Blocks an address or a prefix",
        """
        Send either `handle` or `prefix`. An existing block gets the new reason. The reports of blocked \
        calls fail with CallKit's filteredByBlockList, and the history names the block list.
        """,
        who + [.optional("reason", .string(bytes: 0...256), "a note for the user")], block,
        Method.Example(
            "a number", params: #"{"handle":\#(Sample.remote),"reason":"Survey"}"#,
            result: #"{"handle":\#(Sample.remote),"reason":"Survey","added_at_ms":\#(Sample.at)}"#))

    private static let removeBlock = row(
        .removeBlock, .request { .people(.removeBlock($0)) }, "Removes a block",
        "An absent block is ignored.", who,
        [.required("removed", .boolean, "whether there was such a block")],
        Method.Example(
            "a prefix", params: #"{"prefix":{"type":"phone","value":"+1900"}}"#,
            result: #"{"removed":true}"#))

    private static let listBlocks = row(
        .listBlocks, .request { .people(.listBlocks($0)) }, roles: [.watching, .admin],
        "Lists the blocks", "Oldest first.",
        [.after, .limit],
        [.required("blocks", .array(.object(block), count: 0...1_000), "a page"), .next],
        Method.Example(
            "one", params: "{}",
            result: #"{"blocks":[{"handle":\#(Sample.remote),"added_at_ms":\#(Sample.at)}]}"#))

    // MARK: - Contacts

    private static let name = Schema.string(bytes: 1...Caller.textBytesMax)
    private static let contactID = Schema.string(bytes: 1...128)
    private static let details: [Member] = [
        .required("name", name, "the user's name for the contact"),
        .required("handles", .array(.handle, count: 1...32), "numbers and addresses"),
        .optional(
            "favorite", .boolean,
            "whether the contact is a favorite, whose calls come in despite `busy_in_call`"),
        .optional(
            "breakthrough", .boolean,
            "whether the contact's calls come in despite do-not-disturb and `busy_in_call`"),
        .optional("provider", .identity, "the app for calls to the contact"),
    ]
    private static let contact: [Member] =
        [.required("contact", contactID, "the id of the contact")] + details

    private static let example = """
        {"contact":"c1","name":"Ada","handles":[\(Sample.remote)],"favorite":true,\
        "breakthrough":false}
        """

    private static let putContact = row(
        .putContact, .request { .people(.putContact($0)) }, "Adds or replaces a contact",
        "Without an id a new contact is created.",
        [.optional("contact", contactID, "the contact to replace; a new one if left out")]
            + details, contact,
        Method.Example(
            "a new one",
            params: #"{"name":"Ada","handles":[\#(Sample.remote)],"favorite":true}"#,
            result: example))

    private static let removeContact = row(
        .removeContact, .request { .people(.removeContact($0)) }, "Removes a contact",
        "An absent contact is ignored.",
        [.required("contact", contactID, "the contact")],
        [.required("removed", .boolean, "whether there was such a contact")],
        Method.Example("one", params: #"{"contact":"c1"}"#, result: #"{"removed":true}"#))

    private static let listContacts = row(
        .listContacts, .request { .people(.listContacts($0)) }, roles: [.watching, .admin],
        "Lists the contacts", "Ordered by name.",
        [
            .optional("text", .string(bytes: 0...128), "a part of the name or of a number"),
            .optional("favorites", .boolean, "whether to list favorites only"), .after, .limit,
        ],
        [
            .required("contacts", .array(.object(contact), count: 0...1_000), "a page"),
            .next,
        ],
        Method.Example("all", params: "{}", result: #"{"contacts":[\#(example)]}"#))
}

extension Member {
    static let next = Member.optional(
        "next", .cursor, "present if there are more: pass it as `after`")
}
