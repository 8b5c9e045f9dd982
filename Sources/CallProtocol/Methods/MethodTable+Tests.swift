internal import BrokerRPC

/// What is served under `serve --test-mode` only.
extension MethodTable {
    static let testRows = [advance, awaitSettled]

    /// Of whom nothing is waited for, and how long for the others.
    private static let patience: [Member] = [
        .optional("ignore", .array(.identity, count: 0...32), "who need not answer"),
        .optional(
            "limit_ms", .integer(0...600_000),
            "how long anybody may take, of real time; 30 s if left out"),
    ]

    private static let advance = Method(
        name: .advance, direction: .toBroker,
        form: .request(
            result: [
                .required("fired", .count, "timers that fired"),
                .required("now_ms", .count, "the clock afterwards"),
                .required("seq", .count, "the number of the latest event"),
            ], deadlineMS: 60_000),
        roles: .admin, isForTests: true,
        summary: "Moves the virtual clock on",
        details: """
            Fires what falls due, in order, and handles everything readable before each. With \
            settle it also waits, before each and at the end, until no peer owes the broker an \
            answer, as test.settle does; if that takes too long the clock stays where it is, and the \
            error says who owes what. Whoever reads what it is sent is not outrun: the clock waits \
            for it. Only with serve --test-mode.
            """,
        params: [
            .required("ms", .integer(0...86_400_000), "by how much"),
            .optional("settle", .boolean, "whether to wait for answers; false if left out"),
        ] + patience,
        errors: [.permissionDenied, .invalidState, .deadlineExceeded],
        examples: [
            Method.Example(
                "one second", params: #"{"ms":1000}"#,
                result: #"{"fired":0,"now_ms":1000,"seq":0}"#)
        ])

    private static let awaitSettled = Method(
        name: .awaitSettled, direction: .toBroker,
        form: .request(result: [.seq], deadlineMS: 60_000),
        roles: .admin, isForTests: true,
        summary: "Waits until nothing is under way",
        details: """
            Replies once nothing is left to read and no peer owes the broker an answer, apart from \
            those that are named. The clock stands still meanwhile. After limit_ms the error \
            deadline_exceeded says in its data who has not answered what (owed: for each request \
            who, request, asked, and what it is about; a plugin that is being started owes its \
            hello), and what else is not done (busy: words). With limit_ms 0 it says so at once. \
            Only with serve --test-mode.
            """,
        params: patience,
        errors: [.permissionDenied, .deadlineExceeded],
        examples: [
            Method.Example("everybody", params: "{}", result: Sample.seq),
            Method.Example(
                "but one", params: #"{"ignore":["\#(Sample.provider)"]}"#, result: Sample.seq),
            Method.Example(
                "at once, or who owes what", params: #"{"limit_ms":0}"#, result: Sample.seq),
        ])
}
