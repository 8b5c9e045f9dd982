internal import BrokerRPC
internal import CallModel

/// The methods of the host's audio endpoints.
extension MethodTable {
    static let audioRows = [reportEndpoints, chooseEndpoint, useEndpoint, handover]

    /// The time to use another endpoint, in milliseconds: a headset may have to be connected first.
    package static let useEndpointMS = 10_000

    private static let reportEndpoints = Method(
        name: .reportEndpoints, direction: .toBroker(.request { .audio(.report($0)) }),
        form: .request(
            result: [
                .optional(
                    "chosen", .endpointID,
                    "the endpoint that the user has chosen last, even if it is not in the list"),
                .seq,
            ], deadlineMS: 5_000),
        roles: .audio,
        summary: "Reports the audio endpoints of the host",
        details: """
            Where the sound of calls comes out whose apps have no endpoints of their own; the whole \
            list, whenever it changes. One client at a time has the role audio; the list is empty once \
            its connection ends.
            """,
        params: [
            .required("endpoints", .endpoints, "the endpoints, which replace the former ones")
        ],
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "a laptop with a headset",
                params: #"{"endpoints":[\#(Sample.speaker),\#(Sample.headset)]}"#,
                result: #"{"chosen":"headset","seq":42}"#)
        ])

    private static let chooseEndpoint = Method(
        name: .chooseEndpoint, direction: .toBroker(.request { .audio(.choose($0)) }),
        form: .request(result: [.seq], deadlineMS: 15_000),
        roles: .asking,
        summary: "Chooses an audio endpoint of the host",
        details: """
            One of the `endpoints` of host.get that is not `unavailable`: for the live call, if its app \
            has no endpoints of its own, and for all calls after it, until another one is chosen. The \
            reply comes when the client with the role audio has done it. To choose an endpoint of an \
            app, see call.set_endpoint.
            """,
        params: [.required("endpoint", .endpointID, "the id of the endpoint")],
        errors: [
            .permissionDenied, .notFound, .overloaded, .deadlineExceeded, .providerFailed,
            .providerGone,
        ],
        examples: [
            Method.Example(
                "the headset", params: #"{"endpoint":"headset"}"#, result: #"{"seq":43}"#)
        ])

    private static let useEndpoint = Method(
        name: .useEndpoint, direction: .toClient,
        form: .request(result: [], deadlineMS: useEndpointMS),
        roles: .audio,
        summary: "Asks for another audio endpoint of the host to be used",
        details: """
            Sent to the client with the role audio: move the sound of the live call there, and let the \
            next calls come out there. A result means that it is done, or that there is no call; an \
            error, with a reason in `data`, that the sound is where it was.
            """,
        params: [
            .required("endpoint", .endpointID, "the id of the endpoint, from the last report"),
            .required("deadline_ms", .integer(1...600_000), "the deadline of the reply, from now"),
        ],
        errors: [.methodNotFound, .brokerError, .cancelled],
        examples: [
            Method.Example(
                "the headset", params: #"{"endpoint":"headset","deadline_ms":10000}"#, result: "{}")
        ])

    private static let handover = Method(
        name: .handover, direction: .toClient,
        form: .request(result: [], deadlineMS: 2_000),
        roles: .observer,
        summary: "Asks an observer of the handover to be ready for the audio of a call",
        details: """
            Sent to the clients that the policy names in `handover.observers`, when an answer is \
            fulfilled or a dialed call connects; once per call, and never for an emergency. The app \
            gets `audio.activated` when all have answered, or at the deadline. The state of the call \
            does not wait. An error counts as an answer: an observer delays the audio, and does not \
            deny it. If the audio is withdrawn meanwhile, `broker.cancel` follows.
            """,
        params: [
            .required("provider", .identity, "the provider of the calls"),
            .required("group", .id, "the name of the group that gets the audio"),
            .required("calls", .array(.id, count: 1...1_024), "its calls"),
            .required("deadline_ms", .integer(1...600_000), "the deadline of the reply, from now"),
        ],
        errors: [.methodNotFound, .brokerError, .cancelled],
        examples: [
            Method.Example(
                "a call that was answered",
                params: """
                    {"provider":"\(Sample.provider)","group":"\(Sample.call)",\
                    "calls":["\(Sample.call)"],"deadline_ms":2000}
                    """, result: "{}")
        ])
}
