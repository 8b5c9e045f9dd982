/// Scenarios about notifications.
extension Scenario {
    static let notices: [Scenario] = [
        Scenario("survives_reset", "After a reset the program still answers.") { run in
            try run.begin()
            _ = try run.someCall()
            try run.notify("provider.reset", #"{"reason":"admin"}"#)
            try run.ping()
            let id = try run.inject("set_muted", on: run.newID(), #"{"muted":true}"#)
            try run.settle(id, "set_muted")
        },
        Scenario(
            "reset_frees_its_line",
            "After a reset the program has no calls, and starts new ones as before."
        ) { run in
            try run.begin()
            guard let call = try run.startCall() else {
                throw Stop.notApplicable("the program starts no calls")
            }
            try run.forget(call)
            try run.notify("provider.reset", #"{"reason":"broker_reset"}"#)
            try run.ping()
            guard try run.startCall() != nil else {
                throw Stop.failed("the program started a call before the reset, but not after it")
            }
        },
        notice("audio", "audio.activated and audio.deactivated are accepted.") { call in
            [
                ("audio.activated", #"{"group":"\#(call)","calls":["\#(call)"]}"#),
                ("audio.deactivated", #"{"group":"\#(call)","calls":["\#(call)"]}"#),
            ]
        },
        notice("authorization", "provider.authorization_changed is accepted.") { _ in
            ["not_determined", "denied", "authorized", "x_perhaps"].map {
                ("provider.authorization_changed", #"{"status":"\#($0)"}"#)
            }
        },
        notice("warning", "A broker.warning does not end the program or its connection.") { _ in
            [("broker.warning", #"{"reason":"x_new_reason","message":"mind the gap"}"#)]
        },
        notice("unknown_notification", "An unknown notification is ignored.") { _ in
            [("x_party.over", #"{"why":{"late":[1,2,3]}}"#), ("x_party.over", "{}")]
        },
        notice("unknown_event", "An unknown event is ignored.") { call in
            [
                (
                    "event",
                    #"{"subscription":1,"epoch":"\#(call)","seq":1,"prev":0,"at_ms":1767225600000,"#
                        + #""topic":"x_moon.rose","data":{"full":true}}"#
                )
            ]
        },
        Scenario("unknown_reply", "A reply to an unknown request is ignored.") { run in
            try run.begin()
            let wire = try run.wire()
            for id in ["4711", #""no such id""#, "null"] {
                wire.write(#"{"jsonrpc":"2.0","id":\#(id),"result":{"seq":1}}"#)
                wire.write(
                    #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32600,"message":"no","#
                        + #""data":{"reason":"invalid","retryable":false}}}"#)
            }
            try run.ping()
        },
    ]

    /// Makes a scenario that sends notifications, after which the program must still answer.
    private static func notice(
        _ name: String, _ promise: String,
        _ notices: @escaping @Sendable (_ call: String) -> [(String, String)]
    ) -> Scenario {
        Scenario(name, promise) { run in
            try run.begin()
            for (method, params) in notices(run.newID()) { try run.notify(method, params) }
            try run.ping()
        }
    }
}

extension ConformanceRun {
    /// Ends a call in the broker without a request to the program.
    func forget(_ call: String) throws {
        let wire = try wire()
        wire.quietCalls.insert(call)
        user.request("call.end", #"{"call":"\#(call)"}"#)
        broker.settle()
    }
}
