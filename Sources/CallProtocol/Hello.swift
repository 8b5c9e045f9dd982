package import BrokerJSON

/// What a client says of itself when it opens a session.
package struct HelloParams {
    package let protocolMajors: (min: Int64, max: Int64)
    package let clientName: String
    package let clientVersion: String
    package let roles: [String]
    package let identity: String?
    package let hasCredential: Bool
    package let features: Set<Feature>
    package let resume: (session: String, secret: String)?

    /// What a client understands beside what everybody has to.
    package enum Feature: String, CaseIterable, Sendable {
        /// An app is told by `call.presentation` whether to ring, and rings only then.
        case presentation
    }

    static let members: [Member] = [
        .required(
            "protocol",
            .object([
                .required("min", .integer(0...1_000_000), "the oldest"),
                .required("max", .integer(0...1_000_000), "the newest"),
            ]), "the protocol majors the client speaks"),
        .required(
            "client",
            .object([
                .required("name", .string(bytes: 1...128), "the program"),
                .required("version", .string(bytes: 1...64), "its release"),
                .optional("url", .string(bytes: 1...256), "where to read about it"),
            ]), "for logs and lists"),
        .optional(
            "roles",
            .array(.choice(Role.allCases.map(\.rawValue), isOpen: true), count: 0...16),
            "what it wants to do; observer if left out"),
        .optional(
            "identity", .pattern(.identity),
            "a stable name; needed for provider, screener, directory and ui"),
        .optional(
            "features",
            .array(.choice(Feature.allCases.map(\.rawValue), isOpen: true), count: 0...16),
            "what it understands beside what everybody has to; others are ignored"),
        .optional(
            "credential", .string(bytes: 1...256),
            "reserved; clients of another user are refused, with one or without"),
        .optional(
            "resume",
            .object([
                .required("session", .pattern(.uuid), "from the earlier hello"),
                .required("secret", .string(bytes: 1...64), "from the earlier hello"),
            ]), "provider: goes on with an earlier session"),
    ]

    /// Reads params that passed the check against `members`.
    package init(checked params: JSONValue) {
        let range = params["protocol"]
        protocolMajors = (range?["min"]?.integer ?? 0, range?["max"]?.integer ?? 0)
        clientName = params["client"]?["name"]?.string ?? ""
        clientVersion = params["client"]?["version"]?.string ?? ""
        roles = params["roles"]?.elements.compactMap(\.string) ?? [Role.observer.rawValue]
        identity = params["identity"]?.string
        hasCredential = params["credential"] != nil
        let features = params["features"]?.elements.compactMap(\.string) ?? []
        self.features = Set(features.compactMap(Feature.init(rawValue:)))
        resume = params["resume"].flatMap { resume in
            guard let session = resume["session"]?.string, let secret = resume["secret"]?.string
            else { return nil }
            return (session.lowercased(), secret)
        }
    }
}

/// What the broker answers to a hello.
package struct HelloResult {
    /// Why a role was not granted.
    package enum Denial: String, CaseIterable, Sendable {
        case unknownRole = "unknown_role"
        case notGranted = "not_granted"
        case taken
    }

    static let members: [Member] = [
        .required("protocol", .integer(1...1_000_000), "the major that was chosen"),
        .required(
            "broker",
            .object([
                .required("name", .string(bytes: 1...64), "callbroker"),
                .required("version", .string(bytes: 1...64), "its release"),
                .required("instance", .pattern(.uuid), "changes with every start"),
            ]), "who is serving"),
        .required(
            "session",
            .object([
                .required("session", .pattern(.uuid), "names the session"),
                .required("secret", .string(bytes: 32...32), "needed to resume it"),
                .required("resumed", .boolean, "whether an earlier session goes on"),
                .required("grace_ms", .count, "how long it outlives its connection"),
            ]), "for hello.resume"),
        .required(
            "granted_roles",
            .array(.choice(Role.allCases.map(\.rawValue), isOpen: true), count: 0...16),
            "what the client may do"),
        .required(
            "denied_roles",
            .array(
                .object([
                    .required("role", .string(bytes: 0...64), "as it was asked for"),
                    .required(
                        "reason", .choice(Denial.allCases.map(\.rawValue), isOpen: true), "why not"),
                ]), count: 0...16), "what it may not do, and why"),
        .required("limits", .map, "every limit, by name"),
        .required("epoch", .pattern(.uuid), "names the lineage of states that seq counts in"),
        .required("seq", .count, "the number of the latest event"),
        .required(
            "clock",
            .object([
                .required("now_at_ms", .count, "Unix time"),
                .required("mono_ms", .count, "the monotonic clock"),
            ]), "the broker's clocks"),
        .required("options", .map, "options of a managed plugin"),
        .required(
            "heartbeat_ms", .count,
            "how long a provider with calls may be silent before it is pinged; 0: it is not"),
    ]
}
