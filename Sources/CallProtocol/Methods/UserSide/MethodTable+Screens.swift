internal import BrokerRPC
internal import CallModel

/// Who presents calls to the user.
extension MethodTable {
    static let screenRows = [claimScreen, releaseScreen, present, dismissCall]

    /// How long a screen has to answer.
    package static let presentMS = 2_000

    private static let primary = Member.required(
        "primary", .boolean, "whether this screen gets the next call")

    private static let claimScreen = Method(
        name: .claimScreen, direction: .toBroker,
        form: .request(result: [primary], deadlineMS: 5_000),
        roles: .ui,
        summary: "Wants to present calls",
        details: """
            From now on calls may be given to this connection with ui.present: those that nobody \
            presents at once, new ones if its claim has the highest priority, of equal ones the \
            earliest. What another screen presents stays there. Claiming again changes \
            priority and sound, and asks again about what nobody presents. A claim ends with ui.release, or \
            with the connection. A plugin whose manifest has the member ui claims by its hello.
            """,
        params: [
            .optional("priority", .integer(-1_000...1_000), "the highest wins; 0 if left out"),
            .optional(
                "sound", .boolean,
                "whether the screen rings for what it presents: then apps that can are silent; no"),
        ],
        errors: [.permissionDenied],
        examples: [
            Method.Example("the only screen", params: "{}", result: #"{"primary":true}"#),
            Method.Example(
                "one that rings", params: #"{"sound":true}"#, result: #"{"primary":true}"#),
            Method.Example(
                "for when no other screen is there", params: #"{"priority":-100}"#,
                result: #"{"primary":false}"#),
        ])

    private static let releaseScreen = Method(
        name: .releaseScreen, direction: .toBroker,
        form: .request(result: [primary], deadlineMS: 5_000),
        roles: .ui,
        summary: "Presents no calls any more",
        details: """
            Before the reply each call that it presents is dismissed, and given to the next screen. \
            Without a claim nothing happens.
            """,
        errors: [.permissionDenied],
        examples: [Method.Example("done", params: "{}", result: #"{"primary":false}"#)])

    private static let callerText = Schema.string(bytes: 0...Caller.textBytesMax)

    private static let present = Method(
        name: .present, direction: .toClient,
        form: .request(
            result: [
                .required("presented", .boolean, "whether the user can see it there from now on")
            ], deadlineMS: presentMS),
        roles: .ui,
        summary: "Show this call to the user",
        details: """
            The call as it is now; how it goes on is told by events, until ui.dismiss. After \
            presented: false, or an error, the next screen is asked; if there is none, the call is an \
            event only. Of two screens one is asked at a time, until one has not answered for 2 s, or \
            2 s have passed since the first was asked: then all the others are asked at once, and the \
            first yes has the call. A screen that has not answered in time comes last, whatever its \
            priority, until it answers something again, be it late.
            """,
        params: CallSchemas.call + [
            .optional(
                "suggested",
                .object([
                    .optional("name", callerText, "as the user, or a directory, calls them"),
                    .optional("label", callerText, "what kind of caller it is"),
                ]), "what to call the other side, as far as the host knows"),
            .required(
                "actions", .array(.words(Verb.self, isOpen: true), count: 0...64),
                "what to offer right now: the call's allowed"),
            .required(
                "deadline_ms", .integer(1...600_000), "how long the answer may take from now"),
        ],
        errors: [.brokerError],
        examples: [
            Method.Example(
                "somebody calls",
                params: """
                    {\(Sample.members(ofCall: Sample.call, "ringing", Sample.answers)),\
                    "suggested":{"name":"Ada Lovelace","label":"Family"},\
                    "actions":[\(Sample.answers)],"deadline_ms":2000}
                    """,
                result: #"{"presented":true}"#),
            Method.Example(
                "a screen that shows only calls of others",
                params: """
                    {\(Sample.members(ofCall: Sample.call, "ringing", Sample.answers)),\
                    "actions":[\(Sample.answers)],"deadline_ms":2000}
                    """,
                result: #"{"presented":false}"#),
        ])

    private static let dismissCall = Method(
        name: .dismissCall, direction: .toClient, form: .notification,
        roles: .ui,
        summary: "Show this call no longer",
        details: """
            ended: it is over. timed_out: ui.present was not answered in time, and broker.cancel has \
            taken it back. taken: another screen that was asked at the same time has it, and \
            broker.cancel has taken the question back. released: the screen has given up its claim. A \
            call that was answered goes on being presented.
            """,
        params: [
            .call,
            .required(
                "reason", .choice(["ended", "timed_out", "taken", "released"], isOpen: true),
                "a stable word"),
        ],
        examples: [
            Method.Example("it is over", params: #"{"call":"\#(Sample.call)","reason":"ended"}"#)
        ])
}
