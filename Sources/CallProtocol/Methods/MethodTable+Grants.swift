internal import BrokerRPC

/// The methods of the credentials that the user issues.
extension MethodTable {
    static let grantRows = [issueGrant, listGrants, revokeGrant]

    /// The greatest number of grants.
    package static let grantsMax = 64

    /// The roles of a client that is not the user's own program.
    private static let roles = [Role.provider, .controller, .observer, .ui].map(\.rawValue)

    private static let name = Member.required(
        "name", .string(bytes: 1...64), "the name by which the user revokes it")
    private static let conditions: [Member] = [
        .optional("uid", .integer(0...4_294_967_295), "the user who may use it; any if left out"),
        .optional(
            "identity", .identity,
            "the identity that the client has to give with it; any if left out"),
    ]

    private static let grant: [Member] =
        [name] + conditions + [
            .required(
                "roles", .array(.choice(roles, isOpen: true), count: 0...16),
                "the roles that the client may have"),
            .required(
                "calls", .choice(["all", "own"], isOpen: true), "the calls that it sees and reaches"
            ),
            .required(
                "redacted", .boolean,
                "whether numbers and names of remote parties are kept from it"),
            .optional("expires_at_ms", .count, "when it ends, in Unix time"),
        ]

    private static func row(
        _ name: MethodName, _ decoding: Decoding, _ summary: String, _ details: String,
        _ params: [Member], _ result: [Member], errors: [ErrorCode], _ example: Method.Example
    ) -> Method {
        Method(
            name: name, direction: .toBroker(decoding),
            form: .request(result: result, deadlineMS: 5_000), roles: .admin, summary: summary,
            details: details, params: params, errors: errors, examples: [example])
    }

    private static let issueGrant = row(
        .issueGrant, .request { .grant(.issue($0)) },
        "Issues a credential for a program of another user, or of a container",
        """
        A client that sends the credential in its hello has the rights of the grant, whatever the \
        policy's `rights` say. The credential is shown this once. A grant with the same name is \
        revoked.
        """,
        [name] + conditions + [
            .optional(
                "roles", .array(.choice(roles, isOpen: false), count: 1...4),
                "the roles that the client may have; observer if left out"),
            .optional(
                "calls", .choice(["all", "own"], isOpen: false),
                "the calls that it sees and reaches; all if left out"),
            .optional(
                "redacted", .boolean,
                "whether numbers and names of remote parties are kept from it; true if left out"),
            .optional(
                "expires_in_ms", .integer(1_000...31_622_400_000),
                "how long it lasts; until it is revoked if left out"),
        ],
        grant + [
            .required(
                "credential", .string(bytes: 32...32), "for the member `credential` of a hello")
        ],
        errors: [.permissionDenied, .invalidParams, .limitReached],
        Method.Example(
            "a softphone in a container, for a day",
            params: #"{"name":"softphone","roles":["provider"],"expires_in_ms":86400000}"#,
            result: """
                {"name":"softphone","roles":["provider"],"calls":"all","redacted":true,\
                "expires_at_ms":1763798400000,"credential":"0123456789abcdef0123456789abcdef"}
                """))

    private static let listGrants = row(
        .listGrants, .bare(.grant(.list)), "Lists the grants", "Oldest first, without credentials.",
        [],
        [
            .required(
                "grants",
                .array(
                    .object(
                        grant + [
                            .required("connections", .count, "the clients that have sent it")
                        ]), count: 0...grantsMax), "the grants")
        ],
        errors: [.permissionDenied],
        Method.Example(
            "one for another user", params: "{}",
            result: """
                {"grants":[{"name":"panel","uid":1001,"roles":["observer"],"calls":"all",\
                "redacted":true,"connections":1}]}
                """))

    private static let revokeGrant = row(
        .revokeGrant, .request { .grant(.revoke($0)) }, "Revokes a grant",
        """
        The connections of its clients are closed at once, with the goodbye `rights_changed`. An \
        unknown name is ignored.
        """,
        [name], [.required("revoked", .boolean, "whether there was such a grant")],
        errors: [.permissionDenied, .invalidParams],
        Method.Example(
            "by its name", params: #"{"name":"panel"}"#, result: #"{"revoked":true}"#))
}
