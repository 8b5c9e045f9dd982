internal import BrokerRPC
internal import CallModel

/// The methods about the participants of a conference that the far end runs.
extension MethodTable {
    static let participantRows = [
        reportParticipants, participants, updateParticipant, changeParticipant,
    ]

    /// The time to change a participant, in milliseconds.
    package static let changeParticipantMS = 10_000

    private static let reportParticipants = Method(
        name: .reportParticipants, direction: .toBroker(.request { .report(.participants($0)) }),
        form: .request(result: [.seq], deadlineMS: 5_000), roles: .provider,
        summary: "Reports who takes part in a conference that the far end runs",
        details: """
            For a meeting or a conference server, which the broker knows as one call; calls that the \
            app merges itself are a group. Each report has what has changed since the one before, and \
            a long list takes several. Up to \(Participant.countMax) are kept, until the call ends or \
            the broker restarts; a report of more is refused as a whole. After a reconnection the app \
            reports all of them with `replace`.
            """,
        params: [.call] + ParticipantSchemas.change,
        errors: [.permissionDenied, .notFound, .limitReached],
        examples: [
            Method.Example(
                "the first two",
                params: """
                    {"call":"\(Sample.call)","replace":true,"changed":[\
                    {"participant":"7","name":"Ada","self":true},{"participant":"9","name":"Grace","muted":true}]}
                    """,
                result: #"{"seq":42}"#),
            Method.Example(
                "one has left",
                params: #"{"call":"\#(Sample.call)","removed":["9"]}"#,
                result: #"{"seq":42}"#),
        ])

    private static let participants = Method(
        name: .participants, direction: .toBroker(.request { .call(.participants($0)) }),
        form: .request(
            result: [
                .call,
                .required("count", .count, "the number of participants"),
                .required(
                    "participants",
                    .array(
                        .object(ParticipantSchemas.participant), count: 0...Participant.countMax),
                    "in order of their first report"),
                .optional("next", .cursor, "present if there are more: pass it as `after`"), .seq,
            ], deadlineMS: 5_000),
        roles: .watching,
        summary: "Lists the participants of a conference",
        details: """
            As its app has reported them; empty for any other call. Changes are published as \
            call.participants.
            """,
        params: [.call, .after, .limit], errors: [.permissionDenied, .notFound],
        examples: [
            Method.Example(
                "a meeting of two", params: #"{"call":"\#(Sample.call)"}"#,
                result: """
                    {"call":"\(Sample.call)","count":2,"participants":[\
                    {"participant":"7","name":"Ada","state":"joined","muted":false,"hand_raised":false,\
                    "self":true},\
                    {"participant":"9","name":"Grace","state":"joined","muted":true,"hand_raised":false,\
                    "self":false}],"seq":42}
                    """)
        ])

    private static let updateParticipant = Method(
        name: .updateParticipant, direction: .toBroker(.request { .participant(.update($0)) }),
        form: .request(result: [.seq], deadlineMS: changeParticipantMS + 1_000), roles: .asking,
        summary: "Mutes a participant of a conference, or raises a hand",
        details: """
            One change, of what the participant has as `changeable`; for one's own hand that of the \
            participant who is `self`. The call's provider is asked with participant.change, and \
            call.participants shows what came of it.
            """,
        params: [.call] + ParticipantSchemas.update,
        errors: [
            .permissionDenied, .notFound, .overloaded, .deadlineExceeded, .cancelled,
            .providerFailed, .providerGone,
        ],
        examples: [
            Method.Example(
                "one's own hand",
                params: #"{"call":"\#(Sample.call)","participant":"7","hand_raised":true}"#,
                result: Sample.seq),
            Method.Example(
                "somebody who forgot it",
                params: #"{"call":"\#(Sample.call)","participant":"9","muted":true}"#,
                result: Sample.seq),
        ])

    private static let changeParticipant = Method(
        name: .changeParticipant, direction: .toClient,
        form: .request(result: [], deadlineMS: changeParticipantMS), roles: .provider,
        summary: "Asks a provider to mute a participant, or to raise a hand",
        details: """
            Sent only for what the provider has reported as `changeable`. It reports the participant as \
            changed with call.report_participants, then replies with a result. An error, with a reason \
            in `data`, says that nothing has changed; its code and reason are told to the user.
            """,
        params: [.call] + ParticipantSchemas.update + [
            .required("deadline_ms", .integer(1...600_000), "the deadline of the reply, from now")
        ],
        errors: [.methodNotFound, .brokerError, .cancelled],
        examples: [
            Method.Example(
                "one's own hand",
                params: """
                    {"call":"\(Sample.call)","participant":"7","hand_raised":true,"deadline_ms":10000}
                    """, result: "{}")
        ])
}
