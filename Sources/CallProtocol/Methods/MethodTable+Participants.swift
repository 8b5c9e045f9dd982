internal import BrokerRPC
internal import CallModel

/// The methods about the participants of a conference that the far end runs.
extension MethodTable {
    static let participantRows = [reportParticipants, participants]

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
}
