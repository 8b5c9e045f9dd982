internal import BrokerRPC

/// The choices of the host.
extension MethodTable {
    static let policyRows = [getPolicy, setPolicy]

    private static let result: [Member] = [
        .required("policy", PolicySchemas.policy, "as it is now"), .seq,
    ]
    private static let example = #"{"policy":\#(Sample.policy),"seq":42}"#

    private static let getPolicy = Method(
        name: .getPolicy, direction: .toBroker,
        form: .request(result: result, deadlineMS: 5_000),
        roles: [.watching, .admin],
        summary: "The policy",
        details: "Every choice and limit that decides about calls.",
        errors: [.permissionDenied],
        examples: [Method.Example("any time", params: "{}", result: example)])

    private static let setPolicy = Method(
        name: .setPolicy, direction: .toBroker,
        form: .request(result: result, deadlineMS: 5_000),
        roles: [.controller, .admin],
        summary: "Changes a part of the policy",
        details: """
            What is left out stays. It counts for what is decided from now on: a lower limit ends \
            no call. But the calls of an app that is denied end. The limits, and who may be a \
            provider, are the admin's.
            """,
        params: PolicySchemas.changes,
        errors: [.permissionDenied],
        examples: [
            Method.Example(
                "two choices",
                params: #"{"resume_after_user_end":true,"default_provider":{"sip":null}}"#,
                result: example),
            Method.Example(
                "quiet nights",
                params: """
                    {"do_not_disturb":{"schedule":[{"days":["mon","tue"],"from":"22:00",\
                    "to":"07:00"}]}}
                    """,
                result: example),
        ])
}
