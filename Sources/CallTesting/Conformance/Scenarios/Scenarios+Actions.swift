/// What it is asked to perform.
extension Scenario {
    static let actions: [Scenario] = [
        Scenario("answers_start", "A start is answered once, with a result or an error.") { trial in
            try trial.begin()
            let wire = try trial.wire()
            _ = try trial.startCall()
            guard wire.asked.contains(where: { $0.kind == "start" }) else {
                throw Stop.notApplicable("the broker does not start a call with it")
            }
            try trial.ping()
            try trial.expectNoFault(.answeredTwice)
            try trial.expectNoFault(.badReply)
        },
        kind("answers_end", "end"),
        kind("answers_hold", "set_held", #""held":true"#, needs: "supports_holding"),
        Scenario("answers_resume", "A resume is answered once, with a result or an error.") {
            trial in
            try trial.begin()
            let call = try trial.someCall()
            trial.awaitActive(call)
            try trial.requireSupport("supports_holding", of: call)
            try trial.settle(try trial.perform("set_held", on: call, #""held":true"#), "set_held")
            try trial.settle(try trial.perform("set_held", on: call, #""held":false"#), "set_held")
        },
        kind("answers_mute", "set_muted", #""muted":true"#),
        Scenario("answers_group", "A set_group is answered once, with a result or an error.") {
            trial in
            try trial.begin()
            let call = try trial.someCall()
            let other = trial.newID()
            try trial.settle(
                try trial.inject("set_group", on: call, #"{"with":"\#(other)"}"#), "set_group")
            try trial.settle(
                try trial.inject("set_group", on: call, #"{"with":null}"#), "set_group")
        },
        kind("answers_dtmf", "play_dtmf", #""digits":"12#""#, needs: "supports_dtmf"),
        Scenario("answers_unknown_call", "Actions on a call that it never had are answered.") {
            trial in
            try trial.begin()
            for (kind, arguments) in [
                ("answer", "{}"), ("end", "{}"), ("set_held", #"{"held":true}"#),
                ("set_muted", #"{"muted":false}"#), ("play_dtmf", #"{"digits":"1"}"#),
            ] {
                try trial.settle(try trial.inject(kind, on: trial.newID(), arguments), kind)
            }
        },
        Scenario(
            "refuses_unknown_kind", "A kind of action that it does not know is refused with -32601."
        ) { trial in
            try trial.begin()
            let call = try trial.someCall()
            try trial.expectUnknown(try trial.inject("x_wave", on: call, #"{"x":1}"#), "x_wave")
        },
        Scenario("refuses_unknown_method", "A method that it does not know is refused with -32601.")
        { trial in
            try trial.begin()
            try trial.expectUnknown(try trial.wire().ask("x_party.dance"), "x_party.dance")
            try trial.ping()
        },
        Scenario(
            "execute_as_declared",
            "Whole transactions are taken or left if it said so, and else refused with -32601."
        ) { trial in
            try trial.begin()
            let call = try trial.someCall()
            let id = try trial.wire().ask(
                "provider.execute",
                #"{"transaction":"\#(trial.newID())","actions":[{"action":"\#(trial.newID())","#
                    + #""kind":"set_muted","call":"\#(call)","arguments":{"muted":true},"#
                    + #""cause":{"origin":"user"}}],"deadline_ms":1000}"#)
            guard trial.registration["takes_transactions"]?.boolean == true else {
                return try trial.expectUnknown(id, "provider.execute")
            }
            let answer = try trial.reply(to: id, "provider.execute")
            if answer["error"] == nil, answer["result"]?["taken"]?.boolean == nil {
                throw Stop.failed("the result has no \"taken\": true or false")
            }
        },
        Scenario(
            "new_request_members", "Members of a request that it does not know are ignored."
        ) { trial in
            try trial.begin()
            let call = try trial.someCall()
            let plain = try trial.settle(
                try trial.inject("set_muted", on: call, #"{"muted":true}"#), "set_muted")
            let more = try trial.settle(
                try trial.inject(
                    "set_muted", on: call, #"{"muted":true,"x_softly":true}"#,
                    more: #","x_new":{"deep":[1,2,{"a":null}]}"#), "set_muted")
            if plain, !more {
                throw Stop.failed("it refuses with more members what it does without them")
            }
        },
    ]

    /// A kind of action on a call.
    private static func kind(
        _ name: String, _ kind: String, _ members: String = "", needs member: String? = nil
    ) -> Scenario {
        let article = kind == "end" ? "An" : "A"
        return Scenario(
            name, "\(article) \(kind) is answered once, with a result or an error."
        ) { trial in
            try trial.begin()
            let call = try trial.someCall()
            trial.awaitActive(call)
            if let member { try trial.requireSupport(member, of: call) }
            try trial.settle(try trial.perform(kind, on: call, members), kind)
        }
    }
}

extension Trial {
    func expectUnknown(_ id: Int, _ what: String) throws {
        let answer = try reply(to: id, what)
        let code = answer["error"]?["code"]?.integer
        guard code != -32_601 else { return }
        throw Stop.failed(
            code.map { "\(what) is refused with \($0) instead of -32601" }
                ?? "\(what) is answered with a result, as if it had been done")
    }
}
