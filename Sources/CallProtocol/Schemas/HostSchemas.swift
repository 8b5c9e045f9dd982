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
    /// The data of `host.changed`, `audio.changed`, `audio.endpoints_changed` and `screen.changed`
    /// together.
    static let host =
        facts + [
            .optional("audio_group", .id, "the group that has microphone and speaker"),
            .optional(
                "endpoints", .endpoints,
                "the audio endpoints of the host; left out if no client reports them"),
            .optional(
                "screen", .identity,
                "the screen that is offered calls first; left out if there is none"),
        ]

    static let sample = """
        "live_group":"\(Sample.call)","held_groups":0,"ringing":0,"busy":false,"emergency":false
        """
}
