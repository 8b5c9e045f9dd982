package import BrokerJSON

/// The params of `broker.hello`.
package struct HelloParams: MethodParams {
    package let protocolMajors: (min: Int64, max: Int64)
    package let clientName: String
    package let clientVersion: String
    package let roles: [String]
    package let identity: String?
    package let credential: String?
    package let features: Set<Feature>
    package let resume: (session: String, secret: String)?

    /// Optional features that a client supports, with the version of each. A client that has not
    /// named one is sent the nearest word that it knows.
    package enum Feature: String, CaseIterable, Sendable {
        /// The app rings only when `call.presentation` tells it to.
        case presentation
        /// The presentation `tone`; others are sent `silent`.
        case tone
        /// The state `alerting`; others are sent `dialing`.
        case alerting
        /// The role `audio`, and endpoints of calls and of the host. Nothing is withheld from others.
        case audioEndpoints = "audio_endpoints"
        /// Settings of lines, and `line.set_setting`. Nothing is withheld from others.
        case lineSettings = "line_settings"
        /// Calls on other devices (`external`); others are not sent them.
        case externalCalls = "external_calls"
        /// The request `ui.ask`; other screens are not sent it.
        case ask
        /// Changes of video, and requests for it. Nothing is withheld from others.
        case videoRequest = "video_request"
        /// Real-time text; others are not sent `call.text`.
        case text
        /// Requests to change a participant. Nothing is withheld from others.
        case participantChanges = "participant_changes"
        /// Pushes to apps. Nothing is withheld from others.
        case push
        /// Events with the changes of calls (`detail` of a subscription). Nothing is withheld from
        /// others.
        case callChanges = "call_changes"

        /// The newest version that the broker supports.
        package var version: Int { 1 }

        /// Reads `NAME` or `NAME/VERSION`; nil if there is no such feature.
        init?(requested text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count == 1 || parts.count == 2 && (Int(parts[1]) ?? 0) > 0 else {
                return nil
            }
            self.init(rawValue: String(parts[0]))
        }
    }

    static let members: [Member] = [
        .required(
            "protocol",
            .object([
                .required("min", .integer(0...1_000_000), "the oldest"),
                .required("max", .integer(0...1_000_000), "the newest"),
            ]), "the protocol majors that the client supports"),
        .required(
            "client",
            .object([
                .required("name", .string(bytes: 1...128), "the name of the program"),
                .required("version", .string(bytes: 1...64), "the release"),
                .optional("url", .string(bytes: 1...256), "its web page"),
            ]), "the client's name and version, for logs"),
        .optional(
            "roles",
            .array(.choice(Role.allCases.map(\.rawValue), isOpen: true), count: 0...16),
            "the requested roles; observer if left out"),
        .optional(
            "identity", .pattern(.identity),
            "a stable reverse-domain name; required for provider, screener, directory and ui"),
        .optional(
            "features",
            .array(.choice(Feature.allCases.map(\.rawValue), isOpen: true), count: 0...16),
            "optional features that the client supports, each as NAME or NAME/VERSION; unknown ones "
                + "are ignored"),
        .optional(
            "credential", .string(bytes: 1...256),
            "issued by `grant.issue`: clients of other users need one, others have the rights of its "
                + "grant"),
        .optional(
            "resume",
            .object([
                .required("session", .pattern(.uuid), "from the earlier session"),
                .required("secret", .string(bytes: 1...64), "from the earlier session"),
            ]), "provider: resumes an earlier session"),
    ]

    /// Reads params that passed the check against `members`.
    package init(checked params: JSONValue?) {
        let range = params?["protocol"]
        protocolMajors = (range?["min"]?.integer ?? 0, range?["max"]?.integer ?? 0)
        clientName = params?["client"]?["name"]?.string ?? ""
        clientVersion = params?["client"]?["version"]?.string ?? ""
        roles = params?["roles"]?.elements.compactMap(\.string) ?? [Role.observer.rawValue]
        identity = params?["identity"]?.string
        credential = params?["credential"]?.string
        let features = params?["features"]?.elements.compactMap(\.string) ?? []
        self.features = Set(features.compactMap(Feature.init(requested:)))
        resume = params?["resume"].flatMap { resume in
            guard let session = resume["session"]?.string, let secret = resume["secret"]?.string
            else { return nil }
            return (session.lowercased(), secret)
        }
    }
}

/// The result of `broker.hello`.
package struct HelloResult {
    /// The reason why a role was not granted.
    package enum Denial: String, CaseIterable, Sendable {
        case unknownRole = "unknown_role"
        case notGranted = "not_granted"
        case taken
    }

    static let members: [Member] = [
        .required("protocol", .integer(1...1_000_000), "the chosen protocol major"),
        .required(
            "broker",
            .object([
                .required("name", .string(bytes: 1...64), "callbroker"),
                .required("version", .string(bytes: 1...64), "the release"),
                .required("instance", .pattern(.uuid), "a new one at every start"),
            ]), "the broker"),
        .required(
            "session",
            .object([
                .required("session", .pattern(.uuid), "names the session"),
                .required("secret", .string(bytes: 32...32), "needed to resume it"),
                .required("resumed", .boolean, "whether an earlier session was resumed"),
                .required("grace_ms", .count, "how long the session is kept after a disconnection"),
            ]), "for `resume` in a later hello"),
        .required(
            "granted_roles",
            .array(.choice(Role.allCases.map(\.rawValue), isOpen: true), count: 0...16),
            "the granted roles"),
        .required(
            "denied_roles",
            .array(
                .object([
                    .required("role", .string(bytes: 0...64), "the role as requested"),
                    .required(
                        "reason", .choice(Denial.allCases.map(\.rawValue), isOpen: true),
                        "the reason"),
                ]), count: 0...16), "the denied roles, with reasons"),
        .optional(
            "features", .map,
            "every feature of the broker by name, as {version, granted}: granted if the client named it"
        ),
        .optional(
            "rights",
            .object([
                .required(
                    "calls", .choice(["all", "own"], isOpen: true),
                    "the calls that the client sees and reaches"),
                .required(
                    "redacted", .boolean,
                    "whether numbers and names of remote parties are kept from it"),
            ]), "what the policy lets the client see"),
        .required("limits", .map, "every limit, by name"),
        .required(
            "epoch", .pattern(.uuid), "the id of the event sequence; seq counts within an epoch"),
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
            "how long a provider with calls may be silent before it is pinged; 0: never pinged"),
    ]
}
