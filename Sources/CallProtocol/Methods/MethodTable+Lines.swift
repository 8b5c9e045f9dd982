internal import BrokerRPC
internal import CallModel

/// The methods of the settings of lines.
extension MethodTable {
    static let lineRows = [setLineSetting, changeLineSetting]

    /// The time to change a setting, in milliseconds: the network may have to be asked several times.
    package static let changeLineSettingMS = 60_000

    private static let line: [Member] = [
        .required("provider", .identity, "the provider that has the line"),
        .required("line", .lineID, "the id of the line"),
    ]

    private static let setLineSetting = Method(
        name: .setLineSetting, direction: .toBroker(.request { .line(.setSetting($0)) }),
        form: .request(result: [.seq], deadlineMS: changeLineSettingMS + 5_000),
        roles: .asking,
        summary: "Changes a setting that the network keeps for a line",
        details: """
            One of the `settings` of a line in provider.list: call forwarding, call waiting or the \
            hidden number. The provider is asked with line.change_setting, and the reply comes when \
            the network has answered; until then the line shows the former setting. It concerns later \
            calls only. Forwarding that is turned on needs `to`. An app changes its own lines only.
            """,
        params: line + LineSettingSchemas.change,
        errors: [
            .permissionDenied, .notFound, .overloaded, .deadlineExceeded, .cancelled,
            .providerFailed, .providerGone,
        ],
        examples: [
            Method.Example(
                "to the voicemail after 20 seconds",
                params: """
                    {"provider":"\(Sample.provider)","line":"sim","setting":"forward_no_reply",\
                    "on":true,"to":\(Sample.remote),"after_ms":20000}
                    """, result: Sample.seq),
            Method.Example(
                "no call waiting",
                params: """
                    {"provider":"\(Sample.provider)","line":"sim","setting":"call_waiting","on":false}
                    """, result: Sample.seq),
        ])

    private static let changeLineSetting = Method(
        name: .changeLineSetting, direction: .toClient,
        form: .request(result: [], deadlineMS: changeLineSettingMS),
        roles: .provider,
        summary: "Asks a provider to change a setting of one of its lines",
        details: """
            Sent only for settings that the provider has reported for the line. The provider reports \
            the line's new settings with provider.update, then replies with a result. An error, with a \
            reason in `data`, says that the setting is as it was; its code and reason are told to the \
            user.
            """,
        params: [.required("line", .lineID, "the id of the line")] + LineSettingSchemas.change + [
            .required("deadline_ms", .integer(1...600_000), "the deadline of the reply, from now")
        ],
        errors: [.methodNotFound, .brokerError, .cancelled],
        examples: [
            Method.Example(
                "to the voicemail after 20 seconds",
                params: """
                    {"line":"sim","setting":"forward_no_reply","on":true,"to":\(Sample.remote),\
                    "after_ms":20000,"deadline_ms":60000}
                    """, result: "{}")
        ])
}
