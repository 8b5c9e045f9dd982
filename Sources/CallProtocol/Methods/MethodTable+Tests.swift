internal import BrokerRPC

/// The methods of the test mode (`serve --test-mode`).
extension MethodTable {
    static let testRows = [advance, awaitSettled]

    /// The peers to ignore, and the longest wait for the others.
    private static let patience: [Member] = [
        .optional("ignore", .array(.identity, count: 0...32), "the peers to ignore"),
        .optional(
            "limit_ms", .integer(0...600_000),
            "the longest wait in real time; 30 s if left out"),
    ]

    private static let advance = Method(
        name: .advance, direction: .toBroker(.request { .test(.advance($0)) }),
        form: .request(
            result: [
                .required("fired", .count, "the number of timers that fired"),
                .required("now_ms", .count, "the clock after the move"),
                .required("seq", .count, "the number of the latest event"),
            ], deadlineMS: 60_000),
        roles: .admin, isForTests: true,
        summary: "Advances the virtual clock",
        details: """
            Fires due timers in order, and handles everything readable before each. With `settle` it \
            also waits, before each timer and at the end, until no peer has a pending reply, as \
            test.settle does; after the time limit the clock stays where it is, and the error lists the \
            pending replies. The clock waits for clients that read their events. Only with serve \
            --test-mode.
            """,
        params: [
            .required("ms", .integer(0...86_400_000), "the time to advance by"),
            .optional("settle", .boolean, "whether to wait for replies; false if left out"),
        ] + patience,
        errors: [.permissionDenied, .invalidState, .deadlineExceeded],
        examples: [
            Method.Example(
                "one second", params: #"{"ms":1000}"#,
                result: #"{"fired":0,"now_ms":1000,"seq":0}"#)
        ])

    private static let awaitSettled = Method(
        name: .awaitSettled, direction: .toBroker(.request { .test(.settle($0)) }),
        form: .request(result: [.seq], deadlineMS: 60_000),
        roles: .admin, isForTests: true,
        summary: "Waits until all replies and work are done",
        details: """
            Replies when nothing is left to read and no peer has a pending reply, except for ignored \
            peers. The clock stands still meanwhile. After limit_ms, `data` of the error \
            deadline_exceeded lists the pending replies (`owed`: who, request, asked, and the subject; \
            a plugin that is being started owes its hello) and other pending work (`busy`: words). \
            With limit_ms 0 it does not wait. Only with serve --test-mode.
            """,
        params: patience,
        errors: [.permissionDenied, .deadlineExceeded],
        examples: [
            Method.Example("everybody", params: "{}", result: Sample.seq),
            Method.Example(
                "all but one", params: #"{"ignore":["\#(Sample.provider)"]}"#, result: Sample.seq),
            Method.Example(
                "without waiting", params: #"{"limit_ms":0}"#, result: Sample.seq),
        ])
}
