internal import CallModel

/// Words and small shapes that several methods share.
extension Schema {
    static func words<Word: CaseIterable & RawRepresentable<String>>(
        _ type: Word.Type, isOpen: Bool = false
    ) -> Schema {
        .choice(type.allCases.map(\.rawValue), isOpen: isOpen)
    }

    static let id = Schema.pattern(.uuid)
    static let identity = Schema.pattern(.identity)
    /// The number of a rule, such as 5a.
    static let rule = Schema.string(bytes: 1...8)
    /// A stable word in snake_case.
    static let reason = Schema.string(bytes: 1...64)

    static let handle = Schema.object([
        .required("type", .choice(["phone", "email", "generic"], isOpen: true), "the type"),
        .required("value", .string(bytes: 1...Handle.valueBytesMax), "the number or address"),
    ])

    /// The id of a call in an app's protocol.
    static let elsewhere = Schema.string(bytes: 1...CallUpdate.elsewhereBytesMax)
    static let externalID = Schema.string(bytes: 1...CallUpdate.externalIDBytesMax)
    /// The id of a line.
    static let lineID = Schema.string(bytes: 1...Line.idBytesMax)

    /// The id of an audio endpoint.
    static let endpointID = Schema.string(bytes: 1...AudioEndpoint.idBytesMax)

    /// Audio endpoints, as a whole.
    static let endpoints = Schema.array(
        .object([
            .required("endpoint", endpointID, "the id, by which it is chosen"),
            .required(
                "kind",
                .choice(AudioEndpoint.Kind.all.map(\.rawValue), isOpen: true), "the kind of device"
            ),
            .optional(
                "name", .string(bytes: 1...AudioEndpoint.nameBytesMax),
                "the name of the device, for people"),
            .optional(
                "state", .words(AudioEndpoint.State.self),
                "whether the user may choose it, or it is in use; available if left out"),
        ]), count: 0...AudioEndpoint.countMax)

    private static let callerText = Schema.string(bytes: 0...Caller.textBytesMax)

    static let caller = Schema.object([
        .optional("name", callerText, "the contact's or the directory's name"),
        .optional("label", callerText, "a label for the caller"),
        .required("source", callerText, "`contacts`, or the directory"),
    ])

    /// The cause of a change.
    static let cause = Schema.object([
        .required("origin", .words(Origin.self), "the origin"),
        .optional("rule", .rule, "the deciding rule"),
        .optional("transaction", .id, "the transaction"),
        .optional("because_of", .id, "the other call involved"),
    ])

    /// The code of an app's protocol or network.
    static let endCode = Schema.string(bytes: 1...EndDetail.codeBytesMax)

    /// The app's own words for the end of a call.
    static let endDetail = Schema.object([
        .optional(
            "reason",
            .choice(EndDetail.Reason.all.map(\.rawValue), isOpen: true),
            "the reason; that of the code if left out and the code is known"),
        .optional(
            "text", .string(bytes: 1...EndDetail.textBytesMax), "a sentence for people, in one line"
        ),
        .optional(
            "code", .endCode,
            "the code of the app's protocol or network, such as `SIP 486` or `Q.850 17`"),
    ])

    static let blocking = Schema.array(
        .object([
            .required("call", .id, "the call"),
            .required("provider", .identity, "its provider"),
        ]), count: 0...1_024)

    /// The calls of one reply, as many as fit into a frame.
    static let callIDs = Schema.array(.id, count: 0...4_096)
    static let call = Schema.object(CallSchemas.call)
}

extension Member {
    static let seq = Member.required("seq", .count, "all events up to this number have been sent")
    static let atMS = Member.optional("at_ms", .count, "when it happened; now if left out")
}

