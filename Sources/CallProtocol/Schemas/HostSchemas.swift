/// The host as it stands on the wire.
enum HostSchemas {
    /// What `host.changed` tells.
    static let facts: [Member] = [
        .optional("live_group", .id, "the group that speaks, or is about to"),
        .required("held_groups", .count, "how many groups are held"),
        .required("ringing", .count, "how many calls ring or wait"),
        .required("busy", .boolean, "whether something waits for room"),
        .required("emergency", .boolean, "whether there is an emergency call"),
    ]
    /// All that `host.changed` and `audio.changed` would have told.
    static let host =
        facts + [.optional("audio_group", .id, "the group that microphone and speaker belong to")]

    static let sample = """
        "live_group":"\(Sample.call)","held_groups":0,"ringing":0,"busy":false,"emergency":false
        """
}
