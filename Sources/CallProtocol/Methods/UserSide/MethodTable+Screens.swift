internal import BrokerRPC
internal import CallModel

/// The methods of screens, which present calls to the user.
extension MethodTable {
    static let screenRows = [claimScreen, releaseScreen, present, dismissCall]

    /// The time in which a screen has to answer, in milliseconds.
    package static let presentMS = 2_000

    private static let primary = Member.required(
        "primary", .boolean, "whether this screen gets the next call")

    private static let claimScreen = Method(
        name: .claimScreen, direction: .toBroker(.request { .screen(.claim($0)) }),
        form: .request(result: [primary], deadlineMS: 5_000),
        roles: .ui,
        summary: "Claims the presentation of calls",
        details: """
            Calls are then offered to this connection with ui.present: those that no screen presents at \
            once, and new ones if its claim has the highest priority, or is the earliest with that \
            priority. Calls that another screen presents stay there. Another claim changes priority \
            and sound, and offers unpresented calls again. A claim ends with ui.release, or with the \
            connection. The hello of a plugin whose manifest has the member `ui` is a claim.
            """,
        params: [
            .optional(
                "priority", .integer(-1_000...1_000), "the highest priority wins; 0 if left out"),
            .optional(
                "sound", .boolean,
                "whether the screen rings for calls that it presents, so that apps with the feature presentation are silent; false if left out"
            ),
        ],
        errors: [.permissionDenied],
        examples: [
            Method.Example("the only screen", params: "{}", result: #"{"primary":true}"#),
            Method.Example(
                "a screen that rings", params: #"{"sound":true}"#, result: #"{"primary":true}"#),
            Method.Example(
                "a fallback screen", params: #"{"priority":-100}"#,
                result: #"{"primary":false}"#),
        ])

    private static let releaseScreen = Method(
        name: .releaseScreen, direction: .toBroker(.bare(.screen(.release))),
        form: .request(result: [primary], deadlineMS: 5_000),
        roles: .ui,
        summary: "Releases the claim",
        details: """
            Before the reply, each call that the screen presents is dismissed, and offered to the next \
            screen. Without a claim, nothing happens.
            """,
        errors: [.permissionDenied],
        examples: [Method.Example("done", params: "{}", result: #"{"primary":false}"#)])

    private static let callerText = Schema.string(bytes: 0...Caller.textBytesMax)

    private static let present = Method(
        name: .present, direction: .toClient,
        form: .request(
            result: [
                .required("presented", .boolean, "whether the screen presents the call")
            ], deadlineMS: presentMS),
        roles: .ui,
        summary: "Asks a screen to present a call",
        details: """
            Contains the call; events report its changes until ui.dismiss. After `presented`: false, or \
            an error, the next screen is asked; without one, the call is only published as events. \
            Screens are asked one after the other until one has not replied for 2 s, or until 2 s after \
            the first request: then all others are asked at the same time, and the first one that \
            accepts presents the call. A screen that did not reply in time comes last, whatever its \
            priority, until its next reply.
            """,
        params: CallSchemas.call + [
            .optional(
                "suggested",
                .object([
                    .optional("name", callerText, "the contact's or the directory's name"),
                    .optional("label", callerText, "a label for the caller"),
                ]), "the callers' names and labels, as far as known"),
            .required(
                "actions", .array(.words(Verb.self, isOpen: true), count: 0...64),
                "the actions to offer: the call's `allowed`"),
            .required(
                "deadline_ms", .integer(1...600_000), "the deadline of the reply, from now"),
        ],
        errors: [.brokerError],
        examples: [
            Method.Example(
                "an incoming call",
                params: """
                    {\(Sample.members(ofCall: Sample.call, "ringing", Sample.answers)),\
                    "suggested":{"name":"Ada Lovelace","label":"Family"},\
                    "actions":[\(Sample.answers)],"deadline_ms":2000}
                    """,
                result: #"{"presented":true}"#),
            Method.Example(
                "a screen that does not present this call",
                params: """
                    {\(Sample.members(ofCall: Sample.call, "ringing", Sample.answers)),\
                    "actions":[\(Sample.answers)],"deadline_ms":2000}
                    """,
                result: #"{"presented":false}"#),
        ])

    private static let dismissCall = Method(
        name: .dismissCall, direction: .toClient, form: .notification,
        roles: .ui,
        summary: "Instructs a screen to dismiss a call",
        details: """
            `ended`: the call has ended. `timed_out`: ui.present was not answered in time, and was \
            cancelled. `taken`: another screen that was asked at the same time presents the call, and \
            the request was cancelled. `released`: the screen has released its claim. An answered call \
            continues to be presented.
            """,
        params: [
            .call,
            .required(
                "reason", .choice(["ended", "timed_out", "taken", "released"], isOpen: true),
                "a stable word"),
        ],
        examples: [
            Method.Example(
                "the call has ended", params: #"{"call":"\#(Sample.call)","reason":"ended"}"#)
        ])
}
