/// What it is told without being asked.
extension Scenario {
    static let notices: [Scenario] = [
        Scenario("survives_reset", "After a reset it goes on and answers.") { trial in
            try trial.begin()
            _ = try trial.someCall()
            try trial.tell("provider.reset", #"{"reason":"admin"}"#)
            try trial.ping()
            let id = try trial.inject("set_muted", on: trial.newID(), #"{"muted":true}"#)
            try trial.settle(id, "set_muted")
        },
        Scenario(
            "reset_frees_its_line", "After a reset it has no calls: it takes new ones as before."
        ) { trial in
            try trial.begin()
            guard let call = try trial.startCall() else {
                throw Stop.notApplicable("it starts no calls")
            }
            try trial.forget(call)
            try trial.tell("provider.reset", #"{"reason":"broker_reset"}"#)
            try trial.ping()
            guard try trial.startCall() != nil else {
                throw Stop.failed("before the reset it started a call, after it it does not")
            }
        },
        notice("audio", "It takes audio.activated and audio.deactivated.") { call in
            [
                ("audio.activated", #"{"group":"\#(call)","calls":["\#(call)"]}"#),
                ("audio.deactivated", #"{"group":"\#(call)","calls":["\#(call)"]}"#),
            ]
        },
        notice("authorization", "It takes provider.authorization_changed.") { _ in
            ["not_determined", "denied", "authorized", "x_perhaps"].map {
                ("provider.authorization_changed", #"{"status":"\#($0)"}"#)
            }
        },
        notice("warning", "A broker.warning ends nothing.") { _ in
            [("broker.warning", #"{"reason":"x_new_reason","message":"mind the gap"}"#)]
        },
        notice("unknown_notification", "A notification that it does not know is ignored.") { _ in
            [("x_party.over", #"{"why":{"late":[1,2,3]}}"#), ("x_party.over", "{}")]
        },
        notice("unknown_event", "An event that it does not know is ignored.") { call in
            [
                (
                    "event",
                    #"{"subscription":1,"epoch":"\#(call)","seq":1,"prev":0,"at_ms":1767225600000,"#
                        + #""topic":"x_moon.rose","data":{"full":true}}"#
                )
            ]
        },
        Scenario("unknown_reply", "A reply to something it did not ask is ignored.") { trial in
            try trial.begin()
            let wire = try trial.wire()
            for id in ["4711", #""no such id""#, "null"] {
                wire.write(#"{"jsonrpc":"2.0","id":\#(id),"result":{"seq":1}}"#)
                wire.write(
                    #"{"jsonrpc":"2.0","id":\#(id),"error":{"code":-32600,"message":"no","#
                        + #""data":{"reason":"invalid","retryable":false}}}"#)
            }
            try trial.ping()
        },
    ]

    /// Some notifications, after which it goes on.
    private static func notice(
        _ name: String, _ promise: String,
        _ notices: @escaping @Sendable (_ call: String) -> [(String, String)]
    ) -> Scenario {
        Scenario(name, promise) { trial in
            try trial.begin()
            for (method, params) in notices(trial.newID()) { try trial.tell(method, params) }
            try trial.ping()
        }
    }
}

extension Trial {
    /// The broker forgets a call; the program does not hear of it.
    func forget(_ call: String) throws {
        let wire = try wire()
        wire.quietCalls.insert(call)
        user.request("call.end", #"{"call":"\#(call)"}"#)
        broker.settle()
    }
}
