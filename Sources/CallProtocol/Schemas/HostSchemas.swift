internal import CallModel

/// The schemas of the host's state.
enum HostSchemas {
    /// The data of `host.changed`.
    static let facts: [Member] = [
        .optional("live_group", .id, "the live group"),
        .required("held_groups", .count, "the number of held groups"),
        .required("ringing", .count, "the number of ringing and waiting calls"),
        .required(
            "busy", .boolean, "whether a request is waiting for other calls to be held or ended"),
        .required("emergency", .boolean, "whether there is an emergency call"),
    ]
    /// The data of `host.presence`.
    static let presence: [Member] = [
        .required(
            "state", .choice(HostPresence.allCases.map(\.rawValue), isOpen: true),
            "what the user is doing"),
        .required("since_ms", .count, "the time since when, at most since the broker's start"),
    ]
    /// The data of `host.changed`, `host.presence`, `audio.changed`, `audio.endpoints_changed` and
    /// `screen.changed` together.
    static let host =
        facts + [
            .optional("audio_group", .id, "the group that has microphone and speaker"),
            .optional(
                "endpoints", .endpoints,
                "the audio endpoints of the host; left out if no client reports them"),
            .optional(
                "screen", .identity,
                "the screen that is offered calls first; left out if there is none"),
            .optional(
                "presence", .object(presence),
                "what the user is doing; left out for clients that see their own calls only"),
        ]

    static let sample = """
        "live_group":"\(Sample.call)","held_groups":0,"ringing":0,"busy":false,"emergency":false
        """
}
