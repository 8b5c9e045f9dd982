internal import BrokerRPC
internal import CallModel

/// The methods of real-time text.
extension MethodTable {
    static let textRows = [reportTextRequest, reportText, sendText, transmitText]

    /// The time to send text, in milliseconds.
    package static let sendTextMS = 5_000

    private static let reportTextRequest = Method(
        name: .reportTextRequest, direction: .toBroker(.request { .report(.textRequest($0)) }),
        form: .request(result: [.seq], deadlineMS: 5_000), roles: .provider,
        summary: "Reports that the remote party asks for real-time text",
        details: """
            The user is asked: the call has `text_request` until the user has decided, which is the \
            action set_text, or for `video_request_ms` of the policy. False withdraws the request.
            """,
        params: [
            .call,
            .required("requested", .boolean, "true: the remote party asks; false: no longer"),
            .atMS,
        ],
        errors: [.permissionDenied, .notFound, .invalidState],
        examples: [
            Method.Example(
                "asked", params: #"{"call":"\#(Sample.call)","requested":true}"#,
                result: Sample.seq)
        ])

    private static let reportText = Method(
        name: .reportText, direction: .toBroker(.request { .report(.text($0)) }),
        form: .request(result: [.seq], deadlineMS: 5_000), roles: .provider,
        summary: "Reports what the remote party has typed",
        details: """
            For a call with `has_text`. The characters are published as call.text, and not kept. An app \
            collects them for up to 300 ms (RFC 4103).
            """,
        params: [.call, TextSchemas.characters],
        errors: [.permissionDenied, .notFound, .invalidState],
        examples: [
            Method.Example(
                "three characters", params: #"{"call":"\#(Sample.call)","text":"hel"}"#,
                result: Sample.seq)
        ])

    private static let sendText = Method(
        name: .sendText, direction: .toBroker(.request { .text(.send($0)) }),
        form: .request(result: [.seq], deadlineMS: sendTextMS + 1_000), roles: .asking,
        summary: "Sends what the user has typed to the remote party",
        details: """
            For an active call with `has_text`. The call's provider gets the characters with \
            provider.send_text; the reply comes once it has sent them, and call.text shows them to \
            other screens.
            """,
        params: [.call, TextSchemas.characters],
        errors: [
            .permissionDenied, .notFound, .invalidState, .overloaded, .deadlineExceeded, .cancelled,
            .providerFailed, .providerGone,
        ],
        examples: [
            Method.Example(
                "two characters", params: #"{"call":"\#(Sample.call)","text":"hi"}"#,
                result: Sample.seq)
        ])

    private static let transmitText = Method(
        name: .transmitText, direction: .toClient,
        form: .request(result: [], deadlineMS: sendTextMS), roles: .provider,
        summary: "Asks a provider to send real-time text",
        details: """
            On an active call that has text, in the order of the requests. The provider replies once \
            the characters are on their way; an error says that they are not.
            """,
        params: [
            .call, TextSchemas.characters,
            .required("deadline_ms", .integer(1...600_000), "the deadline of the reply, from now"),
        ],
        errors: [.methodNotFound, .brokerError, .cancelled],
        examples: [
            Method.Example(
                "two characters",
                params: #"{"call":"\#(Sample.call)","text":"hi","deadline_ms":5000}"#,
                result: "{}")
        ])
}
