internal import CallModel

/// The schemas of the participants of a conference that the far end runs.
enum ParticipantSchemas {
    static let participant: [Member] = [
        .required("participant", id, "an id of the app's own, unique in the call"),
        .optional("name", .string(bytes: 1...CallUpdate.displayNameBytesMax), "the name to show"),
        .optional("handle", .handle, "the address"),
        .optional(
            "state", .words(Participant.State.self, isOpen: true),
            "`joining`: invited or being connected; `joined` (default); `waiting`: in the lobby; "
                + "`held`: holds the conference"),
        .optional("muted", .boolean, "whether the participant is muted in the conference"),
        .optional("hand_raised", .boolean, "whether the participant has raised a hand"),
        .optional("self", .boolean, "whether it is the participant at this host"),
        .optional(
            "changeable", .array(.words(Participant.Member.self, isOpen: true), count: 0...8),
            "what the user may change with participant.update; nothing if left out"),
    ]

    /// One change of a participant.
    static let update: [Member] = [
        .required("participant", id, "the id of the participant"),
        .optional("muted", .boolean, "whether the participant is muted in the conference"),
        .optional("hand_raised", .boolean, "whether the participant has raised a hand"),
    ]

    static let change: [Member] = [
        .optional(
            "changed", .array(.object(participant), count: 0...Participant.reportedMax),
            "those who are new or have changed, each as a whole"),
        .optional(
            "removed", .array(id, count: 0...Participant.reportedMax), "those who have left"),
        .optional("replace", .boolean, "whether all who were reported before are forgotten first"),
    ]

    private static let id = Schema.string(bytes: 1...Participant.idBytesMax)
}
