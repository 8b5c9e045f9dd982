internal import BrokerRPC

/// The methods of the host's policy.
extension MethodTable {
    static let policyRows = [getPolicy, setPolicy]

    private static let result: [Member] = [
        .required("policy", PolicySchemas.policy, "the policy"), .seq,
    ]
    private static let example = #"{"policy":\#(Sample.policy),"seq":42}"#

    private static let getPolicy = Method(
        name: .getPolicy, direction: .toBroker(.bare(.policy(.get))),
        form: .request(result: result, deadlineMS: 5_000),
        roles: [.watching, .admin],
        summary: "Returns the policy",
        details: "All settings and limits that decide about calls.",
        errors: [.permissionDenied],
        examples: [Method.Example("any time", params: "{}", result: example)])

    private static let setPolicy = Method(
        name: .setPolicy, direction: .toBroker(.request { .policy(.set($0)) }),
        form: .request(result: result, deadlineMS: 5_000),
        roles: [.controller, .admin],
        summary: "Changes members of the policy",
        details: """
            Absent members keep their values. Changes apply to later decisions and timers: a lower \
            limit does not end calls. Only the calls of a denied app end. Limits, times, `emergency`, \
            `authorization`, `new_providers` and `rights` need the role admin; `timeouts` does not. `timeouts` \
            sets all deadlines, and `deadlines` in the same request overrides the deadlines that it \
            names.
            """,
        params: PolicySchemas.changes,
        errors: [.permissionDenied, .invalidState],
        examples: [
            Method.Example(
                "two choices",
                params: #"{"resume_after_user_end":true,"default_provider":{"sip":null}}"#,
                result: example),
            Method.Example(
                "a Flatpak may have calls, and press its own buttons",
                params: """
                    {"rights":[{"app":"org.example.Phone","roles":["provider","controller"]}]}
                    """,
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