/// The schemas of calls.
package enum CallSchemas {
    /// The members that a provider reports about a call. Null clears a value, an absent member
    /// stays.
    static let update: [Member] =
        [.optional("remote", .nullable(.handle), "the remote party")] + properties

    /// An update without the remote address.
    static let properties: [Member] = [
        .optional(
            "display_name", .nullable(.string(bytes: 0...CallUpdate.displayNameBytesMax)),
            "the provider's name for the remote party"),
        .optional("has_video", .nullable(.boolean), "whether the call has video; false at first"),
        .optional(
            "supports_holding", .nullable(.boolean), "whether the call can be held; true at first"),
        .optional(
            "supports_grouping", .nullable(.boolean),
            "whether the call can join a group; true at first"),
        .optional(
            "supports_ungrouping", .nullable(.boolean),
            "whether the call can leave a group; true at first"),
        .optional(
            "supports_dtmf", .nullable(.boolean), "whether the call can play tones; true at first"),
        .optional(
            "supports_transfer", .nullable(.boolean),
            "whether the call can be transferred to an address; false at first"),
        .optional(
            "supports_attended_transfer", .nullable(.boolean),
            "whether the call can be joined with another one; false at first"),
        .optional(
            "supports_deflect", .nullable(.boolean),
            "whether the call can be sent to another address before an answer; false at first"),
        .optional(
            "remote_held", .nullable(.boolean),
            "whether the remote party holds the call; false at first"),
        .optional(
            "has_early_media", .nullable(.boolean),
            "whether the remote side sends sound before its answer; false at first"),
        .optional(
            "priority",
            .nullable(
                .choice(
                    Priority.allCases.filter { $0 != .emergencyCallback }.map(\.rawValue),
                    isOpen: false)), "the priority; normal at first"),
        .optional("line", .nullable(.lineID), "the id of the provider's line that has the call"),
        .optional(
            "forwarded_from", .nullable(.handle),
            "the party that the call was meant for, before it was forwarded here"),
        .optional(
            "verification", .nullable(.words(Verification.self)),
            "the network's verdict about the caller's number; none at first"),
        .optional(
            "external_id", .nullable(.externalID),
            "the id of the call in the app's protocol, such as the Call-ID of SIP"),
        .optional(
            "elsewhere", .nullable(.elsewhere),
            "the name of the other device that has the call, or has answered or declined it"),
        .optional(
            "supports_pull", .nullable(.boolean),
            "whether the call can be pulled here from that device; false at first"),
        .optional(
            "endpoints", .nullable(.endpoints),
            "where the app can let the sound of the call out; none at first, if that is the host's choice"
        ),
        .optional(
            "video", .nullable(.words(VideoDirection.self)),
            "the direction of the video, as seen from here; off at first, both if only `has_video` is true"
        ),
        .optional(
            "supports_set_video", .nullable(.boolean),
            "whether video can be added to the call, changed and taken away; false at first"),
        .optional(
            "has_text", .nullable(.boolean), "whether the call has real-time text; false at first"),
        .optional(
            "supports_set_text", .nullable(.boolean),
            "whether real-time text can be added to the call and taken away; false at first"),
    ]

    /// A call as all clients see it.
    static let call = identity + state + described + times

    private static let identity: [Member] = [
        .required("call", .id, "the id of the call"),
        .required("provider", .identity, "the call's provider"),
        .required("direction", .words(Direction.self), "the direction"),
    ]

    private static let state: [Member] = [
        .required("state", .words(CallState.self), "the state"),
        .optional(
            "pending_action", .words(PendingAction.self, isOpen: true),
            "the pending action"),
        canHoldNow, pausedTones,
        .optional("held_because_of", .id, "the call that its group was held for"),
        .optional(
            "resume_offered", .boolean,
            "true if the held call can be resumed, and the user has been offered to"),
        .required("muted", .boolean, "whether the call is muted"),
        .required("silenced", .boolean, "whether the call rings silently"),
        .required("group", .id, "the oldest member of its group; the call itself if alone"),
    ]

    private static let described: [Member] =
        [
            .optional("remote", .handle, "the remote party"),
            .optional(
                "display_name", .string(bytes: 0...CallUpdate.displayNameBytesMax),
                "the provider's name for the remote party"),
            .required("has_video", .boolean, "whether the call has video"),
            .required("supports_holding", .boolean, "whether the call can be held"),
            .required("supports_grouping", .boolean, "whether the call can join a group"),
            .required("supports_ungrouping", .boolean, "whether the call can leave a group"),
            .required("supports_dtmf", .boolean, "whether the call can play tones"),
            .optional(
                "supports_transfer", .boolean, "true if the call can be transferred to an address"),
            .optional(
                "supports_attended_transfer", .boolean,
                "true if the call can be joined with another one"),
            .optional(
                "supports_deflect", .boolean,
                "true if the call can be sent to another address before an answer"),
            .required("remote_held", .boolean, "whether the remote party holds the call"),
            .optional(
                "has_early_media", .boolean,
                "true if the remote side sends or has sent sound before its answer"),
            .required("priority", .words(Priority.self, isOpen: true), "the priority"),
            .optional("line", .lineID, "the line that has the call"),
            .optional("forwarded_from", .handle, "the party that the call was meant for"),
            .optional(
                "verification", .words(Verification.self, isOpen: true),
                "the network's verdict about the caller's number, if there is one"),
            .optional("external_id", .externalID, "the id of the call in the app's protocol"),
            .optional("elsewhere", .elsewhere, "the other device that has or had the call"),
            .optional(
                "supports_pull", .boolean, "true if the call can be pulled here from that device"),
            .optional(
                "endpoints", .endpoints,
                "the app's endpoints for the sound of the call; left out if the host has them"),
            .optional(
                "video", .words(VideoDirection.self),
                "the direction of the video, as agreed; left out if there is none"),
            .optional(
                "supports_set_video", .boolean,
                "true if video can be added to the call, changed and taken away"),
            .optional(
                "video_request", .choice(["send", "receive", "both"], isOpen: false),
                "the video that the remote party asks for, while the user has not decided"),
            .optional("has_text", .boolean, "true if the call has real-time text"),
            .optional(
                "supports_set_text", .boolean,
                "true if real-time text can be added to the call and taken away"),
            .optional(
                "text_request", .boolean,
                "true if the remote party asks for real-time text, while the user has not decided"),
            .optional("caller", .caller, "the remote party's names and labels, as far as known"),
            .required("provider_connected", .boolean, "whether its provider is connected"),
        ] + verbs

    /// The quality of a call's sound.
    static let quality: [Member] = [
        .optional(
            "loss_permille", .integer(0...1_000),
            "lost packets of a thousand, since the report before"),
        .optional("jitter_ms", milliseconds, "the variation of the packets' time of arrival"),
        .optional("round_trip_ms", milliseconds, "the time to the remote side and back"),
    ]
    private static let milliseconds = Schema.integer(0...Int64(CallQuality.millisecondsMax))

    /// The actions that the user may request for a call.
    static let choices = [Member.call] + verbs + [canHoldNow, pausedTones]

    private static let verbs: [Member] = [
        .required(
            "allowed", .array(.words(Verb.self, isOpen: true), count: 0...64),
            "the verbs that would not be refused now"),
        .optional(
            "merge_with", .array(.id, count: 0...64),
            "merge: the possible groups, each by its oldest call; left out if there are none"),
    ]

    private static let canHoldNow = Member.required(
        "can_hold_now", .boolean, "whether a hold would be sent now")

    private static let pausedTones = Member.optional(
        "paused_tones",
        .object([
            .required("digits", .pattern(.digits), "the tones after the pause"),
            .required(
                "until", .words(PausedTones.End.self, isOpen: true),
                "what ends the pause: time, or the user, by call.continue_tones"),
        ]),
        "tones that wait behind a pause; left out if there are none")

    private static let times: [Member] = [
        .required("created_at_ms", .count, "when the call arrived or was started"),
        .optional("alerting_at_ms", .count, "when the remote party began to ring"),
        .optional("connecting_at_ms", .count, "when the remote party answered"),
        .optional("connected_at_ms", .count, "when the call was connected"),
        .optional("ended_at_ms", .count, "when the call ended"),
        .optional("end_reason", .words(EndReason.self, isOpen: true), "why the call ended"),
        .optional("end_cause", .cause, "the origin of the end"),
        .optional("end_detail", .endDetail, "the app's own words for the end"),
        .optional("failure", ActionSchemas.failure, "the app's reason, if it failed"),
        .optional(
            "missed_reasons",
            .array(
                .choice(MissedReasons(rawValue: .max).names, isOpen: true), count: 0...64),
            "why the call was missed; several reasons may apply"),
        .required("rev", .count, "increases with each change of the call; the higher one is newer"),
    ]
}

extension Schema {
    /// The end of a page, as the broker writes it.
    static let cursor = Schema.string(bytes: 1...128)
}

extension Member {
    static let call = Member.required("call", .id, "the call")
    static let after = Member.optional("after", .cursor, "`next` of the page before")
    static let includeEnded = Member.optional(
        "include_ended", .boolean,
        "whether to include ended calls that are still kept; false if left out")
    static let limit = Member.optional(
        "limit", .integer(1...1_000), "the greatest number; as many as fit if left out")
}
