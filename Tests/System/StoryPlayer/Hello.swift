package import CallModel

/// How the clients of a story open their sessions.
package enum Hello {
    package static let user = request(1, roles: ["controller", "admin"]).text
    package static let observer = request(1, roles: ["observer"]).text
    package static let subscribe =
        Wire.request(2, "events.subscribe", ["topics": ["*"]]).text

    /// Goes on behind the last event that was heard.
    package static func subscribe(to epoch: String, after seq: Int64) -> String {
        let cursor: Wire = ["epoch": .string(epoch), "seq": .int(seq)]
        return Wire.request(2, "events.subscribe", ["topics": ["*"], "cursor": cursor]).text
    }

    /// - Parameter key: of the session to go on with, if there was one.
    package static func provider(_ provider: ProviderID, resuming key: Wire?) -> String {
        request(
            0, roles: ["provider", "controller"],
            ["identity": .provider(provider), "resume": key]
        ).text
    }

    package static func filter(_ filter: Filter) -> String {
        request(0, roles: [filter.role.rawValue], ["identity": .string(filter.identity)]).text
    }

    private static func request(
        _ id: UInt64, roles: [String], _ more: [String: Wire?] = [:]
    ) -> Wire {
        let params: Wire = [
            "protocol": ["min": 1, "max": 1], "client": ["name": "story", "version": "1"],
            "roles": .array(roles.map { .string($0) }),
            "features": ["tone", "alerting", "external_calls"],
        ]
        return .request(id, "broker.hello", params.with(more))
    }
}

/// What a stage wants to know from the reply.
extension Wire {
    package var clockOffsetMS: Int64? {
        guard let now = self["clock"]?["now_at_ms"]?.int, let mono = self["clock"]?["mono_ms"]?.int
        else { return nil }
        return now - mono
    }

    /// What to resume with.
    package var sessionKey: Wire? {
        guard let session = self["session"]?["session"], let secret = self["session"]?["secret"]
        else { return nil }
        return ["session": session, "secret": secret]
    }
}

extension String {
    /// The broker sends every now and then how far it is, what is allowed, and what the user is
    /// doing, which the state at the end of a section has: that is no news.
    package var isUnnumbered: Bool {
        contains(#""topic":"broker.bookmark""#) || contains(#""topic":"call.allowed_changed""#)
            || contains(#""topic":"host.presence""#)
    }
}
