internal import BrokerRPC

/// What is served under `serve --test-mode` only.
extension MethodTable {
    static let testRows = [advance, awaitSettled]

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
            Fires what falls due, in order, and handles everything readable before each. It does \
            not wait for peers. Only with serve --test-mode.
            """,
        params: [.required("ms", .integer(0...86_400_000), "by how much")],
        errors: [.permissionDenied, .invalidState],
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
            those that are named. The clock stands still meanwhile. Only with serve --test-mode.
            """,
        params: [
            .optional(
                "ignore", .array(.identity, count: 0...32), "providers that need not answer")
        ],
        errors: [.permissionDenied],
        examples: [
            Method.Example("everybody", params: "{}", result: Sample.seq),
            Method.Example(
                "but one", params: #"{"ignore":["\#(Sample.provider)"]}"#, result: Sample.seq),
        ])
}
